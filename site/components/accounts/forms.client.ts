/**
 * Forms of accounts say what is wrong at the field, as one types (§5). Fields carry their rules and words
 * (`components/accounts/Field.astro`); the server decides.
 */
import { storageKey } from '#content/site.ts';

/**
 * In session storage while a form that ends the session is on its way: the page of the login, to which it leads only when it has
 * ended, clears what was kept for this person.
 */
export const endingKey = `${storageKey}:ending`;

const inputsOf = (form: HTMLFormElement) => [
  ...form.querySelectorAll<HTMLInputElement>('.account-input input'),
];

/** What is wrong with a field by its own rules; empty when nothing is. Lengths count characters as the server does. */
function problemOf(input: HTMLInputElement): string {
  const { missing, min, short, max, long, pattern, form, differs } = input.dataset;
  const text = (input.type === 'password' ? input.value : input.value.trim()).normalize('NFC');
  if (text === '') return (input.required && missing) || '';
  const { length } = [...text];
  if (short && length < Number(min)) return short;
  if (long && length > Number(max)) return long;
  if (form && !new RegExp(`^(?:${pattern})$`, 'u').test(text)) return form;
  return differs && text !== firstPassword(input) ? differs : '';
}

/** The password that this field repeats. */
function firstPassword(input: HTMLInputElement): string | undefined {
  return input.form?.querySelector<HTMLInputElement>('#newPassword, #password')?.value.normalize('NFC');
}

/** Shows or clears the sentence below a field. */
export function showProblem(input: HTMLInputElement, problem: string): void {
  const sentence = document.querySelector(`#${input.id}-problem span`);
  if (sentence) sentence.textContent = problem;
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/** Checks a form's fields and leads to the first wrong one. */
export function check(form: HTMLFormElement): boolean {
  for (const input of inputsOf(form)) showProblem(input, problemOf(input));
  const wrong = form.querySelector<HTMLInputElement>('[aria-invalid]');
  wrong?.focus();
  return !wrong;
}

/** How long a form counts as on its way, ms: hashing a password takes its time on a busy server, and a load can be stopped. */
export const onWay = 20_000;
const sentForms = new Set<HTMLFormElement>();
function setOnWay(form: HTMLFormElement, isOnWay: boolean): void {
  sentForms[isOnWay ? 'add' : 'delete'](form);
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]');
  if (button) button.ariaBusy = isOnWay ? 'true' : null;
}
// A page from the back-forward cache has none on its way.
addEventListener('pageshow', () => {
  for (const form of sentForms) setOnWay(form, false);
});

/**
 * Lets the browser send a form whose fields are right, and once: only the answer to the last press is shown, and it would say that
 * the password is no longer what the first one changed.
 * @returns whether it goes
 */
export function letGoOnce(form: HTMLFormElement, event: Event): boolean {
  const goes = !sentForms.has(form) && check(form);
  if (goes) {
    setOnWay(form, true);
    setTimeout(() => setOnWay(form, false), onWay);
  } else event.preventDefault();
  return goes;
}

let isPressing = false;
document.addEventListener('mousedown', () => (isPressing = true), true);
document.addEventListener('mouseup', () => (isPressing = false), true);

/** A sentence that comes while a button is pressed would push it away from under the pointer, and the press were none. */
function afterRelease(run: () => void): void {
  if (isPressing) document.addEventListener('mouseup', () => setTimeout(run), { once: true });
  else run();
}

/** A field is checked when it is left, and from then on with every key; nobody is told off while beginning to type. */
function watch(input: HTMLInputElement): void {
  let isLeft = false;
  input.addEventListener('change', () => {
    isLeft = true;
    afterRelease(() => showProblem(input, problemOf(input)));
  });
  input.addEventListener('input', () => {
    if (isLeft || input.hasAttribute('aria-invalid')) showProblem(input, problemOf(input));
    const repeated = input.form?.querySelector<HTMLInputElement>('#confirmPassword');
    if (repeated && repeated !== input && repeated.value) showProblem(repeated, problemOf(repeated));
  });
}

function addVisibilityToggle(button: HTMLButtonElement): void {
  const input = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (!(input instanceof HTMLInputElement)) return;
  const show = (visible: boolean) => {
    input.type = visible ? 'text' : 'password';
    button.ariaLabel = (visible ? button.dataset.hide : button.dataset.show) ?? '';
    button.dataset.visible = String(visible);
  };
  button.hidden = false;
  show(false);
  button.addEventListener('click', () => show(input.type === 'password'));
  // Browsers remember what was typed into text fields.
  input.form?.addEventListener('submit', () => show(false));
}

/** Every form of accounts on the page says what is wrong as one types. */
export function startForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('.account-form')) {
    inputsOf(form).forEach(watch);
    form.querySelectorAll<HTMLButtonElement>('[data-show]').forEach(addVisibilityToggle);
  }
  // What only the server knew to be wrong may be far below where its answer begins.
  document.querySelector<HTMLInputElement>('.account-form [aria-invalid]')?.focus();
}
