import { ConfigError } from '../config-error.ts';

/** How caches in front of the site are told what to forget: each has its own call for it. */
const shapes = ['varnish', 'fastly', 'cloudflare', 'signed'] as const;
export type EdgeShape = (typeof shapes)[number];

export interface Edge {
  shape: EdgeShape;
  /** Where it is told, without the shape. */
  address: string;
}

/** Caches in front of the site, which are told what is out of date, and the secret by which they know who tells them. */
export interface PurgeSettings {
  edges: readonly Edge[];
  token: string;
}

const form =
  'must be addresses by commas, such as varnish+http://edge:6081, fastly+https://api.fastly.com/service/ID/purge, cloudflare+https://api.cloudflare.com/client/v4/zones/ZONE/purge_cache, or https:// for a signed call';

/** Names of this very machine, to which a token may go in the clear. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads `PURGE_URL`, addresses by commas, each with its shape before the scheme (without one the call is signed), and `PURGE_TOKEN`.
 * @returns undefined when neither is set
 * @throws ConfigError
 */
export function readPurge(value: string | undefined, token: string | undefined): PurgeSettings | undefined {
  if (value === undefined) {
    if (token !== undefined) throw new ConfigError('PURGE_URL', 'is needed when PURGE_TOKEN is set.');
    return undefined;
  }
  const edges = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(readEdge);
  if (edges.length === 0) throw new ConfigError('PURGE_URL', `${form}.`);
  if (new Set(edges.map(({ address }) => address)).size < edges.length)
    throw new ConfigError('PURGE_URL', 'names an edge twice.');
  if (token === undefined) throw new ConfigError('PURGE_TOKEN', 'is needed when PURGE_URL is set.');
  if (!/^[!-~]{16,}$/.test(token))
    throw new ConfigError('PURGE_TOKEN', 'must have at least 16 characters of ASCII, without spaces.');
  return { edges, token };
}

function readEdge(entry: string): Edge {
  const [, named = 'signed', address = ''] = entry.match(/^(?:([a-z]+)\+)?(https?:\/\/.+)$/) ?? [];
  const shape = shapes.find((each) => each === named);
  if (!shape || !URL.canParse(address))
    throw new ConfigError('PURGE_URL', `${form}, not "${withoutSecrets(entry)}".`);
  const url = new URL(address);
  if (url.username || url.password || url.search || url.hash)
    throw new ConfigError(
      'PURGE_URL',
      'must be without a query, a fragment or a password: PURGE_TOKEN is the secret.',
    );
  const sendsToken = shape === 'fastly' || shape === 'cloudflare';
  if (sendsToken && url.protocol === 'http:' && !loopback.includes(url.hostname))
    throw new ConfigError('PURGE_URL', `must be ${shape}+https://: the token would be read on its way.`);
  return { shape, address: url.href };
}

/** Who put a password in front of the host should not find it in the log. */
const withoutSecrets = (entry: string): string => entry.replace(/\/\/[^/]*@/, '//…@').replace(/\?.*/, '?…');
