import type { Lang } from '#content/locales.ts';
import type { EventType } from '#db/schema/events.ts';
import type { StarBadge } from '../articles/model.ts';

export const eventStatuses = ['live', 'upcoming', 'completed', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** An event as a ticket shows it (§2 Event card). Never leaves by the API. */
export interface EventTicket {
  id: number;
  eventType: EventType;
  status: EventStatus;
  title: string;
  /** Language of the words when it is not the page's. */
  language: Lang;
  venue: string | null;
  location: string | null;
  startTime: Date;
  /** When "LIVE NOW" ends: the event's end, or its type's usual length. */
  endTime: Date;
  zone: string;
  precision: 'minute' | 'day';
  star: StarBadge | null;
  sourceArticleId: number | null;
}
