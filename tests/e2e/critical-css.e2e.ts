import type { Browser } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { publicPages } from '#tests/kit/public-pages.ts';

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
const others = [
  { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  { viewport: { width: 767, height: 1024 }, colorScheme: 'light' },
] as const;
const wide = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const;

/** With the style in the head, by the style sheets, or with both, as readers have them in the end. */
type Styled = 'early' | 'sheets' | 'whole';
/** The first screens that differ most. */
const onOthers = ['', '/article/48', '/star/1', '/events', '/community/1'];

/** Where each element of the first screen stands and how it is painted. */
async function painted(
  browser: Browser,
  url: string,
  screen: typeof phone | typeof wide | (typeof others)[number],
  styled: Styled,
): Promise<string[][]> {
  const context = await browser.newContext({ ...screen, javaScriptEnabled: false });
  const page = await context.newPage();
  if (styled === 'sheets') {
    await page.route(url, async (route) => {
      const answer = await route.fetch();
      const html = (await answer.text()).replace(/<style>[\s\S]*?<\/style>/, '');
      await route.fulfill({ response: answer, body: html.replaceAll('media="(min-width: 48rem)"', '') });
    });
  }
  if (styled === 'early') await page.route('**/*.css', (route) => route.abort());
  await page.goto(url);
  const found = await page.evaluate(() => {
    const end = document.querySelector('body link[rel="stylesheet"]');
    if (!end) return [];
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      const isBefore = end.compareDocumentPosition(element) === Node.DOCUMENT_POSITION_PRECEDING;
      if (!isBefore || !element.checkVisibility()) return [];
      const box = element.getBoundingClientRect();
      const place = [box.x, box.y, box.width, box.height].map((each) => Math.round(each)).join(' ');
      const style = getComputedStyle(element);
      // Names that nothing refers to yet, and what moves, begin with the style sheets.
      const names = [...style].filter((name) => !/^(?:--|transition|animation)/.test(name));
      const paint = names.map((name) => `${name}: ${style.getPropertyValue(name)}`);
      return [[`${element.localName}.${element.getAttribute('class')} at ${place}`, ...paint]];
    });
  });
  await context.close();
  return found;
}

function expectSame(early: readonly string[][], late: readonly string[][]): void {
  const differences = early.flatMap((lines, place) => {
    const other = lines.filter((line, index) => line !== late[place]?.[index]);
    return other.length > 0 ? [[lines[0], ...other].join('; ')] : [];
  });
  expect(differences).toEqual([]);
  expect(early.length).toBe(late.length);
  expect(late.length).toBeGreaterThan(20);
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
      const early = await painted(browser, url, screen, 'early');
      const late = await painted(browser, url, screen, 'sheets');
      expectSame(early, late);
    }
  });
}

test('on a wide screen the style in the head changes nothing', async ({ browser, server }) => {
  for (const path of onOthers) {
    const url = `${server.url}/en${path}`;
    expectSame(await painted(browser, url, wide, 'whole'), await painted(browser, url, wide, 'sheets'));
  }
});

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
