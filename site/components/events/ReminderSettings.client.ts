/**
 * Reminder settings on an event's page (`components/events/ReminderSettings.astro`): shown to whoever is to be
 * reminded of it, and saved for this event alone.
 */

import type { NotificationSettings, Subscription } from '#api/events/subscription-model.ts';
import { CallFailed, callApi } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { token } from '../../stores/session.ts';
import {
  missingReasons,
  readSubscriptions,
  reminderChannels,
  setSubscription,
  subscriptions,
} from '../../stores/subscriptions.ts';

const section = document.querySelector<HTMLElement>('[data-reminders]');
const form = section?.querySelector('form');
const id = Number(section?.dataset.reminders);

const radios = () => [...(form?.querySelectorAll<HTMLInputElement>('input[name="type"]') ?? [])];
const boxes = () => [...(form?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]') ?? [])];

function fill({ subscriptionType, notificationSettings }: Subscription): void {
  const { email, push, times } = notificationSettings;
  const on = new Set([
    ...(email ? ['email'] : []),
    ...(push ? ['push'] : []),
    ...times.map((time) => `time-${time}`),
  ]);
  for (const radio of radios()) radio.checked = radio.value === subscriptionType;
  for (const box of boxes()) box.checked = on.has(box.name);
}

/** Times that the page does not offer are kept as they are. */
function timesNotOffered(): string[] {
  const offered = new Set(boxes().map(({ name }) => name));
  const { times = [] } = subscriptions.get()?.get(id)?.notificationSettings ?? {};
  return times.filter((time) => !offered.has(`time-${time}`));
}

function read(): NotificationSettings {
  const on = new Set(boxes().flatMap(({ checked, name }) => (checked ? [name] : [])));
  const times = [...on].flatMap((name) => (name.startsWith('time-') ? [name.slice(5)] : []));
  return { email: on.has('email'), push: on.has('push'), times: [...times, ...timesNotOffered()] };
}

/** Says of what is ticked whether it would not arrive, and offers what helps. */
function showMissing(): void {
  const reasons: string[] = missingReasons(read());
  for (const note of section?.querySelectorAll<HTMLElement>('[data-missing]') ?? [])
    note.hidden = !reasons.includes(note.dataset.missing ?? '');
}

/** Sends the letter by which the address is confirmed once more; one that was confirmed meanwhile needs none. */
async function sendLetter({ dataset }: HTMLElement): Promise<void> {
  try {
    await callApi('post', '/api/auth/verify/send');
    showToast(dataset.sent ?? '');
  } catch (error) {
    const channels = reminderChannels.get();
    if (channels && error instanceof CallFailed && error.problem.code === 'verified')
      reminderChannels.set({ ...channels, email: 'ready' });
    else showToast(section?.dataset.notSent ?? '');
  }
}

async function save(): Promise<void> {
  const notificationSettings = read();
  const subscriptionType = radios().some(({ checked, value }) => checked && value === 'going')
    ? ('going' as const)
    : ('interested' as const);
  const subscription = await callApi('put', '/api/events/:id/subscribe', {
    params: { id },
    body: { subscriptionType, notificationSettings },
    idempotent: true,
  });
  setSubscription(id, subscription);
  const { email, push, times } = notificationSettings;
  const reminds = (email || push) && times.length > 0;
  showToast(section?.dataset[reminds ? 'saved' : 'none'] ?? '');
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  save().catch((error: unknown) => {
    console.error(error);
    const isTooMany = error instanceof CallFailed && error.problem.code === 'too_many_reminders';
    // Somebody, such as the same fan in another tab, took the event off.
    const isGone = error instanceof CallFailed && error.status === 404;
    if (isGone) setSubscription(id, undefined);
    if (isGone) return showToast(section?.dataset.none ?? '');
    showToast(section?.dataset[isTooMany ? 'tooMany' : 'failed'] ?? '');
  });
});

form?.addEventListener('change', showMissing);
for (const button of section?.querySelectorAll<HTMLElement>('[data-send-again]') ?? [])
  button.addEventListener('click', () => void sendLetter(button));
reminderChannels.listen(showMissing);

/** Only a fan who is to be reminded of the event sees how and when; the form follows the event's heart. */
subscriptions.subscribe((all, before) => {
  const subscription = all?.get(id);
  if (section) section.hidden = !subscription;
  if (!subscription || before?.has(id)) return;
  fill(subscription);
  showMissing();
});
token.subscribe((proof) => {
  if (proof) readSubscriptions(proof).catch((error: unknown) => console.error(error));
});
