import { Elysia, t } from 'elysia';
import { defaultLanguage } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { imageUrlOf } from '../articles/articles.ts';
import type { ArticleCard } from '../articles/model.ts';
import { sentencesOf } from '../articles/summary.ts';
import { BadInput } from '../errors.ts';
import type { EventTicket } from '../events/model.ts';
import { Language, Limit, Page } from '../parameters.ts';
import { reads } from '../plugins/reads.ts';
import { answers, oneOf } from '../shapes.ts';
import { toNamed, toSummary } from '../stars/badge.ts';
import type { StarCard } from '../stars/model.ts';
import { SearchAnswer, type SearchKind, SearchSuggestions, searchKinds } from './model.ts';
import { type QueryProblem, readQuery, type SearchQuery } from './query.ts';
import { limitSearch, limitSuggestions, search, suggest } from './search.ts';

const problems: Record<QueryProblem, string> = {
  empty: 'Is required.',
  tooLong: 'Must have at most 100 characters.',
  control: 'Must not have control characters.',
};

const toFoundArticle = (card: ArticleCard): SearchAnswer['articles'][number] => ({
  id: card.id,
  language: card.language,
  title: card.title,
  summary: sentencesOf(card.summary).join('\n'),
  imageUrl: imageUrlOf(card),
  publishedAt: card.publishedAt,
  readingTime: card.readingTime,
  aiAssisted: card.aiAssisted,
  stars: card.articleStars.map(({ star }) => toSummary(star)),
});

const toListItem = (star: StarCard) => ({ ...toNamed(star), articleCount: star.articleCount });

const toFoundEvent = ({ star, ...ticket }: EventTicket): SearchAnswer['events'][number] => ({
  ...ticket,
  endTime: ticket.overAt,
  primaryStar: star && toSummary(star),
});

const Query = t.Optional(t.String({ maxLength: 1000, error: problems.tooLong }));

/** @throws BadInput with what is wrong with the text */
function readSearchQuery(value: string | undefined): SearchQuery {
  const parsed = readQuery(value);
  if (!('problem' in parsed)) return parsed;
  throw new BadInput('q', problems[parsed.problem], parsed.problem === 'empty' ? 'required' : 'invalid');
}

/** Search (decision L5) for programs; the page `/{lang}/search` shows the same hits. */
export const searchRoutes = new Elysia({ name: 'search', prefix: '/search' })
  .use(reads)
  .get(
    '',
    async ({ query }) => {
      const searchQuery = readSearchQuery(query.q);
      const page = query.page ?? 1;
      const size = query.limit ?? limits.feedPage;
      const sizeOf = (kind: SearchKind) =>
        query.type === undefined || query.type === 'all' || query.type === kind ? size : 0;
      const sizes = {
        articles: sizeOf('articles'),
        stars: sizeOf('stars'),
        events: sizeOf('events'),
        channels: sizeOf('channels'),
      };
      const result = await search(searchQuery, {
        language: query.language ?? defaultLanguage,
        page,
        sizes,
        now: new Date(),
      });
      const count = ({ total, more }: { total: number; more: boolean }) => ({ total, more });
      return {
        query: searchQuery.text,
        page,
        limit: size,
        counts: {
          articles: count(result.articles),
          stars: count(result.stars),
          events: count(result.events),
          channels: count(result.channels),
        },
        stars: result.stars.rows.map(toListItem),
        articles: result.articles.rows.map(toFoundArticle),
        events: result.events.rows.map(toFoundEvent),
        channels: result.channels.rows.map(({ star, memberCount, lastActivityAt }) => ({
          starId: star.id,
          star: toNamed(star),
          memberCount,
          lastActivityAt: lastActivityAt?.toISOString() ?? null,
        })),
        similarStars: result.similarStars.map(toListItem),
      };
    },
    {
      read: {},
      beforeHandle: limitSearch,
      query: t.Object({
        q: Query,
        language: t.Optional(Language),
        type: t.Optional(oneOf(['all', ...searchKinds] as const)),
        limit: t.Optional(Limit),
        page: t.Optional(Page),
      }),
      response: answers(SearchAnswer, 400, 429),
      detail: { tags: ['Search'], summary: 'Articles, stars, events and channels that have every word' },
    },
  )
  .get(
    '/suggestions',
    async ({ query }) => {
      const searchQuery = readSearchQuery(query.q);
      const stars = await suggest(searchQuery, query.language ?? defaultLanguage, query.limit ?? 8);
      const suggestions = stars.map(({ member, groups, ...star }) => ({
        ...toNamed(star),
        member,
        groups,
      }));
      return { query: searchQuery.text, suggestions };
    },
    {
      read: { maxAge: 60 },
      beforeHandle: limitSuggestions,
      query: t.Object({ q: Query, language: t.Optional(Language), limit: t.Optional(Limit) }),
      response: answers(SearchSuggestions, 400, 429),
      detail: { tags: ['Search'], summary: 'Stars whose names go on from what was typed, best first' },
    },
  );
