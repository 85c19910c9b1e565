import { and, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { articles } from '../../schema/articles.ts';
import { eventStars, events, eventTranslations } from '../../schema/events.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import {
  derived,
  type Expression,
  type Fields,
  jsonObject,
  literal,
  namesOf,
  nullable,
  prepare,
  type RowOf,
  roundedLimit,
  selectValue,
  typedAs,
} from '../../sql.ts';
import { badgeFields, s, st, wordsIn } from '../stars/badge.ts';

/** An event and its best words (`bestEventWords`), as statements name them. */
export const e = alias(events, 'e');
export const et = alias(eventTranslations, 'et');
const es = alias(eventStars, 'es');

/** Only approved events are public (decision E6). A literal, without which a plan for any values could not use their indexes. */
export const isPublic = (event: Record<'verification', AnyPgColumn> = e): SQL =>
  sql`${event.verification} = 'approved'`;

/** When an event is over, also without an end of its own (decision E2). Never null: it is made of columns that are not. */
export const overAt = typedAs(e.startTime, sql`${e.overAt}`);

/** The star of an id, named in `language`; null when there is none. */
export const starOf = (id: Expression, language: Lang) =>
  nullable(
    selectValue(
      jsonObject(badgeFields()),
      sql`from ${stars} ${s} left join ${starTranslations} ${st} on ${wordsIn(language)} where ${s.id} = ${id}`,
    ),
  );

/** A ticket without its words and its star; goes with `events e`. */
export const plainTicketFields = {
  id: e.id,
  eventType: e.eventType,
  categoryId: e.categoryId,
  state: e.state,
  startTime: e.startTime,
  endTime: e.endTime,
  overAt,
  zone: e.zone,
  precision: e.precision,
  /** The public article that announced it. */
  sourceArticleId: nullable(
    selectValue(
      articles.id,
      sql`from ${articles} where ${and(eq(articles.id, e.sourceArticleId), isNull(articles.withdrawnAt))}`,
    ),
  ),
};

/**
 * A ticket; goes with `events e` and `bestEventWords`.
 * @param star id of the star that the ticket is shown for; its primary one unless said
 */
export const ticketFields = (language: Lang, star: Expression = e.primaryStarId) => ({
  ...plainTicketFields,
  title: et.title,
  language: et.language,
  venue: et.venue,
  location: et.location,
  star: starOf(star, language),
});

/** One event as a ticket shows it. Times are UTC; `zone` and `precision` say how they are meant (decision E3). */
export type TicketRow = RowOf<ReturnType<typeof ticketFields>>;

const { language: inLanguage, title, description, venue, location } = eventTranslations;

/** What is read of an event's words in one language. */
export const wordColumns = namesOf(inLanguage, title, description, venue, location);

/** The words of an event: the language's, else English, else any. */
export const wordsOf = (id: Expression, language: Lang | Expression): SQL => sql`
  select ${wordColumns} from ${eventTranslations} where ${eventTranslations.eventId} = ${id}
  order by (${inLanguage} = ${language}) desc, (${inLanguage} = 'en') desc limit 1`;

/** The words of `events e`, joined as `et`. */
export const bestEventWords = (language: Lang): SQL => sql`
  join lateral (${wordsOf(e.id, language)}) ${et} on true`;

/** What lists of events may be narrowed to (§4 Calendar filters): with both, an event must pass both. */
export interface EventFilter {
  categoryIds?: readonly number[];
  /** Events whose primary star or any linked star is one of them. */
  starIds?: readonly number[];
}

export interface Span {
  from: Date;
  /** Exclusive; missing: no end. */
  to?: Date;
  limit: number;
  offset?: number;
}

/** What the text of a statement depends on that reads events within a span: it is made once for each. */
export interface SpanShape {
  hasEnd: boolean;
  isFirstPage: boolean;
  /** Rounded up to one of a few: a client that asks for every number of rows shall not make a plan for each. */
  limit: number;
  ofCategories: boolean;
  ofStars: boolean;
}

export const spanShape = (
  { to, limit, offset = 0 }: Span,
  { categoryIds = [], starIds = [] }: EventFilter,
): SpanShape => ({
  hasEnd: to !== undefined,
  isFirstPage: offset === 0,
  limit: roundedLimit(limit),
  ofCategories: categoryIds.length > 0,
  ofStars: starIds.length > 0,
});

/** The values of such a statement, for the placeholders of `idsWithin`. */
export const spanValues = (
  { from, to, limit, offset = 0 }: Span,
  { categoryIds = [], starIds = [] }: EventFilter,
) => ({
  from: from.toISOString(),
  to: to?.toISOString() ?? null,
  limit,
  offset,
  categoryIds: `{${categoryIds.join()}}`,
  starIds: `{${starIds.join()}}`,
});

const [from, to] = [sql.placeholder('from'), sql.placeholder('to')];
const [limit, offset] = [sql.placeholder('limit'), sql.placeholder('offset')];
const isOfCategories = sql`${e.categoryId} = any(${sql.placeholder('categoryIds')}::int[])`;
const ofStars = sql`any(${sql.placeholder('starIds')}::int[])`;
const isOfStars = sql`(${e.primaryStarId} = ${ofStars} or exists (
  select from ${eventStars} ${es} where ${es.eventId} = ${e.id} and ${es.starId} = ${ofStars}))`;

/** What lists of events are made of first: ids in the order of time. */
const placed = { id: e.id, startTime: e.startTime };

/** The ids of `idsWithin`, where a statement names them `page`. */
export const page = derived('page', placed);

/**
 * `page.columns` of public events that go on at some moment of a span, earliest first: those that start in it by one
 * index, those that are on when it begins by another, so that neither reads what it does not answer. (`offset 0` keeps
 * PostgreSQL from looking for the few that are on among all that ever began, in their order.)
 * @param more further columns of `events e`
 */
export function idsWithin(shape: SpanShape, more: Fields = {}): SQL {
  const near = derived('near', { ...placed, ...more });
  const { id, startTime } = derived('near', placed).fields;
  const rounded = literal(shape.limit);
  const rows = shape.isFirstPage ? rounded : sql`${rounded} + ${offset}`;
  const passes = and(
    isPublic(),
    shape.ofCategories ? isOfCategories : undefined,
    shape.ofStars ? isOfStars : undefined,
  );
  const begins = and(gte(e.startTime, from), shape.hasEnd ? lt(e.startTime, to) : undefined, passes);
  const isOn = and(
    lt(e.startTime, from),
    sql`tstzrange(${e.startTime}, ${e.overAt}) @> ${from}::timestamptz`,
    passes,
  );
  return sql`select * from (
      (select ${near.columns} from ${events} ${e} where ${begins} order by ${e.startTime}, ${e.id} limit ${rows})
      union all
      (select * from (select ${near.columns} from ${events} ${e} where ${isOn} offset 0) ${near.name}
        order by ${startTime}, ${id} limit ${rows})) ${near.name}
    order by ${startTime}, ${id} limit ${limit} offset ${offset}`;
}

const ticketsWithin = memoize(({ language, ...shape }: SpanShape & { language: Lang }) =>
  prepare(
    ticketFields(language),
    (columns) => sql`with ${page.name} as materialized (${idsWithin(shape)})
      select ${columns} from ${page.name} join ${events} ${e} on ${e.id} = ${page.fields.id} ${bestEventWords(language)}
      order by ${page.fields.startTime}, ${page.fields.id}`,
  ),
);

/** Tickets of public events that go on at some moment of a span, earliest first. One statement. */
export function listTicketsWithin(
  language: Lang,
  span: Span,
  filter: EventFilter = {},
): Promise<TicketRow[]> {
  return ticketsWithin({ language, ...spanShape(span, filter) })(spanValues(span, filter));
}

/**
 * `id, startTime` of the next public events of the stars whose ids `starIds` selects, as primary or linked star, not before
 * `since`; reads the first `most` index entries of each star.
 */
export function nextEventIds(starIds: SQL, since: SQL, most: SQL): SQL {
  const near = derived('near', placed);
  const { id, startTime } = near.fields;
  const comes = sql`${isPublic()} and ${e.state} = 'scheduled'`;
  return sql`select distinct ${near.name}.* from (${starIds}) as star(id) cross join lateral (
    (select ${near.columns} from ${eventStars} ${es} join ${events} ${e} on ${e.id} = ${es.eventId}
      where ${es.starId} = star.id and ${es.startTime} >= ${since}::timestamptz and ${comes}
      order by ${es.startTime}, ${es.eventId} limit ${most})
    union all
    (select ${near.columns} from ${events} ${e}
      where ${e.primaryStarId} = star.id and ${e.startTime} >= ${since}::timestamptz and ${comes}
      order by ${e.startTime} limit ${most})) ${near.name}
  order by ${startTime}, ${id} limit ${most}`;
}

const nextTickets = memoize(({ language, limit: rows }: { language: Lang; limit: number }) => {
  const starIds = sql`select unnest(${sql.placeholder('starIds')}::int[])`;
  return prepare(
    ticketFields(language),
    (columns) => sql`
      with next as materialized (${nextEventIds(starIds, sql`${from}`, literal(rows))})
      select ${columns} from next join ${events} ${e} on ${e.id} = next.id ${bestEventWords(language)}
      order by ${e.startTime}, ${e.id}`,
  );
});

/** The next public events of any of the stars, as primary or linked star, not before `since`. */
export function listNextTicketsOfStars(
  language: Lang,
  starIds: readonly number[],
  since: Date,
  most: number,
): Promise<TicketRow[]> {
  return nextTickets({ language, limit: most })({
    starIds: `{${starIds.join()}}`,
    from: since.toISOString(),
  });
}
