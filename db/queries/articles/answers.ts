import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { batched } from '../../batch.ts';
import { memoize } from '../../memoize.ts';
import { articleRewrites, articles } from '../../schema/articles.ts';
import { starAliases, stars, starTranslations } from '../../schema/stars.ts';
import { coalesce, derived, execute, jsonArray, prepare, type RowOf, selectValue } from '../../sql.ts';
import { contains } from '../pattern.ts';
import { s, st } from '../stars/badge.ts';
import {
  a,
  bestFirst,
  bestRewrite,
  type FeedFilter,
  type FeedShape,
  feedIds,
  feedShape,
  feedValues,
  type LimitShape,
  limitShape,
  newestFirst,
  r,
  relatedIds,
  shownLanguage,
  starsOfArticle,
} from './articles.ts';
import { embedsOfArticle } from './embeds.ts';

const w = alias(articleRewrites, 'w');
const sa = alias(starAliases, 'sa');

const headFields = (language: Lang) => ({
  id: a.id,
  language: shownLanguage,
  pictureKey: a.pictureKey,
  publishedAt: a.publishedAt,
  createdAt: a.createdAt,
  originalUrl: a.originalUrl,
  originalTitle: a.originalTitle,
  /** Only of an article that has no rewrite to show. */
  originalContent: sql<string | null>`case when ${r.language} is null then ${a.originalContent} end`,
  outlet: a.outlet,
  model: a.model,
  category: a.entertainmentCategory,
  /** minutes */
  readingTime: coalesce(r.readingTime, a.readingTime),
  stars: starsOfArticle(language),
  embeds: embedsOfArticle(a.id, language),
});
type Head = RowOf<ReturnType<typeof headFields>>;

const rewriteFields = {
  articleId: w.articleId,
  language: w.language,
  title: w.title,
  summary: w.summary,
  content: w.content,
  createdAt: w.createdAt,
};
type Rewrite = Omit<RowOf<typeof rewriteFields>, 'articleId'>;

/** An article as the API answers it (§3), with every rewrite and embed. */
export type ArticleAnswerRow = Omit<Head, 'originalContent'> &
  Pick<Rewrite, 'title' | 'summary' | 'content'> & { rewrites: Rewrite[] };

type Values = Record<string, string | number | null>;

const page = derived('page', { id: a.id });

/**
 * Reads the articles of a page (`id` and what `order` needs) with every rewrite. Two statements beside each other: whole texts as
 * plain columns cost PostgreSQL a third of what they cost inside JSON.
 */
function answersOf(ids: SQL, order: SQL, language: Lang): (values: Values) => Promise<ArticleAnswerRow[]> {
  const readHeads = prepare(
    headFields(language),
    (columns) => sql`
      with ${page.name} as materialized (${ids})
      select ${columns} from ${page.name} join ${articles} ${a} on ${a.id} = ${page.fields.id} ${bestRewrite(language)}
      order by ${order}`,
  );
  const readRewrites = prepare(
    rewriteFields,
    (columns) => sql`
      with ${page.name} as materialized (${ids})
      select ${columns} from ${page.name} join ${articleRewrites} ${w} on ${w.articleId} = ${page.fields.id}
      order by ${w.articleId}, ${w.language}`,
  );
  return async (values) => {
    const [heads, rewrites] = await Promise.all([readHeads(values), readRewrites(values)]);
    const byArticle = Map.groupBy(rewrites, ({ articleId }) => articleId);
    return heads.map((head) =>
      answerOf(
        head,
        (byArticle.get(head.id) ?? []).map(({ articleId: _, ...rewrite }) => rewrite),
      ),
    );
  };
}

function answerOf({ originalContent, ...head }: Head, rewrites: Rewrite[]): ArticleAnswerRow {
  const shown =
    originalContent === null ? rewrites.find((rewrite) => rewrite.language === head.language) : undefined;
  const { title, summary, content } = shown ?? {
    title: head.originalTitle,
    summary: (originalContent ?? '').slice(0, 200),
    content: originalContent ?? '',
  };
  return { ...head, title, summary, content, rewrites };
}

const feedAnswers = memoize((shape: FeedShape) => answersOf(feedIds(shape), newestFirst, shape.language));

/** A page of the feed as the API answers it (§7 `GET /api/articles`), newest first. */
export function listArticleAnswers(filter: FeedFilter): Promise<ArticleAnswerRow[]> {
  return feedAnswers(feedShape(filter))(feedValues(filter));
}

interface RelatedShape {
  language: Lang;
  limit: LimitShape;
  hasStars: boolean;
}

const relatedAnswers = memoize(({ language, limit, hasStars }: RelatedShape) => {
  const id = sql`${sql.placeholder('id')}::int`;
  const ids = relatedIds(id, limit, hasStars ? sql.placeholder('starIds') : undefined);
  return answersOf(ids, bestFirst, language);
});

/** Related articles as the API answers them, best first. */
export function listRelatedAnswers(
  id: number,
  language: Lang,
  limit: number,
  starIds: readonly number[] = [],
): Promise<ArticleAnswerRow[]> {
  const shape = { language, limit: limitShape(limit), hasStars: starIds.length > 0 };
  return relatedAnswers(shape)({ id, limit, starIds: `{${starIds.join()}}` });
}

/** More in one statement do not make it cheaper for each. */
const articleBatches = { maxBatchSize: 16, concurrency: 2 };

const articleAnswer = memoize((language: Lang) => {
  const ids = sql`
    select ${articles.id} from ${articles}
    where ${articles.id} = any(${sql.placeholder('ids')}::int[]) and ${articles.withdrawnAt} is null`;
  const read = answersOf(ids, sql`${page.fields.id}`, language);
  return batched<number, ArticleAnswerRow | undefined>(async (wanted) => {
    const rows = await read({ ids: `{${[...new Set(wanted)].join()}}` });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return wanted.map((id) => byId.get(id));
  }, articleBatches);
});

/** One public article as the API answers it, or undefined; those who ask at once are answered by the same two statements. */
export function findArticleAnswer(id: number, language: Lang): Promise<ArticleAnswerRow | undefined> {
  return articleAnswer(language)(id);
}

/**
 * Whether a public article exists, and the stars that are called one of `names` in any language or alias (decision M2).
 * One statement.
 */
export async function findRelatedBasis(
  id: number,
  names: readonly string[],
): Promise<{ exists: boolean; starIds: number[] }> {
  const [row] = await execute(
    {
      exists: sql<boolean>`exists (
        select from ${articles} ${a} where ${a.id} = ${id} and ${a.withdrawnAt} is null)`,
      starIds: names.length === 0 ? sql<number[]>`'[]'::json` : idsOfNames(names),
    },
    (columns) => sql`select ${columns}`,
  );
  return row ?? { exists: false, starIds: [] };
}

/** The trigram index finds candidates, then a whole name has to be equal after folding. */
const idsOfNames = (names: readonly string[]): SQL<number[]> =>
  selectValue(
    jsonArray(s.id, { distinct: true }),
    sql`from json_array_elements_text(${JSON.stringify(names)}::text::json) as wanted(name)
      join ${stars} ${s} on ${s.searchKey} like ${contains(sql`wanted.name`)}
      where byeol_fold(${s.name}) = byeol_fold(wanted.name)
        or exists (select from ${starTranslations} ${st}
          where ${st.starId} = ${s.id} and byeol_fold(${st.name}) = byeol_fold(wanted.name))
        or exists (select from ${starAliases} ${sa} where ${sa.starId} = ${s.id} and ${sa.aliasKey} = byeol_fold(wanted.name))`,
  );
