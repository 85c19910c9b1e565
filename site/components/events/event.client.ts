/** An event's page in the browser: what `Ticket.client.ts` does everywhere, reminders, and that somebody looked. */
import { token } from '../../stores/session.ts';
import './Ticket.client.ts';

const views = () => import('./record-view.client.ts');
/** Milliseconds; who leaves before has not looked. */
const glance = 3000;

const id = document.querySelector<HTMLElement>('[data-event-details]')?.dataset.eventDetails;
if (id) setTimeout(() => void views().then((it) => it.recordView(id)), glance);
// Nobody else needs it, and a fan can wait the moment.
token.subscribe((proof) => {
  if (proof && document.querySelector('[data-reminders]')) void import('./ReminderSettings.client.ts');
});
