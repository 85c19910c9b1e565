import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';

const later = async (page: Page, milliseconds: number) => {
  await page.clock.runFor(milliseconds);
};

/** Does what brings the file that watches for idleness, and waits until it has run: what happens before then is not noticed. */
async function watched(page: Page, bring: () => Promise<void>): Promise<void> {
  const file = page.waitForResponse(/_astro\/deferred\.[^/]*\.js$/);
  await bring();
  await page.evaluate((address) => import(address), (await file).url());
}

test.describe('somebody who rests', () => {
  test.use({ locale: 'en-GB' });
  const prompt = (page: Page) => page.locator('.idle[role="status"]');
  const day = 86_400;

  /** Lets days pass and sees that the prompt says what the API answers for this page, whatever stories there are. */
  async function expectNews(page: Page, days: number, starIds: string | null): Promise<void> {
    const newArticles = page.waitForResponse('**/api/articles/new?**');
    await page.clock.fastForward(days * day * 1000);
    const answer = await newArticles;
    const query = new URL(answer.url()).searchParams;
    expect(Number(query.get('within'))).toBeGreaterThanOrEqual(days * day);
    expect(query.get('starIds')).toBe(starIds);
    const { count } = await answer.json();
    expect(count).toBeGreaterThan(1);
    await expect(prompt(page)).toContainText(`${count} new stories have come in.`);
  }

  test('is offered what is new after five minutes, and not before', async ({ page }) => {
    await page.clock.install();
    await page.goto('/en');
    await watched(page, () => page.mouse.move(90, 90));
    await page.clock.fastForward(240_000);
    await page.mouse.move(100, 100);
    await page.clock.fastForward(240_000);
    await expect(page.locator('.idle')).toHaveCount(0);
    await page.clock.fastForward(121_000);
    await expect(prompt(page)).toContainText('You’ve been away for a while.');
    await expect(page.locator('body')).toBeFocused();
    await expectAccessible(page);
    await prompt(page).getByRole('button', { name: 'Not now' }).click();
    await expect(prompt(page)).toHaveCount(0);
    await page.clock.fastForward(420_000);
    await expect(prompt(page)).toBeVisible();
  });

  test('is told how many stories have come in since the page was opened, and is led to them', async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto('/en/about');
    await expectNews(page, 5, null);
    await prompt(page).getByRole('button', { name: 'Show what’s new' }).click();
    await expect(page).toHaveURL('/en');
    await page.goto('/en/community/1');
    await expectNews(page, 9, '[1]');
    const loaded = page.waitForEvent('load');
    await prompt(page).getByRole('button', { name: 'Show what’s new' }).click();
    await loaded;
    await expect(page).toHaveURL('/en/community/1');
  });

  test('is told when nothing has come in, and offered a look all the same when nobody can say', async ({
    page,
  }) => {
    await page.clock.install();
    await page.route('**/api/articles/new?**', (route) => route.fulfill({ json: { count: 0 } }));
    await page.goto('/en/about');
    await page.clock.fastForward(361_000);
    await expect(prompt(page)).toContainText('No new stories so far.');
    await expect(prompt(page).getByRole('button')).toHaveText(['Reload the page', 'Not now']);
    await page.route('**/api/articles/new?**', (route) => route.fulfill({ status: 503, body: '{}' }));
    await prompt(page).getByRole('button', { name: 'Not now' }).click();
    await page.clock.fastForward(361_000);
    await expect(prompt(page)).toContainText('There may be something new.');
  });

  test('is never interrupted while typing', async ({ page }) => {
    await page.clock.install();
    await page.goto('/en/search');
    await page.getByRole('combobox').fill('pado');
    await watched(page, () => later(page, 61_000));
    await later(page, 600_000);
    await expect(page.locator('.idle')).toHaveCount(0);
    await page.getByRole('combobox').blur();
    await later(page, 61_000);
    await expect(prompt(page)).toBeVisible();
  });
});

test.describe('a toast', () => {
  test.use({ locale: 'en-GB' });
  const toast = (page: Page) => page.locator('#toast p');

  /** Opens an article whose clock stands still: a toast stays for as long as the test takes. */
  async function openAndPause(page: Page): Promise<void> {
    await page.clock.install();
    await page.goto('/en/article/1');
    await page.clock.pauseAt(Date.now() + 60_000);
  }

  /** Lets no more time pass than it takes until it is there. */
  const toCome = (page: Page, what: Locator) =>
    expect
      .poll(async () => {
        await later(page, 20);
        return what.count();
      })
      .toBe(1);

  test('is the only one, is announced, and goes after five seconds', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-write']);
    await openAndPause(page);
    await expect(page.locator('#toast')).toHaveAttribute('aria-live', 'polite');
    const share = page.locator('[data-share]:visible').first();
    await share.click();
    await toCome(page, toast(page));
    await toast(page).evaluate((first) => first.setAttribute('data-first', ''));
    await share.click();
    await toCome(page, page.locator('#toast p:not([data-first])'));
    await expect(toast(page)).toHaveCount(1);
    await later(page, 4_500);
    await expect(toast(page)).toHaveCount(1);
    await later(page, 600);
    await expect(toast(page)).toHaveCount(0);
  });

  test('is swiped away by 50 pixels and not by less', async ({ page }) => {
    await openAndPause(page);
    await page.locator('[data-share]:visible').first().click();
    await toCome(page, toast(page));
    const box = await toast(page).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 10];
    const swipe = async (by: number) => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by, y, { steps: 4 });
      await page.mouse.up();
    };
    await swipe(45);
    await expect(toast(page)).toHaveCount(1);
    await swipe(52);
    await expect(toast(page)).toHaveCount(0);
  });
});

test('an icon says what it means after 700 ms, the next one at once, and Escape takes it away', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.clock.install();
  await page.goto('/en');
  const icon = page.locator('.header a.icon-button[aria-label]');
  // The first move of the mouse brings the file and is on the icon already.
  await icon.hover();
  await expect
    .poll(async () => {
      await later(page, 100);
      return page.locator('.tip').count();
    })
    .toBe(1);
  await page.mouse.move(10, 400);
  await expect(page.locator('.tip')).toHaveCount(0);
  await page.clock.pauseAt(Date.now() + 30_000);
  await icon.hover();
  await later(page, 600);
  await expect(page.locator('.tip')).toHaveCount(0);
  await later(page, 150);
  await expect(page.locator('.tip')).toHaveText('Search');
  await page.keyboard.press('Escape');
  await expect(page.locator('.tip')).toHaveCount(0);
  await page.mouse.move(10, 400);
  await icon.hover();
  await later(page, 10);
  await expect(page.locator('.tip')).toHaveText('Search');
});

test.describe('calls of the browser', () => {
  const keepToken = (page: Page) =>
    page.addInitScript(() => localStorage.setItem('auth_token', 'f'.repeat(64)));

  test('are tried three more times, one, two and four seconds apart, with the token and credentials', async ({
    page,
  }) => {
    const authorizations: (string | undefined)[] = [];
    await page.route('**/api/auth/me*', (route) => {
      authorizations.push(route.request().headers().authorization);
      return route.fulfill({ status: 503, body: '{}' });
    });
    await keepToken(page);
    await page.clock.install({ time: '2026-11-21T11:59:00Z' });
    await page.clock.pauseAt('2026-11-21T12:00:01Z');
    const answered = () => page.waitForResponse('**/api/auth/me*').then((answer) => answer.finished());
    let answer = answered();
    await page.goto('/ko');
    await answer;
    for (const pause of [1000, 2000, 4000]) {
      const requestsBefore = authorizations.length;
      await expect
        .poll(async () => {
          await later(page, 0);
          return authorizations.length;
        })
        .toBe(requestsBefore);
      await later(page, pause - 1);
      expect(authorizations.length).toBe(requestsBefore);
      answer = answered();
      await later(page, 1);
      await answer;
      expect(authorizations.length).toBe(requestsBefore + 1);
    }
    await later(page, 120_000);
    expect(authorizations).toEqual(Array(4).fill(`Bearer ${'f'.repeat(64)}`));
  });

  test('that are refused are not tried again', async ({ page }) => {
    let requestCount = 0;
    await page.route('**/api/auth/me*', (route) => {
      requestCount += 1;
      return route.fulfill({ status: 418, body: '{}' });
    });
    await keepToken(page);
    await page.clock.install();
    await page.goto('/ko');
    await expect.poll(() => requestCount).toBe(1);
    await later(page, 60_000);
    expect(requestCount).toBe(1);
  });
});
