import { Elysia, t } from 'elysia';
import { defaultLanguage } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { starCategories } from '#db/schema/stars.ts';
import { readSearch, readStarIdArray } from '../input.ts';
import { Id, IdParams, Language, Limit, Offset, Seconds, StarIds } from '../parameters.ts';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { reads } from '../plugins/reads.ts';
import { session } from '../plugins/session.ts';
import { answers, oneOf } from '../shapes.ts';
import {
  articleContractPart,
  countNew,
  readArticle,
  readArticles,
  readEmbeds,
  readRelated,
} from './articles.ts';
import { Article, Multimedia, NewArticles, VideoSearch } from './model.ts';
import { searchVideo } from './youtube.ts';

const tags = ['Articles'];
/** §9 Multimedia cache. */
const multimediaSeconds = 300;

/** Names in one parameter, separated by commas (§7 related): at most 20. */
function readNames(text: string | undefined): string[] {
  const names = text?.split(',').flatMap((name) => readSearch(name) ?? []) ?? [];
  return [...new Set(names)].slice(0, 20);
}

/** §7 Feed and articles. */
export const articleRoutes = new Elysia({ name: 'articles', prefix: '/articles' })
  .use(reads)
  .use(session)
  .get(
    '',
    ({ query }) =>
      readArticles(articleContractPart, {
        language: query.language ?? defaultLanguage,
        limit: query.limit ?? limits.feedPage,
        offset: query.offset ?? 0,
        starIds: readStarIdArray(query.starIds) ?? [],
        ...(query.eventId === undefined ? {} : { eventId: query.eventId }),
        ...(query.category === undefined ? {} : { category: query.category }),
      }),
    {
      read: { tags: ['feed'] },
      query: t.Object({
        limit: t.Optional(Limit),
        offset: t.Optional(Offset),
        language: t.Optional(Language),
        starIds: t.Optional(StarIds),
        eventId: t.Optional(Id),
        category: t.Optional(oneOf(starCategories)),
      }),
      response: answers(t.Array(Article), 400),
      detail: { tags, summary: 'A page of the feed, newest first' },
    },
  )
  .get(
    '/related/:id',
    ({ params, query }) =>
      readRelated(
        articleContractPart,
        params.id,
        query.language ?? defaultLanguage,
        query.limit ?? limits.related,
        {
          starIds: readStarIdArray(query.starIds) ?? [],
          names: readNames(query.stars),
        },
      ),
    {
      read: { tags: ['article:', 'feed'] },
      params: IdParams,
      query: t.Object({
        stars: t.Optional(
          t.String({
            maxLength: 500,
            error: 'Must have at most 500 characters.',
            description: 'Names, by commas.',
          }),
        ),
        starIds: t.Optional(StarIds),
        limit: t.Optional(Limit),
        language: t.Optional(Language),
      }),
      response: answers(t.Array(Article), 400, 404),
      detail: { tags, summary: 'Articles to read next' },
    },
  )
  .get(
    '/new',
    async ({ query }) => ({ count: await countNew(query.within, readStarIdArray(query.starIds) ?? []) }),
    {
      read: { maxAge: 60 },
      query: t.Object({ within: Seconds, starIds: t.Optional(StarIds) }),
      response: answers(NewArticles, 400),
      detail: { tags, summary: 'How many articles have come in within the last seconds; 99 stands for more' },
    },
  )
  .get('/:id', ({ params, query }) => readArticle(params.id, query.language ?? defaultLanguage), {
    read: { tags: ['article:', 'stars'] },
    params: IdParams,
    query: t.Object({ language: t.Optional(Language) }),
    response: answers(Article, 400, 404),
    detail: { tags, summary: 'One article' },
  })
  .get(
    '/:id/multimedia',
    async ({ params, query }) => ({
      embeds: await readEmbeds(params.id, query.language ?? defaultLanguage),
    }),
    {
      read: { maxAge: multimediaSeconds, tags: ['article:'] },
      params: IdParams,
      query: t.Object({ language: t.Optional(Language) }),
      response: answers(Multimedia, 400, 404),
      detail: { tags, summary: 'The embeds of an article' },
    },
  )
  .post('/:id/search-youtube', ({ params, visitor }) => searchVideo(params.id, visitor.id), {
    role: 'editor',
    params: IdParams,
    beforeHandle: [rateLimitWrites, rateLimit({ name: 'search-youtube', account: 20, seconds: 60 })],
    response: answers(VideoSearch, 401, 403, 404, 429),
    detail: { tags, summary: 'Find one more video for an article', security: [{ bearer: [] }] },
  });
