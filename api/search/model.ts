import { t } from 'elysia';
import { eventTypes } from '#content/event-types.ts';
import { languages } from '#content/locales.ts';
import { eventStatuses } from '../events/model.ts';
import { nullable, oneOf } from '../shapes.ts';
import { type StarCard, StarListItem, StarSummary } from '../stars/model.ts';

export const searchKinds = ['articles', 'stars', 'events', 'channels'] as const;
export type SearchKind = (typeof searchKinds)[number];

const ArticleFound = t.Object({
  id: t.Integer(),
  /** Language the words are in: the one asked for, else English, else Korean (L1). */
  language: oneOf(languages),
  title: t.String(),
  summary: t.String(),
  imageUrl: t.String(),
  publishedAt: t.String(),
  /** minutes */
  readingTime: t.Integer(),
  aiAssisted: t.Boolean(),
  stars: t.Array(StarSummary),
});

const EventFound = t.Object({
  id: t.Integer(),
  title: t.String(),
  language: oneOf(languages),
  eventType: oneOf(eventTypes),
  status: oneOf(eventStatuses),
  startTime: t.String(),
  endTime: t.String(),
  venue: nullable(t.String()),
  location: nullable(t.String()),
  primaryStar: nullable(StarSummary),
  sourceArticleId: nullable(t.Integer()),
});

const ChannelFound = t.Object({
  starId: t.Integer(),
  star: StarSummary,
  memberCount: t.Integer(),
  lastActivityAt: nullable(t.String()),
});

/** How many of a kind were found; `more` when there are others that cannot be reached. */
const Count = t.Object({ total: t.Integer(), more: t.Boolean() });

/** `GET /api/search`. Lists of kinds that were not asked for are empty; the counts are always there. */
export const SearchAnswer = t.Object({
  query: t.String(),
  page: t.Integer(),
  limit: t.Integer(),
  counts: t.Object({ articles: Count, stars: Count, events: Count, channels: Count }),
  stars: t.Array(StarListItem),
  articles: t.Array(ArticleFound),
  events: t.Array(EventFound),
  channels: t.Array(ChannelFound),
});
export type SearchAnswer = typeof SearchAnswer.static;

/** `GET /api/search/suggestions`: stars whose names go on from what was typed, best first. */
export const SearchSuggestions = t.Object({
  query: t.String(),
  suggestions: t.Array(
    t.Composite([
      StarSummary,
      t.Object({
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
