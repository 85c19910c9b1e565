import type { Page } from '@playwright/test';
import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { expect, expectAccessible, expectNoThirdParty, testInOwnWorld } from '#tests/kit/browser.ts';
import { setVisibility } from '#tests/kit/visibility.ts';

const test = testInOwnWorld();

const cards = (page: Page) => page.locator('.channels .channel-card');
const names = (page: Page) => page.locator('.channels .channel-card h2').allTextContents();
const pager = (page: Page) => page.getByRole('navigation', { name: 'Channel pages' });

/** All tests of a worker come from one address; what they count against it is not what they test. */
test.beforeEach(async ({ server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`delete from rate_limits`;
  await sql.end();
});

test.describe('the channel list without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('shows channels, and finds them by name, initial consonants and romanised name', async ({ page }) => {
    await page.goto('/en/community');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Star Communities');
    expect(await cards(page).count()).toBeGreaterThan(10);
    for (const [text, name] of [
      ['ㅍㄷㅂ', 'PADOBAN'],
      ['padoban', 'PADOBAN'],
      ['파도반', 'PADOBAN'],
      ['파돕', 'PADOBAN'],
    ] as const) {
      await page.getByPlaceholder('Search for stars...').fill(text);
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await expect(page).toHaveURL(`/en/community?q=${encodeURIComponent(text)}&sort=popular`);
      await expect(cards(page).locator('h2'), text).toHaveText([name]);
    }
    await page.goto('/en/community?q=%25');
    await expect(page.getByRole('heading', { name: 'No channels found' })).toBeVisible();
    await expect(page.getByText('Try adjusting your search.')).toBeVisible();
    // Misspellings are understood by the search of the site.
    await page.goto('/en/community?q=pdaoban');
    await page.getByRole('link', { name: 'Search for similar names' }).click();
    await expect(page).toHaveURL('/en/search?q=pdaoban');
    await expect(page.getByRole('heading', { name: 'Did you mean one of these?' })).toBeVisible();
    await expect(page.locator('.found-list')).toContainText('PADOBAN');
  });

  test('sorts in three orders and leads to a channel', async ({ page }) => {
    await page.goto('/en/community');
    await expect(page.locator('select[name="sort"] option')).toHaveText([
      'Most Popular',
      'Latest Activity',
      'Name (A-Z)',
    ]);
    await page.locator('select[name="sort"]').selectOption('Name (A-Z)');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/sort=name/);
    await page.waitForLoadState();
    const sorted = await names(page);
    expect(sorted).toEqual([...sorted].sort((a, b) => a.localeCompare(b, 'en')));
    await page.goto('/en/community?sort=latest');
    const times = await page
      .locator('.channels time')
      .evaluateAll((elements) => elements.map((time) => time.getAttribute('datetime') ?? ''));
    expect(times.length).toBeGreaterThan(10);
    expect(times).toEqual([...times].sort().reverse());
    await page.getByRole('link', { name: 'PADOBAN' }).click();
    await expect(page).toHaveURL(/\/en\/community\/\d+$/);
    await expect(page.locator('.channel-category')).toHaveText(/^K-Pop group$/i);
    await expect(page.locator('.channel-facts')).toContainText(/\d+ members/);
    await expect(page.locator('.channel-description')).toBeVisible();
    await expect(page.locator('.channel-head img').first()).toBeVisible();
    await expect(page.locator('.channel-news .news-list h3')).toHaveCount(5);
  });

  test('tells visitors without an account how to join', async ({ page }) => {
    await page.goto('/en/community');
    await expect(page.locator('main').getByRole('link', { name: 'Log in' })).toHaveAttribute(
      'href',
      /^\/login\?/,
    );
  });

  test('has pages only when there is more than one', async ({ page, server }) => {
    await page.goto('/en/community?sort=name');
    await expect(pager(page)).toHaveCount(0);
    const sql = postgres(server.databaseUrl, { max: 1 });
    try {
      for (let number = 1; number <= 12; number += 1) {
        const [star] = await sql`insert into stars (slug, name, category, fandom_color, initials, search_text)
          values (${`pager-${number}`}, ${`Pager ${number}`}, 'Idol', '#3355FF', 'ㅍ', ${`Pager ${number}`}) returning id`;
        await sql`insert into channels (star_id) values (${star?.id})`;
      }
      // No page was told of rows that SQL wrote.
      await sql.notify('byeol_invalidate', 'channels');
      for (const [query, count] of [
        ['q=pager&sort=name', 12],
        ['sort=popular&page=1', 20],
      ] as const)
        await expect(async () => {
          await page.goto(`/en/community?${query}`);
          await expect(cards(page)).toHaveCount(count, { timeout: 1_000 });
        }).toPass();
      await expect(pager(page)).toContainText(/Page 1 of \d/);
      await pager(page).getByRole('link', { name: 'Next' }).click();
      await expect(pager(page)).toContainText(/Page 2 of \d/);
      await expect(pager(page).getByRole('link', { name: 'Previous' })).toBeVisible();
      for (const nonsense of ['0', '-1', 'abc', '99', '1e9'])
        expect((await page.request.get(`/en/community?page=${nonsense}`)).status()).toBe(404);
    } finally {
      await sql`delete from stars where slug like 'pager-%'`;
      await sql.notify('byeol_invalidate', 'channels');
      await sql.end();
    }
  });
});

test.describe('the channel list', () => {
  test('searches as one types, begins at page 1, and comes back by the back button', async ({ page }) => {
    await page.goto('/en/community?page=1');
    const allCards = await cards(page).count();
    await page.getByRole('combobox').selectOption('name');
    await expect(page).toHaveURL('/en/community?sort=name');
    // At once: between its signs a slow machine would search for the first of them.
    await page.getByPlaceholder('Search for stars...').fill('ㅍㄷㅂ');
    await expect(cards(page)).toHaveCount(1);
    const address = new URL(page.url()).searchParams;
    expect([address.get('q'), address.get('sort'), address.get('page')]).toEqual(['ㅍㄷㅂ', 'name', null]);
    await expect(page.locator('[data-channels-status]')).toHaveText('1 channel');
    await page.getByPlaceholder('Search for stars...').fill('nobody has this name');
    await expect(page.getByRole('heading', { name: 'No channels found' })).toBeVisible();
    await page.getByRole('link', { name: 'Show all channels' }).click();
    await expect(page.getByPlaceholder('Search for stars...')).toHaveValue('');
    await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(allCards);
    await page.goBack();
    await expect(page.getByPlaceholder('Search for stars...')).toHaveValue('nobody has this name');
    await expect(page.getByRole('heading', { name: 'No channels found' })).toBeVisible();
    expectNoThirdParty(page);
  });

  test('shows eight skeletons while it loads, an error when it fails, and tries again', async ({ page }) => {
    test.slow();
    await page.goto('/en/community');
    const answered = Promise.withResolvers<void>();
    let fails = true;
    await page.route('**/en/community?**', async (route) => {
      await answered.promise;
      await (fails ? route.fulfill({ status: 404 }) : route.continue());
    });
    await page.getByRole('combobox').selectOption('latest');
    await expect(page.locator('.channel-card-skeleton')).toHaveCount(8);
    answered.resolve();
    await expect(page.getByRole('alert')).toContainText('Failed to load channels. Please try again later.');
    await expectAccessible(page);
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => cards(page).count()).toBeGreaterThan(10);
    await expect(page.locator('.channel-card-skeleton')).toHaveCount(0);
  });

  test('says when somebody last talked, also later', async ({ page }) => {
    await page.clock.install();
    await page.goto('/en/community?sort=latest');
    const last = page.locator('.channels time').first();
    const activityTime = Date.parse((await last.getAttribute('datetime')) ?? '');
    const minute = 60_000;
    for (const [age, label] of [
      [30_000, 'Just now'],
      [5 * minute, '5m ago'],
      [59.5 * minute, '59m ago'],
      [3 * 60 * minute, '3h ago'],
      [23.9 * 60 * minute, '23h ago'],
      [2 * 24 * 60 * minute, '2d ago'],
      [6.9 * 24 * 60 * minute, '6d ago'],
    ] as const) {
      await page.clock.setFixedTime(activityTime + age);
      await setVisibility(page, 'visible');
      await expect(last).toHaveText(label);
    }
    await page.clock.setFixedTime(activityTime + 7 * 24 * 60 * minute);
    await setVisibility(page, 'visible');
    await expect(last).toHaveText(/^\d+ \w+ \d{4}$/);
  });

  test('is accessible in every language, also at 360 px, and ships no React', async ({ page }) => {
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.setViewportSize({ width: 360, height: 740 });
    for (const lang of languages) {
      await page.goto(`/${lang}/community`);
      await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    }
    expect(requestedUrls.filter((url) => /react|mount|client\./i.test(url))).toEqual([]);
  });
});
