import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { articleStars, articles } from '../../schema/articles.ts';
import { events } from '../../schema/events.ts';
import type { StarCategory } from '../../schema/stars.ts';
import { derived, literal, prepare, roundedLimit } from '../../sql.ts';
import { e, isPublic } from '../events/fields.ts';
import { shownIdsOf } from '../stars/badge.ts';
import { a } from './fields.ts';

/** Which articles a feed has: statements read their ids first (decision D2). */

const ast = alias(articleStars, 'ast');

export interface FeedFilter {
  language: Lang;
  limit: number;
  offset: number;
  /** Articles with at least one of these stars; empty or missing: all. */
  starIds?: readonly number[];
  category?: StarCategory;
  /** The article that announced this event. */
  eventId?: number;
}

/**
 * What the text of a feed's statement depends on: it is made once for each. Ids, offsets and the exact limit are values, or a
 * client that asks for every number of rows would make each connection keep a plan for each.
 */
export interface FeedShape {
  language: Lang;
  of: 'event' | 'stars' | 'all';
  inCategory: boolean;
  limit: LimitShape;
}

/** The limit in a statement's text is rounded up to one of a few; it is cut exactly by a value where it is not the same. */
export interface LimitShape {
  rounded: number;
  isExact: boolean;
}

export function limitShape(limit: number): LimitShape {
  const rounded = roundedLimit(limit);
  return { rounded, isExact: rounded === limit };
}

export const feedShape = ({ language, limit, starIds = [], category, eventId }: FeedFilter): FeedShape => ({
  language,
  of: eventId !== undefined ? 'event' : starIds.length > 0 ? 'stars' : 'all',
  inCategory: category !== undefined,
  limit: limitShape(limit),
});

/** The values of a feed's statement, for the placeholders of `feedIds`. */
export const feedValues = ({ limit, offset, starIds = [], category, eventId }: FeedFilter) => ({
  limit,
  offset,
  starIds: `{${starIds.join()}}`,
  category: category ?? null,
  eventId: eventId ?? null,
});

/** A page of articles by their ids, as what `feedIds` selects is called. */
const feedPage = derived('page', { publishedAt: a.publishedAt, id: a.id });
export const newestFirst = sql`${feedPage.fields.publishedAt} desc, ${feedPage.fields.id} desc`;

export const ofStar = derived('of_star', { publishedAt: ast.publishedAt, id: a.id });

/** @param read the ordered rows, called as in `order`, up to the limit that it is given */
export function firstRows({ rounded, isExact }: LimitShape, read: (limit: SQL) => SQL, order: SQL): SQL {
  const rows = read(literal(rounded));
  return isExact
    ? rows
    : sql`select * from (${rows}) ${feedPage.name} order by ${order} limit ${sql.placeholder('limit')}`;
}

/** Selects a `page` of the feed by the index that fits the filter; deep pages read index entries only. */
export function feedIds({ of, inCategory, limit }: FeedShape): SQL {
  const isListed = sql`${a.withdrawnAt} is null ${
    inCategory ? sql`and ${a.entertainmentCategory} = ${sql.placeholder('category')}` : sql``
  }`;
  const offset = sql.placeholder('offset');
  switch (of) {
    case 'event':
      // An event has one article at most.
      return sql`select ${feedPage.columns} from ${events} ${e} join ${articles} ${a} on ${a.id} = ${e.sourceArticleId}
        where ${e.id} = ${sql.placeholder('eventId')} and ${isPublic()} and ${isListed}
        limit ${literal(1)} offset ${offset}`;
    case 'stars':
      return firstRows(
        limit,
        (rows) => sql`select * from (
            select distinct ${ofStar.name}.* from (${shownIdsOf(sql`${sql.placeholder('starIds')}::int[]`)}) as wanted(star)
            cross join lateral (
              select ${ofStar.columns} from ${articleStars} ${ast} join ${articles} ${a} on ${a.id} = ${ast.articleId}
              where ${ast.starId} = wanted.star and ${isListed}
              order by ${ast.publishedAt} desc, ${ast.articleId} desc limit ${rows} + ${offset}) ${ofStar.name}) ${feedPage.name}
          order by ${newestFirst} limit ${rows} offset ${offset}`,
        newestFirst,
      );
    case 'all':
      return firstRows(
        limit,
        (rows) => sql`select ${feedPage.columns} from ${articles} ${a} where ${isListed}
          order by ${a.publishedAt} desc, ${a.id} desc limit ${rows} offset ${offset}`,
        newestFirst,
      );
  }
}

const newArticles = memoize((shape: FeedShape) =>
  prepare(
    { count: sql<number>`count(*)::int` },
    (columns) => sql`
      select ${columns} from (${feedIds(shape)}) ${feedPage.name}
      where ${feedPage.fields.publishedAt} > now() - ${sql.placeholder('seconds')}::int * interval '1 second'`,
  ),
);

/**
 * How many stories have come in within the last so many seconds, at most `most`; with `starIds` those of these stars. One
 * statement, which reads `most` index entries.
 */
export async function countNewArticles(
  seconds: number,
  { starIds, max }: { starIds: readonly number[]; max: number },
): Promise<number> {
  const newest: FeedFilter = { language: 'ko', starIds, limit: max, offset: 0 };
  const [row] = await newArticles(feedShape(newest))({ ...feedValues(newest), seconds });
  return row?.count ?? 0;
}
