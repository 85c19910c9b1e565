import { and, gte, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { eventStars, events } from '../../schema/events.ts';
import { derived, type Fields, literal, roundedLimit } from '../../sql.ts';
import { shownIdsOf } from '../stars/badge.ts';
import { e, isPublic } from './fields.ts';

/** Which events a list has: statements read their ids first (decision D2). */

const es = alias(eventStars, 'es');

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
const ofStars = sql`any(array(${shownIdsOf(sql`${sql.placeholder('starIds')}::int[]`)}))`;
const isOfStars = sql`(${e.primaryStarId} = ${ofStars} or exists (
  select from ${eventStars} ${es} where ${es.eventId} = ${e.id} and ${es.starId} = ${ofStars}))`;

/** What lists of events are made of first: ids in the order of time. */
const placed = { id: e.id, startTime: e.startTime };

/** The ids of `idsWithin`, where a statement names them `page`. */
export const spanPage = derived('page', placed);

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
