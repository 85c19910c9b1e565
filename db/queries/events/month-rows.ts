import { and, eq, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import { memoize } from '../../memoize.ts';
import { eventStars, events, eventTranslations } from '../../schema/events.ts';
import { type Fields, isOneOf, jsonArray, prepare, type RowOf, selectValue, typedAs } from '../../sql.ts';
import { badgeFields, isShown, type StarRow, s, st, wordsIn } from '../stars/badge.ts';
import {
  type EventCategoryRow,
  type EventRow,
  e,
  isSubscribed,
  plainTicketFields,
  wordColumns,
} from './fields.ts';
import {
  type EventFilter,
  idsWithin,
  type Span,
  type SpanShape,
  spanPage,
  spanShape,
  spanValues,
} from './spans.ts';

/**
 * Whole months of events, for the API and for the calendar in the browser. A month may have thousands: its rows travel as one
 * JSON text, words are read by one probe each, and stars and categories, which repeat, are read once.
 */

const own = alias(eventTranslations, 'own');
const other = alias(eventTranslations, 'other');
const es = alias(eventStars, 'es');

/** An event's words: the language's, and only where there are none, English or any. */
export const oneProbeOfWords = (language: Lang) => sql`
  left join ${eventTranslations} ${own} on ${and(eq(own.eventId, e.id), eq(own.language, language))}
  left join lateral (select ${wordColumns} from ${eventTranslations}
    where ${own.eventId} is null and ${eventTranslations.eventId} = ${e.id}
    order by (${eventTranslations.language} = 'en') desc limit 1) ${other} on true`;

/** One of the words that `oneProbeOfWords` joins. */
export const word = <Name extends 'language' | 'title' | 'description' | 'venue' | 'location'>(name: Name) =>
  typedAs(own[name], sql`case when ${own.eventId} is null then ${other[name]} else ${own[name]} end`);

const milliseconds = (instant: AnyPgColumn) => sql<number>`(date_part('epoch', ${instant}) * 1000)::int8`;

/** What both readers need of each event; instants are milliseconds. */
const sharedFields = {
  id: e.id,
  eventType: e.eventType,
  state: e.state,
  title: word('title'),
  language: word('language'),
  venue: word('venue'),
  location: word('location'),
  start: milliseconds(e.startTime),
  over: milliseconds(e.overAt),
  zone: e.zone,
  precision: e.precision,
  categoryId: e.categoryId,
  primaryStarId: e.primaryStarId,
};

/** What the text of a month's statement depends on: it is made once for each. */
type MonthShape = SpanShape & { language: Lang };

/** Reads the fields of each event of a span, earliest first: one row of arrays, put together again by their names. */
function prepareMonth<Selected extends Fields>({ language, ...shape }: MonthShape, fields: Selected) {
  const names = Object.keys(fields);
  const values = sql<unknown[]>`json_build_array(${sql.join(Object.values(fields), sql`, `)})`;
  const { id, startTime } = spanPage.fields;
  const read = prepare(
    { events: jsonArray(values, { orderBy: sql`${startTime}, ${id}` }) },
    (columns) => sql`
      with ${spanPage.name} as materialized (${idsWithin(shape)})
      select ${columns} from ${spanPage.name} join ${events} ${e} on ${e.id} = ${id} ${oneProbeOfWords(language)}`,
  );
  return async (...parameters: Parameters<typeof read>): Promise<RowOf<Selected>[]> => {
    const [row] = await read(...parameters);
    return (row?.events ?? []).map((event) => {
      const entries: unknown[][] = names.map((name, place) => [name, event[place]]);
      return Object.fromEntries(entries);
    });
  };
}

const cardFields = {
  ...sharedFields,
  starIds: sql<
    number[]
  >`array(select ${es.starId} from ${eventStars} ${es} where ${es.eventId} = ${e.id} order by ${es.id})`,
};

/** An event as the calendar in the browser knows it; of its stars the primary one first. */
export type MonthCardRow = Omit<RowOf<typeof cardFields>, 'primaryStarId'>;

const monthCards = memoize((shape: MonthShape) => prepareMonth(shape, cardFields));

/** All public events that go on in a span with the least that a calendar shows, earliest first. One statement. */
export async function listMonthCards(language: Lang, span: Span): Promise<MonthCardRow[]> {
  const rows = await monthCards({ language, ...spanShape(span, {}) })(spanValues(span, {}));
  return rows.map(({ primaryStarId, starIds, ...row }) => ({
    ...row,
    starIds: primaryStarId === null ? starIds : [...new Set([primaryStarId, ...starIds])],
  }));
}

const wholeFields = (hasVisitor: boolean) => ({
  ...sharedFields,
  description: word('description'),
  end: sql<number | null>`${milliseconds(e.endTime)}`,
  capacity: e.capacity,
  rsvpCount: e.rsvpCount,
  ticketUrl: e.ticketUrl,
  streamingUrl: e.streamingUrl,
  officialUrl: e.officialUrl,
  updated: milliseconds(e.updatedAt),
  sourceArticleId: plainTicketFields.sourceArticleId,
  isSubscribed: isSubscribed(hasVisitor),
  cast: selectValue(
    jsonArray(
      sql<[id: number, starId: number, role: string]>`json_build_array(${es.id}, ${es.starId}, ${es.role})`,
      {
        orderBy: sql`(${es.starId} = ${e.primaryStarId}) desc, ${es.id}`,
      },
    ),
    sql`from ${eventStars} ${es} where ${es.eventId} = ${e.id}`,
  ),
});

const monthEvents = memoize(({ hasVisitor, ...shape }: MonthShape & { hasVisitor: boolean }) =>
  prepareMonth(shape, wholeFields(hasVisitor)),
);

/** All public events that go on in a span with everything of §3, earliest first. Two statements, however many there are. */
export async function listMonthEvents(
  language: Lang,
  span: Span,
  filter: EventFilter,
  categories: readonly EventCategoryRow[],
  visitor?: number,
): Promise<EventRow[]> {
  const shape = { language, hasVisitor: visitor !== undefined, ...spanShape(span, filter) };
  const rows = await monthEvents(shape)({ ...spanValues(span, filter), visitor: visitor ?? null });
  const starIds = rows.flatMap(({ primaryStarId, cast }) =>
    [primaryStarId ?? [], cast.map(([, id]) => id)].flat(),
  );
  const starsById = await findStars(language, starIds);
  const categoriesById = new Map(categories.map((category) => [category.id, category]));
  return rows.flatMap(({ start, over, end, updated, primaryStarId, cast, ...row }) => {
    const category = categoriesById.get(row.categoryId);
    if (!category) return [];
    return {
      ...row,
      category,
      startTime: new Date(start),
      overAt: new Date(over),
      endTime: end === null ? null : new Date(end),
      updatedAt: new Date(updated),
      star: (primaryStarId !== null && starsById.get(primaryStarId)) || null,
      stars: cast.flatMap(([id, starId, role]) => {
        const star = starsById.get(starId);
        return star ? { id, star, role } : [];
      }),
    };
  });
}

async function findStars(language: Lang, ids: readonly number[]): Promise<ReadonlyMap<number, StarRow>> {
  const rows = await database()
    .select(badgeFields())
    .from(s)
    .leftJoin(st, wordsIn(language))
    .where(and(isOneOf(s.id, [...new Set(ids)]), isShown()));
  return new Map(rows.map((star) => [star.id, star]));
}
