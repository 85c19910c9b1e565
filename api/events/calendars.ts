import type { Lang } from '#content/locales.ts';
import {
  deleteCalendarLink,
  findCalendarEvent,
  findCalendarLink,
  findFanByCalendar,
  findStarName,
  listCalendarEvents,
  listCalendarEventsOfFan,
  listCalendarEventsOfStar,
  saveCalendarLink,
} from '#db/queries/events/calendars.ts';
import { config } from '../config.ts';
import { areaWords } from '../language/words.ts';
import { countOrRefuse } from '../plugins/rate-limits.ts';
import { writeCalendar } from './calendar-file.ts';

const day = 86_400_000;
/**
 * How far back and ahead the calendar of a language reaches, in days; a calendar program copes with a thousand entries, which go to
 * what is to come first.
 */
const reach = { back: 31, ahead: 366, most: 1000 };
/** A star's and a fan's own calendar keep a year of what was. */
const ownReach = { back: 366, most: 1000 };

/** The file of one public event; undefined when there is none (decision E7). */
export async function calendarOfEvent(lang: Lang, id: number): Promise<string | undefined> {
  const row = await findCalendarEvent(lang, id);
  return row && writeCalendar(lang, row.title, [row]);
}

/** The public events of a star; undefined when there is no such star. */
export async function calendarOfStar(lang: Lang, starId: number, now: Date): Promise<string | undefined> {
  const from = new Date(now.getTime() - ownReach.back * day);
  const [name, rows] = await Promise.all([
    findStarName(lang, starId),
    listCalendarEventsOfStar(lang, starId, { now, from, limit: ownReach.most }),
  ]);
  return name && writeCalendar(lang, areaWords(lang, 'reminders')('calendarStar', { name }), rows);
}

/** All public events around `now`, in a language. */
export async function calendarOfAll(lang: Lang, now: Date): Promise<string> {
  const rows = await listCalendarEvents(lang, {
    now,
    from: new Date(now.getTime() - reach.back * day),
    to: new Date(now.getTime() + reach.ahead * day),
    limit: reach.most,
  });
  return writeCalendar(lang, areaWords(lang, 'reminders')('calendarAll'), rows);
}

/** Times that a fan's devices may fetch their calendar: one of a thousand events takes 0.2 s of a core, and nobody keeps it. */
const ownReads = { name: 'calendar-own', count: 120, seconds: 3600 };

const tokenPattern = /^[0-9a-f]{64}$/;
const hashOf = (token: string) => new Bun.CryptoHasher('sha256').update(token).digest('hex');

/** A fan's own calendar by its private token, in that fan's language; undefined for any other text. @throws TooManyRequests */
export async function calendarOfFan(token: string, now: Date): Promise<string | undefined> {
  if (!tokenPattern.test(token)) return undefined;
  const fan = await findFanByCalendar(hashOf(token));
  if (!fan) return undefined;
  await countOrRefuse(ownReads, `account:${fan.id}`);
  const from = new Date(now.getTime() - ownReach.back * day);
  const rows = await listCalendarEventsOfFan(fan.language, fan.id, { now, from, limit: ownReach.most });
  return writeCalendar(fan.language, areaWords(fan.language, 'reminders')('calendarMine'), rows);
}

/** Makes a fan's private calendar address; any earlier one ends. Only the fan ever sees it: the database keeps a hash. */
export async function makeCalendarLink(userId: number): Promise<{ url: string }> {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
  await saveCalendarLink(userId, hashOf(token));
  return { url: `${config().siteUrl}/calendar/${token}.ics` };
}

/** Ends a fan's private calendar address; a repeat changes nothing. */
export function revokeCalendarLink(userId: number): Promise<void> {
  return deleteCalendarLink(userId);
}

/** Since when a fan has a private calendar address; undefined without one. */
export function readCalendarLink(userId: number): Promise<Date | undefined> {
  return findCalendarLink(userId);
}
