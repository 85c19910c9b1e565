import { Elysia, t } from 'elysia';
import { defaultLanguage } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { photoCategories, starCategories, timelineTypes } from '#db/schema/stars.ts';
import { articleContractPart } from '../articles/articles.ts';
import { Article } from '../articles/model.ts';
import { missingStar } from '../directory/missing-star.ts';
import { BadInput } from '../errors.ts';
import { deepestOffset, readStarIdArray } from '../input.ts';
import { Flag, IdParams, Language, Limit, Page, SearchText, StarIds } from '../parameters.ts';
import { reads } from '../plugins/reads.ts';
import { session } from '../plugins/session.ts';
import { limitSearch } from '../search/search.ts';
import { answers, oneOf } from '../shapes.ts';
import { toNamed } from './badge.ts';
import { StarListItem, StarPhotos, StarProfile, StarTimeline } from './model.ts';
import {
  assertStar,
  readStarArticles,
  readStarPhotos,
  readStarProfile,
  readStars,
  readStarTimeline,
} from './stars.ts';

const tags = ['Stars'];

/** §7 Stars. */
export const starRoutes = new Elysia({ name: 'stars', prefix: '/stars' })
  .use(reads)
  .use(session)
  .get(
    '',
    async ({ query, set }) => {
      const page = query.page ?? 1;
      const size = query.limit ?? limits.starsPage;
      if (page * size > deepestOffset) throw new BadInput('page', 'Is too deep. Search instead.');
      const { stars, total } = await readStars({
        language: query.language ?? defaultLanguage,
        limit: size,
        offset: (page - 1) * size,
        search: query.search,
        category: query.category,
        ids: query.starIds === undefined ? undefined : readStarIdArray(query.starIds),
      });
      set.headers['x-total-count'] = String(total);
      return stars.map((star) =>
        query.withCount === 'true' ? { ...toNamed(star), articleCount: star.articleCount } : toNamed(star),
      );
    },
    {
      read: { tags: ['feed', 'stars'], freshWith: 'search' },
      beforeHandle: async (context) => {
        if (context.query.search) await limitSearch(context);
      },
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        search: t.Optional(SearchText),
        category: t.Optional(oneOf(starCategories)),
        withCount: t.Optional(Flag),
        language: t.Optional(Language),
        starIds: t.Optional(StarIds),
      }),
      response: answers(t.Array(StarListItem), 400, 429),
      detail: {
        tags,
        summary:
          'A page of stars, most written about first, before them those called just as is searched for; x-total-count says how many match',
      },
    },
  )
  .get(
    '/:id/profile',
    async ({ params, query, visitor }) => {
      const profile = await readStarProfile(params.id, query.language ?? defaultLanguage, visitor?.id);
      if (!profile) throw await missingStar(params.id);
      return profile;
    },
    {
      read: { personal: true },
      visitor: true,
      params: IdParams,
      query: t.Object({ language: t.Optional(Language) }),
      response: answers(StarProfile, 400, 404),
      detail: { tags, summary: 'The profile of a star' },
    },
  )
  .get(
    '/:id/photos',
    ({ params, query }) => readStarPhotos(params.id, query.language ?? defaultLanguage, query.category),
    {
      read: { tags: ['star:'] },
      params: IdParams,
      query: t.Object({ category: t.Optional(oneOf(photoCategories)), language: t.Optional(Language) }),
      response: answers(StarPhotos, 400, 404),
      detail: { tags, summary: 'The photos of a star by category' },
    },
  )
  .get(
    '/:id/timeline',
    ({ params, query }) => readStarTimeline(params.id, query.language ?? defaultLanguage, query.category),
    {
      read: { tags: ['star:'] },
      params: IdParams,
      query: t.Object({ category: t.Optional(oneOf(timelineTypes)), language: t.Optional(Language) }),
      response: answers(StarTimeline, 400, 404),
      detail: { tags, summary: 'The timeline of a star, newest first' },
    },
  )
  .get(
    '/:id/articles',
    async ({ params, query }) => {
      const language = query.language ?? defaultLanguage;
      const articles = await readStarArticles(articleContractPart, params.id, language, query.limit);
      if (articles.length === 0) await assertStar(params.id);
      return { articles };
    },
    {
      read: { tags: ['star:', 'feed'] },
      params: IdParams,
      query: t.Object({ limit: t.Optional(Limit), language: t.Optional(Language) }),
      response: answers(t.Object({ articles: t.Array(Article) }), 400, 404),
      detail: { tags, summary: 'The newest articles of a star' },
    },
  );
