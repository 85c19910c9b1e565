/**
 * The hearts of events (§4 Event subscription): filled for those that the fan is subscribed to, changed at once and taken
 * back when the server refuses. Guests are asked to log in.
 */
import type {
  NotificationSettings,
  Subscribed,
  SubscriptionChange,
  Unsubscribed,
} from '#api/events/subscription-model.ts';
import type words from '#content/locales/en/hearts.json';
import { isLang } from '#content/locales.ts';
import { defaultReminders, minutesBeforeStart } from '#content/reminders.ts';
import { CallFailed, callApi, fetchPatiently } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { token } from '../../stores/session.ts';

/** Without settings: a new subscription gets the defaults of §9, and a heart in a stale tab changes nobody's own times. */
const interested: SubscriptionChange = { subscriptionType: 'interested' };

/** What it will be, as far as is known before the server has answered. */
const defaults: NotificationSettings = { email: true, push: true, times: [...defaultReminders] };

/** How the events of a fan remind, by their ids. */
type Subscriptions = Map<string, NotificationSettings>;

let mine: Promise<Subscriptions> | undefined;
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

/** The events that the fan is subscribed to; asked once per page and fan. */
function subscriptions(proof: string): Promise<Subscriptions> {
  if (mine && readFor === proof) return mine;
  readFor = proof;
  mine = callApi('get', '/api/events/subscriptions', { retries: 1 }).then(
    ({ subscriptions: list }) =>
      new Map(list.map(({ eventId, notificationSettings }) => [String(eventId), notificationSettings])),
  );
  mine.catch(() => {
    mine = undefined;
  });
  return mine;
}

/** Minutes until the heart's event starts; NaN on the ticket of one that counts nothing down. */
function minutesUntilStart(heart: HTMLElement): number {
  const counted = heart.closest('[data-ticket]')?.querySelector<HTMLElement>('[data-countdown]');
  return (Date.parse(heart.dataset.starts ?? counted?.dataset.countdown ?? '') - Date.now()) / 60_000;
}

/** Whether a reminder is still to come. */
function reminds(heart: HTMLElement, { email, push, times }: NotificationSettings): boolean {
  const left = minutesUntilStart(heart);
  return (email || push) && times.some((time) => left > minutesBeforeStart(time));
}

/**
 * For a logged-in fan the link to the login becomes a button that says whether it is pressed, and a reminder only where one is
 * still to come.
 */
function paint(known: Subscriptions): void {
  for (const heart of all()) {
    const settings = known.get(heart.dataset.subscribe ?? '');
    const on = settings !== undefined;
    if (heart instanceof HTMLAnchorElement) {
      heart.removeAttribute('href');
      heart.setAttribute('role', 'button');
      heart.tabIndex = 0;
    }
    heart.setAttribute('aria-pressed', String(on));
    const words = heart.querySelector('[data-heart-words]');
    const { off, added } = heart.dataset;
    const said = on ? (reminds(heart, settings) ? heart.dataset.on : added) : off;
    if (words) words.textContent = said ?? words.textContent;
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
async function subscribe(id: string, heart: HTMLElement, known: Subscriptions): Promise<keyof Words> {
  const { subscription } = await send<Subscribed>(id, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(interested),
  });
  known.set(id, subscription.notificationSettings);
  paint(known);
  const { times } = subscription.notificationSettings;
  const left = minutesUntilStart(heart);
  const [day, hour] = defaultReminders.map((time) => left > minutesBeforeStart(time));
  if (day && times.join() === defaultReminders.join()) return 'subscribed';
  return hour && !day && times.includes('1h') ? 'subscribedHour' : 'subscribedOnly';
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
  const known = await subscriptions(proof).catch((): Subscriptions => new Map());
  const before = known.get(id);
  const wanted = before === undefined;
  const put = (on: boolean) => {
    if (on) known.set(id, before ?? defaults);
    else known.delete(id);
    paint(known);
  };
  put(wanted);
  try {
    void say(await (wanted ? subscribe(id, heart, known) : unsubscribe(id)), false);
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

/** The event's page keeps other times for it (`reminders.ts`). */
document.addEventListener('reminders', (event) => {
  if (!(event instanceof CustomEvent)) return;
  const { id, settings }: { id: number; settings: NotificationSettings } = event.detail;
  void mine?.then((known) => paint(known.set(String(id), settings)));
});

/** A role of a button answers the keys of one. */
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || !target.matches('a[data-subscribe]:not([href])')) return;
  if (key !== ' ' && key !== 'Enter') return;
  event.preventDefault();
  target.click();
});
