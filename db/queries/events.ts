import { and, eq, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { articles } from '../schema/articles.ts';
import { eventStars, events, eventTranslations } from '../schema/events.ts';
import { stars, starTranslations } from '../schema/stars.ts';
import {
  derived,
  type Expression,
  execute,
  type Fields,
  intArray,
  isOneOf,
  jsonObject,
  literal,
  namesOf,
  nullable,
  type RowOf,
  selectValue,
  typedAs,
} from '../sql.ts';
import { badgeFields, s, st, wordsIn } from './star-badge.ts';

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

/** Columns of a ticket for statements that read their rows by `withTicketDates`. */
export const ticketColumns = (language: Lang, star?: Expression): SQL =>
  derived('ticket', ticketFields(language, star)).columns;

/** Raw statements answer timestamps as text; tickets carry a `Date`. */
export function withTicketDates<Row extends { startTime: Date; endTime: Date | null; overAt: Date }>(
  row: Row,
): Row {
  return {
    ...row,
    startTime: new Date(row.startTime),
    endTime: row.endTime ? new Date(row.endTime) : null,
    overAt: new Date(row.overAt),
  };
}

/** What lists of events may be narrowed to (§4 Calendar filters): with both, an event must pass both. */
export interface EventFilter {
  categoryIds?: readonly number[];
  /** Events whose primary star or any linked star is one of them. */
  starIds?: readonly number[];
}

/** The conditions of a filter on `events e`. */
const passes = ({ categoryIds = [], starIds = [] }: EventFilter): SQL | undefined =>
  and(
    categoryIds.length > 0 ? isOneOf(e.categoryId, categoryIds) : undefined,
    starIds.length > 0
      ? or(
          isOneOf(e.primaryStarId, starIds),
          sql`exists (select from ${eventStars} ${es}
            where ${and(eq(es.eventId, e.id), isOneOf(es.starId, starIds))})`,
        )
      : undefined,
  );

export interface Span {
  from: Date;
  /** Exclusive; missing: no end. */
  to?: Date;
  limit: number;
  offset?: number;
}

/** Limits that statements have in their text: a client that asks for every number of rows shall not make a plan for each. */
const limitSteps = [3, 10, 20, 50, 100];
const roundedUp = (limit: number): SQL => literal(limitSteps.find((step) => step >= limit) ?? limit);

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
export function idsWithin(
  { from, to, limit, offset = 0 }: Span,
  filter: EventFilter = {},
  more: Fields = {},
): SQL {
  const near = derived('near', { ...placed, ...more });
  const { id, startTime } = derived('near', placed).fields;
  const most = offset > 0 ? sql`${roundedUp(limit)} + ${offset}` : roundedUp(limit);
  const begins = and(isPublic(), gte(e.startTime, from), to && lt(e.startTime, to), passes(filter));
  const isOn = and(
    isPublic(),
    lt(e.startTime, from),
    sql`tstzrange(${e.startTime}, ${e.overAt}) @> ${from.toISOString()}::timestamptz`,
    passes(filter),
  );
  return sql`select * from (
      (select ${near.columns} from ${events} ${e} where ${begins} order by ${e.startTime}, ${e.id} limit ${most})
      union all
      (select * from (select ${near.columns} from ${events} ${e} where ${isOn} offset 0) ${near.name}
        order by ${startTime}, ${id} limit ${most})) ${near.name}
    order by ${startTime}, ${id} limit ${limit} offset ${offset}`;
}

/** Tickets of public events that go on at some moment of a span, earliest first. One statement. */
export function listTicketsWithin(
  language: Lang,
  span: Span,
  filter: EventFilter = {},
): Promise<TicketRow[]> {
  return execute(
    ticketFields(language),
    (columns) => sql`with ${page.name} as materialized (${idsWithin(span, filter)})
      select ${columns} from ${page.name} join ${events} ${e} on ${e.id} = ${page.fields.id} ${bestEventWords(language)}
      order by ${page.fields.startTime}, ${page.fields.id}`,
  );
}

/**
 * `id, startTime` of the next public events of the stars that `wanted` selects, as primary or linked star, not before
 * `from`; reads the first `limit` index entries of each star.
 */
export function nextEventIds(wanted: SQL, from: SQL, limit: SQL): SQL {
  const near = derived('near', placed);
  const { id, startTime } = near.fields;
  const comes = sql`${isPublic()} and ${e.state} = 'scheduled'`;
  return sql`select distinct ${near.name}.* from (${wanted}) as wanted_star(id) cross join lateral (
    (select ${near.columns} from ${eventStars} ${es} join ${events} ${e} on ${e.id} = ${es.eventId}
      where ${es.starId} = wanted_star.id and ${es.startTime} >= ${from}::timestamptz and ${comes}
      order by ${es.startTime}, ${es.eventId} limit ${limit})
    union all
    (select ${near.columns} from ${events} ${e}
      where ${e.primaryStarId} = wanted_star.id and ${e.startTime} >= ${from}::timestamptz and ${comes}
      order by ${e.startTime} limit ${limit})) ${near.name}
  order by ${startTime}, ${id} limit ${limit}`;
}

/** The next public events of any of the stars, as primary or linked star, not before `from`. */
export function listNextTicketsOfStars(
  language: Lang,
  starIds: readonly number[],
  from: Date,
  limit: number,
): Promise<TicketRow[]> {
  const wanted = sql`select unnest(${intArray(starIds)})`;
  return execute(
    ticketFields(language),
    (columns) => sql`
      with next as materialized (${nextEventIds(wanted, sql`${from.toISOString()}`, literal(limit))})
      select ${columns} from next join ${events} ${e} on ${e.id} = next.id ${bestEventWords(language)}
      order by ${e.startTime}, ${e.id}`,
  );
}
