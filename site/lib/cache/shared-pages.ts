import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '#api/config.ts';
import type { Tag } from '#api/tags.ts';
import { BackgroundRenders } from './background-renders.ts';
import { PageStore } from './page-store.ts';
import { RenderAhead } from './render-ahead.ts';

/** What a process has to do with the pages that all processes share. */
export interface SharedLevel {
  store: PageStore;
  /** Pages with these tags are out of date, and forgotten in memory. */
  invalidated(tags: readonly Tag[]): void;
  /** Begins to look after them; from then on pages are rendered by `renew`. */
  begin(renew: (key: string) => Promise<void>): void;
  /** Renders nothing ahead any more. */
  rest(): Promise<void>;
  /** Stores what waits. */
  end(): Promise<void>;
}

/**
 * The second level of the page cache (decision W10); undefined without a limit, and for what was not built by `ensureBuilt`.
 * @param stamp names what the site was built from
 */
export async function openSharedPages(settings: Config, stamp: URL): Promise<SharedLevel | undefined> {
  if (settings.pageStoreBytes === 0) return undefined;
  const inputs = await readFile(stamp, 'utf8').catch(() => undefined);
  if (inputs === undefined) return undefined;
  // Pages name their own addresses.
  const build = createHash('sha256').update(`${inputs} ${settings.siteUrl}`).digest('hex').slice(0, 32);
  let renewPage: ((key: string) => Promise<void>) | undefined;
  const background = new BackgroundRenders(async (key) => renewPage?.(key));
  const store = new PageStore(build, (key) => background.add([key]));
  await store.open();
  let ahead: RenderAhead | undefined;
  return {
    store,
    invalidated: (tags) => ahead?.invalidated(tags),
    begin(renew) {
      renewPage = renew;
      ahead = new RenderAhead(build, settings.pageStoreBytes, store, background);
    },
    rest: async () => ahead?.end(),
    end: () => store.end(),
  };
}
