import { Temporal } from 'temporal-polyfill';
import { type EventType, eventTypes, readEventType } from '#content/event-types.ts';
import { languages, type Translated } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { cutText } from '../cut-text.ts';
import { isZone } from '../events/days.ts';

/** An event as the model claims it. Nothing in it is believed before it is checked. */
export interface Claim {
  type: EventType;
  title: Translated;
  /** `YYYY-MM-DD` */
  date: string;
  /** `HH:MM`, null for the whole day. */
  time: string | null;
  zone: string;
  venue: Translated | null;
  stars: string[];
  evidence: { date: string | null; time: string | null; venue: string | null; type: string | null };
}

/** `ko, en and vi`, as the model is told. */
export const listOf = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words);

const maxEvents = 5;

/**
 * The shape that is asked for.
 * @throws Error that says what is wrong
 */
export function readClaims(answer: unknown): Claim[] {
  const list = field(answer, 'events');
  if (!Array.isArray(list)) throw new Error('"events" must be a list.');
  return list.slice(0, maxEvents).map(readClaim);
}

function readClaim(value: unknown): Claim {
  const type = readEventType(text(field(value, 'type')) ?? '');
  if (!type) throw new Error(`"type" must be one of ${eventTypes.join(', ')}.`);
  const title = translated(field(value, 'title'));
  if (!title) throw new Error(`"title" must be a text in ${listOf(languages)}, without links.`);
  const date = text(field(value, 'date')) ?? '';
  if (!isDay(date)) throw new Error('"date" must be YYYY-MM-DD, of the years 2000 to 2100.');
  const time = text(field(value, 'time'));
  if (time !== null && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time))
    throw new Error('"time" must be HH:MM or null.');
  const stars = field(value, 'stars');
  const evidence = field(value, 'evidence');
  return {
    type,
    title,
    date,
    time,
    zone: zoneOf(text(field(value, 'zone'))),
    venue: translated(field(value, 'venue')),
    stars: Array.isArray(stars) ? stars.flatMap((star) => text(star) ?? []).slice(0, 20) : [],
    evidence: {
      date: text(field(evidence, 'date')),
      time: text(field(evidence, 'time')),
      venue: text(field(evidence, 'venue')),
      type: text(field(evidence, 'type')),
    },
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const clean = normalized(value)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return clean === '' ? null : cutText(clean, 1_000);
}

const maxTextLength = 150;

/** A text in every language, plain words only. */
function translated(value: unknown): Translated | null {
  const words = languages.map((language) => [language, text(field(value, language))] as const);
  const isValid = words.every(
    ([, each]) => each && each.length <= maxTextLength && !/https?:|www\.|[<>]|\]\(/i.test(each),
  );
  return isValid ? (Object.fromEntries(words) as Translated) : null;
}

function isDay(date: string): boolean {
  try {
    return (
      /^(?:20\d{2}|2100)-\d{2}-\d{2}$/.test(date) &&
      Temporal.PlainDate.from(date, { overflow: 'reject' }).toString() === date
    );
  } catch {
    return false;
  }
}

function zoneOf(zone: string | null): string {
  try {
    const known =
      zone?.includes('/') && Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    if (known && isZone(known)) return known;
  } catch {
    // What is no zone is Korea's.
  }
  return 'Asia/Seoul';
}

/** The instant at which an event begins: its wall time in its zone, midnight for a whole day. */
export function startOf({ date, time, zone }: Pick<Claim, 'date' | 'time' | 'zone'>): Date {
  const local = Temporal.PlainDateTime.from(`${date}T${time ?? '00:00'}`);
  return new Date(local.toZonedDateTime(zone).epochMilliseconds);
}
