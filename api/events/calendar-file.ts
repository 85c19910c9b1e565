import ical, { ICalCalendarMethod, type ICalEventData, ICalEventStatus } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import type { Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';
import type { CalendarRow } from '#db/queries/events/calendars.ts';
import { config } from '../config.ts';
import { areaWords } from '../language/words.ts';

/** How often calendar programs should ask again. */
const hoursBetween = 4;

/**
 * Events as an iCalendar file (RFC 5545, decision E7). UID is the event's for ever, in every language; DTSTAMP and
 * LAST-MODIFIED are those of its last change, so the same events always make the same bytes.
 * @param name what the calendar is called in the list of calendars
 */
export function writeCalendar(lang: Lang, name: string, rows: readonly CalendarRow[]): string {
  const calendar = ical({
    // The library escapes no line ends here.
    name: clean(name).replace(/\s+/g, ' '),
    prodId: { company: site.name, product: 'Events', language: lang.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: hoursBetween * 3600,
    // A zone of the calendar itself would make the library write DTSTAMP and LAST-MODIFIED by the server's clock.
    timezone: { name: null, generator: zoneBlock },
    url: `${config().siteUrl}/${lang}/events`,
  });
  for (const row of rows) calendar.createEvent(toEntry(lang, row));
  return `${propertiesFirst(calendar.toString())}\r\n`;
}

/** The library writes rules of zones before the last properties of the calendar, which stand before all components (RFC 5545 §3.6). */
const propertiesFirst = (calendar: string): string =>
  calendar.replace(
    /^((?:BEGIN:VTIMEZONE\r\n[\s\S]*?END:VTIMEZONE\r\n)+)((?:(?!BEGIN:|END:).*\r\n)+)/m,
    '$2$1',
  );

/** VTIMEZONE of a zone under the very name that events use: the library answers aliases under their newer name. */
function zoneBlock(zone: string): string | null {
  const [block] = tzlib_get_ical_block(zone);
  return block ? block.replace(/^TZID:.*$/m, `TZID:${zone}`) : null;
}

const knownZones = new Map<string, boolean>();

/** A zone without rules of its own would be a name that programs have to guess; such times are written in UTC. */
function hasBlock(zone: string): boolean {
  const hasRules = knownZones.get(zone) ?? Boolean(tzlib_get_ical_block(zone)[0]);
  knownZones.set(zone, hasRules);
  return hasRules;
}

function toEntry(lang: Lang, row: CalendarRow): ICalEventData {
  const t = areaWords(lang, 'reminders');
  const page = `${config().siteUrl}/${lang}/events/${row.id}`;
  const cancelled = row.state === 'cancelled';
  return {
    ...spanOf(row),
    id: `event-${row.id}@${new URL(config().siteUrl).hostname}`,
    sequence: row.sequence,
    stamp: row.updatedAt,
    lastModified: row.updatedAt,
    created: row.createdAt,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    summary: clean(cancelled ? t('calendarCancelled', { title: row.title }) : row.title),
    description: clean(descriptionOf(lang, row, page)),
    location: clean([row.venue, row.location].filter(Boolean).join(', ')) || null,
    categories: row.category ? [{ name: clean(row.category) }] : [],
    url: page,
  };
}

type Span = Pick<ICalEventData, 'start' | 'end' | 'allDay' | 'timezone'>;

/**
 * Whole days as dates in the event's own zone, the end exclusive; other times by the clock of that zone, which must name the moment: of
 * the hour that comes twice when clocks are set back, it names the first. An end that is not after the start is left out (RFC 5545 §3.6.1).
 */
function spanOf({ startTime, endTime, overAt, zone, precision }: CalendarRow): Span {
  const inZone = (date: Date) =>
    Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone);
  if (precision === 'day') {
    const start = inZone(startTime).toPlainDate();
    const end = endTime ? inZone(endTime) : undefined;
    const lastDay = end?.toPlainDate();
    const isWholeEnd = end?.toPlainTime().equals(new Temporal.PlainTime());
    const after = lastDay && (isWholeEnd ? lastDay : lastDay.add({ days: 1 }));
    const next = start.add({ days: 1 });
    return {
      allDay: true,
      start,
      end: after && Temporal.PlainDate.compare(after, next) > 0 ? after : next,
    };
  }
  const moments = overAt > startTime ? [startTime, overAt] : [startTime];
  const isNamed = (moment: Temporal.ZonedDateTime) =>
    moment.toPlainDateTime().toZonedDateTime(zone).equals(moment);
  const local = moments.map(inZone);
  const [start = inZone(startTime), end] = local;
  if (hasBlock(zone) && local.every(isNamed)) return { start, end, timezone: zone };
  return { start: startTime, end: moments[1], timezone: 'UTC' };
}

function descriptionOf(lang: Lang, row: CalendarRow, page: string): string {
  const t = areaWords(lang, 'reminders');
  const links = [
    [t('linkTickets'), row.ticketUrl],
    [t('linkStream'), row.streamingUrl],
    [t('linkOfficial'), row.officialUrl],
    [t('linkDetails'), page],
  ].filter(([, url]) => url);
  return [row.stars.join(', '), row.description, links.map(([label, url]) => `${label}: ${url}`).join('\n')]
    .filter(Boolean)
    .join('\n\n');
}

/** Control characters have no place in a calendar file; line ends of any kind become one. */
const clean = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
