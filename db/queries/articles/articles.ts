import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { articleRewrites, articleStars, articles } from '../../schema/articles.ts';
import { events } from '../../schema/events.ts';
import { pictures } from '../../schema/media.ts';
import { articleCorrections, items, sources, stories } from '../../schema/newsroom.ts';
import { type StarCategory, stars, starTranslations } from '../../schema/stars.ts';
import {
  coalesce,
  derived,
  jsonArray,
  jsonObject,
  literal,
  nullable,
  prepare,
  type RowOf,
  roundedLimit,
  selectValue,
  typedAs,
} from '../../sql.ts';
import { e, isPublic } from '../events/events.ts';
import { badgeFields, s, st, wordsIn } from '../stars/badge.ts';
import { embedsOfArticle } from './embeds.ts';

/** An article, the rewrite that is shown of it, and its picture, as the statements about articles name them. */
export const a = alias(articles, 'a');
export const r = alias(articleRewrites, 'r');
const p = alias(pictures, 'p');
const anyRewrite = alias(articleRewrites, 'any_rewrite');
const ast = alias(articleStars, 'ast');
const c = alias(articleCorrections, 'c');
const item = alias(items, 'item');
const source = alias(sources, 'source');
const story = alias(stories, 'story');

/** JSON of an article's stars in their order, named in `language`. */
export const starsOfArticle = (language: Lang) =>
  selectValue(
    jsonArray(jsonObject(badgeFields()), { orderBy: sql`${ast.position}` }),
    sql`from ${articleStars} ${ast} join ${stars} ${s} on ${s.id} = ${ast.starId}
      left join ${starTranslations} ${st} on ${wordsIn(language)} where ${ast.articleId} = ${a.id}`,
  );

/** Joins the rewrite that is shown (L1): the language's own, else the English one; no row means the original. */
export const bestRewrite = (language: Lang) => sql`
  left join lateral (
    select ${r.language}, ${r.title}, ${r.summary}, ${r.content}, ${r.contentHtml}, ${r.readingTime}, ${r.createdAt}
    from ${articleRewrites} ${r} where ${r.articleId} = ${a.id} and ${r.language} in (${language}, 'en')
    order by (${r.language} = ${language}) desc limit 1) ${r} on true`;

/** Joins what `cardFields` and `articleFields` read beside the article. */
export const cardJoins = (language: Lang) => sql`
  ${bestRewrite(language)} left join ${pictures} ${p} on ${p.key} = ${a.pictureKey}`;

export const shownLanguage = coalesce(r.language, sql<Lang>`'ko'`);

export const cardFields = (language: Lang) => ({
  id: a.id,
  language: shownLanguage,
  title: coalesce(r.title, a.originalTitle),
  summary: coalesce(r.summary, sql<string>`left(${a.originalContent}, 200)`),
  publishedAt: a.publishedAt,
  readingTime: coalesce(r.readingTime, a.readingTime),
  model: a.model,
  pictureKey: a.pictureKey,
  placeholder: nullable(p.placeholder),
  stars: starsOfArticle(language),
});

/** One card of a feed. The words are in `language`: the one asked for, else English, else the original (L1). */
export type CardRow = RowOf<ReturnType<typeof cardFields>>;

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
const page = derived('page', { publishedAt: a.publishedAt, id: a.id });
export const newestFirst = sql`${page.fields.publishedAt} desc, ${page.fields.id} desc`;

const ofStar = derived('of_star', { publishedAt: ast.publishedAt, id: a.id });

/** @param read the ordered rows, called as in `order`, up to the limit that it is given */
function firstRows({ rounded, isExact }: LimitShape, read: (limit: SQL) => SQL, order: SQL): SQL {
  const rows = read(literal(rounded));
  return isExact
    ? rows
    : sql`select * from (${rows}) ${page.name} order by ${order} limit ${sql.placeholder('limit')}`;
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
      return sql`select ${page.columns} from ${events} ${e} join ${articles} ${a} on ${a.id} = ${e.sourceArticleId}
        where ${e.id} = ${sql.placeholder('eventId')} and ${isPublic()} and ${isListed}
        limit ${literal(1)} offset ${offset}`;
    case 'stars':
      return firstRows(
        limit,
        (rows) => sql`select * from (
            select distinct ${ofStar.name}.* from unnest(${sql.placeholder('starIds')}::int[]) as wanted(star)
            cross join lateral (
              select ${ofStar.columns} from ${articleStars} ${ast} join ${articles} ${a} on ${a.id} = ${ast.articleId}
              where ${ast.starId} = wanted.star and ${isListed}
              order by ${ast.publishedAt} desc, ${ast.articleId} desc limit ${rows} + ${offset}) ${ofStar.name}) ${page.name}
          order by ${newestFirst} limit ${rows} offset ${offset}`,
        newestFirst,
      );
    case 'all':
      return firstRows(
        limit,
        (rows) => sql`select ${page.columns} from ${articles} ${a} where ${isListed}
          order by ${a.publishedAt} desc, ${a.id} desc limit ${rows} offset ${offset}`,
        newestFirst,
      );
  }
}

const feedCards = memoize((shape: FeedShape) =>
  prepare(
    cardFields(shape.language),
    (columns) => sql`
      with ${page.name} as materialized (${feedIds(shape)})
      select ${columns} from ${page.name} join ${articles} ${a} on ${a.id} = ${page.fields.id} ${cardJoins(shape.language)}
      order by ${newestFirst}`,
  ),
);

/** A page of the feed, newest first (§7 `GET /api/articles`). One statement; reads only the rows that it returns. */
export function listArticleCards(filter: FeedFilter): Promise<CardRow[]> {
  return feedCards(feedShape(filter))(feedValues(filter));
}

const cardsById = memoize((language: Lang) =>
  prepare(
    cardFields(language),
    (columns) => sql`
      select ${columns} from unnest(${sql.placeholder('ids')}::int[]) with ordinality as wanted(id, place)
      join ${articles} ${a} on ${a.id} = wanted.id ${cardJoins(language)} order by wanted.place`,
  ),
);

/** Cards of articles by id, in the order of the ids. One statement. */
export function listCardsById(language: Lang, ids: readonly number[]): Promise<CardRow[]> {
  return cardsById(language)({ ids: `{${ids.join()}}` });
}

const newArticles = memoize((shape: FeedShape) =>
  prepare(
    { count: sql<number>`count(*)::int` },
    (columns) => sql`
      select ${columns} from (${feedIds(shape)}) ${page.name}
      where ${page.fields.publishedAt} > now() - ${sql.placeholder('seconds')}::int * interval '1 second'`,
  ),
);

/**
 * How many stories have come in within the last so many seconds, at most `most`; with `starIds` those of these stars. One
 * statement, which reads `most` index entries.
 */
export async function countNewArticles(
  seconds: number,
  { starIds, most }: { starIds: readonly number[]; most: number },
): Promise<number> {
  const newest: FeedFilter = { language: 'ko', starIds, limit: most, offset: 0 };
  const [row] = await newArticles(feedShape(newest))({ ...feedValues(newest), seconds });
  return row?.count ?? 0;
}

/** Languages in which an article exists (decision L10): those of its rewrites, Korean when there is only the original. */
export const languagesOfArticle = selectValue(
  sql<Lang[]>`coalesce(json_agg(${anyRewrite.language}), '["ko"]'::json)`,
  sql`from ${articleRewrites} ${anyRewrite} where ${anyRewrite.articleId} = ${a.id}`,
);

const correctionsOfArticle = (language: Lang) => {
  const corrections = jsonArray(
    jsonObject({
      kind: c.kind,
      note: sql<string | null>`${c.note} ->> ${language}::text`,
      at: c.createdAt,
    }),
    { orderBy: sql`${c.id} desc` },
  );
  return typedAs(
    corrections,
    sql`case when ${a.amendedAt} is null then '[]'::json else (
      select ${corrections} from ${articleCorrections} ${c} where ${c.articleId} = ${a.id}) end`,
  );
};

/** A whole article; goes with `cardJoins`. */
export const articleFields = (language: Lang) => ({
  ...cardFields(language),
  contentHtml: nullable(r.contentHtml),
  /** The words as they were written, when nobody made HTML of them. */
  content: sql<
    string | null
  >`case when ${r.contentHtml} is null then coalesce(${r.content}, ${a.originalContent}) end`,
  category: a.entertainmentCategory,
  outlet: a.outlet,
  originalUrl: a.originalUrl,
  originalTitle: a.originalTitle,
  originalPublishedAt: a.originalPublishedAt,
  reviewer: a.reviewer,
  createdAt: a.createdAt,
  updatedAt: a.updatedAt,
  /** When the rewrite that is shown was made. */
  rewrittenAt: nullable(r.createdAt),
  languages: languagesOfArticle,
  embeds: embedsOfArticle(a.id, language),
  /** Version of the model's prompt. */
  promptVersion: a.promptVersion,
  /** Other outlets that told the same story. */
  otherOutlets: sql<string[]>`array(
    select distinct ${source.outlet} from ${stories} ${story} join ${items} ${item} on ${item.storyId} = ${story.id}
    join ${sources} ${source} on ${source.id} = ${item.sourceId}
    where ${story.articleId} = ${a.id} and ${source.outlet} <> ${a.outlet} order by ${source.outlet})`,
  /** What was said about it since it was published, the newest first; notes in the language asked for. */
  corrections: correctionsOfArticle(language),
});

export type ArticleRow = RowOf<ReturnType<typeof articleFields>>;

/** A page of articles to read next, as what `relatedIds` selects is called. */
export const relatedPage = derived('page', {
  id: a.id,
  publishedAt: a.publishedAt,
  /** 0: a star in common, 1: the same category. */
  rank: sql<number>`0`,
});
export const bestFirst = sql`${relatedPage.fields.rank}, ${newestFirst}`;

const wantedStar = derived('wanted_star', { id: ast.starId });
const starred = derived('starred', { publishedAt: ast.publishedAt, id: a.id });

/**
 * Selects a `relatedPage` of other articles to read next: newest with a star in common, then of the same category. The
 * category is read only as far as the stars leave room.
 * @param id of the article
 * @param givenStars the list of stars that count instead of the article's own
 */
export function relatedIds(id: SQLWrapper, limit: LimitShape, givenStars?: Placeholder): SQL {
  const stars = givenStars
    ? sql`select unnest(${givenStars}::int[]) as id`
    : sql`select ${wantedStar.columns} from ${articleStars} ${ast} where ${ast.articleId} = ${id}`;
  const read = (rows: SQL) => sql`
    with ${starred.name} as materialized (
      select distinct ${ofStar.name}.* from (${stars}) ${wantedStar.name}
      cross join lateral (
        select ${ofStar.columns} from ${articleStars} ${ast} join ${articles} ${a} on ${a.id} = ${ast.articleId}
        where ${ast.starId} = ${wantedStar.fields.id} and ${ast.articleId} <> ${id} and ${a.withdrawnAt} is null
        order by ${ast.publishedAt} desc, ${ast.articleId} desc limit ${rows}) ${ofStar.name}
      order by ${ofStar.fields.publishedAt} desc, ${ofStar.fields.id} desc limit ${rows})
    select ${starred.fields.id}, ${starred.fields.publishedAt}, 0 as rank from ${starred.name}
    union all
    (select ${a.id}, ${a.publishedAt}, 1 as rank from ${articles} ${a}
      where ${a.entertainmentCategory} = (
          select ${articles.entertainmentCategory} from ${articles} where ${articles.id} = ${id})
        and ${a.id} <> ${id} and ${a.id} not in (select ${starred.fields.id} from ${starred.name})
        and ${a.withdrawnAt} is null
      order by ${a.publishedAt} desc, ${a.id} desc limit (select ${rows} - count(*) from ${starred.name}))`;
  return firstRows(limit, read, bestFirst);
}
