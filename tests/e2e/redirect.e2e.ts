import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { inlineScripts } from '#site/lib/pages/inline-scripts.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { stretchTimeouts } from '#tests/kit/page-timers.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';

test.use({ locale: 'vi-VN' });

type Kept = { where: 'localStorage' | 'sessionStorage'; name: string; text: string };

/** What a browser kept before the page is opened. */
const storeBeforeLoad = (page: Page, stored: Kept) =>
  page.addInitScript(({ where, name, text }: Kept) => window[where].setItem(name, text), stored);

test('a path without a language leads to the language that the server detects, the rest of it kept', async ({
  page,
}) => {
  // The three seconds after which the browser's own language counts are not what this is about.
  await stretchTimeouts(page);
  await page.goto('/star/3');
  await expect(page).toHaveURL('/vi/star/3');
  expect(await page.evaluate(() => sessionStorage.getItem('byeol:detected-language'))).toBe('vi');
});

test('a path whose number can be none leads nowhere', async ({ request }) => {
  for (const path of ['/star/abc', '/article/0', '/events/1e3', '/community/-1', '/star/2147483648']) {
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text(), path).not.toContain('data-continue');
  }
  for (const path of ['/star/3', '/category/idol', '/about', '/'])
    expect((await request.get(path)).status(), path).toBe(200);
});

test('the address carries a timestamp on the way and none on arrival', async ({ page }) => {
  const arrival = page.waitForRequest((request) => /\/vi\/search\?q=[^&]+&t=\d{13}$/.test(request.url()));
  await page.goto('/search?q=padoban');
  await arrival;
  await expect(page).toHaveURL('/vi/search?q=padoban');
});

test('an explicit choice wins, Korean too', async ({ page }) => {
  await storeBeforeLoad(page, { where: 'localStorage', name: 'byeol:language', text: 'ko' });
  await page.goto('/');
  await expect(page).toHaveURL('/ko');
});

test('a language detected earlier in the session is used without asking again', async ({ page }) => {
  await storeBeforeLoad(page, { where: 'sessionStorage', name: 'byeol:detected-language', text: 'ms' });
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto('/article/48');
  await expect(page).toHaveURL('/ms/article/48');
  expect(requestedPaths).not.toContain('/api/detect-language');
});

test('when the server does not answer in three seconds the browser’s language counts', async ({ page }) => {
  // The clock of a test does not reach this one: three seconds, and no other time, are over at once.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(milliseconds === 3_000 ? 50 : milliseconds);
  });
  await page.route('**/api/detect-language', () => {});
  await page.goto('/events');
  await expect(page).toHaveURL(/\/vi\/events/);
});

test('a second redirect within five seconds is not begun', async ({ page }) => {
  const now = Date.now();
  await page.clock.setFixedTime(now);
  await storeBeforeLoad(page, {
    where: 'sessionStorage',
    name: 'byeol:redirect-started',
    text: String(now - 4_999),
  });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-guard', 'held');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading')).toContainText('언어를 설정하고 있어요');
  await expect(page.getByText('Setting up your language…')).toBeVisible();
  await page.getByText('Debug info').click();
  await expect(page.locator('[data-debug="path"]')).toHaveText('/');
  await expectAccessible(page);
  await page.getByRole('link', { name: '한국어로 계속하기' }).click();
  await expect(page).toHaveURL('/ko');
});

test('a navigation without effect is forced after 800 ms, one that fails at once immediately', async ({
  page,
}) => {
  await storeBeforeLoad(page, { where: 'localStorage', name: 'byeol:language', text: 'ms' });
  await page.clock.install({ time: '2026-11-21T11:59:00Z' });
  await page.clock.pauseAt('2026-11-21T12:00:01Z');
  let requestCount = 0;
  const first = page.waitForEvent('requestfailed', (request) => /\/ms\?t=/.test(request.url()));
  await page.route(/\/ms\?t=/, (route) => {
    requestCount += 1;
    return requestCount === 1 ? route.abort('aborted') : route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await first;
  await page.clock.runFor(799);
  expect(requestCount).toBe(1);
  await page.clock.runFor(1);
  await expect(page).toHaveURL('/ms');
  expect(requestCount).toBe(2);

  await page.evaluate(() => sessionStorage.clear());
  await page.addInitScript(() => {
    const { get } = Object.getOwnPropertyDescriptor(URL.prototype, 'href') ?? {};
    let reads = 0;
    // The first address that the screen goes to is none.
    Object.defineProperty(URL.prototype, 'href', {
      get() {
        reads += 1;
        return reads === 1 ? 'http://' : get?.call(this);
      },
    });
  });
  await page.goto('/events', { waitUntil: 'commit' });
  await expect(page.locator('[data-debug="target"]')).toContainText('/ms/events');
  await page.clock.runFor(1);
  await expect(page).toHaveURL('/ms/events');
});

test('a slow answer leaves nothing to go back through but the page before', async ({ page }) => {
  await storeBeforeLoad(page, { where: 'localStorage', name: 'byeol:language', text: 'vi' });
  await page.goto('/en/about');
  await page.route(/\/vi\/events\?t=/, async (route) => {
    await Bun.sleep(1_500);
    await route.continue();
  });
  await page.evaluate(() => location.assign('/events'));
  await expect(page).toHaveURL('/vi/events');
  const entries = await page.evaluate(() => history.length);
  await page.goBack();
  await expect(page).toHaveURL('/en/about');
  expect(entries).toBeLessThanOrEqual(3);
});

test('an error ends at the Korean home page', async ({ page }) => {
  await page.addInitScript(() => {
    if (location.pathname !== '/star/3') return;
    Storage.prototype.getItem = () => {
      throw new DOMException('denied', 'SecurityError');
    };
  });
  await page.goto('/star/3', { waitUntil: 'commit' });
  await expect(page).toHaveURL('/ko');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the screen links to all four languages and names them for search engines', async ({ page }) => {
    await page.goto('/star/3');
    for (const lang of languages) {
      await expect(page.locator(`ul a[hreflang="${lang}"]`)).toHaveAttribute('href', `/${lang}/star/3`);
      await expect(page.locator(`link[rel="alternate"][hreflang="${lang}"]`)).toHaveCount(1);
    }
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', /\/ko\/star\/3$/);
  });
});

for (const [path, lang, text] of [
  ['/ko/nothing/here', 'ko', '이 별은 지도에 없어요.'],
  ['/en/article/999999', 'en', ''],
  ['/ms/nothing', 'ms', 'Bintang ini tiada di peta.'],
  ['/ja/star/1', 'vi', 'Ngôi sao này không có trên bản đồ.'],
  ['/nothing', 'vi', 'Ngôi sao này không có trên bản đồ.'],
] as const) {
  test(`${path} is a 404 in ${lang}`, async ({ playwright, server }) => {
    // Where the address names no language it is the browser's.
    const request = await playwright.request.newContext({ extraHTTPHeaders: { 'accept-language': 'vi-VN' } });
    const visit = new PlainVisit(request, server.url);
    expect(await visit.goto(path)).toBe(404);
    expect(visit.attribute('html', 'lang')).toBe(lang);
    if (text) {
      expect(visit.text('h1[lang="en"]')).toBe('404 Page Not Found');
      expect(visit.text('main')).toContain(text);
    }
    await request.dispose();
  });
}

test('every answer carries the headers that keep a page safe, and no inline script without a hash', async ({
  request,
}) => {
  for (const path of [
    '/ko',
    '/',
    '/api/articles',
    '/api/nothing',
    '/media/brand/1x1-224.png',
    '/ko/nothing',
    '/healthz',
  ]) {
    const { headers } = await request.get(path).then((answer) => ({ headers: answer.headers() }));
    expect(headers['x-content-type-options'], path).toBe('nosniff');
    expect(headers['referrer-policy'], path).toBeTruthy();
    expect(headers['permissions-policy'], path).toContain('camera=()');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy.match(/script-src [^;]*/)?.[0] ?? '', path).not.toContain('unsafe');
  }
});

test('every page has a policy with the hashes of what is inline in it, whichever is rendered first, and only scripts of ours', async ({
  request,
}) => {
  const policies = new Set<string | undefined>();
  const compiled = Object.values(inlineScripts).map(({ source }) => source);
  for (const path of [
    '/',
    '/ko/article/3',
    '/vi/star/3',
    '/login',
    '/ms/nothing',
    '/en/events?tab=upcoming',
  ]) {
    const answer = await request.get(path);
    const policy = answer.headers()['content-security-policy'] ?? '';
    // The first screen of each kind of page has its own style.
    policies.add(policy.replace(/ 'sha256-[^']*'/g, ''));
    const inline = [...(await answer.text()).matchAll(/<(script|style)>(.*?)<\/\1>/gs)];
    for (const [, element, code = ''] of inline) {
      expect(policy, path).toContain(createHash('sha256').update(code).digest('base64'));
      if (element === 'script') expect(compiled, path).toContain(code);
    }
    expect(inline.length, path).toBeGreaterThan(0);
  }
  expect([...policies]).toEqual([expect.stringMatching(/script-src 'self'; style-src 'self';/)]);
  const feed = await request.get('/ko/rss.xml');
  expect(feed.headers()['content-security-policy']).toContain("default-src 'none'");
});
