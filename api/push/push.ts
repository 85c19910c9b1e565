import { isIP } from 'node:net';
import { deletePushSubscription, savePushSubscription } from '#db/queries/push.ts';
import { BadInput, Conflict } from '../errors.ts';
import { isPublicAddress } from '../media/guarded-fetch.ts';
import type { Visitor } from '../plugins/session.ts';
import { parseAddress } from '../web-address.ts';
import type { PushSubscriptionInput } from './model.ts';

/**
 * Keeps a browser's subscription for the session that asks, until that ends.
 * @throws BadInput when it cannot be one of a push service; Conflict when it is somebody else's
 */
export async function savePush(visitor: Visitor, { endpoint, keys }: PushSubscriptionInput): Promise<void> {
  checkEndpoint(endpoint);
  if (bytesOf(keys.p256dh) !== 65) throw new BadInput('keys.p256dh', 'Must be a P-256 point in base64url.');
  if (bytesOf(keys.auth) !== 16) throw new BadInput('keys.auth', 'Must be 16 bytes in base64url.');
  const owner = { userId: visitor.id, sessionId: visitor.sessionId };
  if (!(await savePushSubscription(owner, { endpoint, ...keys })))
    throw new Conflict('taken', 'This browser belongs to another account.', 'endpoint');
}

/** Ends it; a repeat changes nothing. */
export function deletePush({ id }: Visitor, endpoint: string): Promise<void> {
  return deletePushSubscription(id, endpoint);
}

const bytesOf = (text: string): number =>
  /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url').length : 0;

/**
 * An address that may be one of the public internet (decision S10), so that nobody makes us knock at our own doors. What a name stands for is
 * asked by the guarded fetcher with every message: asked here, it would be at anybody's bidding, of any name server.
 */
function checkEndpoint(endpoint: string): void {
  const refuse = () => new BadInput('endpoint', 'Must be the https address of a push service.');
  const url = parseAddress(endpoint);
  if (url?.protocol !== 'https:' || url.port || url.username || url.password) throw refuse();
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  if (!isIP(host) && !host.includes('.')) throw refuse();
  if (isIP(host) && !isPublicAddress(host)) throw refuse();
}
