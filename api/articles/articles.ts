import type { Lang } from '#content/locales.ts';
import { languages } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import {
  type ArticleRow,
  type CardRow,
  type FeedFilter,
  listArticleCards,
} from '#db/queries/articles/articles.ts';
import type { EmbedRow } from '#db/queries/articles/embeds.ts';
import { findArticlePage } from '#db/queries/articles/page.ts';
import { findWithdrawal, type Withdrawal } from '#db/queries/newsroom/corrections.ts';
import type { StarCategory } from '#db/schema/stars.ts';
import { toTicket } from '../events/events.ts';
import type { EventTicket } from '../events/model.ts';
import { picturePath } from '../media/paths.ts';
import { categoryOfSlug } from './categories.ts';
import type { ArticleCard, ArticlePage, Embed } from './model.ts';

/** Ground of a picture while it loads when nobody computed one: the dark of the brand's own picture. */
const darkGround = '#1a1e28';

/** A database row as a card: summary in sentences, a ground for the picture, the AI label of decision P4. */
export function toCard(row: CardRow): ArticleCard {
  return {
    id: row.id,
    language: row.language,
    title: row.title,
    summary: row.summary.split('\n').filter(Boolean),
    publishedAt: row.publishedAt,
    readingTime: row.readingTime,
    aiAssisted: row.model !== null,
    pictureKey: row.pictureKey,
    placeholder: row.placeholder ?? darkGround,
    stars: row.stars,
  };
}

export interface FeedPage {
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
  const rows = await listArticleCards({ ...filter, language, offset, limit: limit + 1 });
  return {
    cards: rows.slice(0, limit).map(toCard),
    nextOffset: rows.length > limit ? offset + limit : undefined,
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
export interface ArticleSurroundings {
  related: ArticleCard[];
  nextEvent: EventTicket | undefined;
  /** Of the article's first star; 0 without one. */
  followerCount: number;
}

/**
 * The page of a public article (§2 Article detail): everything it shows, in `language` or its fallback (L1), three
 * stories to read next, the next event of its stars at the moment `now`; undefined when there is none. One statement.
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

function toArticlePage(row: ArticleRow, language: Lang): ArticlePage {
  return {
    ...toCard(row),
    category: row.category,
    contentHtml: row.contentHtml ?? paragraphs(row.content ?? ''),
    languages: languages.filter((each) => row.languages.includes(each)),
    updatedAt: row.updatedAt,
    embeds: row.embeds.map(toEmbed),
    source: {
      outlet: row.outlet,
      url: row.originalUrl,
      title: row.originalTitle,
      publishedAt: row.originalPublishedAt,
      model: row.model,
      reviewer: row.reviewer?.[language] ?? null,
      rewrittenAt: row.rewrittenAt,
      promptVersion: row.promptVersion,
      otherOutlets: row.otherOutlets,
    },
    corrections: row.corrections,
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
