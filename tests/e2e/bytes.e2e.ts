import type { Browser, Request } from '@playwright/test';
import { expect, test } from '#tests/kit/browser.ts';

/** What a phone loads before anybody touches it (quality §Speed), as it goes over the wire. */
const most = { html: 16_000, css: 12_000, js: 5_000, requests: 8 };
const phone = { width: 360, height: 780 };
/** The cache presses a page tighter once it is asked for often. */
const oftenEnough = 4;

interface Loaded {
  html: number;
  css: number;
  js: number;
  requests: number;
  scripts: string;
  /** Addresses of the HTML, the page's own first. */
  parts: string[];
}

async function load(browser: Browser, url: string, path: string, timezoneId: string): Promise<Loaded> {
  const context = await browser.newContext({ viewport: phone, timezoneId });
  const page = await context.newPage();
  const done: Request[] = [];
  page.on('requestfinished', (request) => done.push(request));
  await page.goto(url + path, { waitUntil: 'networkidle' });
  const loaded = { html: 0, css: 0, js: 0, requests: 0, scripts: '', parts: [] as string[] };
  for (const request of done) {
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

/** A visitor abroad loads all that one in Korea does, and own times besides. */
const abroad = 'America/New_York';

test('every reading page keeps its bytes, abroad too, without React', async ({ browser, server }) => {
  const { events } = await (await fetch(`${server.url}/api/events?limit=1`)).json();
  const paths = [
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
  const asked = Array.from({ length: oftenEnough }, () => paths).flat();
  for (const path of asked) await fetch(server.url + path, { headers: { 'accept-encoding': 'br' } });
  for (const path of paths) {
    const html = await (await fetch(server.url + path)).text();
    for (const [tag] of html.matchAll(/<script[^>]* src=[^>]*>/g))
      expect(tag).toContain('fetchpriority="low"');
    let { scripts, parts, ...loaded } = await load(browser, server.url, path, abroad);
    // What a page asks for besides is pressed tighter in the same way.
    if (parts.length > 1) {
      for (const part of Array.from({ length: oftenEnough }, () => parts).flat())
        await fetch(part, { headers: { 'accept-encoding': 'br' } });
      ({ scripts, parts, ...loaded } = await load(browser, server.url, path, abroad));
    }
    const over = Object.entries(most).filter(([kind, limit]) => loaded[kind as keyof typeof loaded] > limit);
    expect([path, loaded, over.map(([kind]) => kind)]).toEqual([path, loaded, []]);
    expect(/createRoot|Minified React error/.test(scripts), `React on ${path}`).toBe(false);
  }
});
