import { Elysia, t } from 'elysia';
import { embedPlatforms } from '#content/embed-platforms.ts';
import {
  amendArticle,
  chooseArticlePicture,
  restoreArticle,
  signReview,
  withdrawArticle,
} from '../newsroom/corrections.ts';
import { Flag, Id, IdParams, Language, Limit, Page, SearchText } from '../parameters.ts';
import { IdempotencyHeaders, makeOnce } from '../plugins/idempotency.ts';
import { rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { knownFields } from '../plugins/unknown-fields.ts';
import { answers, oneOf } from '../shapes.ts';
import { readArticlesForEditors, readEditedArticle } from './articles.ts';
import {
  Amendment,
  ArticleList,
  ArticlePicture,
  CorrectionNote,
  Created,
  Done,
  EditedArticle,
  EmbedInput,
  EmbedList,
  EmbedVisibility,
  Review,
} from './content-model.ts';
import { addEmbedByAddress, readEmbedsForEditors, showEmbed } from './embeds.ts';
import { jsonify } from './newsroom-model.ts';
import { listSize } from './people-routes.ts';
import { bodyOrNothing } from './routes.ts';

const tags = ['Admin'];
const security = [{ bearer: [] }];
const write = { role: 'editor' as const, beforeHandle: rateLimitWrites };
const done = { done: true as const };

/** What editors change besides events and stars: embeds, articles. */
export const contentRoutes = new Elysia({ name: 'admin-content', prefix: '/admin' })
  .use(session)
  .use(knownFields)
  .get(
    '/embeds',
    ({ query, visitor }) =>
      readEmbedsForEditors(query.page ?? 1, {
        language: query.language ?? visitor.language,
        limit: query.limit ?? listSize,
        platform: query.platform,
        articleId: query.articleId,
      }),
    {
      role: 'editor',
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        language: t.Optional(Language),
        platform: t.Optional(oneOf(embedPlatforms)),
        articleId: t.Optional(Id),
      }),
      response: answers(EmbedList, 400, 401, 403),
      detail: { tags, security, summary: 'Embeds, hidden ones too' },
    },
  )
  .post(
    '/embeds',
    ({ body, visitor, request }) =>
      makeOnce(request, visitor.id, body, () => addEmbedByAddress(body, visitor.language, visitor.id)),
    {
      ...write,
      headers: IdempotencyHeaders,
      knownFields: [EmbedInput],
      body: EmbedInput,
      response: answers(Created, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Add an embed to an article by its address' },
    },
  )
  .put(
    '/embeds/:id',
    async ({ params, body, visitor }) => {
      await showEmbed(params.id, body.isActive, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      knownFields: [EmbedVisibility],
      body: EmbedVisibility,
      response: answers(Done, 400, 401, 403, 404, 429),
      detail: { tags, security, summary: 'Show or hide an embed' },
    },
  )
  .get(
    '/articles',
    ({ query, visitor }) =>
      readArticlesForEditors(query.page ?? 1, query.limit ?? listSize, {
        language: query.language ?? visitor.language,
        search: query.search,
        withdrawn: query.withdrawn === undefined ? undefined : query.withdrawn === 'true',
      }),
    {
      role: 'editor',
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        language: t.Optional(Language),
        search: t.Optional(SearchText),
        withdrawn: t.Optional(Flag),
      }),
      response: answers(ArticleList, 400, 401, 403),
      detail: { tags, security, summary: 'Articles, withdrawn ones too' },
    },
  )
  .get('/articles/:id', async ({ params }) => jsonify(await readEditedArticle(params.id)), {
    role: 'editor',
    params: IdParams,
    response: answers(EditedArticle, 401, 403, 404),
    detail: { tags, security, summary: 'An article to be edited, withdrawn or not' },
  })
  .put(
    '/articles/:id',
    async ({ params, body, visitor }) => {
      const { rewrites = {}, note = null, version, starIds } = body;
      await amendArticle(params.id, rewrites, note, visitor.id, { version, starIds });
      return done;
    },
    {
      ...write,
      params: IdParams,
      knownFields: [Amendment, EditedArticle],
      body: Amendment,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: {
        tags,
        security,
        summary: 'Correct an article: new words, other stars, and a note in all languages',
      },
    },
  )
  .put(
    '/articles/:id/picture',
    async ({ params, body, visitor }) => {
      await chooseArticlePicture(params.id, body, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      knownFields: [ArticlePicture],
      body: ArticlePicture,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Show a picture of the library with an article, or its drawn art' },
    },
  )
  .post(
    '/articles/:id/withdraw',
    async ({ params, body, visitor }) => {
      await withdrawArticle(params.id, body.note ?? null, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      knownFields: [CorrectionNote],
      body: CorrectionNote,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Take an article off the site in every language' },
    },
  )
  .post(
    '/articles/:id/restore',
    async ({ params, body, visitor }) => {
      await restoreArticle(params.id, body.note ?? null, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      knownFields: [CorrectionNote],
      body: CorrectionNote,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Bring a withdrawn article back' },
    },
  )
  .post(
    '/articles/:id/review',
    async ({ params, body, visitor }) => {
      await signReview(params.id, visitor.id, body.version);
      return done;
    },
    {
      ...write,
      transform: bodyOrNothing,
      params: IdParams,
      knownFields: [Review],
      body: Review,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Sign an article as its reviewer' },
    },
  );
