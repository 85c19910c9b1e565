import type { Work } from '#db/work.ts';
import { isFromTrustedProxy } from './client.ts';

/** What proxies make: UUIDs, hexadecimal, base64url. Nothing else gets into our log. */
const idPattern = /^[\w.:-]{8,128}$/;
/** W3C Trace Context, version 00. */
const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * What the log and traces call a request: by `X-Request-Id` and `traceparent` of a trusted proxy, who may find his own again,
 * else by an id that is made here. A visitor's own would let him pass for another's in the log.
 */
export function workOf(request: Request): Work & { requestId: string } {
  const { headers } = request;
  const given = headers.get('x-request-id');
  const trace = headers.get('traceparent');
  const isTrusted = (given !== null || trace !== null) && isFromTrustedProxy(request);
  return {
    requestId: isTrusted && given && idPattern.test(given) ? given : crypto.randomUUID(),
    traceparent: isTrusted && trace && traceparentPattern.test(trace) ? trace : undefined,
  };
}
