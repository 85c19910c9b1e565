import { batched } from '#db/batch.ts';
import { isBusConnected } from '#db/bus.ts';
import { isUnreachable } from '#db/database-errors.ts';
import { log } from '#db/log.ts';
import {
  countPageReads,
  dropStoredPage,
  findStoredPages,
  type PageToStore,
  storePages,
} from '#db/queries/page-store.ts';
import type { SharedPage, SharedPages } from './page-entry.ts';

/** Milliseconds for which it is left alone after that, and when it failed: the database gives up a statement after a second. */
const lateRestTime = 1_000;
const restTime = 5_000;
/** Milliseconds for which pages are gathered, and how many go at once. */
const gatherFor = 200;
const mostAtOnce = 20;
/** Pages that may wait to be stored. */
const mostWaiting = 300;
/** Milliseconds for which a process may miss what others write before it knows that its line to them is lost. */
const deafFor = 15_000;
/** Milliseconds between two times that reads are told, and of how many pages they are told. */
const countEvery = 30_000;
const mostCounted = 5_000;

/**
 * Keys of pages that are shared: those without a query, and of those with one what everybody may choose: the pages of a list, the
 * tabs. What a person typed, and the stars that one follows, are written nowhere. What has no language in its address has it in its
 * key, after a space, and is not shared: a screen that leads on is made without the database, and there is one for every number.
 */
const sharedKey = /^[^? ]{1,200}(?:\?(?:page|offset|tab)=\w{1,20})?$/;

/**
 * Rendered pages in the database, for all processes of a build (decision W10). It may be lost at any time: what it does not know,
 * or not soon enough, is rendered.
 */
export class PageStore implements SharedPages {
  readonly counts = { found: 0, missing: 0, away: 0, stored: 0, dropped: 0 };
  /** Bytes that this process has stored since it was asked last. */
  storedBytes = 0;
  #waiting = new Map<string, SharedPage>();
  /** What was stored within `deafFor` before the last: what each knew of, and when. The oldest come first. */
  readonly #recent = new Map<string, { asOf: number; at: number }>();
  #reads = new Map<string, number>();
  #restsUntil = 0;
  #storing: Promise<void> | undefined;
  readonly #countTimer = setInterval(() => void this.#tellReads(), countEvery).unref();
  readonly #load: (key: string) => Promise<Awaited<ReturnType<typeof findStoredPages>>[number] | undefined>;

  /**
   * @param renewLater has a page rendered in the background
   * @param isConnected whether this process hears of every write: else what it remembers may be out of date, a star's sign among it, and
   *   its pages are its own
   * @param patience milliseconds for which a reader waits for it
   */
  constructor(
    private readonly build: string,
    readonly renewLater: (key: string) => void,
    private readonly now: () => number = Date.now,
    private readonly isConnected: () => boolean = isBusConnected,
    private readonly patience = 250,
  ) {
    this.#load = batched(
      async (keys: readonly string[]) => {
        const found = findStoredPages(build, keys);
        found.catch((error: unknown) => this.#rest(error));
        const rows = await unlessLate(found, this.patience);
        if (!rows) this.#restsUntil = this.now() + lateRestTime;
        return keys.map((_, place) => rows?.[place]);
      },
      // While one comes, the pages of the other are answered.
      { maxBatchSize: 64, concurrency: 2 },
    );
  }

  /** Connects, so that the first reader does not wait for it. */
  async open(): Promise<void> {
    await findStoredPages(this.build, []).catch((error: unknown) => this.#rest(error));
  }

  find(key: string): ReturnType<SharedPages['find']> {
    if (!sharedKey.test(key)) return undefined;
    if (this.now() < this.#restsUntil) {
      this.counts.away += 1;
      return undefined;
    }
    return this.#find(key);
  }

  async #find(key: string): Promise<{ newest: number; page: SharedPage | undefined } | undefined> {
    try {
      const row = await this.#load(key);
      const page = row && this.#pageOf(row);
      this.counts[row ? (page ? 'found' : 'missing') : 'away'] += 1;
      return row && { newest: row.newest, page };
    } catch {
      this.counts.away += 1;
      return undefined;
    }
  }

  #pageOf(row: Awaited<ReturnType<typeof findStoredPages>>[number]): SharedPage | undefined {
    const { etag, headers, body, isTight, tags, asOf } = row;
    if (etag === null || headers === null || body === null || isTight === null || tags === null)
      return undefined;
    const now = this.now();
    return {
      etag,
      headers,
      brotli: body,
      isTight,
      tags,
      asOf,
      renderedAt: now - row.age * 1000,
      freshUntil: now + row.freshFor * 1000,
      staleUntil: now + row.staleFor * 1000,
    };
  }

  keep(key: string, page: SharedPage): void {
    if (
      !this.isConnected() ||
      this.now() < this.#restsUntil ||
      (this.#waiting.size >= mostWaiting && !this.#waiting.has(key))
    ) {
      this.counts.dropped += 1;
      return;
    }
    this.#waiting.set(key, page);
    this.#storing ??= Bun.sleep(gatherFor).then(() => this.#storeAll());
  }

  forget(tags: ReadonlySet<string> | undefined): void {
    for (const [key, page] of this.#waiting)
      if (!tags || page.tags.some((tag) => tags.has(tag))) this.#waiting.delete(key);
    if (tags) return;
    const last = new Map(this.#recent);
    this.#recent.clear();
    void this.#takeBack(last);
  }

  /** While it is deaf it stores nothing, so the last that were stored are those of the time in which it did not know it. */
  async #takeBack(pages: Map<string, { asOf: number }>): Promise<void> {
    await this.#storing;
    try {
      for (const [key, { asOf }] of pages) {
        await dropStoredPage(this.build, key, asOf);
        pages.delete(key);
      }
    } catch (error) {
      this.#rest(error);
      // The bus may be back before the database is.
      setTimeout(() => void this.#takeBack(pages), restTime).unref();
    }
  }

  #note(pages: readonly [string, SharedPage][]): void {
    const at = this.now();
    for (const [key, before] of this.#recent) {
      if (at - before.at < deafFor) break;
      this.#recent.delete(key);
    }
    for (const [key, { asOf }] of pages) {
      this.#recent.delete(key);
      this.#recent.set(key, { asOf, at });
    }
  }

  drop(key: string, asOf = 0): void {
    if (!sharedKey.test(key)) return;
    this.#waiting.delete(key);
    dropStoredPage(this.build, key, asOf).catch((error: unknown) => this.#rest(error));
  }

  countReads(key: string, reads: number): void {
    if (!sharedKey.test(key)) return;
    const counted = this.#reads.get(key);
    if (counted !== undefined || this.#reads.size < mostCounted) this.#reads.set(key, (counted ?? 0) + reads);
  }

  /** Stores what waits. */
  async end(): Promise<void> {
    clearInterval(this.#countTimer);
    await Promise.all([this.#tellReads(), this.#storeAll()]);
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const pages = [...this.#waiting].slice(0, mostAtOnce);
      for (const [key] of pages) this.#waiting.delete(key);
      this.#note(pages);
      try {
        await storePages(
          this.build,
          pages.map(([key, page]) => this.#toStore(key, page)),
        );
        this.counts.stored += pages.length;
        for (const [, { brotli }] of pages) this.storedBytes += brotli.byteLength;
      } catch (error) {
        this.counts.dropped += pages.length + this.#waiting.size;
        this.#waiting.clear();
        this.#rest(error);
      }
    }
    this.#storing = undefined;
  }

  #toStore(key: string, { brotli, renderedAt, freshUntil, staleUntil, ...page }: SharedPage): PageToStore {
    const now = this.now();
    return {
      ...page,
      key,
      body: brotli.toBase64(),
      age: (now - renderedAt) / 1000,
      freshFor: (freshUntil - now) / 1000,
      staleFor: (staleUntil - now) / 1000,
    };
  }

  async #tellReads(): Promise<void> {
    const reads = [...this.#reads].map(([key, count]) => ({ key, reads: count }));
    this.#reads.clear();
    if (reads.length > 0) await countPageReads(reads).catch((error: unknown) => this.#rest(error));
  }

  #rest(error: unknown): void {
    // Of a database that is away there is a line.
    if (this.now() >= this.#restsUntil && !isUnreachable(error))
      log.warn({ err: error }, 'the stored pages are away: pages are rendered');
    this.#restsUntil = this.now() + restTime;
  }
}

/** Undefined when readers have waited for so long. A process that was busy meanwhile reads what has come first. */
async function unlessLate<Found>(found: Promise<Found>, patience: number): Promise<Found | undefined> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>();
  const timer = setTimeout(async () => {
    for (let turns = 0; turns < 3; turns += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    giveUp(undefined);
  }, patience);
  try {
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
  }
}
