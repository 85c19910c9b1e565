import type { Browser, Page } from '@playwright/test';
import postgres from 'postgres';
import { expect, expectAccessible, holdScripts, test, withMotion } from '#tests/kit/browser.ts';
import type { TestServer } from '#tests/kit/server.ts';

test.use(withMotion);

const password = '밤하늘의 별 72';
let fanCount = 0;

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

/** An account that no browser of the test is logged in to yet. */
async function newFan(server: TestServer): Promise<string> {
  const name = `f${Date.now().toString(36)}${++fanCount}`;
  const answer = await fetch(`${server.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `${name}@byeol.example`,
      username: name,
      password,
      confirmPassword: password,
    }),
  });
  expect(answer.status).toBe(200);
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
  server,
}) => {
  test.slow();
  const email = await newFan(server);
  await page.goto('/en');
  await choose(page, [2, 1]);
  await logIn(page, email);
  await expect(count(page)).toHaveText('2');
  // The account has them as well, which another device asks for once.
  for (const id of [2, 1]) await expect.poll(async () => (await profile(page, id)).isFollowing).toBe(true);
  const otherDevice = await device(browser, baseURL);
  await otherDevice.goto('/en');
  await choose(otherDevice, [3]);
  await logIn(otherDevice, email);
  await expect.poll(() => selected(otherDevice)).toEqual([2, 1, 3]);
  await expect(count(otherDevice)).toHaveText('3');
  await expect.poll(async () => (await profile(otherDevice, 3)).isFollowing).toBe(true);

  await page.evaluate(() => sessionStorage.removeItem('byeol:follows-asked'));
  await page.reload();
  await expect.poll(() => selected(page)).toEqual([2, 1, 3]);

  await otherDevice.locator('#selected-stars').getByRole('button', { name: 'Clear' }).click();
  await expect(count(otherDevice)).toBeHidden();
  await expect
    .poll(async () => {
      await page.evaluate(() => sessionStorage.removeItem('byeol:follows-asked'));
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
  await otherDevice.context().close();
});

test('what is chosen in one tab shows in the other, in one entry beside the language’s', async ({
  page,
  context,
}) => {
  await page.goto('/en');
  const otherTab = await context.newPage();
  await otherTab.goto('/en/events');
  await page.locator('.my-stars').click();
  const dialog = page.getByRole('dialog', { name: 'Choose My Stars' });
  for (const name of [/^PADOBAN/, /^MO HAJIN/, /^HARUCHI [1-9]/])
    await dialog.getByRole('button', { name }).click();
  await expect(dialog.getByRole('status')).toContainText('PADOBAN');
  await expect(dialog.getByRole('status')).toContainText('+1 more');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(count(page)).toHaveText('3');
  await expect(count(otherTab)).toHaveText('3');
  const entries = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('byeol:')),
  );
  expect(entries).toEqual(['byeol:preferences']);
  await page.locator('.my-stars').click();
  const pressedStars = dialog.locator('.star-grid [aria-pressed="true"]');
  await expect(pressedStars).toHaveCount(3);
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
  let requestCount = 0;
  await page.route('**/api/stars?**', (route) => {
    requestCount += 1;
    return route.fulfill({ status: 503, body: '{}' });
  });
  await page.goto('/en');
  await page.locator('.my-stars').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Failed to fetch stars');
  expect(requestCount).toBe(2);
  await page.unroute('**/api/stars?**');
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog').locator('.star-grid button').first()).toBeFocused();
});

test('further stars that do not come leave those that are there, and come with the next press', async ({
  page,
}) => {
  const star = (id: number) => ({
    id,
    name: `STAR ${id}`,
    category: 'Idol',
    imageUrl: '/favicon.svg',
    fandomColor: '#3355FF',
    distinction: null,
  });
  let isBroken = true;
  await page.route('**/api/stars?**', (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('page'));
    if (number > 1 && isBroken) return route.abort();
    return route.fulfill({ json: Array.from({ length: 50 }, (_, index) => star(number * 50 + index)) });
  });
  await page.goto('/en');
  await page.locator('.my-stars').click();
  const dialog = page.getByRole('dialog');
  const stars = dialog.locator('.star-choice[aria-pressed]');
  const more = dialog.getByRole('button', { name: 'Show more' });
  await more.click();
  await expect(page.locator('#toast')).toContainText('This couldn’t be opened');
  await expect(stars).toHaveCount(50);
  isBroken = false;
  await more.click();
  await expect(stars).toHaveCount(100);
  await expect(stars.nth(50)).toBeFocused();
});

/** Of what is not on the page. */
const nowhere = { width: 0, height: 0, x: 0, y: 0 };

const followButton = (page: Page) => page.getByRole('main').locator('[data-follow]');
const invites = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Follow\b/ });
const isFollowed = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Following\b/ });
const profile = async (page: Page, id: number) =>
  (await page.request.get(`/api/stars/${id}/profile`)).json() as Promise<{
    isFollowing: boolean;
    followerCount: number;
  }>;

test('a guest follows a star without an account, and it is the same choice on every screen', async ({
  page,
  request,
}) => {
  const { followerCount } = await (await request.get('/api/stars/1/profile')).json();
  await page.goto('/en/star/1');
  const button = followButton(page);
  await expect(invites(page)).toBeVisible();
  await button.click();
  // What is there for five seconds is looked for first.
  await expect(page.locator('#toast')).toContainText('Find it in My Stars');
  await expect(isFollowed(page)).toBeVisible();
  await expect(count(page)).toHaveText('1');
  // Followers are accounts: a guest is none, and the server was told nothing.
  const { followerCount: followersAfter } = await (await request.get('/api/stars/1/profile')).json();
  expect(followersAfter).toBe(followerCount);

  await page.goto('/en/community/1');
  await expect(isFollowed(page)).toBeVisible();
  await page.goto('/en/search?tab=stars');
  const row = (name: RegExp) => page.locator('.found-row').filter({ has: page.getByRole('link', { name }) });
  await expect(row(/^PADOBAN/).getByRole('button', { name: 'Following' })).toBeVisible();
  // Another test of the same server may have added a star of that name, without stories and so further down.
  await row(/^HARUCHI/)
    .first()
    .getByRole('button', { name: 'Follow' })
    .click();
  await expect(count(page)).toHaveText('2');
  await expectAccessible(page);
  await page.locator('.my-stars').click();
  const dialog = page.getByRole('dialog', { name: 'Choose My Stars' });
  await expect(dialog.locator('.star-grid [aria-pressed="true"]')).toHaveCount(2);
  await dialog.getByRole('button', { name: /^PADOBAN/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row(/^PADOBAN/).getByRole('button', { name: /^Follow\b/ })).toBeVisible();
  await page.goto('/en');
  await expect(page.locator('[data-star].chosen')).toHaveCount(1);
  await expect(page.locator('html')).toHaveAttribute('data-feed', /^\d+$/);
});

test('what is pressed before the scripts have come is done when they have', async ({ page }) => {
  for (const [path, button, state] of [
    ['/en/star/4', '[data-follow]', 'data-following'],
    ['/en/article/48', '[data-like]', 'aria-pressed'],
  ] as const) {
    const release = await holdScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await page.locator(button).first().click();
    await release();
    await expect(page.locator(button).first()).toHaveAttribute(state, 'true');
  }
});

test('a followed star looks chosen, not like the button that invites', async ({ page }) => {
  await page.goto('/en/star/1');
  const button = followButton(page);
  const ground = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
  const line = () => button.evaluate((element) => getComputedStyle(element).borderTopColor);
  const clear = 'rgba(0, 0, 0, 0)';
  expect([await ground(), await line()]).toEqual([expect.not.stringMatching(clear), clear]);
  await expect(button.locator('svg').first()).toBeVisible();
  await button.click();
  await page.mouse.move(0, 0);
  await expect.poll(ground).toBe(clear);
  expect(await line()).not.toBe(clear);
  await expect(button.locator('svg').first()).toBeHidden();
  await expect(button.locator('svg').last()).toBeVisible();
});

test('what a fan follows is the account’s: on each device, in the count of followers, also when it was offline', async ({
  page,
  browser,
  baseURL,
  server,
}) => {
  test.slow();
  const email = await newFan(server);
  await page.goto('/en/star/2');
  await followButton(page).click();
  await expect(isFollowed(page)).toBeVisible();
  await logIn(page, email);
  await expect(count(page)).toHaveText('1');
  await expect.poll(async () => (await profile(page, 2)).isFollowing).toBe(true);

  const followersBefore = (await profile(page, 3)).followerCount;
  await page.goto('/en/star/3');
  await followButton(page).click();
  await expect(page.locator('.follow-facts dd').first()).toHaveText(String(followersBefore + 1));
  await expect
    .poll(() => profile(page, 3))
    .toMatchObject({ isFollowing: true, followerCount: followersBefore + 1 });

  const otherDevice = await device(browser, baseURL);
  await logIn(otherDevice, email);
  await expect.poll(() => selected(otherDevice)).toEqual([2, 3]);
  await otherDevice.goto('/en/star/2');
  await expect(isFollowed(otherDevice)).toBeVisible();
  await otherDevice.context().setOffline(true);
  await followButton(otherDevice).click();
  await expect(invites(otherDevice)).toBeVisible();
  expect(await profile(page, 2)).toMatchObject({ isFollowing: true });
  await otherDevice.context().setOffline(false);
  await expect.poll(async () => (await profile(page, 2)).isFollowing).toBe(false);
  await otherDevice.context().close();
});

test('a browser without room for the stars of an account shows them on each page, and takes none from it', async ({
  page,
  browser,
  baseURL,
  server,
}) => {
  const email = await newFan(server);
  const otherDevice = await device(browser, baseURL);
  await logIn(otherDevice, email);
  await otherDevice.goto('/en/star/2');
  await followButton(otherDevice).click();
  await expect.poll(async () => (await profile(otherDevice, 2)).isFollowing).toBe(true);
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key === 'byeol:preferences') throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
  });
  await logIn(page, email);
  await expect(count(page)).toHaveText('1');
  await page.goto('/en/star/2');
  await expect(isFollowed(page)).toBeVisible();
  await expect(count(page)).toHaveText('1');
  expect(await profile(otherDevice, 2)).toMatchObject({ isFollowing: true });
  await otherDevice.context().close();
});

test('a choice that the server refuses is kept, said, and told again', async ({ page, server }) => {
  await logIn(page, await newFan(server));
  await page.goto('/en/star/4');
  await page.route('**/api/stars/4/follow', (route) => route.fulfill({ status: 429, body: '{}' }));
  await followButton(page).click();
  await expect(page.locator('#toast')).toContainText('Failed to update follow status');
  await expect(isFollowed(page)).toBeVisible();
  expect(await profile(page, 4)).toMatchObject({ isFollowing: false });
  await page.unroute('**/api/stars/4/follow');
  await page.reload();
  await expect.poll(async () => (await profile(page, 4)).isFollowing).toBe(true);
});

test('without scripts no button promises to follow', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  for (const path of ['/en/star/1', '/en/community/1', '/en/search?tab=stars']) {
    await page.goto(path);
    await expect(page.locator('h1').first()).toBeVisible();
    await expect(page.locator('[data-follow]:visible'), path).toHaveCount(0);
  }
  await context.close();
});

test.describe('the dialog', () => {
  const open = async (page: Page) => {
    await page.goto('/en');
    await page.locator('.my-stars:visible,.tab-link[data-my-stars]:visible').click();
    const dialog = page.getByRole('dialog', { name: 'Choose My Stars' });
    await expect(dialog.locator('.star-grid button').first()).toBeVisible();
    // It slides in at first.
    await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    return dialog;
  };

  test('moves its row of categories on a phone and nothing else', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const dialog = await open(page);
    const leftOf = (name: string) =>
      dialog.locator(name).evaluate((element) => element.getBoundingClientRect().left);
    const headingLeft = await leftOf('h2');
    const { width, height, x, y } = (await dialog.locator('.sheet-chips').boundingBox()) ?? nowhere;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.wheel(400, 0);
    await expect
      .poll(() => dialog.locator('.sheet-chips').evaluate((element) => element.scrollLeft))
      .toBeGreaterThan(100);
    expect(await leftOf('h2')).toBe(headingLeft);
    const scrolled = await dialog.evaluate((element) => {
      element.scrollLeft = 300;
      return [element.scrollLeft, element.scrollWidth - element.clientWidth];
    });
    expect(scrolled).toEqual([0, 0]);
  });

  test('finds a star by name whatever category was looked at, says so, and keeps its height', async ({
    page,
  }) => {
    for (const size of [
      { width: 360, height: 740 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size);
      const dialog = await open(page);
      const height = () => dialog.evaluate((element) => Math.round(element.getBoundingClientRect().height));
      const initialHeight = await height();
      await dialog.getByRole('button', { name: 'Actresses' }).click();
      await expect(dialog.getByRole('button', { name: /^PADOBAN/ })).toHaveCount(0);
      expect(await height()).toBe(initialHeight);
      await dialog.getByRole('searchbox').fill('PADOBAN');
      await expect(dialog.getByRole('button', { name: /^PADOBAN/ })).toBeVisible();
      await expect(dialog.getByText('Results from all categories.')).toBeVisible();
      await expect(dialog.getByRole('button', { name: 'All', exact: true })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
      expect(await height()).toBe(initialHeight);
      await dialog.getByRole('searchbox').fill('zzzz');
      await expect(dialog.locator('[aria-live]')).toHaveText('No stars found');
      await expect(dialog.getByRole('heading', { name: 'No stars found' })).toBeVisible();
      expect(await height()).toBe(initialHeight);
      await dialog.getByRole('searchbox').fill('');
      await expect(dialog.getByRole('button', { name: 'Actresses' })).toHaveAttribute('aria-pressed', 'true');
      await page.keyboard.press('Escape');
    }
  });
});

test('stars that were cleared with one press come back with another', async ({ page }) => {
  // The offer stands for eight seconds, which pass only as far as the test lets them.
  await page.clock.install();
  await page.goto('/en');
  await choose(page, [2, 1]);
  await page.reload();
  await expect(count(page)).toHaveText('2');
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.locator('[data-clear-stars]').click();
  await expect.poll(() => selected(page)).toEqual([]);
  await page.clock.runFor(1_000);
  await page.locator('#toast').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => selected(page)).toEqual([2, 1]);
});

test('after Save a page that was at its top is at its top', async ({ browser, baseURL }) => {
  for (const lang of ['ko', 'en']) {
    const page = await device(browser, baseURL);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/${lang}`);
    await page.locator('.my-stars').click();
    await page.locator('.star-sheet .star-choice img').nth(14).click();
    await page.locator('.star-sheet .button-primary').click();
    await expect(page.locator('html')).toHaveAttribute('data-feed', /\d/);
    await expect(page.locator('#feed')).not.toHaveAttribute('aria-busy');
    expect(await page.evaluate(() => scrollY), lang).toBe(0);
    expect((await page.locator('.feed-date').boundingBox())?.y).toBeGreaterThanOrEqual(
      await page
        .locator('header')
        .first()
        .evaluate((header) => header.getBoundingClientRect().bottom),
    );
    await page.context().close();
  }
});
