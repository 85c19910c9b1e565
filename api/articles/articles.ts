import type { Lang } from '#content/locales.ts';
import { languages } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import {
  type ArticleReader,
  type ArticleRow,
  articleCards,
  contractArticles,
  findArticle,
  listArticles,
  listRelatedArticles,
} from '#db/queries/articles/articles.ts';
import { type EmbedRow, findEmbeds } from '#db/queries/articles/embeds.ts';
import { countNewArticles, type FeedFilter } from '#db/queries/articles/feed.ts';
import type { CardRow } from '#db/queries/articles/fields.ts';
import { type ArticlePageRow, findArticlePage } from '#db/queries/articles/page.ts';
import { findRelatedBasis } from '#db/queries/articles/related.ts';
import { findWithdrawal, type Withdrawal } from '#db/queries/newsroom/corrections.ts';
import type { StarCategory } from '#db/schema/stars.ts';
import { NotFound } from '../errors.ts';
import { toTicket } from '../events/events.ts';
import type { EventTicket } from '../events/model.ts';
import { picturePath } from '../media/paths.ts';
import { toSummary, withImageUrl } from '../stars/badge.ts';
import { categoryOfSlug } from './categories.ts';
import type { Article, ArticleCard, ArticlePage, Embed } from './model.ts';

/** Ground of a picture while it loads when nobody computed one: the dark of the brand's own picture. */
const darkGround = '#1a1e28';

/** How much of an article is wanted: what of it is read, and what is made of that. */
export interface ArticlePart<Row, Shape> {
  rows: ArticleReader<Row>;
  shape: (row: Row) => Shape;
}

/** What a card shows. */
export const cardPart: ArticlePart<CardRow, ArticleCard> = { rows: articleCards, shape: toCard };

/** Everything that the contract has. */
export const articleContractPart: ArticlePart<ArticleRow, Article> = {
  rows: contractArticles,
  shape: toArticle,
};

/** A page of the feed (§7 `GET /api/articles`), newest first, as much of each article as the part says. */
export async function readArticles<Row, Shape>(
  { rows, shape }: ArticlePart<Row, Shape>,
  filter: FeedFilter,
): Promise<Shape[]> {
  return (await listArticles(rows, filter)).map(shape);
}

/**
 * Articles to read after one (§7 related), as much of each as the part says. Stars go by id; names are looked up first (decision M2),
 * and when neither names a star, the article's own stars count.
 * @throws NotFound when there is no such public article
 */
export async function readRelated<Row, Shape>(
  { rows, shape }: ArticlePart<Row, Shape>,
  id: number,
  language: Lang,
  limit: number,
  stars: { starIds: readonly number[]; names: readonly string[] },
): Promise<Shape[]> {
  const basis = await findRelatedBasis(id, stars.names);
  if (!basis.exists) throw new NotFound('Article');
  const starIds = [...new Set([...stars.starIds, ...basis.starIds])];
  return (await listRelatedArticles(rows, id, language, limit, starIds)).map(shape);
}

/**
 * One article as the contract has it (§7 `GET /api/articles/{id}`). Two statements.
 * @throws NotFound when there is no such public article
 */
export async function readArticle(id: number, language: Lang): Promise<Article> {
  const row = await findArticle(id, language);
  if (!row) throw new NotFound('Article');
  return toArticle(row);
}

/**
 * The embeds of an article in their order (§7 multimedia). One statement.
 * @throws NotFound when there is no such public article
 */
export async function readEmbeds(id: number, language: Lang): Promise<Embed[]> {
  const rows = await findEmbeds(id, language);
  if (!rows) throw new NotFound('Article');
  return rows.map(toEmbed);
}

/**
 * How many articles have come in within the last so many seconds, for somebody who comes back to an open page (§4 idle
 * prompt). A span, not an instant: clocks of phones are wrong.
 */
export function countNew(seconds: number, starIds: readonly number[]): Promise<number> {
  return countNewArticles(seconds, { starIds, max: 99 });
}

interface FeedPage {
  cards: ArticleCard[];
  /** Offset of the next page, undefined when this was the last. */
  nextOffset: number | undefined;
}

/**
 * A page of the feed (§2 Home feed, §9 page size 20), newest first, optionally of some stars or one category.
 * Reads one card more than it shows to know whether there is a next page.
 */
export async function readFeed(
  language: Lang,
  offset = 0,
  filter: Pick<FeedFilter, 'starIds' | 'category'> = {},
): Promise<FeedPage> {
  const limit = limits.feedPage;
  const cards = await readArticles(cardPart, { ...filter, language, offset, limit: limit + 1 });
  return {
    cards: cards.slice(0, limit),
    nextOffset: cards.length > limit ? offset + limit : undefined,
  };
}

/**
 * A page of a category (§2 `/category/{slug}`, decision L5), newest first; undefined when there is no such category.
 * @param slug `k-pop-group`, or the lower-case name (`k-pop group`)
 */
export async function readCategory(
  slug: string,
  language: Lang,
  offset = 0,
): Promise<(FeedPage & { category: StarCategory }) | undefined> {
  const category = categoryOfSlug(slug);
  return category && { category, ...(await readFeed(language, offset, { category })) };
}

/** When and why the newsroom took an article off the site in every language; undefined when it did not. */
export const readWithdrawal = (id: number, language: Lang): Promise<Withdrawal | undefined> =>
  findWithdrawal(id, language);

/** What stands beside an article on its page. */
interface ArticleSurroundings {
  related: ArticleCard[];
  nextEvent: EventTicket | undefined;
  /** Of the article's first star; 0 without one. */
  followerCount: number;
}

/**
 * The page of a public article (§2 Article detail): everything it shows, in `language` or its fallback (L1), three
 * stories to read next, the next event of its stars at the moment `now`; undefined when there is none. One statement, and one
 * body. By `readArticle`, `readRelated` and `readNextEvents` beside each other it would be five statements, which take 1.13 times as
 * long (2,000 of each, 20,000 articles), and every language's body, 13 kB in the place of 6.
 */
export async function readArticlePage(
  id: number,
  language: Lang,
  now: Date,
): Promise<(ArticlePage & ArticleSurroundings) | undefined> {
  const row = await findArticlePage(id, language, now);
  if (!row) return undefined;
  return {
    ...toArticlePage(row, language),
    related: row.related.map(toCard),
    nextEvent: row.nextEvent ? toTicket(row.nextEvent, now) : undefined,
    followerCount: row.followerCount ?? 0,
  };
}

/** What cards and whole articles have in common, with the AI label of decision P4. */
function toCommonFields({
  stars,
  model,
  ...row
}: Omit<CardRow, 'placeholder'>): Omit<ArticleCard, 'placeholder'> {
  return {
    id: row.id,
    language: row.language,
    title: row.title,
    summary: row.summary,
    publishedAt: row.publishedAt.toISOString(),
    readingTime: row.readingTime,
    aiAssisted: model !== null,
    pictureKey: row.pictureKey,
    articleStars: stars.map((star) => ({
      star: withImageUrl(star),
      articleId: row.id,
      starId: star.id,
    })),
  };
}

/** A card of its row, with a ground for its picture. */
export function toCard(row: CardRow): ArticleCard {
  return { ...toCommonFields(row), placeholder: row.placeholder ?? darkGround };
}

/** Without a picture of its own an article shows its first star, else the brand (§4). */
export function imageUrlOf({
  pictureKey,
  articleStars,
}: Pick<ArticleCard, 'pictureKey' | 'articleStars'>): string {
  return pictureKey
    ? picturePath(pictureKey, '3:2', 800)
    : (articleStars[0]?.star.imageUrl ?? picturePath('brand', '3:2', 800));
}

/** An article of its row. */
function toArticle(row: ArticleRow): Article {
  const { articleStars, pictureKey, ...head } = toCommonFields(row);
  return {
    ...head,
    content: row.content,
    imageUrl: imageUrlOf({ pictureKey, articleStars }),
    createdAt: row.createdAt.toISOString(),
    originalUrl: row.originalUrl,
    originalTitle: row.originalTitle,
    outlet: row.outlet,
    entertainmentCategory: row.entertainmentCategory,
    articleStars: articleStars.map((each) => ({ ...each, star: toSummary(each.star) })),
    rewrittenArticles: row.rewrittenArticles.map((each) => ({
      ...each,
      createdAt: each.createdAt.toISOString(),
    })),
    multimediaEmbeds: row.multimediaEmbeds.map(toEmbed),
  };
}

function toArticlePage(row: ArticlePageRow, language: Lang): ArticlePage {
  return {
    ...toCard(row),
    contentHtml: row.contentHtml ?? paragraphs(row.contentWithoutHtml ?? ''),
    entertainmentCategory: row.entertainmentCategory,
    languages: languages.filter((each) => row.languages.includes(each)),
    updatedAt: row.updatedAt.toISOString(),
    outlet: row.outlet,
    originalUrl: row.originalUrl,
    originalTitle: row.originalTitle,
    pictureAlt: row.pictureAlt,
    pictureCredit: row.pictureCredit,
    originalPublishedAt: row.originalPublishedAt.toISOString(),
    model: row.model,
    reviewer: row.reviewer?.[language] ?? null,
    rewrittenAt: row.rewrittenAt?.toISOString() ?? null,
    promptVersion: row.promptVersion,
    otherOutlets: row.otherOutlets,
    corrections: row.corrections.map((each) => ({ ...each, at: each.at.toISOString() })),
    multimediaEmbeds: row.multimediaEmbeds.map(toEmbed),
  };
}

/** A stored embed as the contract has it: its poster on our origin, instants in UTC. */
export function toEmbed({ pictureKey, ...row }: EmbedRow): Embed {
  return {
    ...row,
    thumbnailUrl: pictureKey && picturePath(pictureKey, '16:9', 480),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Plain text as paragraphs: the source's text is never trusted to be HTML. */
function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(
      (part) =>
        `<p>${part.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign).replaceAll('\n', '<br>')}</p>`,
    )
    .join('\n');
}
