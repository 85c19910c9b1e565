/**
 * The hearts of events (§4 Event subscription): filled for those that the fan is subscribed to, changed at once and taken
 * back when the server refuses. Guests are asked to log in.
 */
import type { Subscribed, SubscriptionChange, Unsubscribed } from '#api/events/subscription-model.ts';
import type words from '#content/locales/en/hearts.json';
import { isLang } from '#content/locales.ts';
import { token } from '../stores/session.ts';
import { CallFailed, callApi, fetchPatiently } from './api.ts';
import { showToast } from './toast.ts';

/** Without settings: a new subscription gets the defaults of §9, and a heart in a stale tab changes nobody's own times. */
const interested: SubscriptionChange = { subscriptionType: 'interested' };

const hour = 3_600_000;
const day = 24 * hour;

let mine: Promise<Set<string>> | undefined;
let readFor: string | undefined;

type Words = typeof words;
let said: Promise<Words> | undefined;

/** What hearts say, on whichever page they are; asked for before it is needed, because a failed change must be told. */
function heartWords(): Promise<Words> {
  const { lang } = document.documentElement;
  said ??= fetchPatiently(
    `/${isLang(lang) ? lang : 'ko'}/words/hearts.json`,
    {},
    (answer): Promise<Words> => answer.json(),
    { retries: 1 },
  );
  said.catch(() => {
    said = undefined;
  });
  return said;
}

/** Says how it went; without its words, that something failed. */
async function say(key: keyof Words, isFailure: boolean): Promise<void> {
  const text = await heartWords().then(
    (known) => known[key],
    () => (isFailure ? document.body.dataset.failed : ''),
  );
  showToast(text ?? '');
}

const all = () => document.querySelectorAll<HTMLElement>('[data-subscribe]');

/** The ids of the events that the fan is subscribed to; asked once per page and fan. */
function subscriptions(proof: string): Promise<Set<string>> {
  if (mine && readFor === proof) return mine;
  readFor = proof;
  mine = callApi('get', '/api/events/subscriptions', { retries: 1 }).then(
    ({ subscriptions: list }) => new Set(list.map(({ eventId }) => String(eventId))),
  );
  mine.catch(() => {
    mine = undefined;
  });
  return mine;
}

/** For a logged-in fan the link to the login becomes a button that says whether it is pressed. */
function paint(known: ReadonlySet<string>): void {
  for (const heart of all()) {
    const on = known.has(heart.dataset.subscribe ?? '');
    if (heart instanceof HTMLAnchorElement) {
      heart.removeAttribute('href');
      heart.setAttribute('role', 'button');
      heart.tabIndex = 0;
    }
    heart.setAttribute('aria-pressed', String(on));
    const words = heart.querySelector('[data-heart-words]');
    if (words) words.textContent = (on ? heart.dataset.on : heart.dataset.off) ?? words.textContent;
  }
}

/** Shows the hearts of whoever is logged in, also after more events came. */
export async function showHearts(): Promise<void> {
  const proof = token.get();
  if (!proof || all().length === 0) return;
  try {
    await Promise.all([subscriptions(proof).then(paint), heartWords()]);
  } catch (error) {
    console.error('subscriptions:', error);
  }
}

/** §8: a change is retried once after a second; it is idempotent (decision S5). */
const send = <Answer>(id: string, change: RequestInit) =>
  fetchPatiently(`/api/events/${id}/subscribe`, change, (answer): Promise<Answer> => answer.json(), {
    idempotent: true,
  });

/** Subscribes, and says what is still to come of its reminders: an hour before the start one of a day before is past. */
async function subscribe(id: string, heart: HTMLElement): Promise<keyof Words> {
  const { subscription } = await send<Subscribed>(id, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(interested),
  });
  const counted = heart.closest('[data-ticket]')?.querySelector<HTMLElement>('[data-countdown]');
  const left = Date.parse(counted?.dataset.countdown ?? '') - Date.now();
  const { times } = subscription.notificationSettings;
  if (left > day && times.join() === '1d,1h') return 'subscribed';
  return left > hour && left < day && times.includes('1h') ? 'subscribedHour' : 'subscribedOnly';
}

async function unsubscribe(id: string): Promise<keyof Words> {
  await send<Unsubscribed>(id, { method: 'DELETE' });
  return 'unsubscribed';
}

const sending = new Set<string>();

/** A press on a heart. */
export async function pressHeart(heart: HTMLElement): Promise<void> {
  const proof = token.get();
  const id = heart.dataset.subscribe ?? '';
  if (!proof) {
    await askToLogIn(heart);
    return;
  }
  if (sending.has(id)) return;
  sending.add(id);
  const known = await subscriptions(proof).catch(() => new Set<string>());
  const wanted = !known.has(id);
  const put = (on: boolean) => {
    if (on) known.add(id);
    else known.delete(id);
    paint(known);
  };
  put(wanted);
  try {
    void say(await (wanted ? subscribe(id, heart) : unsubscribe(id)), false);
    document.dispatchEvent(new CustomEvent('subscribed', { detail: { id: Number(id), subscribed: wanted } }));
  } catch (error) {
    console.error(error instanceof CallFailed ? (error.said.error ?? error.message) : error);
    put(!wanted);
    if (error instanceof CallFailed && error.status === 401) await askToLogIn(heart);
    else await say(wanted ? 'subscribeFailed' : 'unsubscribeFailed', true);
  } finally {
    sending.delete(id);
  }
}

/** Guests are asked to log in (§6); without the words of the question the heart is the link that it looks like. */
async function askToLogIn(heart: HTMLElement): Promise<void> {
  const { lang } = document.documentElement;
  const next = encodeURIComponent(location.pathname + location.search);
  const address = heart.getAttribute('href') ?? `/login?lang=${lang}&next=${next}`;
  const known = await heartWords().catch(() => undefined);
  if (!known) {
    location.assign(address);
    return;
  }
  const made = <Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    className: string,
    ...inside: (Node | string)[]
  ) => {
    const element = Object.assign(document.createElement(tag), { className });
    element.append(...inside);
    return element;
  };
  const title = Object.assign(made('h2', '', known.loginTitle), { id: 'login-prompt-title' });
  const notNow = Object.assign(made('button', 'button button-line', known.notNow), { type: 'button' });
  const login = Object.assign(made('a', 'button button-primary', known.login), { href: address });
  const footer = made('div', 'sheet-footer sheet-choice', notNow, login);
  const dialog = made(
    'dialog',
    'sheet',
    made('div', 'sheet-body', title, made('p', '', known.loginText), footer),
  );
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.setAttribute('closedby', 'any');
  notNow.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    heart.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** A role of a button answers the keys of one. */
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || !target.matches('a[data-subscribe]:not([href])')) return;
  if (key !== ' ' && key !== 'Enter') return;
  event.preventDefault();
  target.click();
});
