import type { EventType } from './event-types.ts';
import enEvents from './locales/en/events.json';
import enMail from './locales/en/mail.json';
import enReminders from './locales/en/reminders.json';
import koEvents from './locales/ko/events.json';
import koMail from './locales/ko/mail.json';
import koReminders from './locales/ko/reminders.json';
import msEvents from './locales/ms/events.json';
import msMail from './locales/ms/mail.json';
import msReminders from './locales/ms/reminders.json';
import viEvents from './locales/vi/events.json';
import viMail from './locales/vi/mail.json';
import viReminders from './locales/vi/reminders.json';
import type { Lang } from './locales.ts';

/** English is the type: the compiler names a key that a language lacks, and an event type without its word. */
interface Catalogue {
  events: typeof enEvents & Record<`type_${EventType}`, string>;
  mail: typeof enMail;
  reminders: typeof enReminders;
}

/**
 * The words that are said where no page is rendered: by letters, reminders, calendar files and the rows of a new database.
 * Imported one by one because this runs from source as well as from a bundle; pages read all areas by `site/i18n/`.
 */
export const catalogues = {
  ko: { events: koEvents, mail: koMail, reminders: koReminders },
  en: { events: enEvents, mail: enMail, reminders: enReminders },
  ms: { events: msEvents, mail: msMail, reminders: msReminders },
  vi: { events: viEvents, mail: viMail, reminders: viReminders },
} as const satisfies Record<Lang, Catalogue>;
