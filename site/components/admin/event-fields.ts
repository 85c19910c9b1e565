import { Temporal } from 'temporal-polyfill';
import type { EditableEvent } from '#api/admin/model.ts';
import { languages } from '#content/locales.ts';
import type { FormFields } from './differences.ts';

const wordNames = ['title', 'venue', 'location', 'description'] as const;

/** Stars that a field offers as it is typed into: as many as a large directory has; the numbers of all others can be typed. */
export const offeredStars = 1200;

/** Names of stars by their ids as they stand in a list: between two commas, and no name that reads like another number. */
export const starNames = (stars: readonly { id: number; name: string }[]): ReadonlyMap<number, string> =>
  new Map(
    stars.map(({ id, name }) => [id, /^[\d\s]+$/.test(name) ? '' : name.replace(/\s*,\s*/g, ' ').trim()]),
  );

/** An event as the form of its editor shows it; times are those of its zone. */
export function eventFields(event: EditableEvent, names: ReadonlyMap<number, string>): FormFields {
  const star = (id: number | null) => (id === null ? '' : `${id} ${names.get(id) ?? ''}`.trim());
  const wall = (time: string | null) =>
    time === null ? undefined : Temporal.Instant.from(time).toZonedDateTimeISO(event.zone);
  const [start, end] = [wall(event.startTime), wall(event.endTime)];
  const day = (time: typeof end) => time?.toPlainDate().toString() ?? '';
  const clock = (time: typeof end) => time?.toPlainTime().toString({ smallestUnit: 'minute' }) ?? '';
  const tick = (value: boolean) => (value ? 'on' : '');
  return new Map([
    ...languages.flatMap((language) =>
      wordNames.map((name) => [`${name}.${language}`, event.words[language]?.[name] ?? ''] as const),
    ),
    ['startDay', day(start)],
    ['startTime', event.precision === 'day' ? '' : clock(start)],
    ['endDay', day(end)],
    ['endTime', clock(end)],
    ['zone', event.zone],
    ['allDay', tick(event.precision === 'day')],
    ['cancelled', tick(event.state === 'cancelled')],
    ['eventType', event.eventType],
    ['primaryStarId', star(event.primaryStarId)],
    ['starIds', event.starIds.map(star).join(', ')],
    ['ticketUrl', event.ticketUrl ?? ''],
    ['streamingUrl', event.streamingUrl ?? ''],
    ['officialUrl', event.officialUrl ?? ''],
  ]);
}
