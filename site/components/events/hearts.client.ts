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
import { CallFailed, fetchPatiently } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { token } from '../../stores/session.ts';
import {
  type MissingReason,
  missingReasons,
  readSubscriptions,
  reminderChannels,
  setSubscription,
  subscriptions,
} from '../../stores/subscriptions.ts';

/** Without settings: a new subscription gets the defaults of §9, and a heart in a stale tab changes nobody's own times. */
const interested: SubscriptionChange = { subscriptionType: 'interested' };

/** What it will be, as far as is known before the server has answered. */
const defaults: NotificationSettings = { email: true, push: true, times: [...defaultReminders] };

/** Events whose subscription is being changed, by their ids: whether their hearts are pressed meanwhile. */
const pending = new Map<number, boolean>();

type Words = typeof words;
let wordsRequest: Promise<Words> | undefined;

/** What hearts say, on whichever page they are; asked for before it is needed, because a failed change must be told. */
function heartWords(): Promise<Words> {
  const { lang } = document.documentElement;
  wordsRequest ??= fetchPatiently(
    `/${isLang(lang) ? lang : 'ko'}/words/hearts.json`,
    {},
    (answer): Promise<Words> => answer.json(),
    { retries: 1 },
  );
  wordsRequest.catch(() => {
    wordsRequest = undefined;
  });
  return wordsRequest;
}

/** Milliseconds: several sentences take longer to read, and one of them asks for something. */
const readingTime = 12_000;

/** Says how it went, and what is missing for the reminders to arrive; without its words, that something failed. */
async function say(key: keyof Words, { isFailure = false, missing = [] }: Said = {}): Promise<void> {
  const sentences = await heartWords().catch(() => undefined);
  if (!sentences) return showToast(isFailure ? (document.body.dataset.failed ?? '') : '');
  const text = [key, ...missing.map((reason) => `missing_${reason}` as const)].map((each) => sentences[each]);
  if (missing.length === 0) return showToast(text.join(' '));
  showToast(text.join(' '), readingTime, { label: sentences.whatToDo, run: showWhatToDo });
}

interface Said {
  isFailure?: boolean;
  missing?: readonly MissingReason[];
}

/** The reminder settings of this page have the ways out; elsewhere, as in a sheet over it, the profile has them. */
function showWhatToDo(): void {
  const settings = document.querySelector<HTMLElement>('[data-reminders]:not([hidden])');
  if (!settings || document.querySelector('dialog:modal')) {
    location.assign(`/profile?lang=${document.documentElement.lang}#my-events`);
    return;
  }
  settings.scrollIntoView({ block: 'center' });
  settings.querySelector<HTMLElement>('[data-missing]:not([hidden]) :is(a, button)')?.focus();
}

const all = () => document.querySelectorAll<HTMLElement>('[data-subscribe]');
const idOf = ({ dataset }: HTMLElement) => Number(dataset.subscribe);

/** Minutes until the heart's event starts; NaN on the ticket of one that counts nothing down. */
function minutesUntilStart(heart: HTMLElement): number {
  const counted = heart.closest('[data-ticket]')?.querySelector<HTMLElement>('[data-countdown]');
  return (Date.parse(heart.dataset.starts ?? counted?.dataset.countdown ?? '') - Date.now()) / 60_000;
}

/** Whether a reminder is still to come, and how often it would not arrive. */
function outlookOf(heart: HTMLElement, settings: NotificationSettings): Outlook {
  const { email, push, times } = settings;
  const left = minutesUntilStart(heart);
  const isPlanned = (email || push) && times.some((time) => left > minutesBeforeStart(time));
  const missing = isPlanned ? missingReasons(settings) : [];
  return { reminds: isPlanned && missing.length < Number(email) + Number(push), missing };
}

interface Outlook {
  /** By one channel at least. */
  reminds: boolean;
  missing: MissingReason[];
}

/**
 * For a logged-in fan the link to the login becomes a button that says whether it is pressed, and a reminder only where one is
 * still to come. After the logout, maybe in another tab, it is a button that asks for the login.
 */
function paint(): void {
  const subscribed = subscriptions.get();
  const isGuest = !token.get();
  if (!isGuest && !subscribed && pending.size === 0) return;
  for (const heart of all()) {
    const words = heart.querySelector('[data-heart-words]');
    const { off, added } = heart.dataset;
    if (isGuest) {
      heart.removeAttribute('aria-pressed');
      if (words) words.textContent = off ?? words.textContent;
      continue;
    }
    const id = idOf(heart);
    const subscription = subscribed?.get(id);
    const on = pending.get(id) ?? subscription !== undefined;
    if (heart instanceof HTMLAnchorElement) {
      heart.removeAttribute('href');
      heart.setAttribute('role', 'button');
      heart.tabIndex = 0;
    }
    heart.setAttribute('aria-pressed', String(on));
    const settings = subscription?.notificationSettings ?? defaults;
    const label = on ? (outlookOf(heart, settings).reminds ? heart.dataset.on : added) : off;
    if (words) words.textContent = label ?? words.textContent;
  }
}

subscriptions.listen(paint);
reminderChannels.listen(paint);

/** Shows the hearts of whoever is logged in, also after more events came. */
export async function showHearts(): Promise<void> {
  const proof = token.get();
  if (!proof || all().length === 0) return;
  paint();
  try {
    await Promise.all([readSubscriptions(proof), heartWords()]);
  } catch (error) {
    console.error('subscriptions:', error);
  }
}

/** §8: a change is retried once after a second; it is idempotent (decision S5). */
const send = <Answer>(id: number, change: RequestInit) =>
  fetchPatiently(`/api/events/${id}/subscribe`, change, (answer): Promise<Answer> => answer.json(), {
    idempotent: true,
  });

/** Subscribes, and says what is still to come of its reminders: an hour before the start one of a day before is past. */
async function subscribe(id: number, heart: HTMLElement): Promise<void> {
  const { subscription, channels } = await send<Subscribed>(id, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(interested),
  });
  reminderChannels.set(channels);
  setSubscription(id, subscription);
  const { reminds, missing } = outlookOf(heart, subscription.notificationSettings);
  const { times } = subscription.notificationSettings;
  void say(reminds ? promiseOf(heart, times) : 'subscribedOnly', { missing });
}

/** When the reminders that are still to come will be there. */
function promiseOf(heart: HTMLElement, times: readonly string[]): keyof Words {
  const left = minutesUntilStart(heart);
  const [day, hour] = defaultReminders.map((time) => left > minutesBeforeStart(time));
  if (day && times.join() === defaultReminders.join()) return 'subscribed';
  return hour && !day && times.includes('1h') ? 'subscribedHour' : 'subscribedOnly';
}

async function unsubscribe(id: number): Promise<void> {
  await send<Unsubscribed>(id, { method: 'DELETE' });
  setSubscription(id, undefined);
  void say('unsubscribed');
}

/** A press on a heart. */
export async function pressHeart(heart: HTMLElement): Promise<void> {
  const proof = token.get();
  const id = idOf(heart);
  if (!proof) {
    await askToLogIn(heart);
    return;
  }
  await readSubscriptions(proof).catch(() => undefined);
  if (pending.has(id)) return;
  const isSubscribed = subscriptions.get()?.has(id) ?? false;
  const show = (on: boolean) => {
    pending.set(id, on);
    paint();
  };
  show(!isSubscribed);
  try {
    await (isSubscribed ? unsubscribe(id) : subscribe(id, heart));
  } catch (error) {
    console.error(error instanceof CallFailed ? (error.problem.error ?? error.message) : error);
    show(isSubscribed);
    if (error instanceof CallFailed && error.status === 401) await askToLogIn(heart);
    else await say(isSubscribed ? 'unsubscribeFailed' : 'subscribeFailed', { isFailure: true });
  } finally {
    pending.delete(id);
  }
}

/** Guests are asked to log in (§6); without the words of the question the heart is the link that it looks like. */
async function askToLogIn(heart: HTMLElement): Promise<void> {
  const { lang } = document.documentElement;
  const next = encodeURIComponent(location.pathname + location.search);
  const address = heart.dataset.login ?? heart.getAttribute('href') ?? `/login?lang=${lang}&next=${next}`;
  const sentences = await heartWords().catch(() => undefined);
  if (!sentences) {
    location.assign(address);
    return;
  }
  const create = <Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    className: string,
    ...inside: (Node | string)[]
  ) => {
    const element = Object.assign(document.createElement(tag), { className });
    element.append(...inside);
    return element;
  };
  const title = Object.assign(create('h2', '', sentences.loginTitle), { id: 'login-prompt-title' });
  const notNow = Object.assign(create('button', 'button button-line', sentences.notNow), { type: 'button' });
  const login = Object.assign(create('a', 'button button-primary', sentences.login), { href: address });
  const footer = create('div', 'sheet-footer', notNow, login);
  const dialog = create(
    'dialog',
    'sheet',
    create(
      'div',
      'sheet-body',
      create('span', 'sheet-handle'),
      title,
      create('p', '', sentences.loginText),
      footer,
    ),
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
