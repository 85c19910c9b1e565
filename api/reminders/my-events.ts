import type { Lang } from '#content/locales.ts';
import { listMyEvents, type MyEvent } from '#db/queries/reminders/my-events.ts';

/** Events on the profile; whoever has more finds them by the calendar. */
const maxShown = 200;

/** The events that a person is subscribed to, each with its settings and what was, is or will be sent. */
export function readMyEvents(userId: number, language: Lang): Promise<MyEvent[]> {
  return listMyEvents(userId, language, maxShown);
}
