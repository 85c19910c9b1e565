import type { Tag } from '#api/tags.ts';
import { languages } from '#content/locales.ts';
import { isUnreachable } from '#db/database-errors.ts';
import { log } from '#db/log.ts';
import { leadPages, leavePages, listMostReadPages, sweepStoredPages } from '#db/queries/page-store.ts';
import type { BackgroundRenders } from './background-renders.ts';
import type { PageStore } from './page-store.ts';

/** Milliseconds between two times that a process asks to lead. */
const leadEvery = 5_000;
const sweepEvery = 60_000;
/** Pages that are made after a start, those that were read most first. */
const mostWarmed = 2_000;
/** More articles than a person changes at once: an import. Its pages are made when somebody asks. */
const mostArticles = 20;

/**
 * What one process of a build does for all of them: after a start it makes the pages that were read most, after a publication or a
 * correction the article's pages and the first of the feed in every language, and it keeps the store within its limit.
 */
export class RenderAhead {
  readonly #holder = crypto.randomUUID();
  #leads = false;
  #sweptAt = 0;
  #isBusy: Promise<void> = Promise.resolve();
  readonly #timer: Timer;

  constructor(
    private readonly build: string,
    private readonly limitBytes: number,
    private readonly store: PageStore,
    private readonly background: BackgroundRenders,
  ) {
    this.#isBusy = this.#lead();
    this.#timer = setInterval(() => {
      this.#isBusy = this.#isBusy.then(() => this.#lead());
    }, leadEvery).unref();
  }

  /** Pages with these tags are out of date. */
  invalidated(tags: readonly Tag[]): void {
    if (!this.#leads) return;
    const articles = tags
      .filter((tag) => tag.startsWith('article:'))
      .map((tag) => tag.slice('article:'.length));
    if (articles.length === 0 || articles.length > mostArticles) return;
    const paths = [...articles.map((id) => `/article/${id}`), ...(tags.includes('feed') ? [''] : [])];
    this.background.addFirst(paths.flatMap((path) => languages.map((lang) => `/${lang}${path}`)));
  }

  /** Leaves it to another process. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.background.end();
    await this.#isBusy;
    if (this.#leads) await leavePages(this.build, this.#holder).catch(() => {});
  }

  async #lead(): Promise<void> {
    try {
      const led = this.#leads;
      this.#leads = await leadPages(this.build, this.#holder);
      if (this.#leads && !led) this.background.add(await listMostReadPages(mostWarmed));
      const isDue = this.#leads && Date.now() - this.#sweptAt > sweepEvery;
      if (isDue || this.store.storedBytes > this.limitBytes / 20) {
        this.#sweptAt = Date.now();
        this.store.storedBytes = 0;
        await sweepStoredPages(this.limitBytes);
      }
    } catch (error) {
      this.#leads = false;
      if (!isUnreachable(error)) log.warn({ err: error }, 'the stored pages could not be looked after');
    }
  }
}
