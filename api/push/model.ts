import { t } from 'elysia';

const Endpoint = t.String({ minLength: 1, maxLength: 1024 });

/** What `PushSubscription.toJSON()` of a browser says. */
export const PushSubscriptionInput = t.Object({
  endpoint: Endpoint,
  keys: t.Object({ p256dh: t.String({ maxLength: 100 }), auth: t.String({ maxLength: 40 }) }),
});
export type PushSubscriptionInput = typeof PushSubscriptionInput.static;

export const PushEnd = t.Object({ endpoint: Endpoint });
export const PushKey = t.Object({ publicKey: t.String({ description: 'applicationServerKey, base64url' }) });
export const PushState = t.Object({ subscribed: t.Boolean() });
