import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { batched } from '../../batch.ts';
import { memoize } from '../../memoize.ts';
import { articleRewrites, articles } from '../../schema/articles.ts';
import { derived, type Fields, prepare, type RowOf } from '../../sql.ts';
import { shownIdsOf } from '../stars/badge.ts';
import {
  type FeedFilter,
  type FeedShape,
  feedIds,
  feedShape,
  feedValues,
  type LimitShape,
  limitShape,
  newestFirst,
} from './feed.ts';
import { a, articleContractFields, articleJoins, cardFields } from './fields.ts';
import { bestFirst, relatedIds } from './related.ts';

const w = alias(articleRewrites, 'w');

type Values = Record<string, string | number | null>;
type Read<Row> = (values: Values) => Promise<Row[]>;

/** What `ids` selects, by what every such statement has. */
const page = derived('page', { id: a.id });

/**
 * How much of an article is read: which articles, and in which order, is the same for every part.
 * @template Row the part
 */
export interface ArticleReader<Row> {
  feed: (shape: FeedShape) => Read<Row>;
  related: (shape: RelatedShape) => Read<Row>;
  byId: (language: Lang) => Read<Row>;
}

interface RelatedShape {
  language: Lang;
  limit: LimitShape;
  hasStars: boolean;
}

/** @param read reads the articles of a page: `ids` selects their `id` and what `order` needs */
const readerOf = <Row>(read: (ids: SQL, order: SQL, language: Lang) => Read<Row>): ArticleReader<Row> => ({
  feed: memoize((shape) => read(feedIds(shape), newestFirst, shape.language)),
  related: memoize(({ language, limit, hasStars }) => {
    const id = sql`${sql.placeholder('id')}::int`;
    return read(
      relatedIds(id, limit, hasStars ? shownIdsOf(sql`${sql.placeholder('starIds')}::int[]`) : undefined),
      bestFirst,
      language,
    );
  }),
  byId: memoize((language) => {
    const ids = sql`
      select ${articles.id} from ${articles}
      where ${articles.id} = any(${sql.placeholder('ids')}::int[]) and ${articles.withdrawnAt} is null`;
    return read(ids, sql`${page.fields.id}`, language);
  }),
});

/** Reads fields of the articles of a page, with what is joined for them. One statement, which reads only the rows that it returns. */
const rowsOf = <Selected extends Fields>(ids: SQL, order: SQL, joins: SQL, fields: Selected) =>
  prepare<Selected, Values>(
    fields,
    (columns) => sql`
      with ${page.name} as materialized (${ids})
      select ${columns} from ${page.name} join ${articles} ${a} on ${a.id} = ${page.fields.id} ${joins}
      order by ${order}`,
  );

/** What a card shows. One statement. */
export const articleCards = readerOf((ids, order, language) =>
  rowsOf(ids, order, articleJoins(language), cardFields(language)),
);

const rewriteFields = {
  articleId: w.articleId,
  language: w.language,
  title: w.title,
  summary: w.summary,
  content: w.content,
  createdAt: w.createdAt,
};
type RewriteRow = Omit<RowOf<typeof rewriteFields>, 'articleId'>;

type Head = RowOf<ReturnType<typeof articleContractFields>>;

/** An article as the contract has it (§3), with every rewrite and embed. */
export type ArticleRow = Omit<Head, 'originalContent'> &
  Pick<RewriteRow, 'title' | 'summary' | 'content'> & { rewrittenArticles: RewriteRow[] };

const readRewrites = prepare<typeof rewriteFields, { ids: string }>(
  rewriteFields,
  (columns) => sql`
    select ${columns} from ${articleRewrites} ${w} where ${w.articleId} = any(${sql.placeholder('ids')}::int[])
    order by ${w.articleId}, ${w.language}`,
);

/**
 * Articles as the contract has them. Two statements: whole texts as plain columns cost PostgreSQL a third of what they cost inside
 * JSON, and the words that are shown are not read once more. Beside each other where the ids are known; else the second takes them
 * from the first, for to find a page far back in the feed costs more than to read it.
 */
export const contractArticles = readerOf<ArticleRow>((ids, order, language) => {
  const readHeads = rowsOf(ids, order, articleJoins(language), articleContractFields(language));
  return async (values) => {
    const asked = readHeads(values);
    const known = values.ids;
    const pageIds = typeof known === 'string' ? known : `{${(await asked).map(({ id }) => id).join()}}`;
    const [heads, rewrites] = await Promise.all([asked, readRewrites({ ids: pageIds })]);
    const byArticle = Map.groupBy(rewrites, ({ articleId }) => articleId);
    return heads.map((head) =>
      withRewrites(
        head,
        (byArticle.get(head.id) ?? []).map(({ articleId: _, ...rewrite }) => rewrite),
      ),
    );
  };
});

function withRewrites({ originalContent, ...head }: Head, rewrittenArticles: RewriteRow[]): ArticleRow {
  const original =
    originalContent === null
      ? rewrittenArticles.find(({ language }) => language === head.language)
      : undefined;
  const { title, summary, content } = original ?? {
    title: head.originalTitle,
    summary: (originalContent ?? '').slice(0, 200),
    content: originalContent ?? '',
  };
  return { ...head, title, summary, content, rewrittenArticles };
}

/** A page of the feed (§7 `GET /api/articles`), newest first, as much of each article as the part says. */
export function listArticles<Row>(part: ArticleReader<Row>, filter: FeedFilter): Promise<Row[]> {
  return part.feed(feedShape(filter))(feedValues(filter));
}

/**
 * Articles to read after one (§7 related), best first, as much of each as the part says.
 * @param starIds stars that count instead of the article's own; none: its own
 */
export function listRelatedArticles<Row>(
  part: ArticleReader<Row>,
  id: number,
  language: Lang,
  limit: number,
  starIds: readonly number[] = [],
): Promise<Row[]> {
  const shape = { language, limit: limitShape(limit), hasStars: starIds.length > 0 };
  return part.related(shape)({ id, limit, starIds: `{${starIds.join()}}` });
}

/** The public ones of these articles in the order of their ids, as much of each as the part says. */
export async function listArticlesById<Row extends { id: number }>(
  part: ArticleReader<Row>,
  language: Lang,
  ids: readonly number[],
): Promise<Row[]> {
  const rows = await part.byId(language)({ ids: `{${ids.join()}}` });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** More in one statement do not make it cheaper for each, and keep others waiting while they are written out. */
const articleBatches = { maxBatchSize: 8, concurrency: 2 };

const articleInBatch = memoize((language: Lang) =>
  batched<number, ArticleRow | undefined>(async (ids) => {
    const rows = await listArticlesById(contractArticles, language, [...new Set(ids)]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }, articleBatches),
);

/**
 * One public article, or undefined; those who ask at once are answered by the same two statements. Its page reads less by
 * `findArticlePage`: one body instead of all.
 */
export function findArticle(id: number, language: Lang): Promise<ArticleRow | undefined> {
  return articleInBatch(language)(id);
}
