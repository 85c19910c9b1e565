import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import type Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { leaveTestCluster } from './cluster.ts';
import { startTestServer, type TestServer } from './server.ts';

export { expect };

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from its first parameter.
async function demoServer({}: object, use: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer();
  await use(server);
  await server.stop();
  await leaveTestCluster();
}

/** Playwright's `test` with the built site behind `page.goto('/…')`: one server and demo world per worker. */
export const test = base.extend<object, { server: TestServer }>({
  server: [demoServer, { scope: 'worker', timeout: 300_000 }],
  baseURL: ({ server }, use) => use(server.url),
  context: async ({ context }, use) => {
    watchRequests(context);
    const refusals = noteRefusals(context);
    await use(context);
    // What a handler of this test still waits for would fail in the next one.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(refusals, 'refused by the content security policy').toEqual([]);
  },
});

/** The same in a world of its own for each file, where what tests of other files have added would count. */
export const testInOwnWorld = () =>
  test.extend<object, { server: TestServer }>({
    server: [demoServer, { scope: 'worker', timeout: 300_000 }],
  });

/** For `test.use`: transitions and animations run, as for whoever has not asked for less of them. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const;

/** What the console says of our own policy: nothing that a page of ours does is refused by it. */
function noteRefusals(context: BrowserContext): string[] {
  const refusals: string[] = [];
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  return refusals;
}

const requests = new WeakMap<BrowserContext, string[]>();

/** Notes what a context asks for, for `expectNoThirdParty`; contexts of `test` are watched already. */
export function watchRequests(context: BrowserContext): void {
  const urls: string[] = [];
  requests.set(context, urls);
  context.on('request', (request) => urls.push(request.url()));
}

/** Nothing that the page's context asked for so far went to another host than the page's own (decision M3). */
export function expectNoThirdParty(page: Page): void {
  const urls = requests.get(page.context());
  if (!urls) throw new Error('call watchRequests(context) first');
  const own = new URL(page.url()).host;
  const foreign = urls.filter((url) => /^(https?|wss?):/.test(url) && new URL(url).host !== own);
  expect(urls.length, 'requests seen').toBeGreaterThan(0);
  expect(foreign, 'requests to other hosts').toEqual([]);
}

/** Waits until every picture in sight is there or has failed. A page that was idle once counts as idle for good to Playwright. */
export async function picturesInSight(page: Page): Promise<void> {
  const pending = () =>
    page.locator('img').evaluateAll(
      (images) =>
        images.filter((image) => {
          const { top, bottom } = image.getBoundingClientRect();
          const isSeen = bottom > 0 && top < innerHeight && image.checkVisibility();
          return isSeen && image instanceof HTMLImageElement && !image.complete;
        }).length,
    );
  await expect.poll(pending).toBe(0);
}

/** Keeps the scripts of pages that are opened from now on from coming until the answer is called. */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const scripts = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  return async () => {
    scripts.resolve();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

/** As it is made for pages: half as long to send and to read as the package's `source`. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Nothing is fetched ahead for rules that do not run, and no page of ours has frames to look into. */
const axeOptions: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false };

/** Rules that look at colours: half of the time of all. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What is read of a page that was read whole before, in the same test: in the other colour scheme its `colours`; in another
 * language all but these, since its words and their layout are others and its colours are the same.
 */
type Reading = 'all' | 'colours' | 'all but colours';

const readings: Readonly<Record<Reading, RunOptions>> = {
  all: axeOptions,
  colours: { ...axeOptions, runOnly: { type: 'rule', values: colourRules } },
  'all but colours': {
    ...axeOptions,
    rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])),
  },
};

/** axe in the page: sent once as long as its document stands. */
async function axeIn(page: Page) {
  const has = await page.evaluate(() => 'axe' in globalThis);
  return page.evaluateHandle<typeof Axe>(has ? 'axe' : `${source};axe`);
}

/**
 * axe finds nothing on the page as it is now (quality §Reach). By axe itself: its builder for Playwright also carries over what
 * passes, which takes longer than the rules do.
 */
export async function expectAccessible(page: Page, reading: Reading = 'all'): Promise<void> {
  const axe = await axeIn(page);
  const violations = await axe.evaluate(async ({ run }, options) => {
    // What is fading in has too little contrast for a moment; what turns for ever is not waited for.
    const fading = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
    for (let animations = fading(); animations.length > 0; animations = fading())
      await Promise.all(animations.map(({ finished }) => finished.catch(() => undefined)));
    return (await run(document, options)).violations;
  }, readings[reading]);
  const faults = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    at: nodes.map(({ html }) => html.slice(0, 160)),
  }));
  expect(faults, `axe on ${page.url()}`).toEqual([]);
}
