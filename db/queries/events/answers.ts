import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { articles } from '../../schema/articles.ts';
import { eventInterest } from '../../schema/event-interest.ts';
import {
  eventCategories,
  eventCategoryTranslations,
  eventStars,
  eventSubscriptions,
  events,
  eventTranslations,
} from '../../schema/events.ts';
import { pictures } from '../../schema/media.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import {
  coalesce,
  derived,
  jsonArray,
  jsonObject,
  literal,
  nullable,
  prepare,
  type RowOf,
  selectValue,
  type ValueOf,
} from '../../sql.ts';
import { badgeFields, s, st, wordsIn } from '../stars/badge.ts';
import {
  bestEventWords,
  type EventFilter,
  e,
  et,
  idsWithin,
  isPublic,
  page,
  type Span,
  type SpanShape,
  spanShape,
  spanValues,
  ticketFields,
} from './events.ts';

/** A category, as statements that go with `eventCategory` name it. */
export const c = alias(eventCategories, 'c');
const ct = alias(eventCategoryTranslations, 'ct');
const es = alias(eventStars, 'es');
const primaryStar = alias(stars, 'primary_star');

/** A category, named in `language`, else in English; goes with `event_categories c`. */
export const eventCategoryJson = (language: Lang) =>
  jsonObject({
    id: c.id,
    slug: c.slug,
    color: c.color,
    name: coalesce(
      selectValue(
        ct.name,
        sql`from ${eventCategoryTranslations} ${ct}
          where ${ct.categoryId} = ${c.id} and ${ct.language} in (${language}, 'en')
          order by (${ct.language} = ${language}) desc limit 1`,
      ),
      c.slug,
    ),
  });

export type EventCategoryRow = ValueOf<ReturnType<typeof eventCategoryJson>>;

/** Whether the account that asks, `visitor` among the statement's values, is subscribed to `events e`; false for nobody. */
export const isSubscribed = (hasVisitor: boolean) =>
  hasVisitor
    ? sql<boolean>`exists (select from ${eventSubscriptions}
        where ${and(eq(eventSubscriptions.eventId, e.id), eq(eventSubscriptions.userId, sql.placeholder('visitor')))})`
    : sql<boolean>`false`;

/** What texts of statements depend on that answer events to somebody: they are made once for each. */
export interface EventShape {
  language: Lang;
  hasVisitor: boolean;
}

/** An event with everything that §3 names; goes with `events e` and `bestEventWords`. */
const eventFields = ({ language, hasVisitor }: EventShape) => ({
  ...ticketFields(language),
  description: et.description,
  capacity: e.capacity,
  rsvpCount: e.rsvpCount,
  ticketUrl: e.ticketUrl,
  streamingUrl: e.streamingUrl,
  officialUrl: e.officialUrl,
  updatedAt: e.updatedAt,
  category: selectValue(
    eventCategoryJson(language),
    sql`from ${eventCategories} ${c} where ${c.id} = ${e.categoryId}`,
  ),
  stars: selectValue(
    jsonArray(jsonObject({ id: es.id, role: es.role, star: jsonObject(badgeFields()) }), {
      orderBy: sql`(${s.id} = ${e.primaryStarId}) desc, ${es.id}`,
    }),
    sql`from ${eventStars} ${es} join ${stars} ${s} on ${s.id} = ${es.starId}
      left join ${starTranslations} ${st} on ${wordsIn(language)} where ${es.eventId} = ${e.id}`,
  ),
  isSubscribed: isSubscribed(hasVisitor),
});

export type EventRow = RowOf<ReturnType<typeof eventFields>>;

/** What only the page of an event needs. */
const pageFields = {
  /** Picture of its story, else of its star. */
  pictureKey: nullable(pictures.key),
  placeholder: nullable(pictures.placeholder),
  /** Languages in which it has words. */
  languages: sql<Lang[]>`array(select ${eventTranslations.language} from ${eventTranslations}
    where ${eventTranslations.eventId} = ${e.id} order by ${eventTranslations.language})`,
};

export type WholeEvent = RowOf<typeof pageFields>;

const eventsWithin = memoize(({ language, hasVisitor, ...shape }: SpanShape & EventShape) =>
  prepare(
    eventFields({ language, hasVisitor }),
    (columns) => sql`with ${page.name} as materialized (${idsWithin(shape)})
      select ${columns} from ${page.name} join ${events} ${e} on ${e.id} = ${page.fields.id} ${bestEventWords(language)}
      order by ${page.fields.startTime}, ${page.fields.id}`,
  ),
);

/** Public events that go on at some moment of a span, earliest first (§7 range). One statement. */
export function listEventsWithin(
  language: Lang,
  span: Span,
  filter: EventFilter,
  visitor?: number,
): Promise<EventRow[]> {
  const shape = { language, hasVisitor: visitor !== undefined, ...spanShape(span, filter) };
  return eventsWithin(shape)({ ...spanValues(span, filter), visitor: visitor ?? null });
}

const eventById = memoize((shape: EventShape) =>
  prepare(
    { ...eventFields(shape), ...pageFields },
    (columns) => sql`
      select ${columns} from ${events} ${e} ${bestEventWords(shape.language)}
      left join ${articles} on ${and(eq(articles.id, e.sourceArticleId), isNull(articles.withdrawnAt))}
      left join ${stars} ${primaryStar} on ${primaryStar.id} = ${e.primaryStarId}
      left join ${pictures} on ${pictures.key} = coalesce(${articles.pictureKey}, ${primaryStar.heroKey})
      where ${e.id} = ${sql.placeholder('id')} and ${isPublic()}`,
  ),
);

/** One public event, undefined when there is none or nobody approved it (decision E6). */
export async function findEvent(
  id: number,
  language: Lang,
  visitor?: number,
): Promise<(EventRow & WholeEvent) | undefined> {
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
const mostWarm = literal(2000);

const trendingEvents = memoize(({ ofCategory, ...shape }: EventShape & { ofCategory: boolean }) => {
  const { id, heat, views, interested, categoryId } = warm.fields;
  const shown = derived('shown', { id, heat, views, interested });
  const event = {
    ...eventFields(shape),
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
          order by ${eventInterest.heat} desc, ${eventInterest.eventId} desc limit ${mostWarm}) ${i}
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
