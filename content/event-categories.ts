import { type EventType, eventTypeEntries, eventTypes } from './event-types.ts';
import en from './locales/en/events.json';
import ko from './locales/ko/events.json';
import ms from './locales/ms/events.json';
import vi from './locales/vi/events.json';
import { type Lang, type Translated, translated } from './locales.ts';

/** The compiler names an event type without its word. */
const words: Record<Lang, Record<`type_${EventType}`, string>> = { ko, en, ms, vi };

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
  names: translated((lang) => words[lang][`type_${eventType}`]),
}));
