import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { articles } from '../schema/articles.ts';
import { eventInterest } from '../schema/event-interest.ts';
import {
  eventCategories,
  eventCategoryTranslations,
  eventStars,
  eventSubscriptions,
  events,
  eventTranslations,
} from '../schema/events.ts';
import { pictures } from '../schema/media.ts';
import { stars, starTranslations } from '../schema/stars.ts';
import {
  coalesce,
  derived,
  execute,
  jsonArray,
  jsonObject,
  literal,
  nullable,
  type RowOf,
  selectValue,
  type ValueOf,
} from '../sql.ts';
import {
  bestEventWords,
  type EventFilter,
  e,
  et,
  idsWithin,
  isPublic,
  page,
  type Span,
  ticketFields,
} from './events.ts';
import { badgeFields, s, st, wordsIn } from './star-badge.ts';

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

/** Whether the account that asks is subscribed to `events e`; false for nobody. */
export const isSubscribed = (visitor: number | undefined) =>
  visitor === undefined
    ? sql<boolean>`false`
    : sql<boolean>`exists (select from ${eventSubscriptions}
        where ${and(eq(eventSubscriptions.eventId, e.id), eq(eventSubscriptions.userId, visitor))})`;

/** An event with everything that §3 names; goes with `events e` and `bestEventWords`. */
const eventFields = (language: Lang, visitor: number | undefined) => ({
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
  isSubscribed: isSubscribed(visitor),
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

/** Public events that go on at some moment of a span, earliest first (§7 range). One statement. */
export function listEventsWithin(
  language: Lang,
  span: Span,
  filter: EventFilter,
  visitor?: number,
): Promise<EventRow[]> {
  return execute(
    eventFields(language, visitor),
    (columns) => sql`with ${page.name} as materialized (${idsWithin(span, filter)})
      select ${columns} from ${page.name} join ${events} ${e} on ${e.id} = ${page.fields.id} ${bestEventWords(language)}
      order by ${page.fields.startTime}, ${page.fields.id}`,
  );
}

/** One public event, undefined when there is none or nobody approved it (decision E6). */
export async function findEvent(
  id: number,
  language: Lang,
  visitor?: number,
): Promise<(EventRow & WholeEvent) | undefined> {
  const [row] = await execute(
    { ...eventFields(language, visitor), ...pageFields },
    (columns) => sql`
      select ${columns} from ${events} ${e} ${bestEventWords(language)}
      left join ${articles} on ${and(eq(articles.id, e.sourceArticleId), isNull(articles.withdrawnAt))}
      left join ${stars} ${primaryStar} on ${primaryStar.id} = ${e.primaryStarId}
      left join ${pictures} on ${pictures.key} = coalesce(${articles.pictureKey}, ${primaryStar.heroKey})
      where ${e.id} = ${id} and ${isPublic()}`,
  );
  return row;
}

/** All categories in their order, named in the language. */
export async function listEventCategories(language: Lang): Promise<EventCategoryRow[]> {
  const rows = await database()
    .select({ category: eventCategoryJson(language) })
    .from(c)
    .orderBy(asc(c.id));
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
  const { id, heat, views, interested, categoryId } = warm.fields;
  const shown = derived('shown', { id, heat, views, interested });
  const event = {
    ...eventFields(language, visitor),
    views: shown.fields.views,
    interested: shown.fields.interested,
  };
  const [row] = await execute(
    {
      rows: selectValue(
        jsonArray(jsonObject(event), { orderBy: sql`${shown.fields.heat} desc, ${e.id} desc` }),
        sql`from ${shown.name} join ${events} ${e} on ${e.id} = ${shown.fields.id} ${bestEventWords(language)}`,
      ),
      categories: selectValue(
        jsonArray(eventCategoryJson(language), { orderBy: sql`${c.id}` }),
        sql`from ${eventCategories} ${c} where ${c.id} in (select ${categoryId} from ${warm.name})`,
      ),
    },
    (columns) => sql`
      with ${warm.name} as materialized (
        select ${warm.columns}
        from (select * from ${eventInterest} where ${eventInterest.heat} > '-Infinity'
          order by ${eventInterest.heat} desc, ${eventInterest.eventId} desc limit ${mostWarm}) ${i}
        join ${events} ${e} on ${e.id} = ${i.eventId}
        where ${isPublic()} and ${e.state} = 'scheduled' and ${e.overAt} > ${now.toISOString()}
          and ${i.views} + ${i.subscriptions} > 0),
      ${shown.name} as materialized (
        select ${shown.columns} from ${warm.name} join ${eventCategories} ${c} on ${c.id} = ${categoryId}
        where ${category === undefined ? sql`true` : eq(c.slug, category)}
        order by ${heat} desc, ${id} desc limit ${limit + 1} offset ${offset})
      select ${columns}`,
  );
  const { rows = [], categories = [] } = row ?? {};
  return { rows: rows.slice(0, limit), more: rows.length > limit, categories };
}
