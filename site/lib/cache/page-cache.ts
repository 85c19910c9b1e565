import { matchesEtag } from '#api/plugins/etags.ts';
import { log } from '#db/log.ts';
import { sharedRead } from '#db/shared-read.ts';
import { chooseEncoding, type Encoding } from '../http/encodings.ts';
import { staleIfError } from './edge-control.ts';
import { brotliTightly, compress } from './page-bytes.ts';
import {
  type Body,
  type Entry,
  encodedHeaders,
  keepBytes,
  plainBytes,
  type RenderedResponse,
  renderedEntry,
  type SharedPages,
  shareable,
  sharedEntry,
} from './page-entry.ts';

type Render = (request: Request, key: string) => Promise<RenderedResponse>;
type Bytes = Uint8Array<ArrayBuffer>;

const recompressAfterHits = 3;

/** A page that is being made or fetched, and the epoch in which that began. */
interface Loading {
  promise: Promise<Loaded>;
  startedAt: number;
}

interface Loaded {
  entry: Entry;
  /** The epoch in which it went out of date while it was made. */
  outdatedAt: number | undefined;
}

/**
 * The page cache in front of Astro (architecture §The page cache, quality §Speed): bytes ready to send per encoding, ETag,
 * stale-while-revalidate, one render at a time per key, a limit in bytes (least recently used leaves first). When a page
 * cannot be made anew for the time being (503), the one that is there is answered, marked as outdated.
 * Pages are the same for everybody, so the key is the path and the query parameters that pages read.
 */
export class PageCache {
  #entries = new Map<string, Entry>();
  #loading = new Map<string, Loading>();
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
    /** What processes share; undefined: each has its own pages. */
    private readonly shared?: SharedPages,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Answers a GET or HEAD request from the cache, or renders it once for everybody who waits for it. */
  respond(request: Request, key: string, encoding = chooseEncoding(request)): Response | Promise<Response> {
    const entry = this.#entries.get(key);
    if (entry) {
      const now = this.now();
      if (now < entry.freshUntil) {
        this.counts.hit += 1;
        return this.#answer(entry, key, request, encoding);
      }
      if (now < entry.staleUntil) {
        this.counts.stale += 1;
        if (entry.isShared) this.shared?.renewLater(key);
        else this.#loadOnce(request, key, 'fresh').catch(() => {});
        return this.#answer(entry, key, request, encoding);
      }
    }
    this.counts.miss += 1;
    return this.#loadOnce(request, key, 'any').then((fresh) => {
      const staleEntry = fresh.status === 503 ? this.#entries.get(key) : undefined;
      return staleEntry && this.now() < staleEntry.staleUntil + staleIfError * 1000
        ? this.#answerOutdated(staleEntry, encoding)
        : this.#answer(fresh, key, request, encoding);
    });
  }

  /** Has a page that is fresh in memory before anybody asks for it. */
  async renew(key: string): Promise<void> {
    // What is under way may be out of date when it comes.
    await this.#loading.get(key)?.promise.catch(() => {});
    const entry = this.#entries.get(key);
    if (entry && this.now() < entry.freshUntil) return;
    await this.#loadOnce(new Request('http://localhost/'), key, 'fresh');
  }

  /** Forgets every page that carries one of the tags, also those being rendered now. */
  invalidate(tags: readonly string[]): void {
    for (const tag of tags) {
      for (const key of this.#keysByTag.get(tag) ?? []) this.#remove(key);
    }
    const outdated = new Set(tags);
    this.shared?.forget(outdated);
    this.#recordInvalidation(outdated);
  }

  /** Forgets everything: used when messages of other processes may have been missed. */
  clear(): void {
    this.#entries.clear();
    this.#keysByTag.clear();
    this.#bytes = 0;
    this.shared?.forget(undefined);
    this.#recordInvalidation(undefined);
  }

  #recordInvalidation(tags: ReadonlySet<string> | undefined): void {
    this.#epoch += 1;
    if (this.#loading.size > 0) this.#invalidations.push({ at: this.#epoch, tags });
    else this.#invalidations = [];
  }

  /** @param wanted a page of others that is stale will do, or not */
  async #loadOnce(request: Request, key: string, wanted: 'fresh' | 'any'): Promise<Entry> {
    const running = this.#loading.get(key);
    if (!running) return (await this.#begin(request, key, wanted)).entry;
    const askedAt = this.#epoch;
    const { entry, outdatedAt } = await running.promise;
    // A 429 is meant for one client: the others that waited render the page themselves. So does who asks after a write that it lacks.
    const isForUs = entry.status !== 429 && (outdatedAt === undefined || outdatedAt > askedAt);
    return isForUs ? entry : this.#loadOnce(request, key, wanted);
  }

  #begin(request: Request, key: string, wanted: 'fresh' | 'any'): Promise<Loaded> {
    const startedAt = this.#epoch;
    const promise = this.#load(request, key, wanted, startedAt).finally(() => {
      this.#loading.delete(key);
      this.#forgetInvalidations();
    });
    this.#loading.set(key, { promise, startedAt });
    return promise;
  }

  /** Of invalidations only those matter in which something was being made that is not done. */
  #forgetInvalidations(): void {
    if (this.#invalidations.length === 0) return;
    const oldest = Math.min(...[...this.#loading.values()].map(({ startedAt }) => startedAt));
    this.#invalidations = this.#invalidations.filter(({ at }) => at > oldest);
  }

  async #load(request: Request, key: string, wanted: 'fresh' | 'any', startedAt: number): Promise<Loaded> {
    const found = this.shared && (await this.shared.find(key));
    if (found?.page && (wanted === 'any' || this.now() < found.page.freshUntil)) {
      const entry = sharedEntry(found.page);
      const outdatedAt = this.#outdatedAt(entry.tags, startedAt);
      if (outdatedAt === undefined) this.#keep(key, entry);
      if (this.now() >= entry.freshUntil) this.shared?.renewLater(key);
      return { entry, outdatedAt };
    }
    this.renders += 1;
    const { made: rendered, invalidation } = await sharedRead(() => this.render(request, key), tagsOf);
    const entry = renderedEntry(rendered, this.now(), asOfRender(found?.newest, invalidation));
    keepBytes(entry, this.#entries.get(key));
    // Of what is not kept, such as a 404, nobody knows which write would make it another.
    const outdatedAt = this.#outdatedAt(rendered.life && entry.tags, startedAt);
    if (!rendered.life) this.#forgetIfGone(key, entry);
    else if (outdatedAt === undefined) {
      this.#keep(key, entry);
      this.#share(entry, key);
    }
    return { entry, outdatedAt };
  }

  /** What the page was is no answer any more where there is none now: it was withdrawn, or is elsewhere, and nobody told. */
  #forgetIfGone(key: string, { status, asOf }: Entry): void {
    if (status >= 500 || status === 429) return;
    this.#remove(key);
    this.shared?.drop(key, asOf);
  }

  #keep(key: string, entry: Entry): void {
    this.#remove(key);
    this.#entries.set(key, entry);
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag);
      if (keys) keys.add(key);
      else this.#keysByTag.set(tag, new Set([key]));
    }
    this.#grow(entry.size);
  }

  /** Gives a page to the other processes, after it was answered, and again when its bytes are fewer. */
  #share(entry: Entry, key: string): void {
    const { shared } = this;
    if (!shared || entry.asOf === undefined) return;
    setImmediate(async () => {
      try {
        if (!entry.bodies.br) await this.#encodeOnce(entry, key, 'br');
        const page = await shareable(entry);
        // It may be out of date by now.
        if (page && this.#entries.get(key) === entry) shared.keep(key, page);
      } catch (error) {
        log.error({ err: error }, 'a page could not be shared');
      }
    });
  }

  /** The epoch of the first invalidation since then that concerns a page with these tags; undefined: of any. */
  #outdatedAt(tags: readonly string[] | undefined, startedAt: number): number | undefined {
    return this.#invalidations.find(
      (invalidation) =>
        invalidation.at > startedAt &&
        (!invalidation.tags || !tags || tags.some((tag) => invalidation.tags?.has(tag))),
    )?.at;
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

  #answer(entry: Entry, key: string, request: Request, encoding: Encoding): Response | Promise<Response> {
    entry.hits += 1;
    // Every 64th hit moves the entry to the young end: close enough to LRU without a write per request.
    if ((entry.hits & 63) === 1 && this.#entries.get(key) === entry) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      this.shared?.countReads(key, entry.hits === 1 ? 1 : 64);
    }
    if (entry.hits >= recompressAfterHits && !entry.recompressed) this.#recompress(entry, key);
    const body = entry.bodies[encoding];
    if (body) return this.#respondWith(request, entry, body);
    return this.#encodeOnce(entry, key, encoding).then((made) => this.#respondWith(request, entry, made));
  }

  #encodeOnce(entry: Entry, key: string, encoding: Encoding): Promise<Body> {
    entry.pendingBodies[encoding] ??= this.#encode(entry, key, encoding).finally(() => {
      delete entry.pendingBodies[encoding];
    });
    return entry.pendingBodies[encoding];
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
  async #answerOutdated(entry: Entry, encoding: Encoding): Promise<Response> {
    this.counts.outdated += 1;
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
        const now = this.#entries.get(key);
        // It may have been made anew meanwhile, and come out the same.
        const target = now?.etag === entry.etag ? now : entry;
        const brotliBody = target.bodies.br;
        if (!brotliBody) return;
        this.#resize(target, key, bytes.byteLength - brotliBody.blob.size);
        brotliBody.blob = new Blob([bytes]);
        if (target === now) this.#share(target, key);
      })
      .catch((error: unknown) => log.error({ err: error }, 'a page could not be compressed'))
      .finally(() => {
        this.#recompressing = false;
      });
  }
}

/** The newest invalidation that a render knew of: the newest before it, or the newest that its replica had. */
const asOfRender = (newest: number | undefined, ofReplica = Number.POSITIVE_INFINITY) =>
  newest === undefined ? undefined : Math.min(newest, ofReplica);

/** What is kept by nobody has no tags; a 429 depends on no write, and is not to be counted twice. */
const tagsOf = ({ life, status }: RenderedResponse) => life?.tags ?? (status === 429 ? [] : undefined);
