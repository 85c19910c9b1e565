/**
 * Reminder settings on an event's page (`components/events/ReminderSettings.astro`): shown to whoever is to be
 * reminded of it, and saved for this event alone.
 */

import { CallFailed, callApi } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { token } from '../../stores/session.ts';

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

/** Only a fan who is to be reminded of the event sees how and when. */
async function show(proof: string | undefined): Promise<void> {
  if (!section) return;
  const { subscriptions } = proof ? await callApi('get', '/api/events/subscriptions') : { subscriptions: [] };
  const found = subscriptions.find(({ eventId }) => eventId === id);
  section.hidden = !found;
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
  await callApi('put', '/api/events/:id/subscribe', {
    params: { id },
    body: { subscriptionType, notificationSettings },
    idempotent: true,
  });
  document.dispatchEvent(new CustomEvent('reminders', { detail: { id, settings: notificationSettings } }));
  const { email, push, times } = notificationSettings;
  const reminds = (email || push) && times.length > 0;
  showToast(section?.dataset[reminds ? 'saved' : 'none'] ?? '');
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  save().catch((error: unknown) => {
    console.error(error);
    const isTooMany = error instanceof CallFailed && error.said.code === 'too_many_reminders';
    showToast(section?.dataset[isTooMany ? 'tooMany' : 'failed'] ?? '');
  });
});
const renew = () => {
  show(token.get()).catch((error: unknown) => console.error(error));
};
token.subscribe(renew);
// A heart on this page was pressed.
document.addEventListener('subscribed', renew);
