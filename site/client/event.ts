/** An event's page in the browser: what `tickets.ts` does everywhere, reminders, and that somebody looked. */
import './tickets.ts';
import { noteView } from './note-view.ts';

const id = document.querySelector<HTMLElement>('[data-event-details]')?.dataset.eventDetails;
if (id) noteView(id);
// Nobody else needs it, and a fan can wait the moment.
if (localStorage.getItem('auth_token') && document.querySelector('[data-reminders]'))
  void import('./reminders.ts');
