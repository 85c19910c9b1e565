import type { Lang } from '#content/locales.ts';
import { type EventRow, findEvent, type WholeEvent } from '#db/queries/events/answers.ts';
import { readNextEvents } from './events.ts';
import type { EventStatus, EventTicket } from './model.ts';
import { statusOf } from './status.ts';

/** Everything that an event's page shows (decision E4). Never leaves by the API. */
export interface EventPage extends Omit<EventRow, 'state' | 'isSubscribed'>, WholeEvent {
  status: EventStatus;
  /** What comes next of its first star. */
  next: readonly EventTicket[];
}

const mostNext = 3;

/** A public event for its page; undefined when there is none or nobody approved it (decision E6). Two statements at most. */
export async function readEventPage(id: number, language: Lang, now: Date): Promise<EventPage | undefined> {
  const row = await findEvent(id, language);
  if (!row) return undefined;
  const { state, isSubscribed: _, ...rest } = row;
  const next = row.star ? await readNextEvents(language, [row.star.id], now, mostNext + 1) : [];
  return {
    ...rest,
    status: statusOf(state, row.startTime, row.overAt, now),
    next: next.filter((ticket) => ticket.id !== id).slice(0, mostNext),
  };
}
