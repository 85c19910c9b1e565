import { createHmac } from 'node:crypto';
import { fetchCapped } from '../capped-fetch.ts';
import type { Tag } from '../tags.ts';
import type { Edge, EdgeShape } from './addresses.ts';

/** What an edge is to forget. */
export type Outdated = readonly Tag[] | 'everything';

/** An edge that does not do what it was told. Its message has no secret. */
export class EdgeFailed extends Error {}

/**
 * Tags that one call names. Varnish takes headers of 8 kB, Fastly 256 keys, Cloudflare 30 tags in its smaller plans.
 */
const tagsPerCall: Readonly<Record<EdgeShape, number>> = {
  varnish: 200,
  fastly: 256,
  cloudflare: 30,
  signed: 500,
};
/** More tags than so many calls name are not named: everything is forgotten. */
const callsForTags = 10;
/** Milliseconds that an edge may take. */
const timeout = 5_000;
/** Bytes that it may say to it. */
const maxAnswerBytes = 1_000_000;

/** The calls with which an edge is told: one, as a rule. */
export function callsOf({ shape }: Edge, outdated: Outdated): Outdated[] {
  const size = tagsPerCall[shape];
  if (outdated === 'everything' || outdated.length > size * callsForTags) return ['everything'];
  return Array.from({ length: Math.ceil(outdated.length / size) }, (_, call) =>
    outdated.slice(call * size, (call + 1) * size),
  );
}

/**
 * Tells an edge what to forget.
 * @param token of `PURGE_TOKEN`
 * @param signal ends the calls early
 * @throws EdgeFailed when it does not answer, or not with 2xx
 */
export async function purgeEdge(
  edge: Edge,
  outdated: Outdated,
  token: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const each of callsOf(edge, outdated)) await callEdge(edge, each, token, signal);
}

async function callEdge(edge: Edge, outdated: Outdated, token: string, signal?: AbortSignal): Promise<void> {
  const { host } = new URL(edge.address);
  const limit = AbortSignal.timeout(timeout);
  const { url = edge.address, ...call } = describeCall[edge.shape](edge.address, outdated, token);
  const init: RequestInit = {
    redirect: 'manual',
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
    ...call,
  };
  // Its connection is free for the next call only when it has been read.
  const answer = await fetchCapped(url, init, maxAnswerBytes).catch((error: unknown) => {
    const reason = limit.aborted ? `in ${timeout} ms` : error instanceof Error ? error.message : '';
    throw new EdgeFailed(`the edge ${host} does not answer: ${reason}`);
  });
  if (!answer.ok) throw new EdgeFailed(`the edge ${host} answers ${answer.status}`);
}

interface Call {
  /** Another one than that of the edge. */
  url?: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

const json = { 'content-type': 'application/json' };

const describeCall: Readonly<
  Record<EdgeShape, (address: string, outdated: Outdated, token: string) => Call>
> = {
  // `deploy/varnish.vcl`. Bun has no method BAN.
  varnish: (_, outdated, token) => ({
    method: 'PURGE',
    headers: {
      authorization: `Bearer ${token}`,
      'cache-tag': outdated === 'everything' ? '*' : outdated.join(','),
    },
  }),
  // https://www.fastly.com/documentation/reference/api/purging/
  fastly: (address, outdated, token) => ({
    ...(outdated === 'everything' ? { url: address.replace(/\/purge\/?$/, '/purge_all') } : {}),
    method: 'POST',
    headers: {
      'fastly-key': token,
      accept: 'application/json',
      ...(outdated === 'everything' ? {} : { 'surrogate-key': outdated.join(' ') }),
    },
  }),
  // https://developers.cloudflare.com/api/resources/cache/methods/purge/
  cloudflare: (_, outdated, token) => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...json },
    body: JSON.stringify(outdated === 'everything' ? { purge_everything: true } : { tags: outdated }),
  }),
  signed: (_, outdated, token) => {
    const body = JSON.stringify(outdated === 'everything' ? { everything: true } : { tags: outdated });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', token).update(`${timestamp}.${body}`).digest('hex');
    return {
      method: 'POST',
      headers: { 'byeol-timestamp': timestamp, 'byeol-signature': `sha256=${signature}`, ...json },
      body,
    };
  },
};
