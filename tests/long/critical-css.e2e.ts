import type { Page } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { staticPages } from '#site/routes.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { publicPages } from '#tests/kit/public-pages.ts';

const phone = { width: 360, height: 740, colorScheme: 'dark' } as const;
const otherScreens = [
  { width: 320, height: 640, colorScheme: 'light' },
  { width: 767, height: 1024, colorScheme: 'light' },
] as const;
const wide = { width: 1280, height: 800, colorScheme: 'light' } as const;

/** Pages of words alone wait for their style sheets, like any page. */
const wordsAlone = new RegExp(`^/(?:${staticPages.join('|')}|article/2147483647)$|offset=`);
const firstScreens = publicPages.filter((path) => !wordsAlone.test(path));
/** Those that differ most. */
const onOthers = ['', '/article/48', '/star/1', '/events', '/community/1'];

/**
 * Where an element of the first screen stands or is painted otherwise than by the style sheets alone: with the style in the
 * head only ("early"), or with both, as readers have them in the end ("whole").
 */
async function differences(
  page: Page,
  { width, height, colorScheme }: typeof phone | typeof wide | (typeof otherScreens)[number],
  styled: 'early' | 'whole',
): Promise<{ elements: number; differences: string[] }> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  return page.evaluate((styled) => {
    const end = document.querySelector('body link[rel="stylesheet"]');
    const inline = document.querySelector('head style');
    const sheets = [...document.styleSheets].filter(({ ownerNode }) => ownerNode !== inline);
    const inlineSheet = [...document.styleSheets].find(({ ownerNode }) => ownerNode === inline);
    if (!end || !inlineSheet) throw new Error('no style in the head');
    const elements = [...document.body.querySelectorAll('*')].filter(
      (element) => end.compareDocumentPosition(element) === Node.DOCUMENT_POSITION_PRECEDING,
    );
    // What no rule sets is the same on every element: asking for it, too, took most of the time.
    const named = new Set<string>();
    const note = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) for (const name of rule.style) named.add(name);
        if (rule instanceof CSSStyleRule || rule instanceof CSSGroupingRule) note(rule.cssRules);
      }
    };
    for (const sheet of document.styleSheets) note(sheet.cssRules);
    // Names that nothing refers to yet, and what moves, begin with the style sheets. All elements have the same ones.
    const names = [...getComputedStyle(document.body)].filter(
      (name) => named.has(name) && !/^(?:--|transition|animation)/.test(name),
    );
    const painted = () => {
      for (const moving of document.getAnimations()) moving.finish();
      return elements.map((element) => {
        if (!element.checkVisibility()) return [];
        const box = element.getBoundingClientRect();
        const position = [box.x, box.y, box.width, box.height].map((each) => Math.round(each)).join(' ');
        const style = getComputedStyle(element);
        const paint = names.map((name) => `${name}: ${style.getPropertyValue(name)}`);
        return [`${element.localName}.${element.getAttribute('class')} at ${position}`, ...paint];
      });
    };
    for (const sheet of sheets) sheet.disabled = styled === 'early';
    const first = painted();
    inlineSheet.disabled = true;
    for (const sheet of sheets) sheet.disabled = false;
    const medias = sheets.map(({ media }) => media.mediaText);
    for (const sheet of sheets) sheet.media.mediaText = '';
    const last = painted();
    inlineSheet.disabled = false;
    for (const [index, sheet] of sheets.entries()) sheet.media.mediaText = medias[index] ?? '';
    return {
      elements: last.filter((lines) => lines.length > 0).length,
      differences: first.flatMap((lines, elementIndex) => {
        const expected = last[elementIndex] ?? [];
        const differingLines = lines.filter((line, index) => line !== expected[index]);
        const isSame = differingLines.length === 0 && lines.length === expected.length;
        return isSame ? [] : [[lines[0] ?? expected[0], ...differingLines].join('; ')];
      }),
    };
  }, styled);
}

test.describe('the style in the head', () => {
  /** One for all: nothing stays in it where no script runs, and a new one costs as much as three pages. */
  let page: Page;
  test.beforeAll(async ({ browser, server }) => {
    page = await browser.newPage({ javaScriptEnabled: false, baseURL: server.url });
  });
  test.afterAll(() => page.close());

  for (const [index, path] of firstScreens.entries()) {
    // Each kind in one language: its classes are the same in all.
    const lang = languages[index % languages.length] ?? 'ko';
    test(`paints the first screen of /${lang}${path} whole before its style sheets have come`, async () => {
      await page.goto(`/${lang}${path}`);
      for (const screen of onOthers.includes(path) ? [phone, ...otherScreens] : [phone]) {
        const result = await differences(page, screen, 'early');
        expect(result.differences).toEqual([]);
        expect(result.elements).toBeGreaterThan(20);
      }
    });
  }

  test('changes nothing on a wide screen', async () => {
    for (const path of onOthers) {
      await page.goto(`/en${path}`);
      const result = await differences(page, wide, 'whole');
      expect(result.differences).toEqual([]);
      expect(result.elements).toBeGreaterThan(20);
    }
  });
});

test('a phone waits for the style sheets behind its first screen, a wide one in the head', async ({
  page,
  server,
}) => {
  for (const path of ['/ko', '/en/article/1', '/ms/events', '/vi/community/1']) {
    const answer = await page.request.get(server.url + path);
    const [head = '', body = ''] = (await answer.text()).split('</head>');
    const linksOf = (part: string) => part.match(/<link (?![^>]*"print")[^>]*rel="stylesheet"[^>]*>/g) ?? [];
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
  const sheets = Promise.withResolvers<void>();
  let askedSheets = 0;
  await page.route('**/*.css', async (route) => {
    askedSheets += 1;
    await sheets.promise;
    await route.continue();
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.url}/ko/article/1`, { waitUntil: 'commit' });
  await expect(page.locator('h1')).toBeInViewport();
  const paints = () => performance.getEntriesByName('first-contentful-paint').length;
  await expect.poll(() => page.evaluate(paints)).toBe(1);
  // What would be without style is not there yet.
  await expect(page.locator('.article-main')).toHaveCount(0);
  expect(askedSheets).toBeGreaterThan(0);
  sheets.resolve();
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
