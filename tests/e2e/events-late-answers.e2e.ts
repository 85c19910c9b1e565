import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from '#tests/kit/browser.ts';
import { calendarReady, desk, inDatabase, phone } from '#tests/kit/events-page.ts';
import { holdAnswer } from '#tests/kit/held-answer.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';
import { keepToasts, stretchTimeouts } from '#tests/kit/page-timers.ts';

test.use({ timezoneId: 'Asia/Seoul' });

test.beforeEach(({ page }) => stretchTimeouts(page));

/** Logs a new fan in on every page to come; the result is what the API knows the fan by. */
async function logIn(page: Page, request: APIRequestContext): Promise<{ authorization: string }> {
  const username = `late_${Date.now().toString(36)}`;
  const password = '바다 건너는 별 31';
  const registration = await request.post('/api/auth/register', {
    data: {
      email: `${username}@byeol.example`,
      username,
      password,
      confirmPassword: password,
      language: 'en',
    },
  });
  const { token } = await registration.json();
  await page.addInitScript((proof) => localStorage.setItem('auth_token', proof), token);
  return { authorization: `Bearer ${token}` };
}

/** What a browser tells a page that Back brings out of memory: one that Playwright drives keeps none there. */
const comeBack = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));

test('a toast is seen and pressed above a sheet, and stays when the sheet closes', async ({
  page,
  request,
  server,
}) => {
  await logIn(page, request);
  await keepToasts(page);
  await inDatabase(server.databaseUrl, async () => {
    for (let number = 0; number < 6; number += 1)
      await makeEvent({ start: `2033-02-10T0${number}:00:00Z`, titles: { en: `Beacon ${number}` } });
  });
  await page.setViewportSize(desk);
  await page.goto('/en/events?date=2033-02-10');
  await calendarReady(page);
  const toast = page.locator('#toast p');
  const sheet = page.getByRole('dialog');
  const openDay = () => page.getByRole('button', { name: 'View all 6 events' }).click();
  const openEvent = () =>
    page.locator('.day-panel').getByRole('link', { name: 'Beacon 0', exact: true }).click();
  for (const open of [openDay, openEvent]) {
    await open();
    await sheet.locator('[data-subscribe][role="button"]').first().click();
    // It is heard, too: a region behind the sheet has no role.
    await expect(
      sheet.getByRole('status').getByText(/^(?:Added to your events|No more reminders)/),
    ).toBeVisible();
    const isOnTop = await toast.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 20, top + 20));
    });
    expect(isOnTop).toBe(true);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await expect(page.locator('body > #toast p')).toBeVisible();
    await toast.evaluate((element) => element.remove());
  }
  // So does one whose sheet leaves with the calendar, as by Back.
  await page.getByRole('link', { name: 'Trending' }).click();
  await expect(page.locator('[data-part] .day-panel')).toHaveCount(0);
  await page.goBack();
  await calendarReady(page);
  await openDay();
  await sheet.locator('[data-subscribe][role="button"]').first().click();
  await expect(sheet.getByRole('status').getByText(/./)).toBeVisible();
  await page.goForward();
  await expect(sheet).toHaveCount(0);
  await expect(page.locator('body > #toast p')).toBeVisible();
});

test('a sheet over the page of another event has its own name, shares its own address and has no second form', async ({
  page,
  request,
  server,
}) => {
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { asked: shared });
    Object.defineProperty(navigator, 'share', { value: async (data: unknown) => shared.push(data) });
  });
  await keepToasts(page);
  await logIn(page, request);
  const { under, over } = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '두 밤', names: { en: 'TWO NIGHTS' } });
    const under = await makeEvent({ star, titles: { en: 'First night' } });
    const start = new Date(Date.now() + 9 * 86_400_000);
    return { under, over: await makeEvent({ star, start, titles: { en: 'Second night' } }) };
  });
  await page.goto(`/en/events/${under}`);
  await page.locator(`[data-subscribe="${under}"]`).click();
  await expect(page.locator('#reminders')).toBeVisible();
  await page.locator(`a[data-event="${over}"]`).first().click();
  const sheet = page.getByRole('dialog', { name: 'Second night' });
  await expect(sheet.getByRole('heading', { name: 'Second night' })).toBeVisible();
  await expect(page.locator('#event-title')).toHaveText('First night');
  await expect(page.locator('#reminders')).toHaveCount(1);
  await sheet.getByRole('button', { name: 'Share' }).click();
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'asked')))
    .toEqual([{ title: 'Second night', url: `${server.url}/en/events/${over}` }]);
  // What is missing for the reminder is told with the way to it: not to the form of the event below.
  await sheet.locator('[data-subscribe]').click();
  await sheet.getByRole('button', { name: 'See what to do' }).click();
  await expect(page).toHaveURL(/\/profile\?lang=en#my-events$/);
});

test('further rows that did not come are asked for again, and those of another tab are not added', async ({
  page,
}) => {
  await keepToasts(page);
  await page.setViewportSize(phone);
  await page.goto('/en/events?tab=trending');
  const rows = page.locator('.ranked-row');
  const more = page.getByRole('link', { name: 'Load More Trending Events' });
  // It is tried twice.
  await page.route('**/events/part?*offset=*', (route) => route.abort(), { times: 2 });
  await more.click();
  await expect(page.locator('#toast')).toContainText('This couldn’t be opened');
  await page.locator('#toast p').evaluate((element) => element.remove());
  await expect(page).toHaveURL('/en/events?tab=trending');
  await more.click();
  await expect(rows).toHaveCount(20);

  const held = await holdAnswer(page, '**/events/part?*offset=*');
  const lateAnswer = page.waitForResponse(/events\/part\?.*offset=/);
  await more.click();
  await held.requested;
  await page.locator('.events-tabs').getByRole('link', { name: 'Upcoming' }).click();
  await expect(page.locator('.upcoming-list .ticket').first()).toBeVisible();
  held.release();
  await (await lateAnswer).finished();
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  await expect(rows).toHaveCount(0);
  await expect(page).toHaveURL('/en/events?tab=upcoming');
});

test('of two events that are pressed the last one opens, one that is pressed twice once, also where nothing is kept', async ({
  page,
  server,
}) => {
  const { quick, slow } = await inDatabase(server.databaseUrl, async () => ({
    quick: await makeEvent({ start: '2033-03-10T03:00:00Z', titles: { en: 'Quick light' } }),
    slow: await makeEvent({ start: '2033-03-10T04:00:00Z', titles: { en: 'Slow light' } }),
  }));
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await page.goto('/en/events?date=2033-03-10');
  await calendarReady(page);
  const [slowAnswer, quickAnswer] = await Promise.all(
    [slow, quick].map((id) => holdAnswer(page, `**/api/articles?*eventId=${id}&*`)),
  );
  const link = (name: string) => page.locator('.day-panel').getByRole('link', { name, exact: true });
  const dialog = page.locator('dialog[open]');
  await link('Slow light').click();
  await expect(link('Slow light')).toHaveAttribute('aria-busy', 'true');
  // Answered between its two presses, the second would fall on the dialog.
  await link('Quick light').dblclick();
  quickAnswer?.release();
  await expect(link('Slow light')).not.toHaveAttribute('aria-busy', /./);
  await expect(dialog.getByRole('heading', { name: 'Quick light' })).toBeVisible();
  const lateAnswer = page.waitForResponse((answer) => answer.url().includes(`eventId=${slow}`));
  slowAnswer?.release();
  await (await lateAnswer).finished();
  // What it would open is another request away.
  await page.waitForLoadState('networkidle');
  await expect(dialog).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await link('Slow light').click();
  await expect(dialog.getByRole('heading', { name: 'Slow light' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('back to a month that was seen needs no network', async ({ page, context }) => {
  await page.goto('/en/events?date=2033-04-10');
  await calendarReady(page);
  const month = page.locator('#month-title');
  await page.getByRole('button', { name: 'Next month' }).click();
  await expect(month).toHaveText('May 2033');
  await page.locator('[data-day="2033-05-20"]').click();
  await context.setOffline(true);
  await page.goBack();
  await expect(month).toHaveText('April 2033');
  await expect(page.locator('[data-day="2033-04-10"]')).toHaveAttribute('tabindex', '0');
  await expect(page).toHaveURL('/en/events?date=2033-04-10');
  await page.goForward();
  await expect(page.locator('#day-title')).toHaveText('20 May');
});

test('a page that comes back has the hearts and the theme of now, and another tab’s theme at once', async ({
  page,
  context,
  request,
  server,
}) => {
  const headers = await logIn(page, request);
  const id = await inDatabase(server.databaseUrl, () => makeEvent({ titles: { en: 'Lantern of Hongdo' } }));
  await page.goto('/en/search?q=Hongdo&tab=events');
  const heart = page.locator(`[data-subscribe="${id}"][role="button"]`).first();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await page.locator('[data-theme-choice]').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-theme-choice] :checked')).toHaveCount(1);
  const subscription = { data: { subscriptionType: 'interested' }, headers };
  expect((await request.post(`/api/events/${id}/subscribe`, subscription)).status()).toBe(200);
  await page.evaluate(() => localStorage.setItem('byeol:theme', 'dark'));
  await comeBack(page);
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await context.clearCookies();
  await page.evaluate(() => localStorage.removeItem('auth_token'));
  await comeBack(page);
  await expect(heart).not.toHaveAttribute('aria-pressed', /./);
  await heart.click();
  await expect(page.getByRole('dialog')).toContainText('Log in');
  await page.keyboard.press('Escape');

  const other = await context.newPage();
  await other.goto(`${server.url}/en`);
  const choose = (name: string) => other.getByRole('radio', { name }).check({ force: true });
  await choose('Light');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.locator('[data-theme-choice] :checked')).toHaveAttribute('value', 'light');
  await choose('System');
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', /./);
});
