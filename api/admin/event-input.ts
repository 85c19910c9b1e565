import { Temporal } from 'temporal-polyfill';
import { type EventType, eventTypes, readEventType } from '#content/event-types.ts';
import { languages } from '#content/locales.ts';
import type { EventChange, EditableEventRow as EventRow, EventWords } from '#db/queries/admin/event-edit.ts';
import { BadInput } from '../errors.ts';
import { isZone } from '../events/days.ts';
import type { EventEdit, WordsInput } from './model.ts';
import { readAddress, readLine, readText } from './text.ts';

/** @throws BadInput */
function checkEventType(text: string): EventType {
  const type = readEventType(text);
  if (!type) throw new BadInput('eventType', `Must be one of: ${eventTypes.join(', ')}.`);
  return type;
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const wallClock = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/;

/** An instant, or a time on the wall of `zone`. @throws BadInput */
function readTime(text: string, zone: string, field: string): Date {
  try {
    const moment = instant.test(text)
      ? Temporal.Instant.from(text)
      : wallClock.test(text)
        ? Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()
        : undefined;
    const year = moment?.toZonedDateTimeISO('UTC').year ?? 0;
    if (moment && year >= 2000 && year <= 2100) return new Date(moment.epochMilliseconds);
  } catch {
    // 30 February and the like: told below.
  }
  throw new BadInput(field, 'Must be a time such as 2026-11-29T19:00 or 2026-11-29T10:00:00Z.', 'time');
}

/** @throws BadInput */
function readZone(text: string): string {
  if (!isZone(text)) throw new BadInput('zone', 'Must be a time zone such as Asia/Seoul.', 'zone');
  return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
}

function readWords(
  input: NonNullable<EventEdit['words']>,
): Partial<Record<(typeof languages)[number], EventWords>> {
  return Object.fromEntries(
    languages.flatMap((language) => {
      const words = input[language];
      return words ? [[language, readWordsOf(words, `words.${language}`)] as const] : [];
    }),
  );
}

function readWordsOf({ title, description, venue, location }: WordsInput, field: string): EventWords {
  const checkedTitle = readLine(title, `${field}.title`, 200);
  if (checkedTitle === null) throw new BadInput(`${field}.title`, 'Is required.', 'required');
  return {
    title: checkedTitle,
    description: readText(description, `${field}.description`, 2000),
    venue: readLine(venue, `${field}.venue`, 200),
    location: readLine(location, `${field}.location`, 200),
  };
}

/**
 * What an editor sent, checked and in the form that is stored. Times without an offset are meant in the event's zone.
 * @throws BadInput naming the field
 */
export function readEventChange(input: EventEdit, before: EventRow): EventChange {
  const { updateOfId } = input;
  if (updateOfId !== undefined && updateOfId !== null && updateOfId !== before.updateOfId)
    throw new BadInput('updateOfId', 'Can only be taken away: null.');
  const zone = input.zone === undefined ? undefined : readZone(input.zone);
  const eventZone = zone ?? before.zone;
  const address = (field: 'ticketUrl' | 'streamingUrl' | 'officialUrl') =>
    input[field] === undefined ? undefined : readAddress(input[field], field);
  return {
    eventType: input.eventType === undefined ? undefined : checkEventType(input.eventType),
    state: input.state,
    startTime: input.startTime === undefined ? undefined : readTime(input.startTime, eventZone, 'startTime'),
    endTime: input.endTime
      ? readTime(input.endTime, eventZone, 'endTime')
      : input.endTime === undefined
        ? undefined
        : null,
    zone,
    precision: input.precision,
    capacity: input.capacity,
    primaryStarId: input.primaryStarId,
    starIds: input.starIds && [...new Set(input.starIds)],
    ticketUrl: address('ticketUrl'),
    streamingUrl: address('streamingUrl'),
    officialUrl: address('officialUrl'),
    pictureKey: input.pictureKey,
    updateOfId,
    words: input.words && readWords(input.words),
  };
}
