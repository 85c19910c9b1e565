import { isIP } from 'node:net';
import { addressBlocks, unmapIpv4 } from '../address-blocks.ts';
import { config } from '../config.ts';

const addresses = new WeakMap<Request, string>();

const idleTimeouts = new WeakMap<Request, () => void>();

/**
 * Notes which address a request came from; called by the server for every request it hands on.
 * @param disableIdleTimeout lifts the server's limit on idle connections from this one
 */
export function registerConnection(
  request: Request,
  address: string | undefined,
  disableIdleTimeout?: () => void,
): void {
  if (address) addresses.set(request, address);
  if (disableIdleTimeout) idleTimeouts.set(request, disableIdleTimeout);
}

/** The answer of this request is a stream, in which nothing may happen for a while. */
export function disableIdleTimeout(request: Request): void {
  idleTimeouts.get(request)?.();
}

let trusted: { entries: readonly string[]; includes: (address: string) => boolean } | undefined;

function isTrusted(address: string): boolean {
  const entries = config().trustedProxies;
  if (entries.length === 0) return false;
  if (trusted?.entries !== entries) trusted = { entries, includes: addressBlocks(entries) };
  return trusted.includes(address);
}

/** Whether the connection itself comes from one of TRUSTED_PROXIES. */
export const isFromTrustedProxy = (request: Request): boolean =>
  isTrusted(unmapIpv4(addresses.get(request) ?? 'unknown'));

/**
 * The visitor's address (decision S7): the socket's, or the last one in `X-Forwarded-For` that no trusted proxy
 * added when the socket itself is a trusted proxy. What is no address there counts as the proxy's that passed it on:
 * whoever may write anything would have a limit for each word. Unknown sockets share one name, so that limits still hold.
 */
export function clientAddress(request: Request): string {
  let address = unmapIpv4(addresses.get(request) ?? 'unknown');
  if (!isTrusted(address)) return address;
  const hops = request.headers.get('x-forwarded-for')?.split(',').map(addressOfHop) ?? [];
  for (const hop of hops.reverse()) {
    if (hop === undefined) break;
    address = hop;
    if (!isTrusted(hop)) break;
  }
  return address;
}

/** The address of a hop, which some proxies write with the port of its connection, and IPv6 then in brackets. */
function addressOfHop(hop: string): string | undefined {
  const text = hop.trim();
  const written = text.match(/^\[(.+)\](?::\d+)?$/) ?? text.match(/^([\d.]+):\d+$/);
  const address = unmapIpv4(written?.[1] ?? text);
  return isIP(address) === 0 ? undefined : address;
}
