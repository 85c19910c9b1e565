import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { dns } from 'bun';
import { addressBlocks, unmapIpv4 } from '../address-blocks.ts';
import { config } from '../config.ts';
import { parseAddress } from '../web-address.ts';

/** Why something was not fetched; `code` is for logs and answers, the message for operators. */
export class FetchRefused extends Error {
  constructor(
    readonly code: 'scheme' | 'address' | 'redirects' | 'size' | 'timeout' | 'status' | 'network',
    message: string,
  ) {
    super(message);
  }
}

export interface Fetched {
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

export interface FetchOptions {
  /** bytes */
  maxBytes: number;
  /** milliseconds for everything, redirects included */
  timeout: number;
  headers?: Readonly<Record<string, string>>;
  /** Asked before a redirect is followed; what it throws ends the fetch. */
  follows?: (url: string) => Promise<void>;
  /** With a body it is a POST, and a redirect is the answer. */
  body?: Uint8Array;
}

const notPublic = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv4');
}
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
const specialV6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  specialV6.addSubnet(network, bits, 'ipv6');
}

/** True for an address that belongs to the public internet (decision S10). */
export function isPublicAddress(address: string): boolean {
  const plain = unmapIpv4(address);
  if (isIPv6(plain)) return publicV6.check(plain, 'ipv6') && !specialV6.check(plain, 'ipv6');
  return isIP(plain) === 4 && !notPublic.check(plain, 'ipv4');
}

let allowance: { entries: readonly string[]; includes: (address: string) => boolean } | undefined;

/** Whether `FETCH_ALLOW` names this host with this port, or the address that the host has (decision N1). */
function isAllowed(url: URL, address: string): boolean {
  const entries = config().fetchAllow;
  if (entries.length === 0) return false;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (entries.includes(`${url.hostname.replace(/\.$/, '')}:${port}`)) return true;
  if (allowance?.entries !== entries)
    allowance = { entries, includes: addressBlocks(entries.filter((entry) => entry.includes('/'))) };
  return allowance.includes(unmapIpv4(address));
}

const mayReach = (url: URL, address: string) => isPublicAddress(address) || isAllowed(url, address);

/** True for an address that the operator's own `FETCH_ALLOW` names, as far as that is known without asking anybody. */
export function isAllowedByName(address: string): boolean {
  const url = new URL(address);
  return isAllowed(url, addressWithoutLookup(hostOf(url)) ?? '');
}

const maxRedirects = 4;

/**
 * The only way in which the server fetches from the outside (decision S10): http(s) only, the address is resolved once,
 * checked and pinned for the connection, every redirect is checked again by the same rule, size and time are capped.
 * @throws FetchRefused
 */
export async function guardedFetch(address: string, options: FetchOptions): Promise<Fetched> {
  const deadline = AbortSignal.timeout(options.timeout);
  const late = Promise.withResolvers<never>();
  // Whatever it waits for: a name server that says nothing, or an answer that is none and ends nothing.
  deadline.addEventListener('abort', () => late.reject(tooLate()));
  return await Promise.race([fetchFollowing(address, options, deadline), late.promise]);
}

async function fetchFollowing(
  address: string,
  options: FetchOptions,
  deadline: AbortSignal,
): Promise<Fetched> {
  let url = address;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const answer = await fetchOnce(url, options, deadline);
    const location = answer.headers.location;
    if (answer.status < 300 || answer.status > 399 || !location || options.body) return answer;
    const next = parseAddress(location, url);
    if (!next) throw new FetchRefused('redirects', 'The redirect has no usable address.');
    url = next.href;
    await options.follows?.(url);
  }
  throw new FetchRefused('redirects', `More than ${maxRedirects} redirects.`);
}

async function fetchOnce(address: string, options: FetchOptions, deadline: AbortSignal): Promise<Fetched> {
  const url = parseAddress(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) {
    throw new FetchRefused('scheme', 'Only http and https addresses without credentials are fetched.');
  }
  const pinned = await resolveReachable(url);
  if (deadline.aborted) throw tooLate();
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(
      {
        method: options.body ? 'POST' : 'GET',
        protocol: url.protocol,
        host: pinned,
        port: url.port || (url.protocol === 'https:' ? 443 : 80),
        path: `${url.pathname}${url.search}`,
        servername: isIP(url.hostname) ? undefined : url.hostname,
        headers: { ...options.headers, host: url.host, 'accept-encoding': 'identity' },
        signal: deadline,
      },
      (response) => {
        const chunks: Uint8Array[] = [];
        let size = 0;
        const refuseSize = () => {
          request.destroy();
          reject(new FetchRefused('size', `More than ${options.maxBytes} bytes.`));
        };
        // Over a slow line the limit of time would come first, and tell another reason.
        if (Number(response.headers['content-length']) > options.maxBytes) return refuseSize();
        response.on('data', (chunk: Uint8Array) => {
          size += chunk.byteLength;
          if (size > options.maxBytes) return refuseSize();
          chunks.push(chunk);
        });
        response.on('error', (error) => reject(asRefusal(error, deadline)));
        response.on('end', () =>
          resolve({
            url: url.href,
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [
                name,
                Array.isArray(value) ? value.join(', ') : (value ?? ''),
              ]),
            ),
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    request.on('error', (error) => reject(asRefusal(error, deadline)));
    // Another protocol (101) is nothing that was asked for, and no answer follows.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new FetchRefused('network', 'The server changes to another protocol.'));
    });
    request.on('close', () => reject(new FetchRefused('network', 'The connection failed.')));
    request.end(options.body);
  });
}

/**
 * Refuses, without asking anybody, an address that is never fetched: a private one as a number, or the own machine, unless
 * `FETCH_ALLOW` names it.
 * @throws FetchRefused in the words of the fetch itself
 */
export function refuseUnreachable(address: string): void {
  const url = new URL(address);
  const fixedAddress = addressWithoutLookup(hostOf(url));
  if (fixedAddress !== undefined && !mayReach(url, fixedAddress)) throw notPublicHost(hostOf(url));
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

const notPublicHost = (host: string) => new FetchRefused('address', `The host ${host} is not public.`);

/** Names under `localhost` are the own machine, whatever a resolver says (RFC 6761). */
function addressWithoutLookup(host: string): string | undefined {
  if (isIP(host)) return host;
  return /(?:^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : undefined;
}

/** By Bun's own resolver: the system's holds the threads that passwords, pictures and compression need until a name server answers. */
async function resolveReachable(url: URL): Promise<string> {
  const host = hostOf(url);
  const fixedAddress = addressWithoutLookup(host);
  const addresses =
    fixedAddress !== undefined
      ? [fixedAddress]
      : await dns.lookup(host).then(
          (entries) => entries.map((entry) => entry.address),
          () => {
            throw new FetchRefused('network', `The host ${host} is not known.`);
          },
        );
  const [first] = addresses;
  if (!first || !addresses.every((each) => mayReach(url, each))) throw notPublicHost(host);
  return first;
}

const tooLate = () => new FetchRefused('timeout', 'The answer took too long.');

function asRefusal(error: Error, deadline: AbortSignal): FetchRefused {
  if (error instanceof FetchRefused) return error;
  return deadline.aborted ? tooLate() : new FetchRefused('network', 'The connection failed.');
}
