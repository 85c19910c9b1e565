import { t } from 'elysia';
import { Article } from '../articles/model.ts';
import { Event } from '../events/model.ts';
import { integer, nullable } from '../shapes.ts';
import { Distinction, type StarCard, StarListItem, StarSummary } from '../stars/model.ts';

export const searchKinds = ['articles', 'stars', 'events', 'channels'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** An article where it was found: part of it, the words in the language asked for or its fallback (L1). */
const ArticleFound = t.Composite([
  t.Pick(Article, [
    'id',
    'language',
    'title',
    'summary',
    'imageUrl',
    'publishedAt',
    'readingTime',
    'aiAssisted',
  ]),
  t.Object({ stars: t.Array(StarSummary) }),
]);

/** An event where it was found: part of it, its end the moment when it counts as over. */
const EventFound = t.Composite([
  t.Pick(Event, ['id', 'title', 'language', 'eventType', 'status', 'startTime']),
  t.Object({ endTime: t.String() }),
  t.Pick(Event, ['venue', 'location', 'primaryStar', 'sourceArticleId']),
]);

const ChannelFound = t.Object({
  starId: integer(),
  star: t.Composite([StarSummary, t.Object({ distinction: Distinction })]),
  memberCount: integer(),
  lastActivityAt: nullable(t.String()),
});

/** How many of a kind were found; `more` when there are others that cannot be reached. */
const Count = t.Object({ total: integer(), more: t.Boolean() });

/**
 * `GET /api/search`. Lists of kinds that were not asked for are empty; the counts are always there. Where they are all 0,
 * `similarStars` has stars with nearly such a name.
 */
export const SearchAnswer = t.Object({
  query: t.String(),
  page: integer(),
  limit: integer(),
  counts: t.Object({ articles: Count, stars: Count, events: Count, channels: Count }),
  stars: t.Array(StarListItem),
  articles: t.Array(ArticleFound),
  events: t.Array(EventFound),
  channels: t.Array(ChannelFound),
  similarStars: t.Array(StarListItem),
});
export type SearchAnswer = typeof SearchAnswer.static;

/** `GET /api/search/suggestions`: stars whose names go on from what was typed, best first. */
export const SearchSuggestions = t.Object({
  query: t.String(),
  suggestions: t.Array(
    t.Composite([
      StarSummary,
      t.Object({
        distinction: Distinction,
        /** The member by whose name a group was found; null when its own name is it. */
        member: nullable(t.String()),
        /** Names of the groups that a member is in. */
        groups: t.Array(t.String()),
      }),
    ]),
  ),
});
export type SearchSuggestion = (typeof SearchSuggestions.static)['suggestions'][number];

/** A channel in a list of results. Never leaves by the API. */
export interface ChannelHit {
  star: StarCard;
  memberCount: number;
  lastActivityAt: Date | null;
}
