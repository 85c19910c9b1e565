/** Login and registration in the browser (§2 Auth page): the same calls as programs make, so that the token is kept. */
import type { SessionAnswer } from '#api/accounts/model.ts';
import { account, token } from '../stores/session.ts';
import { check, say, startForms } from './forms.ts';

interface Refusal {
  code?: string;
  field?: string;
}

function keep(session: SessionAnswer): void {
  token.set(session.token);
  account.set(session.user);
}

/** The form was sent before this script was there: the cookie knows who it is, the browser must learn the token. */
async function catchUp(link: HTMLAnchorElement): Promise<void> {
  const answer = await fetch('/api/auth/token', { method: 'POST' });
  if (answer.ok) keep(await answer.json());
  location.replace(link.href);
}

async function send(form: HTMLFormElement): Promise<void> {
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
  const answer = await fetch(form.dataset.call ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
    signal: AbortSignal.timeout(20_000),
  });
  if (answer.ok) {
    keep(await answer.json());
    location.assign(form.dataset.next ?? '/');
    return;
  }
  const refusal: Refusal = await answer.json();
  show(form, refusal, Math.ceil(Number(answer.headers.get('retry-after') ?? 0) / 60));
}

/** At the field that is wrong, else above the button. */
function show(form: HTMLFormElement, { code = '', field = '' }: Refusal, minutes = 0): void {
  const words: Record<string, string> = JSON.parse(form.dataset.words ?? '{}');
  const sentence = words[code]?.replace('#', String(Math.max(1, minutes))) ?? form.dataset.failed ?? '';
  const name = code === 'login_failed' ? 'password' : field;
  const input = form.querySelector<HTMLInputElement>(`.account-input [name="${name}"]`);
  const region = form.querySelector('.account-failure span');
  if (input) {
    say(input, sentence);
    input.focus();
  } else if (region) region.textContent = sentence;
}

function start(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('.account-submit');
  let sending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending || !check(form)) return;
    sending = true;
    if (button) button.ariaBusy = 'true';
    const region = form.querySelector('.account-failure span');
    if (region) region.textContent = '';
    await send(form).catch(() => show(form, {}));
    sending = false;
    if (button) button.ariaBusy = null;
  });
}

startForms();
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-call]')) start(form);
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-done]')) {
  catchUp(link).catch(() => location.replace(link.href));
}
