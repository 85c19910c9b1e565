import { etagOf } from '#api/plugins/etags.ts';
import type { Encoding } from '../http/encodings.ts';
import { decompress } from './page-bytes.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A rendered page as the cache receives it: body, headers to keep, and what the page said about its life. */
export interface RenderedResponse {
  status: number;
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
  /** Undefined: do not keep. Seconds. */
  life: { maxAge: number; swr: number; tags: readonly string[] } | undefined;
}

/** A page as processes share it: its brotli bytes and what is known of it. Times are milliseconds of this process's clock. */
export interface SharedPage {
  etag: string;
  headers: Record<string, string>;
  brotli: Bytes;
  isTight: boolean;
  tags: readonly string[];
  /** The newest invalidation that its render knew of. */
  asOf: number;
  renderedAt: number;
  freshUntil: number;
  staleUntil: number;
}

/** A second level, which processes share (decision W10). It may know nothing, and then answers soon. */
export interface SharedPages {
  /** @returns undefined for a key that it does not keep, or while it is away */
  find(key: string): Promise<{ newest: number; page: SharedPage | undefined } | undefined> | undefined;
  keep(key: string, page: SharedPage): void;
  /** There is no such page any more. @param asOf the newest invalidation that is known to whoever says so */
  drop(key: string, asOf: number | undefined): void;
  /**
   * What was not given to others yet is theirs no more: this process may have rendered it of what it only now forgets itself.
   * @param tags undefined: all, and what it gave to them while it may have been deaf
   */
  forget(tags: ReadonlySet<string> | undefined): void;
  countReads(key: string, reads: number): void;
  /** Has `renew` called for the key before long. */
  renewLater(key: string): void;
}

/** A page in the memory of this process. */
export interface Entry {
  status: number;
  etag: string;
  headers: Record<string, string>;
  /** Ready to send: a blob and finished headers are handed over as they are, where bytes and a record are copied each time. */
  bodies: Partial<Record<Encoding, Body>>;
  /** Encodings that are being made: many who wait for one page share it. */
  pendingBodies: Partial<Record<Encoding, Promise<Body>>>;
  /** The page as it was rendered, until one encoding holds it: five times as many pages fit into the same memory. */
  plain: Uint8Array<ArrayBuffer> | undefined;
  tags: readonly string[];
  renderedAt: number;
  freshUntil: number;
  staleUntil: number;
  size: number;
  hits: number;
  /** Its brotli bytes are, or are being made, the tightest. */
  recompressed: boolean;
  /** As in `SharedPage`; undefined: it is not shared. */
  asOf: number | undefined;
  /** Another process, or an earlier one, has rendered it. */
  isShared: boolean;
}

/** What one encoding of it is answered with. */
export interface Body {
  blob: Blob;
  headers: Headers;
  /** Seconds that `headers` tell. */
  age: number;
}

/** What an entry holds besides its bytes: its record, headers and blob, its names in the maps. */
export const entryOverhead = 2048;

/**
 * A page that was rendered just now.
 * @param asOf the newest invalidation before its render, where that is known
 */
export function renderedEntry(rendered: RenderedResponse, now: number, asOf: number | undefined): Entry {
  const { life } = rendered;
  const freshUntil = now + (life?.maxAge ?? 0) * 1000;
  return {
    status: rendered.status,
    etag: etagOf(rendered.body),
    headers: rendered.headers,
    bodies: {},
    pendingBodies: {},
    plain: rendered.body,
    tags: life?.tags ?? [],
    renderedAt: now,
    freshUntil,
    staleUntil: freshUntil + (life?.swr ?? 0) * 1000,
    size: rendered.body.byteLength + entryOverhead,
    hits: 0,
    recompressed: false,
    asOf,
    isShared: false,
  };
}

/** A page that came out as it was before keeps the bytes that it had: to compress them anew is most of the work of renewing it. */
export function keepBytes(entry: Entry, before: Entry | undefined): void {
  if (before?.etag !== entry.etag || before.status !== entry.status) return;
  for (const encoding of ['br', 'gzip'] as const) {
    const body = before.bodies[encoding];
    if (body) entry.bodies[encoding] = { blob: body.blob, headers: encodedHeaders(entry, encoding), age: 0 };
  }
  const kept = Object.values(entry.bodies);
  if (kept.length === 0) return;
  entry.plain = undefined;
  entry.recompressed = before.recompressed;
  entry.size = entryOverhead + kept.reduce((sum, { blob }) => sum + blob.size, 0);
}

/** A page that another process rendered: its bytes are taken as they are. */
export function sharedEntry({ brotli, isTight, ...page }: SharedPage): Entry {
  const entry: Entry = {
    ...page,
    status: 200,
    bodies: {},
    pendingBodies: {},
    plain: undefined,
    size: brotli.byteLength + entryOverhead,
    hits: 0,
    recompressed: isTight,
    isShared: true,
  };
  entry.bodies.br = { blob: new Blob([brotli]), headers: encodedHeaders(entry, 'br'), age: 0 };
  return entry;
}

/** A page as others take it; undefined where it is not shared, or not compressed yet. */
export async function shareable(entry: Entry): Promise<SharedPage | undefined> {
  const { etag, headers, tags, asOf, renderedAt, freshUntil, staleUntil } = entry;
  const body = entry.bodies.br;
  if (asOf === undefined || !body) return undefined;
  const isTight = entry.recompressed;
  return {
    etag,
    headers,
    brotli: await body.blob.bytes(),
    isTight,
    tags,
    asOf,
    renderedAt,
    freshUntil,
    staleUntil,
  };
}

/** The page as it was rendered, from whichever encoding holds it. */
export async function plainBytes({ plain, bodies }: Entry): Promise<Bytes> {
  if (plain) return plain;
  for (const encoding of ['identity', 'br', 'gzip'] as const) {
    const body = bodies[encoding];
    if (body) return decompress(await body.blob.bytes(), encoding);
  }
  throw new Error('an entry of the page cache holds nothing');
}

/** What an encoding of a page is answered with. */
export function encodedHeaders(entry: Entry, encoding: Encoding): Headers {
  const headers = new Headers({ ...entry.headers, etag: entry.etag });
  headers.append('vary', 'Accept-Encoding');
  if (encoding !== 'identity') headers.set('content-encoding', encoding);
  return headers;
}
