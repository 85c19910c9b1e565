import type { Lang } from '#content/locales.ts';
import { findArticles } from '#db/queries/search/articles.ts';
import { findEvents } from '#db/queries/search/events.ts';
import {
  type Hits,
  maxHits,
  maxMatchedStars,
  type SearchWord,
  type StarInPart,
  starsInPart,
} from '#db/queries/search/query.ts';
import { findSimilarStars } from '#db/queries/search/similar-stars.ts';
import { findStars, type StarHit } from '#db/queries/search/stars.ts';
import { findSuggestions, type StarSuggested } from '#db/queries/search/suggestions.ts';
import { toCard } from '../articles/articles.ts';
import type { ArticleCard } from '../articles/model.ts';
import { toTicket } from '../events/events.ts';
import type { EventTicket } from '../events/model.ts';
import { rateLimit } from '../plugins/rate-limits.ts';
import type { StarCard } from '../stars/model.ts';
import type { ChannelHit, SearchKind } from './model.ts';
import type { SearchQuery } from './query.ts';

/**
 * Counts a search by page or call (decision S7). Guests have room for those of a carrier, who are thousands behind one address
 * (decision S12): five times what one person may.
 * @throws TooManyRequests
 */
export const limitSearch = rateLimit({ name: 'search', account: 60, guests: 600, seconds: 60 });

/** Everything a search found, a page of each kind, ready for screens and answers. */
export interface SearchResult {
  stars: Hits<StarCard>;
  articles: Hits<ArticleCard>;
  events: Hits<EventTicket>;
  channels: Hits<ChannelHit>;
  /** Where nothing was found: stars with nearly such a name. */
  similarStars: StarCard[];
}

export interface SearchPage {
  language: Lang;
  /** One-based, of every kind. */
  page: number;
  /** Rows of a page per kind; 0 where only the count is wanted. */
  sizes: Record<SearchKind, number>;
  now: Date;
}

const nothing = { rows: [], total: 0, more: false };
const maxSimilarStars = 3;

/**
 * Finds stars, articles, events and channels (decision L5) by title, summary, names and aliases in all languages and
 * romanised, by parts of words, without marks, and stars by initial consonants. Every word must be found. Three statements, and a
 * fourth where nothing was.
 */
export async function search(
  { text, words, eventTypes }: SearchQuery,
  options: SearchPage,
): Promise<SearchResult> {
  if (words.length === 0)
    return { stars: nothing, articles: nothing, events: nothing, channels: nothing, similarStars: [] };
  const { language, page, sizes, now } = options;
  const { stars, newestArticle } = await findStars(language, text, words);
  const matchedStars = stars.filter(({ missing }) => missing.length === 0);
  const hits = {
    language,
    words,
    starIds: matchedStars.slice(0, maxMatchedStars).map(({ id }) => id),
    starsInPart: inPart(stars, words),
  };
  const window = (size: number) => ({ limit: size, offset: (page - 1) * size });
  const [articles, events] = await Promise.all([
    findArticles({ ...hits, ...window(sizes.articles), newestArticle }),
    findEvents({ ...hits, ...window(sizes.events), eventTypes, now }),
  ]);
  const channels = matchedStars.flatMap((star) =>
    star.channel ? [{ star: toStar(star), ...star.channel }] : [],
  );
  const isNothing = matchedStars.length + articles.total + events.total === 0;
  return {
    stars: cut(matchedStars.map(toStar), window(sizes.stars)),
    articles: { ...articles, rows: articles.rows.map(toCard) },
    events: { ...events, rows: events.rows.map((row) => toTicket(row, now)) },
    channels: cut(channels, window(sizes.channels)),
    similarStars: isNothing ? await findSimilarStars(language, text, maxSimilarStars) : [],
  };
}

/** Stars that have some words: the others must then be in the article or event. */
function inPart(stars: readonly StarHit[], words: readonly SearchWord[]): StarInPart[] {
  return stars
    .filter(({ missing }) => missing.length > 0)
    .slice(0, starsInPart)
    .map(({ id, missing }) => ({ id, words: words.filter((_, place) => missing.includes(place)) }));
}

function toStar({ missing, channel, ...star }: StarHit): StarCard {
  return star;
}

function cut<Row>(rows: readonly Row[], { limit, offset }: { limit: number; offset: number }): Hits<Row> {
  const reachable = rows.slice(0, maxHits);
  return {
    rows: reachable.slice(offset, offset + limit),
    total: reachable.length,
    more: rows.length > maxHits,
  };
}

/**
 * Counts the suggestions (decisions S7, S12). A fan who types asks some times a second.
 * @throws TooManyRequests
 */
export const limitSuggestions = rateLimit({ name: 'suggest', account: 300, guests: 3_000, seconds: 60 });

/** Stars whose names go on from what was typed, groups by their members' names too, best first. One statement. */
export function suggest(
  { text, words }: SearchQuery,
  language: Lang,
  limit: number,
): Promise<StarSuggested[]> {
  return words.length === 0 ? Promise.resolve([]) : findSuggestions(language, text, words, limit);
}
