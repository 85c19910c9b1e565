import { type AnyElysia, Elysia, NotFoundError, t } from 'elysia';
import { verificationStates } from '#db/schema/events.ts';
import { BadInput } from '../errors.ts';
import { IdParams, Language, Limit, Page, SearchText } from '../parameters.ts';
import { rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { knownFields } from '../plugins/unknown-fields.ts';
import { answers, oneOf } from '../shapes.ts';
import {
  AdminStats,
  Approval,
  BulkAnswer,
  BulkApproval,
  BulkRejection,
  DecisionAnswer,
  EditableEvent,
  EventEdit,
  Merge,
  Rejection,
  Undo,
  VerificationItem,
  VerificationPage,
  VerificationStats,
} from './model.ts';
import { pageSize } from './paging.ts';
import { readAdminStats } from './stats.ts';
import {
  changeEvent,
  decideEvent,
  decideEventsInBulk,
  mergeEvent,
  readEditableEvent,
  readVerificationItem,
  readVerificationPage,
  readVerificationStats,
  undoEventDecision,
} from './verification.ts';

const tags = ['Admin'];
const security = [{ bearer: [] }];
const about = (summary: string) => ({ tags, summary, security });

/** A call whose fields are all optional may come without a body; a list is none (TypeBox takes it for an object). */
export async function bodyOrNothing(context: { body: unknown }): Promise<void> {
  context.body ??= {};
  if (Array.isArray(context.body)) throw new BadInput('body', 'Must be of type object.');
}

const write = { role: 'editor' as const, beforeHandle: rateLimitWrites };

/**
 * §7 Admin. Editors verify and edit; what an operator decides (users, roles, sources) needs an admin. Every address
 * under `/admin` answers 401 without a session and 403 without the role, also those that there are not (decision S1).
 */
export const adminRoutes = new Elysia({ name: 'admin', prefix: '/admin' })
  .use(session)
  .use(knownFields)
  .get('/stats', () => readAdminStats(), {
    role: 'editor',
    response: answers(AdminStats, 401, 403),
    detail: about('How much there is and what is being worked on'),
  })
  .get('/events/verification/stats', () => readVerificationStats(), {
    role: 'editor',
    response: answers(VerificationStats, 401, 403),
    detail: about('How many events wait, and what was decided in the last 7 days'),
  })
  .get(
    '/events/verification/pending',
    ({ query, visitor }) =>
      readVerificationPage({
        language: query.language ?? visitor.language,
        verification: query.verification ?? 'pending',
        page: query.page ?? 1,
        limit: query.limit ?? pageSize,
        search: query.search,
      }),
    {
      role: 'editor',
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        search: t.Optional(SearchText),
        language: t.Optional(Language),
        verification: t.Optional(oneOf(verificationStates)),
      }),
      response: answers(VerificationPage, 400, 401, 403),
      detail: about('Events that wait for verification, or that were decided'),
    },
  )
  .get(
    '/events/:id/verification',
    ({ params, query, visitor }) => readVerificationItem(params.id, query.language ?? visitor.language),
    {
      role: 'editor',
      params: IdParams,
      query: t.Object({ language: t.Optional(Language) }),
      response: answers(VerificationItem, 400, 401, 403, 404),
      detail: about('One event with its evidence'),
    },
  )
  .post(
    '/events/:id/verify/approve',
    ({ params, body, visitor }) => decideEvent(params.id, visitor.id, 'approved', body.notes),
    {
      ...write,
      transform: bodyOrNothing,
      params: IdParams,
      body: Approval,
      response: answers(DecisionAnswer, 400, 401, 403, 404, 409, 429),
      detail: about('Approve an event: it becomes public'),
    },
  )
  .post(
    '/events/:id/verify/reject',
    ({ params, body, visitor }) => decideEvent(params.id, visitor.id, 'rejected', body.reason),
    {
      ...write,
      transform: bodyOrNothing,
      params: IdParams,
      body: Rejection,
      response: answers(DecisionAnswer, 400, 401, 403, 404, 409, 429),
      detail: about('Reject an event: it is not found again; `undo` takes that back'),
    },
  )
  .post(
    '/events/verify/bulk-approve',
    ({ body, visitor }) => decideEventsInBulk(body.eventIds, visitor.id, 'approved', body.notes),
    {
      ...write,
      knownFields: [BulkApproval],
      body: BulkApproval,
      response: answers(BulkAnswer, 400, 401, 403, 429),
      detail: about('Approve up to 100 events, each answered by itself'),
    },
  )
  .post(
    '/events/verify/bulk-reject',
    ({ body, visitor }) => decideEventsInBulk(body.eventIds, visitor.id, 'rejected', body.reason),
    {
      ...write,
      knownFields: [BulkRejection],
      body: BulkRejection,
      response: answers(BulkAnswer, 400, 401, 403, 429),
      detail: about('Reject up to 100 events, each answered by itself'),
    },
  )
  .post(
    '/events/:id/verify/undo',
    ({ params, body, visitor }) => undoEventDecision(params.id, visitor.id, body.decision),
    {
      ...write,
      transform: bodyOrNothing,
      params: IdParams,
      body: Undo,
      response: answers(DecisionAnswer, 400, 401, 403, 404, 409, 429),
      detail: about('Take the newest decision about an event back'),
    },
  )
  .post('/events/:id/verify/merge', ({ params, body, visitor }) => mergeEvent(params.id, visitor.id, body), {
    ...write,
    params: IdParams,
    knownFields: [Merge],
    body: Merge,
    response: answers(DecisionAnswer, 400, 401, 403, 404, 409, 429),
    detail: about('Merge an event that waits into a public one'),
  })
  .get('/events/:id', ({ params }) => readEditableEvent(params.id), {
    role: 'editor',
    params: IdParams,
    response: answers(EditableEvent, 401, 403, 404),
    detail: about('An event with its words in every language, to be edited'),
  })
  .put('/events/:id', ({ params, body, visitor }) => changeEvent(params.id, visitor.id, body), {
    ...write,
    params: IdParams,
    knownFields: [EventEdit, EditableEvent],
    body: EventEdit,
    response: answers(EditableEvent, 400, 401, 403, 404, 409, 429),
    detail: about('Change an event that waits, or a public one with `expected: approved`'),
  });

const unknownAdminPaths = new Elysia({ name: 'admin-edge', prefix: '/admin' })
  .use(session)
  .all('', throwNotFound, { role: 'editor', detail: { hide: true } })
  .all('/*', throwNotFound, { role: 'editor', detail: { hide: true } });

/** The rest of `/admin`, guarded like what there is. A function, because `all` would make every path a call in `App`. */
export function adminFallback<App extends AnyElysia>(app: App): App {
  app.use(unknownAdminPaths);
  return app;
}

function throwNotFound(): never {
  throw new NotFoundError();
}
