import type { Browser, Page } from '@playwright/test';
import postgres from 'postgres';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';

const password = '밤하늘의 별 72';
let made = 0;

test.beforeEach(async ({ server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`delete from rate_limits`;
  await sql.end();
});

const selected = (page: Page) =>
  page.evaluate(
    (): number[] => JSON.parse(localStorage.getItem('byeol:preferences') ?? '{}').selectedStarIds ?? [],
  );
const choose = (page: Page, ids: number[]) =>
  page.evaluate(
    (selectedStarIds) => localStorage.setItem('byeol:preferences', JSON.stringify({ selectedStarIds })),
    ids,
  );

async function newFan(page: Page): Promise<string> {
  const name = `f${Date.now().toString(36)}${++made}`;
  const answer = await page.request.post('/api/auth/register', {
    data: { email: `${name}@byeol.example`, username: name, password, confirmPassword: password },
  });
  expect(answer.status()).toBe(200);
  return `${name}@byeol.example`;
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/login?lang=en&next=/en');
  await page.fill('#email', email);
  await page.fill('#password', password);
  await page.click('.account-submit');
  await page.waitForURL((url) => url.pathname === '/en');
}

const device = async (browser: Browser, baseURL: string | undefined) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: 'en-GB' });
  return context.newPage();
};
const count = (page: Page) => page.locator('.my-stars [data-my-stars-count]');

test('the lists of two devices become one at login, follow each other, and stay in the account after logout', async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const email = await newFan(page);
  await page.goto('/en');
  await choose(page, [2, 1]);
  await logIn(page, email);
  await expect(count(page)).toHaveText('2');
  const other = await device(browser, baseURL);
  await other.goto('/en');
  await choose(other, [3]);
  await logIn(other, email);
  await expect.poll(() => selected(other)).toEqual([2, 1, 3]);
  await expect(count(other)).toHaveText('3');

  await page.evaluate(() => sessionStorage.removeItem('byeol:favourites-asked'));
  await page.reload();
  await expect.poll(() => selected(page)).toEqual([2, 1, 3]);

  await other.locator('#selected-stars').getByRole('button', { name: 'Clear' }).click();
  await expect(count(other)).toBeHidden();
  await expect
    .poll(async () => {
      await page.evaluate(() => sessionStorage.removeItem('byeol:favourites-asked'));
      await page.reload();
      await page.waitForLoadState('networkidle');
      return selected(page);
    })
    .toEqual([]);

  await choose(page, [4]);
  await page.reload();
  await page.locator('.header .user-menu summary').click();
  await page.locator('.header .user-menu button').click();
  await page.waitForURL((url) => url.pathname === '/ko');
  expect(await selected(page)).toEqual([]);
  await logIn(page, email);
  await expect.poll(() => selected(page)).toEqual([4]);
  await other.context().close();
});

test('what is chosen in one tab shows in the other, in one entry beside the language’s', async ({
  page,
  context,
}) => {
  await page.goto('/en');
  const other = await context.newPage();
  await other.goto('/en/events');
  await page.locator('.my-stars').click();
  const dialog = page.getByRole('dialog', { name: 'Choose My Stars' });
  for (const name of [/^PADOBAN/, /^MO HAJIN/, /^HARUCHI/])
    await dialog.getByRole('button', { name }).click();
  await expect(dialog.getByRole('status')).toContainText('PADOBAN');
  await expect(dialog.getByRole('status')).toContainText('+1 more');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(count(page)).toHaveText('3');
  await expect(count(other)).toHaveText('3');
  const entries = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('byeol:')),
  );
  expect(entries).toEqual(['byeol:preferences']);
  await page.locator('.my-stars').click();
  const chosen = dialog.locator('.star-grid [aria-pressed="true"]');
  await expect(chosen).toHaveCount(3);
  await expect(dialog.locator('.star-grid button').nth(2)).toHaveAttribute('aria-pressed', 'true');
  await dialog.getByRole('searchbox').fill('ㅍㄷㅂ');
  await expect(dialog.locator('.star-grid button')).toHaveCount(1);
  await expect(dialog.locator('.star-grid button')).toContainText('PADOBAN');
});

test('the dialog opens from every screen with a header and gives the focus back', async ({ page }) => {
  for (const path of [
    '/ko/article/1',
    '/ko/star/1',
    '/ko/community',
    '/ko/community/1',
    '/ko/events',
    '/ko/search',
    '/ko/about',
  ]) {
    await page.goto(path);
    const opener = page.locator('.my-stars');
    await opener.click();
    await expect(page.getByRole('dialog'), path).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog'), path).toBeHidden();
    await expect(opener, path).toBeFocused();
  }
});

test('stars that cannot be fetched are asked for once more, then it says so', async ({ page }) => {
  let asked = 0;
  await page.route('**/api/stars?**', (route) => {
    asked += 1;
    return route.fulfill({ status: 503, body: '{}' });
  });
  await page.goto('/en');
  await page.locator('.my-stars').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Failed to fetch stars');
  expect(asked).toBe(2);
  await page.unroute('**/api/stars?**');
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog').locator('.star-grid button').first()).toBeVisible();
});
