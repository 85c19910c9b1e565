import { t } from 'elysia';
import { embedPlatforms } from '#content/embed-platforms.ts';
import { languages } from '#content/locales.ts';
import { starCategories } from '#db/schema/stars.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import { type PictureCredit, type StarBadge, StarSummary } from '../stars/model.ts';

/** §3 Embed. `thumbnailUrl` is on this origin (decision M3). */
export const Embed = t.Object({
  id: integer(),
  articleId: integer(),
  platform: oneOf(embedPlatforms),
  embedType: t.String(),
  embedId: t.String(),
  embedUrl: t.String(),
  title: nullable(t.String()),
  description: nullable(t.String()),
  thumbnailUrl: nullable(t.String()),
  metadata: t.Object({
    duration: t.Optional(t.String()),
    channelName: t.Optional(t.String()),
    channelTitle: t.Optional(t.String()),
    author: t.Optional(t.String()),
    publishedAt: t.Optional(t.String()),
    viewCount: t.Optional(integer()),
  }),
  position: integer(),
  isActive: t.Boolean(),
  createdAt: t.String(),
  updatedAt: t.String(),
});
export type Embed = typeof Embed.static;

const Rewrite = t.Object({
  language: oneOf(languages),
  title: t.String(),
  summary: t.String(),
  content: t.String(),
  createdAt: t.String(),
});

/**
 * §3 Article. `title`, `summary` and `content` are what a reader of the asked language sees (L1: that language, else
 * English, else the Korean original); `language` says which it became. The source's headline is `originalTitle`.
 */
export const Article = t.Object({
  id: integer(),
  language: oneOf(languages),
  title: t.String(),
  summary: t.String(),
  content: t.String(),
  imageUrl: t.String(),
  publishedAt: t.String(),
  createdAt: t.String(),
  originalUrl: t.String(),
  originalTitle: t.String(),
  outlet: t.String(),
  aiAssisted: t.Boolean(),
  entertainmentCategory: oneOf(starCategories),
  /** minutes */
  readingTime: integer(),
  articleStars: t.Array(t.Object({ star: StarSummary, articleId: integer(), starId: integer() })),
  rewrittenArticles: t.Array(Rewrite),
  multimediaEmbeds: t.Array(Embed),
});
export type Article = typeof Article.static;

/** §7 multimedia. */
export const Multimedia = t.Object({ embeds: t.Array(Embed) });

/** §7 search-youtube: `embed` when one was found and stored. */
export const VideoSearch = t.Object({ success: t.Boolean(), embed: t.Optional(Embed), message: t.String() });
export type VideoSearch = typeof VideoSearch.static;

/**
 * All that is told of an article: the contract's fields, and those that only pages show. Who needs less takes a part of it.
 * What is not in the contract never leaves by the API (decision A2).
 */
interface FullArticle extends Article {
  articleStars: (Article['articleStars'][number] & { star: StarBadge })[];
  /** A photograph, else the drawn art. */
  pictureKey: string | null;
  /** What a photograph shows, in the language asked for; null for drawn art. */
  pictureAlt: string | null;
  pictureCredit: PictureCredit | null;
  /** Ground of the picture while it loads. */
  placeholder: string;
  /** Sanitised HTML in `language`; the original's paragraphs when there is no rewrite to show. */
  contentHtml: string;
  /** Languages in which the article exists (decision L10), in the order of menus. */
  languages: readonly (typeof languages)[number][];
  updatedAt: string;
  originalPublishedAt: string;
  /** Model of the rewrite, null when a person wrote it. */
  model: string | null;
  /** Person who checked it, named in the language asked for. */
  reviewer: string | null;
  /** When the rewrite that is shown was made. */
  rewrittenAt: string | null;
  /** Version of the prompt that the model was given. */
  promptVersion: string | null;
  /** Other outlets that told the same story. */
  otherOutlets: readonly string[];
  /** What was changed since it was published, the newest first; every language's page says so. */
  corrections: readonly { kind: 'amended' | 'withdrawn' | 'restored'; note: string | null; at: string }[];
}

/** What a card shows: feed, related, category, search, star and channel pages. */
export type ArticleCard = Pick<
  FullArticle,
  | 'id'
  | 'language'
  | 'title'
  | 'summary'
  | 'publishedAt'
  | 'readingTime'
  | 'aiAssisted'
  | 'pictureKey'
  | 'placeholder'
  | 'articleStars'
>;

/** What the page of an article shows of it (§2 Article detail): one body, where a call has all. */
export type ArticlePage = Omit<FullArticle, 'content' | 'rewrittenArticles' | 'imageUrl' | 'createdAt'>;

/** What the idle prompt says (§4). */
export const NewArticles = t.Object({ count: integer({ minimum: 0, maximum: 99 }) });
