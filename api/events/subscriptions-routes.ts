import { Elysia, t } from 'elysia';
import { BadInput } from '../errors.ts';
import { isObject } from '../input.ts';
import { IdParams } from '../parameters.ts';
import { rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import {
  Subscribed,
  Subscription,
  SubscriptionChange,
  Subscriptions,
  Unsubscribed,
} from './subscription-model.ts';
import {
  changeReminders,
  readSubscriptions,
  subscribeToEvent,
  unsubscribeFromEvent,
} from './subscriptions.ts';

const tags = ['Events'];
const security = [{ bearer: [] }];

/**
 * Before Elysia tidies a body it turns anything into an object that may be empty, so `"all"` and `[]` would pass for no
 * settings at all.
 * @throws BadInput
 */
function refuseNonObjects({ body }: { body: unknown }): void {
  if (body === undefined || body === null) return;
  if (!isObject(body)) throw new BadInput('body', 'Must be an object.');
  const settings = 'notificationSettings' in body ? body.notificationSettings : undefined;
  if (settings !== undefined && !isObject(settings))
    throw new BadInput('notificationSettings', 'Must be an object.');
}

/** §7 Events: subscribe, unsubscribe, and a fan's own subscriptions. */
export const subscriptionRoutes = new Elysia({ name: 'subscriptions', prefix: '/events' })
  .use(session)
  // As a macro named after `role`, so that a stranger hears 401 first.
  .macro({ objectsOnly: { transform: refuseNonObjects } })
  .get('/subscriptions', ({ visitor }) => readSubscriptions(visitor.id), {
    role: 'user',
    response: answers(Subscriptions, 401),
    detail: { tags, summary: 'The events that the account is subscribed to, newest first', security },
  })
  .post(
    '/:id/subscribe',
    ({ visitor, params, body }) => subscribeToEvent(visitor.id, params.id, body ?? {}),
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      params: IdParams,
      objectsOnly: true,
      body: t.Optional(SubscriptionChange),
      response: answers(Subscribed, 400, 401, 403, 404, 429),
      detail: {
        tags,
        summary: 'Subscribe to an event, or change how it reminds; a repeat doubles nothing',
        security,
      },
    },
  )
  .put('/:id/subscribe', ({ visitor, params, body }) => changeReminders(visitor.id, params.id, body), {
    role: 'user',
    beforeHandle: rateLimitWrites,
    params: IdParams,
    objectsOnly: true,
    body: SubscriptionChange,
    response: answers(Subscription, 400, 401, 403, 404, 429),
    detail: { tags, summary: 'Change how one event reminds; what is left out stays', security },
  })
  .delete('/:id/subscribe', ({ visitor, params }) => unsubscribeFromEvent(visitor.id, params.id), {
    role: 'user',
    beforeHandle: rateLimitWrites,
    params: IdParams,
    response: answers(Unsubscribed, 401, 403, 404, 429),
    detail: { tags, summary: 'End a subscription; a repeat changes nothing', security },
  });
