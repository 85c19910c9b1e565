/** An event's page in the browser: share, reminders, the visitor's time, and that somebody looked. */
import './share.ts';
import './tickets.ts';
import { noteView } from './note-view.ts';

const id = document.querySelector<HTMLElement>('[data-event-details]')?.dataset.eventDetails;
if (id) noteView(id);
