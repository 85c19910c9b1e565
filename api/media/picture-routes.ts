import { Elysia, t } from 'elysia';
import { Done } from '../admin/content-model.ts';
import { listSize } from '../admin/people-routes.ts';
import { bodyOrNothing } from '../admin/routes.ts';
import { Flag, IdParams, Limit, Page, SearchText } from '../parameters.ts';
import { IdempotencyHeaders } from '../plugins/idempotency.ts';
import { rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { knownFields } from '../plugins/unknown-fields.ts';
import { answers } from '../shapes.ts';
import {
  changePicture,
  readLibrary,
  readLibraryPicture,
  readWholePicture,
  receiveUpload,
  restorePicture,
  withdrawPicture,
} from './library.ts';
import { PictureDetails, PictureEdit, PictureList, SentPicture, uploadBody, Withdrawal } from './model.ts';

const tags = ['Admin'];
const security = [{ bearer: [] }];
const write = { role: 'editor' as const, beforeHandle: rateLimitWrites };
const done = { done: true as const };

/** The library of pictures: uploads, what is said about them, take-downs. */
export const pictureRoutes = new Elysia({ name: 'admin-pictures', prefix: '/admin/pictures' })
  .use(session)
  .use(knownFields)
  .get(
    '',
    ({ query }) =>
      readLibrary(query.page ?? 1, query.limit ?? listSize, {
        withdrawn: query.withdrawn === undefined ? undefined : query.withdrawn === 'true',
        search: query.search,
      }),
    {
      role: 'editor',
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        withdrawn: t.Optional(Flag),
        search: t.Optional(SearchText),
      }),
      response: answers(PictureList, 400, 401, 403),
      detail: { tags, security, summary: 'Uploaded pictures, withdrawn ones too' },
    },
  )
  .post('', ({ request, visitor }) => receiveUpload(request, visitor.id), {
    ...write,
    headers: IdempotencyHeaders,
    response: answers(SentPicture, 400, 401, 403, 409, 413, 415, 429),
    detail: {
      tags,
      security,
      summary: 'Upload a picture: JPEG, PNG, WebP, AVIF or GIF',
      description:
        'At most 25 MB and 60 megapixels (AVIF: 24). The same bytes twice are one picture, of which a credit that is there stays.',
      requestBody: uploadBody,
    },
  })
  .get('/:id', ({ params }) => readLibraryPicture(params.id), {
    role: 'editor',
    params: IdParams,
    response: answers(PictureDetails, 401, 403, 404),
    detail: { tags, security, summary: 'A picture, and what shows it' },
  })
  .get(
    '/:id/whole',
    async ({ params }) =>
      new Response(new Uint8Array(await readWholePicture(params.id)), {
        headers: { 'content-type': 'image/webp', 'cache-control': 'private, no-store' },
      }),
    {
      role: 'editor',
      params: IdParams,
      response: answers(t.String({ description: 'image/webp' }), 401, 403, 404),
      detail: { tags, security, summary: 'The whole picture as WebP, uncut, withdrawn or not' },
    },
  )
  .put(
    '/:id',
    async ({ params, body, visitor }) => {
      await changePicture(params.id, body, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      knownFields: [PictureEdit],
      body: PictureEdit,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Change alternative texts, credit, licence and focal point' },
    },
  )
  .post(
    '/:id/withdraw',
    async ({ params, body, visitor }) => {
      await withdrawPicture(params.id, body.reason, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      transform: bodyOrNothing,
      knownFields: [Withdrawal],
      body: Withdrawal,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Take a picture down everywhere: its addresses answer 410' },
    },
  )
  .delete(
    '/:id/withdraw',
    async ({ params, visitor }) => {
      await restorePicture(params.id, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      response: answers(Done, 401, 403, 404, 409, 429),
      detail: { tags, security, summary: 'Undo a withdrawal of the last 30 days' },
    },
  );
