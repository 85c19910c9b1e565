import { Elysia } from 'elysia';
import { IdParams } from '../parameters.ts';
import { rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { changeOwnFollows, followStar, readFollows } from './follow.ts';
import { FollowChange, FollowState, Follows, FollowsChange } from './model.ts';

const tags = ['Accounts'];
const security = [{ bearer: [] }];

/** §7 `POST /api/stars/{id}/follow`, and the whole list of an account. */
export const followRoutes = new Elysia({ name: 'follow' })
  .use(session)
  .post(
    '/stars/:id/follow',
    ({ visitor, params, body }) => followStar(visitor.id, params.id, body.following),
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      params: IdParams,
      body: FollowChange,
      response: answers(FollowState, 400, 401, 403, 404, 429),
      detail: { tags, summary: 'Follow or unfollow a star', security },
    },
  )
  .get('/auth/follows', async ({ visitor }) => ({ starIds: await readFollows(visitor) }), {
    role: 'user',
    response: answers(Follows, 401),
    detail: { tags, summary: 'The stars that the account follows', security },
  })
  .put('/auth/follows', async ({ visitor, body }) => ({ starIds: await changeOwnFollows(visitor, body) }), {
    role: 'user',
    beforeHandle: rateLimitWrites,
    body: FollowsChange,
    response: answers(Follows, 400, 401, 403, 429),
    detail: {
      tags,
      summary: 'Follow and unfollow many stars; a repeat changes nothing, unknown stars are left out',
      security,
    },
  });
