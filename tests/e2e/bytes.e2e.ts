import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Browser, Request } from '@playwright/test';
import { root } from '#site/launch/root.ts';
import { expect, testInOwnWorld } from '#tests/kit/browser.ts';

const test = testInOwnWorld();

/** What a phone loads before anybody touches it (quality §Speed), as it goes over the wire. */
const limits = { html: 16_000, css: 12_000, js: 5_000, requests: 8, files: 20 };
const phone = { width: 360, height: 780 };
/** The cache compresses a page tighter once it is asked for often. */
const oftenEnough = 4;

interface Loaded {
  html: number;
  css: number;
  js: number;
  requests: number;
  /** With its pictures. */
  files: number;
  scripts: string;
  /** Addresses of the HTML, the page's own first. */
  parts: string[];
}

async function load(browser: Browser, url: string, path: string, timezoneId: string): Promise<Loaded> {
  const context = await browser.newContext({ viewport: phone, timezoneId });
  const page = await context.newPage();
  const finishedRequests: Request[] = [];
  page.on('requestfinished', (request) => finishedRequests.push(request));
  let files = 0;
  page.on('request', () => (files += 1));
  await page.goto(url + path, { waitUntil: 'networkidle' });
  const loaded = { html: 0, css: 0, js: 0, requests: 0, files, scripts: '', parts: [] as string[] };
  for (const request of finishedRequests) {
    const type = request.resourceType();
    if (type === 'image' || request.url().endsWith('/favicon.svg')) continue;
    const { responseBodySize } = await request.sizes();
    loaded.requests += 1;
    if (type === 'stylesheet') loaded.css += responseBodySize;
    else if (type === 'script') {
      loaded.js += responseBodySize;
      loaded.scripts += await (await request.response())?.text();
    } else {
      loaded.html += responseBodySize;
      loaded.parts.push(request.url());
    }
  }
  await context.close();
  return loaded;
}

/** Pages of every kind that is only read, by one of its addresses. */
async function pageKinds(server: string): Promise<string[]> {
  const { events } = await (await fetch(`${server}/api/events?limit=1`)).json();
  return [
    '/ko',
    '/ms/article/1',
    '/vi/star/1',
    '/en/category/k-pop-group',
    '/ko/search?q=a',
    `/ms/events/${events[0].id}`,
    '/en/community',
    '/ms/events?tab=upcoming',
    '/ko/events?tab=trending',
  ];
}

/** A visitor abroad loads all that one in Korea does, and own times besides. */
const abroad = 'America/New_York';

test('every reading page keeps its bytes and asks for few files before anybody scrolls, abroad too, without React', async ({
  browser,
  server,
}) => {
  test.slow();
  const paths = await pageKinds(server.url);
  const repeatedPaths = Array.from({ length: oftenEnough }, () => paths).flat();
  for (const path of repeatedPaths) await fetch(server.url + path, { headers: { 'accept-encoding': 'br' } });
  for (const path of paths) {
    // On a busy machine pages wait for one another to be compressed.
    const length = async () => {
      const question = { method: 'HEAD', headers: { 'accept-encoding': 'br' } };
      return Number((await fetch(server.url + path, question)).headers.get('content-length'));
    };
    await expect.poll(length, path).toBeLessThanOrEqual(limits.html);
    const html = await (await fetch(server.url + path)).text();
    for (const [tag] of html.matchAll(/<script[^>]* src=[^>]*>/g))
      expect(tag).toContain('fetchpriority="low"');
    let { scripts, parts, ...loaded } = await load(browser, server.url, path, abroad);
    // What a page asks for besides is compressed tighter in the same way.
    if (parts.length > 1) {
      for (const part of Array.from({ length: oftenEnough }, () => parts).flat())
        await fetch(part, { headers: { 'accept-encoding': 'br' } });
      ({ scripts, parts, ...loaded } = await load(browser, server.url, path, abroad));
    }
    const overLimit = Object.entries(limits).filter(
      ([kind, limit]) => loaded[kind as keyof typeof loaded] > limit,
    );
    expect([path, loaded, overLimit.map(([kind]) => kind)]).toEqual([path, loaded, []]);
    expect(/createRoot|Minified React error/.test(scripts), `React on ${path}`).toBe(false);
  }
});

test('the pages with an island in sight ask for no more than twenty files before anybody scrolls', async ({
  browser,
  server,
}) => {
  for (const path of ['/en/events', '/ko/community/1']) {
    const context = await browser.newContext({ viewport: phone });
    const page = await context.newPage();
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    const isChannel = path === '/ko/community/1';
    await page.goto(server.url + path, { waitUntil: isChannel ? 'load' : 'networkidle' });
    // Its stream is the last that a channel asks for, and never ends.
    if (isChannel)
      await expect.poll(() => requestedPaths.some((each) => each.endsWith('/stream'))).toBe(true);
    expect(requestedPaths.length, `${path}: ${requestedPaths.join(' ')}`).toBeLessThanOrEqual(limits.files);
    await context.close();
  }
});

test('the pictures of stories far below are asked for when the reader comes near, and stay', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ viewport: phone });
  const page = await context.newPage();
  await page.goto(`${server.url}/ko`, { waitUntil: 'networkidle' });
  const last = page.locator('.feed-group > .card').last();
  const picture = last.locator('picture img');
  const isLoaded = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0);
  const isDrawn = () => picture.evaluate((image) => image.checkVisibility({ contentVisibilityAuto: true }));
  const heightOf = () => picture.evaluate((image) => image.getBoundingClientRect().height);
  const height = await heightOf();
  expect([await isLoaded(), await isDrawn()]).toEqual([false, false]);
  await expect(last.locator('h2')).toHaveText(/\S/);
  await last.scrollIntoViewIfNeeded();
  await expect.poll(isLoaded).toBe(true);
  expect(await heightOf()).toBe(height);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(isDrawn).toBe(true);
  await context.close();
});

test('the signs of stars come with the page and ages need no format of the browser', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ viewport: phone });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const { RelativeTimeFormat } = Intl;
    class Noted extends RelativeTimeFormat {
      constructor(...given: ConstructorParameters<typeof RelativeTimeFormat>) {
        super(...given);
        document.documentElement.dataset.formats = 'made';
      }
    }
    Object.assign(Intl, { RelativeTimeFormat: Noted });
  });
  const markRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('-mark.svg')) markRequests.push(request.url());
  });
  for (const path of ['/ko', '/en/article/1', '/ms/community', '/vi/search?q=a']) {
    await page.goto(server.url + path, { waitUntil: 'networkidle' });
    await expect(page.locator('svg.star-mark path').first(), path).toBeAttached();
    await expect(page.locator('html'), path).not.toHaveAttribute('data-formats');
  }
  expect(markRequests).toEqual([]);
  await context.close();
});

/** Islands' own code with what it asks for later, and the largest picture that a phone of 360 px takes. */
const islandLimit = 25_000;
const heroLimit = 45_000;
/** 360 px at three device pixels; what is wider is for other screens. */
const widestOfPhone = 1_080;

test('the code of no island is larger than its budget, React and what every page has apart', () => {
  const folder = join(root, 'dist/client/_astro');
  const scripts = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.js'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const isRuntime = (file: string) => /^islands\./.test(file);
  /** With what every page has loaded before. */
  const isShared = (file: string) => isRuntime(file) || /^(?:rolldown-runtime|shell)\./.test(file);
  const partsOf = (file: string) =>
    [...(scripts.get(file) ?? '').matchAll(/["'`]\.\/([^"'`]+\.js)["'`]/g)].map(([, part = '']) => part);
  const islands = [...scripts.keys()].filter((file) => !isShared(file) && partsOf(file).some(isRuntime));
  const sizes = islands.map((island) => {
    const files = new Set([island]);
    for (const file of files) for (const part of partsOf(file)) if (!isShared(part)) files.add(part);
    const bytes = [...files].map((file) => brotliCompressSync(scripts.get(file) ?? '').byteLength);
    return { island, bytes: bytes.reduce((sum, each) => sum + each, 0) };
  });
  expect(sizes.length).toBeGreaterThanOrEqual(4);
  expect(sizes.filter(({ bytes }) => bytes > islandLimit)).toEqual([]);
});

test('no picture of the demo that a phone shows is larger than a hero may be', () => {
  const files = readdirSync(join(root, 'content/demo/pictures'), { recursive: true, withFileTypes: true });
  const pictures = files.flatMap((file) => {
    const [, width] = /-(\d+)\.avif$/.exec(file.name) ?? [];
    if (width === undefined || Number(width) > widestOfPhone) return [];
    const path = join(file.parentPath, file.name);
    return { picture: join(basename(file.parentPath), file.name), bytes: statSync(path).size };
  });
  expect(pictures.length).toBeGreaterThan(500);
  expect(pictures.filter(({ bytes }) => bytes > heroLimit)).toEqual([]);
});
