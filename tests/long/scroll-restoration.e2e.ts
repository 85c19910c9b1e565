import type { Page } from '@playwright/test';
import { expect, picturesInSight, test, withMotion } from '#tests/kit/browser.ts';

/** Chromium keeps no left page alive here: back and reload ask for the page again, as a phone without memory does. */
test.use({ ...withMotion, locale: 'en-GB', viewport: { width: 360, height: 740 } });

const cards = (page: Page) => page.locator('#feed [data-article]');
const more = (page: Page) => page.locator('[data-more]');
const idOf = (page: Page, index: number) => cards(page).nth(index).getAttribute('data-article');
const topOf = async (page: Page, id: string | null) => {
  const box = await page.locator(`#feed [data-article="${id}"]`).boundingBox();
  return box?.y ?? Number.NaN;
};
const select = (page: Page, ids: readonly number[]) =>
  page.addInitScript(
    (selectedStarIds) => localStorage.setItem('byeol:preferences', JSON.stringify({ selectedStarIds })),
    ids,
  );

/** Opens the feed with some of its later stories and stands before one of them. */
async function readOn(page: Page, path: string, least: number): Promise<{ id: string | null; top: number }> {
  await page.goto(path);
  await expect(page.locator('.feed-skeletons')).toBeHidden();
  for (let count = await cards(page).count(); count < least; count = await cards(page).count()) {
    await more(page).click();
    await expect.poll(() => cards(page).count()).toBeGreaterThan(count);
  }
  const id = await idOf(page, least - 5);
  await page
    .locator(`#feed [data-article="${id}"]`)
    .evaluate((card) => card.scrollIntoView({ block: 'center' }));
  await picturesInSight(page);
  return { id, top: await topOf(page, id) };
}

async function expectAt(
  page: Page,
  { id, top }: { id: string | null; top: number },
  least: number,
): Promise<void> {
  await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(least);
  await expect(page.locator(`#feed [data-article="${id}"]`)).toBeInViewport();
  await expect.poll(async () => Math.abs((await topOf(page, id)) - top)).toBeLessThan(24);
}

for (const [feedName, stars, least] of [
  ['everybody’s feed', [], 45],
  ['the feed of My Stars', Array.from({ length: 12 }, (_, index) => index + 1), 25],
] as const)
  test(`back from a story and a reload lead to the same place in ${feedName}`, async ({ page }) => {
    test.slow();
    if (stars.length > 0) await select(page, stars);
    const readPosition = await readOn(page, '/en', least);
    const address = `/en?pages=${Math.ceil(least / 20)}`;
    await expect(page).toHaveURL(address);
    await page.locator(`#feed [data-article="${readPosition.id}"] .card-link`).click();
    await expect(page).toHaveURL(`/en/article/${readPosition.id}`);
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expectAt(page, readPosition, least);
    if (stars.length > 0) await expect(page.locator('#selected-stars')).toBeVisible();
    await page.reload();
    await expectAt(page, readPosition, least);
    const ids = await cards(page).evaluateAll((elements) =>
      elements.map((card) => card.getAttribute('data-article')),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

test('back leads to the place in the first stories of My Stars, too', async ({ page }) => {
  await select(page, [1, 2, 3]);
  const readPosition = await readOn(page, '/en', 18);
  await page.locator(`#feed [data-article="${readPosition.id}"] .card-link`).click();
  await expect(page).toHaveURL(`/en/article/${readPosition.id}`);
  await page.goBack();
  await expectAt(page, readPosition, 18);
});

test('a later page that was read on keeps its own stories', async ({ page }) => {
  const readPosition = await readOn(page, '/en?page=2', 24);
  const first = await idOf(page, 0);
  await expect(page).toHaveURL('/en?page=2&pages=2');
  await page.reload();
  await expectAt(page, readPosition, 24);
  expect(await idOf(page, 0)).toBe(first);
});

test('the address of stories that were loaded is the feed’s page for everybody who keeps or lists pages', async ({
  page,
  request,
}) => {
  const [plain, long] = await Promise.all(
    ['/en', '/en?pages=3'].map(async (path) => {
      const answer = await request.get(path);
      return { body: await answer.text(), etag: answer.headers().etag };
    }),
  );
  expect(long).toEqual(plain);
  await page.goto('/en?pages=3');
  await expect.poll(() => cards(page).count()).toBeGreaterThan(45);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', /\/en$/);
});

test('refresh, other stars and another language begin the feed anew, also in its address', async ({
  page,
}) => {
  await readOn(page, '/en', 25);
  await expect(page).toHaveURL('/en?pages=2');
  await page.locator('[data-refresh]').click();
  await expect(cards(page)).toHaveCount(20);
  await expect(page).toHaveURL('/en');
  await more(page).click();
  await expect(page).toHaveURL('/en?pages=2');
  await page.locator('.language-menu summary').click();
  await page.locator('.language-menu').getByRole('link', { name: 'Bahasa Melayu' }).click();
  await expect(page).toHaveURL('/ms');
});

test('stories that cannot be loaded again are offered below those that are there', async ({ page }) => {
  await page.route('**/en/feed?**', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.goto('/en?pages=3');
  await expect(page.locator('#feed').getByRole('alert')).toContainText('Error loading articles');
  await expect(cards(page)).toHaveCount(20);
  await page.unroute('**/en/feed?**');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => cards(page).count()).toBeGreaterThan(45);
  await expect(page).toHaveURL('/en?pages=3');
});

test('nonsense in the address is the first page', async ({ page }) => {
  for (const nonsense of ['0', '-3', 'x', '1e99', '']) {
    await page.goto(`/en?pages=${nonsense}`);
    await page.waitForLoadState('networkidle');
    await expect(cards(page)).toHaveCount(20);
  }
});

for (const [name, path, size] of [
  ['trending events', '/en/events?tab=trending', { width: 360, height: 740 }],
  ['upcoming events on a phone', '/en/events?tab=upcoming&range=month', { width: 360, height: 740 }],
  ['upcoming events in their own area', '/en/events?tab=upcoming&range=month', { width: 1280, height: 800 }],
] as const)
  test.describe(name, () => {
    test.use({ viewport: size });

    for (const timezoneId of ['Asia/Seoul', 'America/New_York'])
      test.describe(timezoneId, () => {
        test.use({ timezoneId });

        test('back and a reload lead to the same place among further rows', async ({ page }) => {
          const rows = page.locator('[data-list] [data-event]');
          await page.goto(path);
          // Own days take the place of Korea's, with their own way on.
          if (timezoneId !== 'Asia/Seoul' && path.includes('upcoming'))
            await expect(page.locator('[data-more][href*="tz="]')).toBeAttached();
          const rowsBefore = await rows.count();
          // By its key: under the pointer rows still grow to their height while it comes into view.
          await more(page).press('Enter');
          await expect.poll(() => rows.count()).toBeGreaterThan(rowsBefore);
          const rowCount = await rows.count();
          await expect(page).toHaveURL(`${path}&pages=2`);
          const row = rows.nth(rowCount - 2);
          const id = await row.getAttribute('data-event');
          await row.evaluate((link) => link.scrollIntoView({ block: 'center' }));
          await picturesInSight(page);
          const top = async () => (await rows.nth(rowCount - 2).boundingBox())?.y ?? Number.NaN;
          await expect(row).toBeInViewport();
          const topBefore = await top();
          // By a page of no event: choosing one may open a sheet instead of leading away.
          await page.goto('/en/about');
          await page.goBack();
          for (const _ of ['back', 'reload']) {
            await expect(rows).toHaveCount(rowCount);
            expect(await row.getAttribute('data-event')).toBe(id);
            await expect.poll(async () => Math.abs((await top()) - topBefore)).toBeLessThan(24);
            await page.reload();
          }
        });
      });
  });

test('back to a tab in the same page brings its further rows again', async ({ page }) => {
  const rows = page.locator('[data-list] [data-event]');
  await page.goto('/en/events?tab=trending');
  const rowsBefore = await rows.count();
  await more(page).press('Enter');
  await expect.poll(() => rows.count()).toBeGreaterThan(rowsBefore);
  const rowCount = await rows.count();
  await page.locator('.tabs').getByRole('link', { name: 'Upcoming' }).click();
  await expect(page).toHaveURL('/en/events?tab=upcoming');
  await page.goBack();
  await expect(page).toHaveURL('/en/events?tab=trending&pages=2');
  await expect(rows).toHaveCount(rowCount);
});
