/**
 * Reminder settings on an event's page (`components/events/ReminderSettings.astro`): filled in for whoever is logged in and
 * saved for this event alone. Saving subscribes.
 */
import { token } from '../stores/session.ts';
import { CallFailed, callApi } from './api.ts';
import { showToast } from './toast.ts';

const section = document.querySelector<HTMLElement>('[data-reminders]');
const form = section?.querySelector('form');
const id = Number(section?.dataset.reminders);

const radios = () => [...(form?.querySelectorAll<HTMLInputElement>('input[name="type"]') ?? [])];

interface Settings {
  email: boolean;
  push: boolean;
  times: string[];
}

const boxes = () => [...(form?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]') ?? [])];

function fill({ email, push, times }: Settings): void {
  const on = new Set([
    ...(email ? ['email'] : []),
    ...(push ? ['push'] : []),
    ...times.map((time) => `time-${time}`),
  ]);
  for (const box of boxes()) box.checked = on.has(box.name);
}

/** Times that the page does not offer are kept as they are. */
let others: string[] = [];

function read(): Settings {
  const on = new Set(boxes().flatMap(({ checked, name }) => (checked ? [name] : [])));
  const times = [...on].flatMap((name) => (name.startsWith('time-') ? [name.slice(5)] : []));
  return { email: on.has('email'), push: on.has('push'), times: [...times, ...others] };
}

async function show(isIn: boolean): Promise<void> {
  if (!section || !form) return;
  form.hidden = !isIn;
  for (const each of section.querySelectorAll<HTMLElement>('[data-signed-out]')) each.hidden = isIn;
  if (!isIn) return;
  const { subscriptions } = await callApi('get', '/api/events/subscriptions');
  const found = subscriptions.find(({ eventId }) => eventId === id);
  if (!found) return;
  const mine = found.notificationSettings;
  for (const radio of radios()) radio.checked = radio.value === found.subscriptionType;
  const offered = new Set(boxes().map(({ name }) => name));
  others = mine.times.filter((time) => !offered.has(`time-${time}`));
  fill(mine);
}

async function save(): Promise<void> {
  const notificationSettings = read();
  const subscriptionType = radios().some(({ checked, value }) => checked && value === 'going')
    ? ('going' as const)
    : ('interested' as const);
  await callApi('post', '/api/events/:id/subscribe', { params: { id }, idempotent: true });
  await callApi('put', '/api/events/:id/subscribe', {
    params: { id },
    body: { subscriptionType, notificationSettings },
    idempotent: true,
  });
  showToast(section?.dataset.saved ?? '');
  // The event's heart on this page fills itself.
  document.dispatchEvent(new CustomEvent('subscribed', { detail: { id, subscribed: true } }));
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  save().catch((error: unknown) => {
    console.error(error);
    const isTooMany = error instanceof CallFailed && error.said.code === 'too_many_reminders';
    showToast(section?.dataset[isTooMany ? 'tooMany' : 'failed'] ?? '');
  });
});
token.subscribe((proof) => {
  show(Boolean(proof)).catch((error: unknown) => console.error(error));
});
