import type { Page } from '@playwright/test';
import { expect, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeEvent } from '#tests/kit/make.ts';

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.addInitScript(() => localStorage.setItem('byeol:theme', 'dark'));
});

/** Opens a page and gives a sign of somebody, with whom the sheet for print comes. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  const hasSheet = () => [...document.styleSheets].some(({ media }) => media.mediaText === 'print');
  await expect
    .poll(async () => {
      await page.mouse.move(200, 200);
      await page.mouse.move(210, 210);
      return page.evaluate(hasSheet);
    })
    .toBe(true);
}

/** How many pages of paper it takes. */
async function printedPages(page: Page): Promise<number> {
  await page.setViewportSize({ width: 717, height: 1000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(717);
  return (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}

test('on paper an article is its words and where they come from, in dark mode, too', async ({ page }) => {
  for (const path of ['/en/article/1', '/ko/article/5']) {
    await open(page, path);
    for (const selector of ['h1', '.prose', '.original-headline', '.ai-panel dl'])
      await expect(page.locator(selector).first()).toBeVisible();
    const [ink, ground] = await page.evaluate(() => [
      getComputedStyle(document.body).color,
      getComputedStyle(document.documentElement).backgroundColor,
    ]);
    expect([ink, ground]).toEqual(['rgb(15, 18, 27)', 'rgb(255, 255, 255)']);
    await expect(
      page.locator('nav:visible, button:visible, .footer:visible, .related:visible, .ticket:visible'),
    ).toHaveCount(0);
    await expect(page.locator('.embed-button:visible, .embed-poster img:visible')).toHaveCount(0);
    const printedLinks = await page
      .locator('.prose a, .original a, .embed-poster')
      .evaluateAll((links) =>
        links.map((link) => [link.getAttribute('href'), getComputedStyle(link, '::after').content]),
      );
    expect(printedLinks.length).toBeGreaterThan(1);
    for (const [href, content] of printedLinks) {
      expect(content).toContain(href);
      expect(content).toMatch(/https?:\/\//);
    }
  }
  await open(page, '/en/article/1');
  const pages = await printedPages(page);
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThanOrEqual(4);
});

test('on paper a star, an event and a page about the site are their words alone, in dark mode, too', async ({
  page,
  server,
}) => {
  const event = await inDatabase(server.databaseUrl, () =>
    makeEvent({
      titles: { en: 'Printed' },
      star: 1,
      article: 1,
      description: 'Doors open at six.',
      ticketUrl: 'https://tickets.example/printed/1',
    }),
  );
  for (const { path, words, addresses = [] } of [
    {
      path: '/en/star/1',
      words: ['.star-name', '.biography p', '.moment h4', '.fandom-name', '.star-tabs > h2'],
    },
    {
      path: `/en/events/${event}`,
      words: ['h1', '.event-facts dt', '.event-text'],
      addresses: ['https://tickets.example/printed/1', `${server.url}/en/article/1`],
    },
    { path: '/en/about', words: ['h1', '.prose p'] },
  ]) {
    await open(page, path);
    for (const selector of words) {
      const text = page.locator(selector).first();
      await expect(text).toBeVisible();
      // Nobody prints the ground of words, so they are dark.
      await expect(text).not.toHaveCSS('color', 'rgb(255, 255, 255)');
    }
    await expect(page.locator('h1')).toHaveCSS('color', 'rgb(15, 18, 27)');
    await expect(
      page.locator(
        ':is(nav, button, summary, .button, .header, .footer, .tab-bar, .countdown, .ticket-heart):visible',
      ),
    ).toHaveCount(0);
    const drawn = await page
      .locator('.moment, .timeline, .star-hero')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part, '::before').display));
    expect(drawn.filter((display) => display !== 'none')).toEqual([]);
    const printed = await page
      .locator('main a:visible')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link, '::after').content));
    for (const address of addresses)
      expect(printed.some((content) => content.replaceAll('" "', '').includes(address))).toBe(true);
    const pages = await printedPages(page);
    expect([path, pages > 0 && pages <= 4]).toEqual([path, true]);
  }
});

test('without a script a page is printed the same way', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.emulateMedia({ media: 'print' });
  await page.goto(`${server.url}/en/star/1`);
  await expect(page.locator('.star-name')).toHaveCSS('color', 'rgb(15, 18, 27)');
  await expect(page.locator('.header')).toBeHidden();
  await context.close();
});
