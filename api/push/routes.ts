import { Elysia } from 'elysia';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { vapidKeys } from './keys.ts';
import { PushEnd, PushKey, PushState, PushSubscriptionInput } from './model.ts';
import { deletePush, savePush } from './push.ts';

const tags = ['Reminders'];
const security = [{ bearer: [] }];

/** Notifications in browsers. */
export const pushRoutes = new Elysia({ name: 'push', prefix: '/push' })
  .use(session)
  .get('/key', async () => ({ publicKey: (await vapidKeys()).publicKey }), {
    response: answers(PushKey),
    detail: { tags, summary: 'The key by which a browser subscribes to our notifications' },
  })
  .post(
    '/subscriptions',
    async ({ visitor, body }) => {
      await savePush(visitor, body);
      return { subscribed: true };
    },
    {
      role: 'user',
      beforeHandle: [rateLimitWrites, rateLimit({ name: 'push', account: 30, seconds: 3600 })],
      body: PushSubscriptionInput,
      response: answers(PushState, 400, 401, 403, 409, 429),
      detail: {
        tags,
        summary: 'Notify this browser while the session lasts; a repeat doubles nothing',
        security,
      },
    },
  )
  .delete(
    '/subscriptions',
    async ({ visitor, body }) => {
      await deletePush(visitor, body.endpoint);
      return { subscribed: false };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      body: PushEnd,
      response: answers(PushState, 400, 401, 403, 429),
      detail: { tags, summary: 'Stop notifying a browser; a repeat changes nothing', security },
    },
  );
