import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { articles } from '../../schema/articles.ts';
import { starFacts } from '../../schema/directory.ts';
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
  type Expression,
  jsonArray,
  jsonObject,
  namesOf,
  nullable,
  type RowOf,
  selectValue,
  typedAs,
  type ValueOf,
} from '../../sql.ts';
import { creditOf } from '../media.ts';
import { shownKey } from '../shown-picture.ts';
import { badgeFields, isShown, s, st, wordsIn } from '../stars/badge.ts';

/** The fields of an event, each under its one name, and the parts of them that statements select. */

/** An event and its best words (`bestEventWords`), as statements name them. */
export const e = alias(events, 'e');
export const et = alias(eventTranslations, 'et');
const es = alias(eventStars, 'es');

/** Only approved events are public (decision E6). A literal, without which a plan for any values could not use their indexes. */
export const isPublic = (event: Record<'verification', AnyPgColumn> = e): SQL =>
  sql`${event.verification} = 'approved'`;

/** The columns of a decision as they are where nobody decided. */
export const notDecided = { decidedAt: null, decidedBy: null, decisionNotes: null } as const;

/** When an event is over, also without an end of its own (decision E2). Never null: it is made of columns that are not. */
export const overAt = typedAs(e.startTime, sql`${e.overAt}`);

/** The star of an id, named in `language`; null when there is none. */
export const starOf = (id: Expression, language: Lang) =>
  nullable(
    selectValue(
      jsonObject(badgeFields()),
      sql`from ${stars} ${s} left join ${starTranslations} ${st} on ${wordsIn(language)} where ${s.id} = ${id} and ${isShown()}`,
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

/** A category, as statements that go with `eventCategory` name it. */
export const c = alias(eventCategories, 'c');
const ct = alias(eventCategoryTranslations, 'ct');

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
export const eventContractFields = ({ language, hasVisitor }: EventShape) => ({
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
    sql`from ${eventStars} ${es} join ${stars} ${s} on ${s.id} = ${es.starId} and ${isShown()}
      left join ${starTranslations} ${st} on ${wordsIn(language)} where ${es.eventId} = ${e.id}`,
  ),
  isSubscribed: isSubscribed(hasVisitor),
});

export type EventRow = RowOf<ReturnType<typeof eventContractFields>>;

/** Key of the picture of `events e`: its own, else that of its `articles`, else the star's. */
export const pictureOfEvent = (heroKey: AnyPgColumn): SQL =>
  sql`coalesce(${shownKey(e.photoKey)}, ${shownKey(articles.photoKey)}, ${articles.pictureKey}, ${heroKey})`;

/** What only the page of an event shows. */
export const eventPageFields = {
  /** Its own picture, else that of its story or its star. */
  pictureKey: nullable(pictures.key),
  placeholder: nullable(pictures.placeholder),
  pictureCredit: creditOf(pictures),
  pictureAlts: nullable(pictures.alt),
  /** Where the date is from whose anniversary it is. */
  factSource: nullable(
    selectValue(
      starFacts.source,
      sql`from ${starFacts} where ${starFacts.starId} = ${e.anniversaryOf}
        and ${starFacts.field} = case ${e.anniversaryFact} when 'birthday' then 'birthDate' else 'debutDate' end`,
    ),
  ),
  /** Languages in which it has words. */
  languages: sql<Lang[]>`array(select ${eventTranslations.language} from ${eventTranslations}
    where ${eventTranslations.eventId} = ${e.id} order by ${eventTranslations.language})`,
};

/** An event with what its page shows of it. */
export type EventPageRow = EventRow & RowOf<typeof eventPageFields>;
