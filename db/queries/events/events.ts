import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { articles } from '../../schema/articles.ts';
import { eventInterest } from '../../schema/event-interest.ts';
import { eventCategories, events } from '../../schema/events.ts';
import { pictures } from '../../schema/media.ts';
import { stars } from '../../schema/stars.ts';
import {
  derived,
  type Fields,
  jsonArray,
  jsonObject,
  literal,
  prepare,
  type RowOf,
  selectValue,
} from '../../sql.ts';
import { isShownAs } from '../media.ts';
import { isShown, shownIdsOf } from '../stars/badge.ts';
import {
  bestEventWords,
  c,
  type EventCategoryRow,
  type EventPageRow,
  type EventRow,
  type EventShape,
  e,
  eventCategoryJson,
  eventContractFields,
  eventPageFields,
  isPublic,
  pictureOfEvent,
  type TicketRow,
  ticketFields,
} from './fields.ts';
import {
  type EventFilter,
  idsWithin,
  nextEventIds,
  type Span,
  type SpanShape,
  spanPage,
  spanShape,
  spanValues,
} from './spans.ts';

const primaryStar = alias(stars, 'primary_star');

type Values = Record<string, string | number | null>;

/**
 * How much of an event is read: which events, and in which order, is the same for every part.
 * @template Row the part
 */
export interface EventReader<Row> {
  within: (shape: SpanShape & EventShape) => (values: Values) => Promise<Row[]>;
}

const readerOf = <Selected extends Fields>(
  fieldsOf: (shape: EventShape) => Selected,
): EventReader<RowOf<Selected>> => ({
  within: memoize(({ language, hasVisitor, ...shape }) =>
    prepare<Selected, Values>(
      fieldsOf({ language, hasVisitor }),
      (columns) => sql`with ${spanPage.name} as materialized (${idsWithin(shape)})
        select ${columns} from ${spanPage.name} join ${events} ${e} on ${e.id} = ${spanPage.fields.id} ${bestEventWords(language)}
        order by ${spanPage.fields.startTime}, ${spanPage.fields.id}`,
    ),
  ),
});

/** What a ticket shows. */
export const eventTickets: EventReader<TicketRow> = readerOf(({ language }) => ticketFields(language));

/** Events as the contract has them (§3). */
export const contractEvents: EventReader<EventRow> = readerOf(eventContractFields);

/** Public events that go on at some moment of a span, earliest first, as much of each as the part says. One statement. */
export function listEventsWithin<Row>(
  part: EventReader<Row>,
  language: Lang,
  span: Span,
  filter: EventFilter = {},
  visitor?: number,
): Promise<Row[]> {
  const shape = { language, hasVisitor: visitor !== undefined, ...spanShape(span, filter) };
  return part.within(shape)({ ...spanValues(span, filter), visitor: visitor ?? null });
}

const next = derived('next', { id: e.id });

const nextTickets = memoize(({ language, limit: rows }: { language: Lang; limit: number }) => {
  const starIds = shownIdsOf(sql`${sql.placeholder('starIds')}::int[]`);
  return prepare(
    ticketFields(language),
    (columns) => sql`
      with ${next.name} as materialized (${nextEventIds(starIds, sql`${sql.placeholder('from')}`, literal(rows))})
      select ${columns} from ${next.name} join ${events} ${e} on ${e.id} = ${next.fields.id} ${bestEventWords(language)}
      order by ${e.startTime}, ${e.id}`,
  );
});

/** The next public events of any of the stars, as primary or linked star, not before `since`. */
export function listNextTicketsOfStars(
  language: Lang,
  starIds: readonly number[],
  since: Date,
  limit: number,
): Promise<TicketRow[]> {
  return nextTickets({ language, limit })({
    starIds: `{${starIds.join()}}`,
    from: since.toISOString(),
  });
}

const eventById = memoize((shape: EventShape) =>
  prepare(
    { ...eventContractFields(shape), ...eventPageFields },
    (columns) => sql`
      select ${columns} from ${events} ${e} ${bestEventWords(shape.language)}
      left join ${articles} on ${and(eq(articles.id, e.sourceArticleId), isNull(articles.withdrawnAt))}
      left join ${stars} ${primaryStar} on ${primaryStar.id} = ${e.primaryStarId} and ${isShown(primaryStar)}
      left join ${pictures} on ${isShownAs(pictures, pictureOfEvent(primaryStar.heroKey))}
      where ${e.id} = ${sql.placeholder('id')} and ${isPublic()}`,
  ),
);

/** One public event, undefined when there is none or nobody approved it (decision E6). */
export async function findEvent(
  id: number,
  language: Lang,
  visitor?: number,
): Promise<EventPageRow | undefined> {
  const find = eventById({ language, hasVisitor: visitor !== undefined });
  const [row] = await find({ id, visitor: visitor ?? null });
  return row;
}

const categoriesIn = memoize((language: Lang) =>
  prepare(
    { category: eventCategoryJson(language) },
    (columns) => sql`select ${columns} from ${eventCategories} ${c} order by ${c.id}`,
  ),
);

/** All categories in their order, named in the language. */
export async function listEventCategories(language: Lang): Promise<EventCategoryRow[]> {
  const rows = await categoriesIn(language)({});
  return rows.map(({ category }) => category);
}

const i = alias(eventInterest, 'i');

/** The most wanted events and by how many; `interested` are subscribed, and not among those who say that they will be there. */
const warm = derived('warm', {
  id: i.eventId,
  heat: i.heat,
  views: i.views,
  interested: sql<number>`${i.subscriptions} - ${i.going}`,
  categoryId: e.categoryId,
});

export type TrendingRow = EventRow & { views: number; interested: number };

/** How far down the ranking one looks for events that are still to come; most warm events are. */
const maxWarm = literal(2000);

const trendingEvents = memoize(({ ofCategory, ...shape }: EventShape & { ofCategory: boolean }) => {
  const { id, heat, views, interested, categoryId } = warm.fields;
  const shown = derived('shown', { id, heat, views, interested });
  const event = {
    ...eventContractFields(shape),
    views: shown.fields.views,
    interested: shown.fields.interested,
  };
  return prepare(
    {
      rows: selectValue(
        jsonArray(jsonObject(event), { orderBy: sql`${shown.fields.heat} desc, ${e.id} desc` }),
        sql`from ${shown.name} join ${events} ${e} on ${e.id} = ${shown.fields.id} ${bestEventWords(shape.language)}`,
      ),
      categories: selectValue(
        jsonArray(eventCategoryJson(shape.language), { orderBy: sql`${c.id}` }),
        sql`from ${eventCategories} ${c} where ${c.id} in (select ${categoryId} from ${warm.name})`,
      ),
    },
    (columns) => sql`
      with ${warm.name} as materialized (
        select ${warm.columns}
        from (select * from ${eventInterest} where ${eventInterest.heat} > '-Infinity'
          order by ${eventInterest.heat} desc, ${eventInterest.eventId} desc limit ${maxWarm}) ${i}
        join ${events} ${e} on ${e.id} = ${i.eventId}
        where ${isPublic()} and ${e.state} = 'scheduled' and ${e.overAt} > ${sql.placeholder('now')}
          and ${i.views} + ${i.subscriptions} > 0),
      ${shown.name} as materialized (
        select ${shown.columns} from ${warm.name} join ${eventCategories} ${c} on ${c.id} = ${categoryId}
        where ${ofCategory ? eq(c.slug, sql.placeholder('category')) : sql`true`}
        order by ${heat} desc, ${id} desc limit ${sql.placeholder('limit')} offset ${sql.placeholder('offset')})
      select ${columns}`,
  );
});

/**
 * Public events that are not over, most wanted in the last days first (decision E5), and the categories among the most
 * wanted. One statement: the ranking is an index, kept by triggers.
 */
export async function listTrendingEvents(
  language: Lang,
  {
    now,
    limit,
    offset,
    category,
  }: { now: Date; limit: number; offset: number; category?: string | undefined },
  visitor?: number,
): Promise<{ rows: TrendingRow[]; more: boolean; categories: EventCategoryRow[] }> {
  const shape = { language, hasVisitor: visitor !== undefined, ofCategory: category !== undefined };
  const [row] = await trendingEvents(shape)({
    now: now.toISOString(),
    limit: limit + 1,
    offset,
    category: category ?? null,
    visitor: visitor ?? null,
  });
  const { rows = [], categories = [] } = row ?? {};
  return { rows: rows.slice(0, limit), more: rows.length > limit, categories };
}
