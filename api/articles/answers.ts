import type { Lang } from '#content/locales.ts';
import {
  type ArticleAnswerRow,
  findArticleAnswer,
  findRelatedBasis,
  listArticleAnswers,
  listRelatedAnswers,
} from '#db/queries/articles/answers.ts';
import { countNewArticles, type FeedFilter } from '#db/queries/articles/articles.ts';
import { findEmbeds } from '#db/queries/articles/embeds.ts';
import { NotFound } from '../errors.ts';
import { picturePath, starMarkPath } from '../media/paths.ts';
import { toEmbed } from './articles.ts';
import type { Article, Embed } from './model.ts';

/** Articles as the API answers them (§3, §7). Pages use the leaner shapes of `articles.ts`. */

/** A row as the contract has it. Without a picture of its own an article shows its first star, else the brand (§4). */
function toArticle(row: ArticleAnswerRow): Article {
  const { id, category, model, pictureKey, stars, rewrites, embeds, ...rest } = row;
  const [first] = stars;
  const fallback = first ? starMarkPath(first.slug) : picturePath('brand', '3:2', 800);
  return {
    ...rest,
    id,
    imageUrl: pictureKey ? picturePath(pictureKey, '3:2', 800) : fallback,
    publishedAt: row.publishedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    aiAssisted: model !== null,
    entertainmentCategory: category,
    articleStars: stars.map(({ slug, ...star }) => ({
      star: { ...star, imageUrl: starMarkPath(slug) },
      articleId: id,
      starId: star.id,
    })),
    rewrittenArticles: rewrites.map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    multimediaEmbeds: embeds.map(toEmbed),
  };
}

/** A page of the feed, newest first (§7 `GET /api/articles`). Two statements. */
export async function answerFeed(filter: FeedFilter): Promise<Article[]> {
  return (await listArticleAnswers(filter)).map(toArticle);
}

/**
 * How many articles have come in within the last so many seconds, for somebody who comes back to an open page (§4 idle
 * prompt). A span, not an instant: clocks of phones are wrong.
 */
export function countNew(seconds: number, starIds: readonly number[]): Promise<number> {
  return countNewArticles(seconds, { starIds, most: 99 });
}

/**
 * One article (§7 `GET /api/articles/{id}`). Two statements.
 * @throws NotFound when there is no such public article
 */
export async function answerArticle(id: number, language: Lang): Promise<Article> {
  const row = await findArticleAnswer(id, language);
  if (!row) throw new NotFound('Article');
  return toArticle(row);
}

/**
 * Related articles (§7). Stars go by id; names are looked up first (decision M2), and when
 * neither names a star, the article's own stars count. Three statements.
 * @throws NotFound when there is no such public article
 */
export async function answerRelated(
  id: number,
  language: Lang,
  limit: number,
  wanted: { starIds: readonly number[]; names: readonly string[] },
): Promise<Article[]> {
  const basis = await findRelatedBasis(id, wanted.names);
  if (!basis.exists) throw new NotFound('Article');
  const starIds = [...new Set([...wanted.starIds, ...basis.starIds])];
  return (await listRelatedAnswers(id, language, limit, starIds)).map(toArticle);
}

/**
 * The embeds of an article in their order (§7 multimedia). One statement.
 * @throws NotFound when there is no such public article
 */
export async function answerEmbeds(id: number, language: Lang): Promise<Embed[]> {
  const rows = await findEmbeds(id, language);
  if (!rows) throw new NotFound('Article');
  return rows.map(toEmbed);
}
