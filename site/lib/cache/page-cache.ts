import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliDecompressSync,
  type CompressCallback,
  constants,
  gunzipSync,
  gzip,
} from 'node:zlib';
import { etagOf, matchesEtag } from '#api/plugins/etags.ts';
import { log } from '#db/log.ts';
import { sharedRead } from '#db/shared-read.ts';
import { chooseEncoding, type Encoding } from '../http/encodings.ts';
import { staleIfError } from './edge-control.ts';

/** A rendered page as the cache receives it: body, headers to keep, and what the page said about its life. */
export interface RenderedResponse {
  status: number;
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
  /** Undefined: do not keep. Seconds. */
  life: { maxAge: number; swr: number; tags: readonly string[] } | undefined;
}

interface Entry {
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
}

interface Body {
  blob: Blob;
  headers: Headers;
  /** Seconds that `headers` tell. */
  age: number;
}

type Render = (request: Request, key: string) => Promise<RenderedResponse>;
type Bytes = Uint8Array<ArrayBuffer>;

/** For the first answer: 0.14 ms of a core for an article, where quality 5 takes 0.7 and quality 10 takes 12. */
const brotliFast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 17 } };
/** What an entry holds besides its bytes: its record, headers and blob, its names in the maps. */
const entryOverhead = 2048;
const recompressAfterHits = 3;
const brotliBest = { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_LGWIN]: 20 } };

/**
 * The page cache in front of Astro (architecture §The page cache, quality §Speed): bytes ready to send per encoding, ETag,
 * stale-while-revalidate, one render at a time per key, a limit in bytes (least recently used leaves first). When a page
 * cannot be made anew for the time being (503), the one that is there is answered, marked as outdated.
 * Pages are the same for everybody, so the key is the path and the query parameters that pages read.
 */
export class PageCache {
  #entries = new Map<string, Entry>();
  #rendering = new Map<string, Promise<Entry>>();
  #keysByTag = new Map<string, Set<string>>();
  #invalidations: { at: number; tags: ReadonlySet<string> | undefined }[] = [];
  #epoch = 0;
  #bytes = 0;
  #recompressing = false;
  readonly counts = { hit: 0, stale: 0, miss: 0, outdated: 0, evicted: 0 };
  renders = 0;

  constructor(
    private readonly render: Render,
    /** Bytes that it may hold. */
    readonly limitBytes: number,
    private readonly now: () => number = Date.now,
    /** Lets an outdated page say so. */
    private readonly markOutdated: (page: Bytes, renderedAt: Date) => Bytes = (page) => page,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Answers a GET or HEAD request from the cache, or renders it once for everybody who waits for it. */
  respond(request: Request, key: string): Response | Promise<Response> {
    const entry = this.#entries.get(key);
    if (entry) {
      const now = this.now();
      if (now < entry.freshUntil) {
        this.counts.hit += 1;
        return this.#answer(entry, key, request);
      }
      if (now < entry.staleUntil) {
        this.counts.stale += 1;
        this.#renderOnce(request, key).catch(() => {});
        return this.#answer(entry, key, request);
      }
    }
    this.counts.miss += 1;
    return this.#renderOnce(request, key).then((fresh) => {
      const staleEntry = fresh.status === 503 ? this.#entries.get(key) : undefined;
      return staleEntry && this.now() < staleEntry.staleUntil + staleIfError * 1000
        ? this.#answerOutdated(staleEntry, request)
        : this.#answer(fresh, key, request);
    });
  }

  /** Forgets every page that carries one of the tags, also those being rendered now. */
  invalidate(tags: readonly string[]): void {
    for (const tag of tags) {
      for (const key of this.#keysByTag.get(tag) ?? []) this.#remove(key);
    }
    this.#recordInvalidation(new Set(tags));
  }

  /** Forgets everything: used when messages of other processes may have been missed. */
  clear(): void {
    this.#entries.clear();
    this.#keysByTag.clear();
    this.#bytes = 0;
    this.#recordInvalidation(undefined);
  }

  #recordInvalidation(tags: ReadonlySet<string> | undefined): void {
    this.#epoch += 1;
    if (this.#rendering.size > 0) this.#invalidations.push({ at: this.#epoch, tags });
    else this.#invalidations = [];
  }

  #renderOnce(request: Request, key: string): Promise<Entry> {
    const running = this.#rendering.get(key);
    // A 429 is meant for one client: the others that waited render the page themselves.
    if (running)
      return running.then((entry) => (entry.status === 429 ? this.#renderOnce(request, key) : entry));
    const startedAt = this.#epoch;
    this.renders += 1;
    const promise = sharedRead(() => this.render(request, key), tagsOf)
      .then((rendered) => this.#store(key, rendered, startedAt))
      .finally(() => {
        this.#rendering.delete(key);
        if (this.#rendering.size === 0) this.#invalidations = [];
      });
    this.#rendering.set(key, promise);
    return promise;
  }

  #store(key: string, rendered: RenderedResponse, startedAt: number): Entry {
    const now = this.now();
    const life = rendered.life;
    const entry: Entry = {
      status: rendered.status,
      etag: etagOf(rendered.body),
      headers: rendered.headers,
      bodies: {},
      pendingBodies: {},
      plain: rendered.body,
      tags: life?.tags ?? [],
      renderedAt: now,
      freshUntil: now + (life?.maxAge ?? 0) * 1000,
      staleUntil: now + ((life?.maxAge ?? 0) + (life?.swr ?? 0)) * 1000,
      size: rendered.body.byteLength + entryOverhead,
      hits: 0,
      recompressed: false,
    };
    if (life && !this.#outdated(entry.tags, startedAt)) {
      this.#remove(key);
      this.#entries.set(key, entry);
      for (const tag of entry.tags) {
        const keys = this.#keysByTag.get(tag);
        if (keys) keys.add(key);
        else this.#keysByTag.set(tag, new Set([key]));
      }
      this.#grow(entry.size);
    }
    return entry;
  }

  #outdated(tags: readonly string[], startedAt: number): boolean {
    return this.#invalidations.some(
      (invalidation) =>
        invalidation.at > startedAt &&
        (invalidation.tags === undefined || tags.some((tag) => invalidation.tags?.has(tag))),
    );
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.size;
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }

  #grow(by: number): void {
    this.#bytes += by;
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.limitBytes) return;
      this.#remove(key);
      this.counts.evicted += 1;
    }
  }

  #answer(entry: Entry, key: string, request: Request): Response | Promise<Response> {
    entry.hits += 1;
    // Every 64th hit moves the entry to the young end: close enough to LRU without a write per request.
    if ((entry.hits & 63) === 1 && this.#entries.get(key) === entry) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    if (entry.hits >= recompressAfterHits && !entry.recompressed) this.#recompress(entry, key);
    const encoding = chooseEncoding(request);
    const body = entry.bodies[encoding];
    if (body) return this.#respondWith(request, entry, body);
    entry.pendingBodies[encoding] ??= this.#encode(entry, key, encoding).finally(() => {
      delete entry.pendingBodies[encoding];
    });
    return entry.pendingBodies[encoding].then((body) => this.#respondWith(request, entry, body));
  }

  #respondWith(request: Request, entry: Entry, body: Body): Response {
    // What is kept before us counts its life from here (RFC 9111 §5.1), and may not keep for another life what ours is over for.
    const age = Math.floor((this.now() - entry.renderedAt) / 1000);
    if (age !== body.age) {
      body.headers.set('age', String(age));
      body.age = age;
    }
    if (entry.status === 200 && matchesEtag(request, entry.etag))
      return new Response(null, { status: 304, headers: body.headers });
    // For HEAD the server sends the body's length alone.
    return new Response(body.blob, { status: entry.status, headers: body.headers });
  }

  /** A page that is over its time, made for this answer alone and kept by nobody. */
  async #answerOutdated(entry: Entry, request: Request): Promise<Response> {
    this.counts.outdated += 1;
    const encoding = chooseEncoding(request);
    const page = this.markOutdated(await plainBytes(entry), new Date(entry.renderedAt));
    const { 'cdn-cache-control': _, 'cache-tag': __, ...otherHeaders } = entry.headers;
    const headers = new Headers({
      ...otherHeaders,
      'cache-control': 'private, no-store',
      age: String(Math.floor((this.now() - entry.renderedAt) / 1000)),
      warning: '110 - "Response is Stale"',
    });
    headers.append('vary', 'Accept-Encoding');
    if (encoding !== 'identity') headers.set('content-encoding', encoding);
    return new Response(await compress(page, encoding), { status: entry.status, headers });
  }

  /** Off this thread, which renders the next page meanwhile: compressing is a tenth of a first render. */
  async #encode(entry: Entry, key: string, encoding: Encoding): Promise<Body> {
    const plain = await plainBytes(entry);
    const bytes = await compress(plain, encoding);
    const body = { blob: new Blob([bytes]), headers: encodedHeaders(entry, encoding), age: 0 };
    entry.bodies[encoding] = body;
    this.#resize(entry, key, bytes.byteLength - (entry.plain?.byteLength ?? 0));
    entry.plain = undefined;
    return body;
  }

  #resize(entry: Entry, key: string, by: number): void {
    entry.size += by;
    if (this.#entries.get(key) === entry) this.#grow(by);
  }

  /**
   * Replaces the quick brotli bytes by tighter ones, off the request's path and one page at a time: a crawler that reads
   * every page once must not make the server compress each of them twice.
   */
  #recompress(entry: Entry, key: string): void {
    if (this.#recompressing || !entry.bodies.br) return;
    this.#recompressing = true;
    entry.recompressed = true;
    plainBytes(entry)
      .then((plain) => brotliTightly(plain))
      .then((bytes) => {
        const brotliBody = entry.bodies.br;
        if (!brotliBody) return;
        this.#resize(entry, key, bytes.byteLength - brotliBody.blob.size);
        brotliBody.blob = new Blob([bytes]);
      })
      .catch((error: unknown) => log.error({ err: error }, 'a page could not be compressed'))
      .finally(() => {
        this.#recompressing = false;
      });
  }
}

/** What is kept by nobody has no tags; a 429 depends on no write, and is not to be counted twice. */
const tagsOf = ({ life, status }: RenderedResponse) => life?.tags ?? (status === 429 ? [] : undefined);

const brotliQuickly = promisify((plain: Uint8Array<ArrayBuffer>, done: CompressCallback) =>
  brotliCompress(plain, brotliFast, done),
);
const gzipQuickly = promisify((plain: Uint8Array<ArrayBuffer>, done: CompressCallback) =>
  gzip(plain, { level: 6 }, done),
);
const brotliTightly = promisify((plain: Uint8Array<ArrayBuffer>, done: CompressCallback) =>
  brotliCompress(plain, brotliBest, done),
);

/** Bytes as they travel, made quickly and off this thread. */
export async function compress(plain: Uint8Array<ArrayBuffer>, encoding: Encoding) {
  return encoding === 'br' ? brotliQuickly(plain) : encoding === 'gzip' ? gzipQuickly(plain) : plain;
}

/** The page as it was rendered, from whichever encoding holds it. */
async function plainBytes({ plain, bodies }: Entry): Promise<Uint8Array<ArrayBuffer>> {
  if (plain) return plain;
  if (bodies.identity) return bodies.identity.blob.bytes();
  if (bodies.br) return new Uint8Array(brotliDecompressSync(await bodies.br.blob.bytes()));
  if (bodies.gzip) return new Uint8Array(gunzipSync(await bodies.gzip.blob.bytes()));
  throw new Error('an entry of the page cache holds nothing');
}

function encodedHeaders(entry: Entry, encoding: Encoding): Headers {
  const headers = new Headers({ ...entry.headers, etag: entry.etag });
  headers.append('vary', 'Accept-Encoding');
  if (encoding !== 'identity') headers.set('content-encoding', encoding);
  return headers;
}
