import { catalogues } from './catalogues.ts';
import { type EventType, eventTypeEntries, eventTypes } from './event-types.ts';
import { type Translated, translated } from './locales.ts';

/** A kind of event as fans filter by it: a row of the database, which begins as content has it (decision E1). */
interface EventCategoryEntry {
  slug: string;
  eventType: EventType;
  color: string;
  names: Translated;
}

/** The category of each event type in a new database. */
export const categories: readonly EventCategoryEntry[] = eventTypes.map((eventType) => ({
  slug: eventType.replaceAll('_', '-'),
  eventType,
  color: eventTypeEntries[eventType].color,
  names: translated((lang) => catalogues[lang].events[`type_${eventType}`]),
}));
