import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { batched } from '../../batch.ts';
import { memoize } from '../../memoize.ts';
import { articleStars, articles } from '../../schema/articles.ts';
import { eventStars, events } from '../../schema/events.ts';
import { stars } from '../../schema/stars.ts';
import {
  jsonArray,
  jsonObject,
  literal,
  nullable,
  prepare,
  type RowOf,
  selectValue,
  typedAs,
} from '../../sql.ts';
import { bestEventWords, e, ticketFields } from '../events/fields.ts';
import { nextEventIds } from '../events/spans.ts';
import { isShownById, s } from '../stars/badge.ts';
import { a, articleJoins, articlePageFields, cardFields } from './fields.ts';
import { bestFirst, relatedIds, relatedPage } from './related.ts';

const ast = alias(articleStars, 'ast');
const es = alias(eventStars, 'es');

const wantedId = sql`wanted.id`;

/** The shown stars of the article in their order, read once for all that is told around it. */
const ownStars = sql`cross join lateral (
  select array(select ${ast.starId} from ${articleStars} ${ast}
    where ${ast.articleId} = ${wantedId} and ${isShownById(ast.starId)} order by ${ast.position}) as stars) as own`;
const ownStarIds = sql`select unnest(own.stars)`;

/** An event that stars of the article take part in is theirs here, whoever else comes first in it. */
const ownStarOfEvent = sql<number>`(select mine.star from unnest(own.stars) with ordinality as mine(star, place)
  where mine.star = ${e.primaryStarId} or exists (
    select from ${eventStars} ${es} where ${es.eventId} = ${e.id} and ${es.starId} = mine.star)
  order by mine.place limit 1)`;

const surroundedFields = (language: Lang) => ({
  place: sql<number>`wanted.place::int`,
  ...articlePageFields(language),
  related: relatedCards(language),
  /** The next public event of the article's stars, for the first of them that takes part in it. */
  nextEvent: nextTicket(language),
  /** Of the article's first star, null without one. */
  followerCount: nullable(selectValue(s.followerCount, sql`from ${stars} ${s} where ${s.id} = own.stars[1]`)),
});

const nextTicket = (language: Lang) => {
  const ticket = jsonObject(ticketFields(language, ownStarOfEvent));
  return typedAs(
    nullable(ticket),
    sql`(with next as materialized (${nextEventIds(ownStarIds, sql`wanted.now`, literal(1))})
    select ${ticket} from next join ${events} ${e} on ${e.id} = next.id ${bestEventWords(language)})`,
  );
};

const relatedCards = (language: Lang) => {
  const cards = jsonArray(jsonObject(cardFields(language)), { orderBy: bestFirst });
  return typedAs(
    cards,
    sql`(with ${relatedPage.name} as materialized (${relatedIds(wantedId, { rounded: 3, isExact: true }, ownStarIds)})
    select ${cards} from ${relatedPage.name} join ${articles} ${a} on ${a.id} = ${relatedPage.fields.id}
    ${articleJoins(language)})`,
  );
};

export type ArticlePageRow = Omit<RowOf<ReturnType<typeof surroundedFields>>, 'place'>;

/** More in one statement do not make it cheaper for each; while pages are made of one's rows, the other fetches. */
const pageBatches = { maxBatchSize: 8, concurrency: 2 };

interface PageKey {
  id: number;
  now: Date;
}

const articlePage = memoize((language: Lang) => {
  const read = prepare(
    surroundedFields(language),
    (columns) => sql`
      select ${columns}
      from unnest(${sql.placeholder('ids')}::int[], ${sql.placeholder('moments')}::timestamptz[])
        with ordinality as wanted(id, now, place) ${ownStars}
      join ${articles} ${a} on ${a.id} = ${wantedId} ${articleJoins(language)}
      where ${a.withdrawnAt} is null`,
  );
  return batched<PageKey, ArticlePageRow | undefined>(async (keys) => {
    const rows = await read({
      ids: `{${keys.map(({ id }) => id).join()}}`,
      moments: `{${keys.map(({ now }) => now.toISOString()).join()}}`,
    });
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return keys.map((_, index) => byPlace.get(index + 1));
  }, pageBatches);
});

/**
 * One public article with everything its page shows, around it too: three related cards, its stars' next event, the
 * first star's followers; undefined when there is none (§2 Article detail). One statement, together with others who ask.
 */
export function findArticlePage(id: number, language: Lang, now: Date): Promise<ArticlePageRow | undefined> {
  return articlePage(language)({ id, now });
}
