import { Elysia, t } from 'elysia';
import { defaultLanguage } from '#content/locales.ts';
import { storyStages } from '#db/schema/newsroom.ts';
import { readFailingQueues, retryQueue } from '../jobs/failed-jobs.ts';
import {
  chooseStarOfName,
  chooseStars,
  dismissStory,
  readFailures,
  readOpenNames,
  readStories,
  replayFailure,
  retryStory,
  writeRewrite,
} from '../newsroom/desk.ts';
import { addSource, changeSource, fetchNow, readSources, testSource } from '../newsroom/sources.ts';
import { Id, IdParams, Language, Limit, Page } from '../parameters.ts';
import { IdempotencyHeaders, makeOnce } from '../plugins/idempotency.ts';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { knownFields } from '../plugins/unknown-fields.ts';
import { answers, oneOf } from '../shapes.ts';
import { Done, WrittenDraft } from './content-model.ts';
import { IdInBody, Input } from './model.ts';
import {
  FailingQueues,
  Failures,
  jsonify,
  NameChoice,
  OpenNames,
  RewriteAnswer,
  Source,
  SourceChange,
  SourceInput,
  SourceList,
  SourceTestResult,
  Stories,
} from './newsroom-model.ts';
import { pagination } from './paging.ts';
import { listSize } from './people-routes.ts';
import { readText } from './text.ts';

const tags = ['Admin'];
const security = [{ bearer: [] }];
const editorWrite = { role: 'editor' as const, beforeHandle: rateLimitWrites };
const adminWrite = { role: 'admin' as const, beforeHandle: rateLimitWrites };
const done = { done: true as const };
const FeedAddress = t.Object({ feedUrl: t.String({ maxLength: 500 }) });
const StoryStars = t.Object({ starIds: t.Array(IdInBody, { maxItems: 20 }) });
const DecisionNotes = t.Object({ notes: t.Optional(t.Union([Input, t.Null()])) });

/** A test asks another site. */
const limitTests = rateLimit({ name: 'source-test', account: 20, seconds: 60 });

/** The newsroom's desk for editors; its sources and replays for admins. */
export const newsroomRoutes = new Elysia({ name: 'admin-newsroom', prefix: '/admin' })
  .use(session)
  .use(knownFields)
  .get('/sources', async () => ({ sources: jsonify(await readSources()) }), {
    role: 'editor',
    response: answers(SourceList, 401, 403),
    detail: { tags, security, summary: 'Sources and their health' },
  })
  .post(
    '/sources',
    ({ body, visitor, request }) =>
      makeOnce(request, visitor.id, body, async () => jsonify(await addSource(body, visitor.id))),
    {
      ...adminWrite,
      headers: IdempotencyHeaders,
      knownFields: [SourceInput],
      body: SourceInput,
      response: answers(Source, 400, 401, 403, 409, 429),
      detail: { tags, security, summary: 'Add a source' },
    },
  )
  .post('/sources/test', async ({ body }) => jsonify(await testSource(body.feedUrl)), {
    role: 'admin',
    beforeHandle: [rateLimitWrites, limitTests],
    knownFields: [FeedAddress],
    body: FeedAddress,
    response: answers(SourceTestResult, 400, 401, 403, 429),
    detail: { tags, security, summary: 'Read a feed once and store nothing' },
  })
  .put(
    '/sources/:id',
    async ({ params, body, visitor }) => jsonify(await changeSource(params.id, body, visitor.id)),
    {
      ...adminWrite,
      params: IdParams,
      knownFields: [SourceChange],
      body: SourceChange,
      response: answers(Source, 400, 401, 403, 404, 429),
      detail: { tags, security, summary: 'Pause, resume or change a source' },
    },
  )
  .post(
    '/sources/:id/fetch',
    async ({ params, visitor }) => {
      await fetchNow(params.id, visitor.id);
      return done;
    },
    {
      ...adminWrite,
      params: IdParams,
      response: answers(Done, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Read a source now' },
    },
  )
  .get(
    '/failures',
    async ({ query }) => {
      const page = query.page ?? 1;
      const { rows, total } = await readFailures(listSize, (page - 1) * listSize);
      return { failures: jsonify(rows), pagination: pagination(page, listSize, total) };
    },
    {
      role: 'editor',
      query: t.Object({ page: t.Optional(Page) }),
      response: answers(Failures, 400, 401, 403),
      detail: { tags, security, summary: 'Work that was given up' },
    },
  )
  .post(
    '/failures/:id/replay',
    async ({ params, visitor }) => {
      await replayFailure(params.id, visitor.id);
      return done;
    },
    {
      ...adminWrite,
      params: IdParams,
      response: answers(Done, 401, 403, 404, 429),
      detail: { tags, security, summary: 'Let it be tried anew' },
    },
  )
  .get('/queues/failing', async () => ({ queues: jsonify(await readFailingQueues()) }), {
    role: 'editor',
    response: answers(FailingQueues, 401, 403),
    detail: { tags, security, summary: 'Queues of background jobs of which some failed' },
  })
  .post(
    '/queues/:queue/retry',
    async ({ params, visitor }) => {
      await retryQueue(params.queue, visitor.id);
      return done;
    },
    {
      ...adminWrite,
      params: t.Object({ queue: t.String({ pattern: '^[a-z0-9-]{1,60}$' }) }),
      response: answers(Done, 400, 401, 403, 404, 429),
      detail: { tags, security, summary: 'Let the failed jobs of a queue be tried again at once' },
    },
  )
  .get(
    '/stories',
    async ({ query }) => {
      const page = query.page ?? 1;
      const size = query.limit ?? listSize;
      const { rows, total } = await readStories(query.stage ?? 'held', size, (page - 1) * size);
      return { stories: jsonify(rows), pagination: pagination(page, size, total) };
    },
    {
      role: 'editor',
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        stage: t.Optional(oneOf(storyStages)),
      }),
      response: answers(Stories, 400, 401, 403),
      detail: { tags, security, summary: 'Stories of a stage' },
    },
  )
  .put(
    '/stories/:id/rewrites/:language',
    ({ params, body, visitor }) => writeRewrite(params.id, params.language, body, visitor.id),
    {
      ...editorWrite,
      params: t.Object({ id: Id, language: Language }),
      knownFields: [WrittenDraft],
      body: WrittenDraft,
      response: answers(RewriteAnswer, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Write a rewrite by hand; the last language publishes' },
    },
  )
  .put(
    '/stories/:id/stars',
    async ({ params, body, visitor }) => {
      await chooseStars(params.id, body.starIds, visitor.id);
      return done;
    },
    {
      ...editorWrite,
      params: IdParams,
      knownFields: [StoryStars],
      body: StoryStars,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Set the stars of a story' },
    },
  )
  .get(
    '/stories/:id/names',
    async ({ params, query }) => ({
      names: await readOpenNames(params.id, query.language ?? defaultLanguage),
    }),
    {
      role: 'editor',
      params: IdParams,
      query: t.Object({ language: t.Optional(Language) }),
      response: answers(OpenNames, 400, 401, 403, 404),
      detail: { tags, security, summary: 'Names of a held story that may mean several stars' },
    },
  )
  .post(
    '/stories/:id/names',
    async ({ params, body, visitor }) => {
      await chooseStarOfName(params.id, body, visitor.id);
      return done;
    },
    {
      ...editorWrite,
      params: IdParams,
      knownFields: [NameChoice],
      body: NameChoice,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Say whom a name means; with the last one the story goes on' },
    },
  )
  .post(
    '/stories/:id/dismiss',
    async ({ params, body, visitor }) => {
      await dismissStory(params.id, visitor.id, readText(body.notes, 'notes', 1000));
      return done;
    },
    {
      ...editorWrite,
      params: IdParams,
      knownFields: [DecisionNotes],
      body: DecisionNotes,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Throw a story away' },
    },
  )
  .post(
    '/stories/:id/retry',
    async ({ params, visitor }) => {
      await retryStory(params.id, visitor.id);
      return done;
    },
    {
      ...editorWrite,
      params: IdParams,
      response: answers(Done, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Let the machine write a story anew, also one that was dismissed' },
    },
  );
