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
import { isShown, isShownById, s } from '../stars/badge.ts';
import { a, articleJoins, articlePageFields, cardFields } from './fields.ts';
import { bestFirst, relatedIds, relatedPage } from './related.ts';

const ast = alias(articleStars, 'ast');
const es = alias(eventStars, 'es');

const wantedId = sql`wanted.id`;

const ownStars = sql`select ${ast.starId} from ${articleStars} ${ast}
  where ${ast.articleId} = ${wantedId} and ${isShownById(ast.starId)}`;

/** An event that stars of the article take part in is theirs here, whoever else comes first in it. */
const ownStarOfEvent = sql`(select ${ast.starId} from ${articleStars} ${ast}
  where ${ast.articleId} = ${wantedId} and ${isShownById(ast.starId)} and (${ast.starId} = ${e.primaryStarId} or exists (
    select from ${eventStars} ${es} where ${es.eventId} = ${e.id} and ${es.starId} = ${ast.starId}))
  order by ${ast.position} limit 1)`;

const surroundedFields = (language: Lang) => ({
  place: sql<number>`wanted.place::int`,
  ...articlePageFields(language),
  related: relatedCards(language),
  /** The next public event of the article's stars, for the first of them that takes part in it. */
  nextEvent: nextTicket(language),
  /** Of the article's first star, null without one. */
  followerCount: nullable(
    selectValue(
      s.followerCount,
      sql`from ${articleStars} ${ast} join ${stars} ${s} on ${s.id} = ${ast.starId} and ${isShown()}
        where ${ast.articleId} = ${a.id} order by ${ast.position} limit 1`,
    ),
  ),
});

const nextTicket = (language: Lang) => {
  const ticket = jsonObject(ticketFields(language, ownStarOfEvent));
  return typedAs(
    nullable(ticket),
    sql`(with next as materialized (${nextEventIds(ownStars, sql`wanted.now`, literal(1))})
    select ${ticket} from next join ${events} ${e} on ${e.id} = next.id ${bestEventWords(language)})`,
  );
};

const relatedCards = (language: Lang) => {
  const cards = jsonArray(jsonObject(cardFields(language)), { orderBy: bestFirst });
  return typedAs(
    cards,
    sql`(with ${relatedPage.name} as materialized (${relatedIds(wantedId, { rounded: 3, isExact: true })})
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
        with ordinality as wanted(id, now, place)
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
