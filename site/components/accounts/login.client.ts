/** Login and registration in the browser (§2 Auth page): the same calls as programs make, so that the token is kept. */
import type { SessionAnswer } from '#api/accounts/model.ts';
import { isLang } from '#content/locales.ts';
import { CallFailed, callApi } from '../../client/api.ts';
import { fromStorage } from '../../client/storage.ts';
import { areOfAnother } from '../../stores/notified.ts';
import { account, token } from '../../stores/session.ts';
import { check, endingKey, onWay, showProblem, startForms } from './forms.client.ts';
import { carryTypedFields } from './typed-fields.client.ts';

function startSession(session: SessionAnswer): void {
  token.set(session.token);
  account.set(session.user);
}

/** A browser that takes notifications, and not another person's, is to take those of this session, too: they ended with its last one. */
async function keepNotifications(): Promise<void> {
  if (areOfAnother()) return;
  const worker = await navigator.serviceWorker?.getRegistration('/');
  const subscription = await worker?.pushManager?.getSubscription();
  if (subscription) await (await import('./push.client.ts')).saveSubscription(subscription);
}

/** Milliseconds for `keepNotifications`. What a bad network prevents is made up for when the profile is opened. */
const timeToKeep = 3000;

/** Leaves for an address once notifications are kept. Replaces: Back should not lead to the login. */
async function leaveLogin(address: string): Promise<void> {
  const isOver = new Promise((resolve) => setTimeout(resolve, timeToKeep));
  await Promise.race([keepNotifications().catch(console.error), isOver]);
  location.replace(address);
}

/** The form was sent before this script was there: the cookie knows who it is, and the browser learns the token by it. */
async function waitForSession(link: HTMLAnchorElement): Promise<void> {
  await (await import('./session.client.ts')).identified;
  await leaveLogin(link.href);
}

/** Hashing a password takes its time on a busy server. */
const timeout = 20_000;

/** Login or registration, as the form says; neither is ever sent twice. */
function call(form: HTMLFormElement): Promise<SessionAnswer> {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? '');
  const login = { email: text('email'), password: text('password') };
  if (form.dataset.call !== 'register') return callApi('post', '/api/auth/login', { body: login, timeout });
  const language = text('language');
  return callApi('post', '/api/auth/register', {
    body: {
      ...login,
      username: text('username'),
      displayName: text('displayName') || null,
      confirmPassword: text('confirmPassword'),
      ...(isLang(language) ? { language } : {}),
    },
    timeout,
  });
}

/** @returns whether it left */
async function send(form: HTMLFormElement): Promise<boolean> {
  try {
    startSession(await call(form));
    await leaveLogin(form.dataset.next ?? '/');
    return true;
  } catch (error) {
    if (error instanceof CallFailed) showFailure(form, error.problem, Math.ceil(error.retryAfter / 60));
    else showFailure(form, {});
    return false;
  }
}

/** At the field that is wrong, else above the button. */
function showFailure(
  form: HTMLFormElement,
  { code = '', field = '' }: CallFailed['problem'],
  minutes = 0,
): void {
  const words: Record<string, string> = JSON.parse(form.dataset.words ?? '{}');
  const sentence = words[code]?.replace('#', String(Math.max(1, minutes))) ?? form.dataset.failed ?? '';
  const name = code === 'login_failed' ? 'password' : field;
  const input = form.querySelector<HTMLInputElement>(`.account-input [name="${name}"]`);
  const region = form.querySelector('.account-failure span');
  if (input) {
    showProblem(input, sentence);
    input.focus();
  } else if (region) region.textContent = sentence;
}

function start(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('.account-submit');
  let sending = false;
  const setSending = (isSending: boolean) => {
    sending = isSending;
    if (button) button.ariaBusy = isSending ? 'true' : null;
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending || !check(form)) return;
    setSending(true);
    const region = form.querySelector('.account-failure span');
    if (region) region.textContent = '';
    // While the next page is on its way, a second press would be told that the address is taken.
    setSending(await send(form));
    // It may have been stopped.
    if (sending) setTimeout(() => setSending(false), onWay);
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) setSending(false);
  });
}

if (fromStorage(() => sessionStorage.getItem(endingKey)))
  void import('./session.client.ts').then((it) => it.forgetEnded());
startForms();
carryTypedFields();
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-call]')) start(form);
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-done]')) {
  waitForSession(link).catch(() => location.replace(link.href));
}
