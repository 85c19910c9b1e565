import { findMembers } from '#db/queries/community/channels.ts';
import { missingStar } from '../directory/missing-star.ts';
import { BadInput } from '../errors.ts';
import { readInteger } from '../input.ts';
import { clientAddress, disableIdleTimeout } from '../plugins/client.ts';
import { networkOf } from '../plugins/rate-limits.ts';
import type { Visitor } from '../plugins/session.ts';
import { openStream } from './live/live.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store, no-transform',
  // nginx would gather the events.
  'x-accel-buffering': 'no',
};

/**
 * The live events of a channel as Server-Sent Events (decision C2), after `Last-Event-ID`, which a browser sends when it connects
 * again, else after `after`, else from now on.
 * @throws BadInput, NotFound, TooManyRequests, Unavailable
 */
export async function answerStream(
  request: Request,
  starId: number,
  after: number | undefined,
  visitor: Visitor | undefined,
): Promise<Response> {
  const begin = lastEventId(request) ?? after;
  if (request.method === 'HEAD') {
    if (!(await findMembers(starId))?.channelId) throw await missingStar(starId, 'Channel');
    return new Response(null, { headers });
  }
  const network = networkOf(clientAddress(request));
  const body = await openStream({
    starId,
    after: begin,
    person: visitor?.id ?? guestOf(network),
    network,
  });
  disableIdleTimeout(request);
  return new Response(body, { headers });
}

function lastEventId(request: Request): number | undefined {
  const text = request.headers.get('last-event-id');
  if (text === null || text === '') return undefined;
  const id = readInteger(text, 0, 9_999_999_999);
  if (id === undefined) throw new BadInput('Last-Event-ID', 'Must be the id of an event of this channel.');
  return id;
}

/** Guests are told apart by their network, which is kept as a number that does not give it away (decision C3). */
const guestOf = (network: string) => -1 - Number(BigInt.asUintN(52, BigInt(Bun.hash(network))));
