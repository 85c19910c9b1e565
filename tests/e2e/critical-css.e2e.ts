import type { Browser } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { publicPages } from '#tests/kit/public-pages.ts';

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
const others = [
  { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  { viewport: { width: 767, height: 1024 }, colorScheme: 'light' },
] as const;
/** The first screens that differ most. */
const onOthers = ['', '/article/48', '/star/1', '/events', '/community/1'];

/** Where each element of the first screen stands and how it is painted, with or without the style sheets behind it. */
async function painted(
  browser: Browser,
  url: string,
  screen: typeof phone | (typeof others)[number],
  withSheets: boolean,
): Promise<string[]> {
  const context = await browser.newContext({ ...screen, javaScriptEnabled: false });
  const page = await context.newPage();
  if (!withSheets) await page.route('**/*.css', (route) => route.abort());
  await page.goto(url);
  const found = await page.evaluate(() => {
    const end = document.querySelector('body link[rel="stylesheet"]');
    if (!end) return [];
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      const isBefore = end.compareDocumentPosition(element) === Node.DOCUMENT_POSITION_PRECEDING;
      if (!isBefore || !element.checkVisibility()) return [];
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const place = [box.x, box.y, box.width, box.height].map((each) => Math.round(each)).join(' ');
      const { color, backgroundColor, backgroundImage, fontSize, fontWeight, fontFamily, opacity } = style;
      const { borderTopColor, borderTopWidth, borderRadius, textDecorationLine, boxShadow } = style;
      const paint = [color, backgroundColor, backgroundImage, fontSize, fontWeight, fontFamily, opacity];
      const frame = [borderTopColor, borderTopWidth, borderRadius, textDecorationLine, boxShadow];
      return [`${element.localName}.${element.getAttribute('class')}: ${place} ${[...paint, ...frame]}`];
    });
  });
  await context.close();
  return found;
}

/** Pages of words alone wait for their style sheets, like any page. */
const whole = /^\/(?:about|ai|editorial|guidelines|privacy|terms|article\/2147483647)$|offset=/;

for (const [index, path] of publicPages.filter((each) => !whole.test(each)).entries()) {
  // Each kind in one language: its classes are the same in all.
  const lang = languages[index % languages.length] ?? 'ko';
  test(`the first screen of /${lang}${path} is painted whole before its style sheets have come`, async ({
    browser,
    server,
  }) => {
    for (const screen of onOthers.includes(path) ? [phone, ...others] : [phone]) {
      const url = `${server.url}/${lang}${path}`;
      const early = await painted(browser, url, screen, false);
      const late = await painted(browser, url, screen, true);
      expect(late.length).toBeGreaterThan(20);
      expect(early.filter((line, place) => line !== late[place]).slice(0, 5)).toEqual([]);
      expect(early.length).toBe(late.length);
    }
  });
}

test('a phone waits for the style sheets behind its first screen, a wide one in the head', async ({
  page,
  server,
}) => {
  for (const path of ['/ko', '/en/article/1', '/ms/events', '/vi/community/1']) {
    const answer = await page.request.get(server.url + path);
    const [head = '', body = ''] = (await answer.text()).split('</head>');
    const linksOf = (part: string) => part.match(/<link [^>]*rel="stylesheet"[^>]*>/g) ?? [];
    const hrefs = (part: string) => linksOf(part).map((link) => link.match(/href="([^"]+)"/)?.[1]);
    expect(linksOf(head).length).toBeGreaterThan(0);
    for (const link of linksOf(head)) expect(link).toContain('media="(min-width: 48rem)"');
    for (const link of linksOf(body)) expect(link).toContain('media="not all and (min-width: 48rem)"');
    expect(hrefs(body)).toEqual(hrefs(head));
    const [, css = ''] = head.match(/<style>([\s\S]*?)<\/style>/) ?? [];
    const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64');
    expect(answer.headers()['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}'`);
  }
});

test('a phone reads the first screen while the style sheets are on their way', async ({ page, server }) => {
  const held: (() => void)[] = [];
  await page.route('**/*.css', async (route) => {
    await new Promise<void>((done) => held.push(done));
    await route.continue();
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/ko/article/1`, { waitUntil: 'commit' });
  await expect(page.locator('h1')).toBeInViewport();
  const paints = () => performance.getEntriesByName('first-contentful-paint').length;
  await expect.poll(() => page.evaluate(paints)).toBe(1);
  // What would be without style is not there yet.
  await expect(page.locator('.article-main')).toHaveCount(0);
  expect(held.length).toBeGreaterThan(0);
  for (const go of held) go();
  await expect(page.locator('.article-main')).toBeVisible();
});

test('the feed of the selected stars keeps the style of the page', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.addInitScript(() =>
    localStorage.setItem('byeol:preferences', JSON.stringify({ selectedStarIds: [1] })),
  );
  await page.goto(`${server.url}/ko`);
  await expect(page.locator('html')).toHaveAttribute('data-feed', '1');
  await expect(page.locator('.lead-card')).toHaveCount(1);
  const columns = () => getComputedStyle(document.querySelector('.header-row') ?? document.body).display;
  expect(await page.evaluate(columns)).toBe('flex');
  expect(await page.locator('body link[rel="stylesheet"]').count()).toBeGreaterThan(0);
});
