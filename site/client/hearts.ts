/**
 * The hearts of events (§4 Event subscription): filled for those that the fan is subscribed to, changed at once and taken
 * back when the server refuses. Guests are asked to log in.
 */
import type { SubscriptionChange } from '#api/events/subscription-model.ts';
import { token } from '../stores/session.ts';
import { CallFailed, callApi, fetchPatiently } from './api.ts';
import { showToast } from './toast.ts';

/** Without settings: a new subscription gets the defaults of §9, and a heart in a stale tab changes nobody's own times. */
const interested: SubscriptionChange = { subscriptionType: 'interested' };

let mine: Promise<Set<string>> | undefined;
let readFor: string | undefined;

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
  if (!proof) return;
  try {
    paint(await subscriptions(proof));
  } catch (error) {
    console.error('subscriptions:', error);
  }
}

/** §8: a change is retried once after a second; it is idempotent (decision S5). */
async function send(id: string, wanted: boolean): Promise<void> {
  const change = wanted
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(interested) }
    : { method: 'DELETE' };
  await fetchPatiently(`/api/events/${id}/subscribe`, change, (answer) => answer.json(), {
    idempotent: true,
  });
}

/** Saving reminders subscribes, too (`client/reminders.ts`). */
document.addEventListener('subscribed', (event) => {
  if (!(event instanceof CustomEvent)) return;
  const { id, subscribed }: { id: number; subscribed: boolean } = event.detail;
  mine?.then(
    (known) => {
      if (subscribed) known.add(String(id));
      else known.delete(String(id));
      paint(known);
    },
    () => {},
  );
});

const sending = new Set<string>();

/** A press on a heart. */
export async function pressHeart(heart: HTMLElement): Promise<void> {
  const proof = token.get();
  const id = heart.dataset.subscribe ?? '';
  const say = document.querySelector<HTMLElement>('[data-heart-says]')?.dataset;
  if (!proof) {
    askToLogIn(heart);
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
    await send(id, wanted);
    showToast((wanted ? say?.subscribed : say?.unsubscribed) ?? '');
    document.dispatchEvent(new CustomEvent('subscribed', { detail: { id: Number(id), subscribed: wanted } }));
  } catch (error) {
    console.error(error instanceof CallFailed ? (error.said.error ?? error.message) : error);
    put(!wanted);
    if (error instanceof CallFailed && error.status === 401) askToLogIn(heart);
    else showToast((wanted ? say?.subscribeFailed : say?.unsubscribeFailed) ?? '');
  } finally {
    sending.delete(id);
  }
}

function askToLogIn(heart: HTMLElement): void {
  const template = document.querySelector<HTMLTemplateElement>('template[data-login-prompt]');
  const dialog = template?.content.querySelector('dialog')?.cloneNode(true);
  if (!(dialog instanceof HTMLDialogElement)) {
    if (heart instanceof HTMLAnchorElement && heart.href) location.assign(heart.href);
    return;
  }
  const login = dialog.querySelector('a');
  login?.setAttribute('href', heart.getAttribute('href') ?? login.href);
  dialog.querySelector('button')?.addEventListener('click', () => dialog.close());
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
