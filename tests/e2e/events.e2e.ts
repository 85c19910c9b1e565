import { brotliCompressSync, constants } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { expect, expectAccessible, expectNoThirdParty, test, watchRequests } from '#tests/kit/browser.ts';
import { makeArticle, makeEvent, makeStar } from '#tests/kit/make.ts';

/** Works in the server's database as its operator would. */
async function inDatabase<Made>(url: string, make: () => Promise<Made>): Promise<Made> {
  openDatabase(url);
  try {
    return await make();
  } finally {
    await closeDatabase();
  }
}

const phone = { width: 360, height: 780 };
const desk = { width: 1280, height: 1000 };

async function pageIn(
  browser: Browser,
  baseURL: string | undefined,
  options: Parameters<Browser['newContext']>[0],
): Promise<Page> {
  const context = await browser.newContext({
    timezoneId: 'Asia/Seoul',
    ...options,
    ...(baseURL ? { baseURL } : {}),
  });
  watchRequests(context);
  return context.newPage();
}

/** The calendar becomes an island for a person, who moves. */
async function calendarReady(page: Page): Promise<void> {
  await page.locator('[data-calendar][data-waiting]').waitFor();
  await page.mouse.move(200, 200);
  await page.mouse.move(210, 210);
  await page.locator('[data-calendar][data-ready]').waitFor();
}

test.use({ timezoneId: 'Asia/Seoul' });

test('without JavaScript the month is links, its filter a form, and every tab has its address', async ({
  browser,
  baseURL,
  server,
}) => {
  const { star, id } = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '무대', names: { en: 'STAGE' } });
    const at = { start: '2031-03-31T16:00:00Z', star, titles: { en: 'Night of stages' } };
    return { star, id: await makeEvent(at) };
  });
  const page = await pageIn(browser, baseURL, { javaScriptEnabled: false, viewport: phone });
  await page.goto('/en/events?month=2031-04');
  await page.getByRole('link', { name: /Thursday 1 April|Tuesday 1 April/ }).click();
  await expect(page.locator('.day-panel')).toContainText('Night of stages');
  await expect(page.locator('.highlights')).toContainText('1 event');
  await page.goto(`/en/events?date=2031-04-01&stars=${star}&categories=1`);
  await expect(page.locator('.day-panel')).toContainText('No events scheduled');
  await page.getByRole('link', { name: 'Clear all' }).click();
  await page.getByRole('link', { name: 'Night of stages', exact: true }).first().click();
  await expect(page).toHaveURL(`/en/events/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Night of stages');
  await page.goto('/en/events');
  for (const tab of ['Upcoming', 'Trending']) {
    await page.locator('.events-tabs').getByRole('link', { name: tab }).click();
    await expect(page).toHaveURL(new RegExp(`tab=${tab.toLowerCase()}`));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  }
  await page.goto('/en/events?tab=upcoming&range=month');
  await expect(page.getByRole('link', { name: 'View All Upcoming Events' })).toHaveAttribute(
    'href',
    '/en/events',
  );
  // Every calendar's way into the fan's own program is a link, and the file behind it is one.
  for (const [path, file] of [
    ['/en/events', /\/en\/events\.ics$/],
    ['/en/star/1', /\/en\/star\/1\/events\.ics$/],
  ] as const) {
    await page.goto(path);
    const address = page.locator('.calendar-feed .calendar-address').first();
    await expect(address).toHaveAttribute('href', file);
    await expect(page.locator('.calendar-feed a[href^="webcal:"]').first()).toHaveCount(1);
    const calendar = await page.request.get(new URL((await address.getAttribute('href')) ?? '').pathname);
    expect(calendar.headers()['content-type']).toContain('text/calendar');
  }
});

test('the calendar is browsed by keys: days, weeks, months; the address follows and the month with it', async ({
  page,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    const ids: number[] = [];
    for (let made = 0; made < 7; made += 1)
      ids.push(await makeEvent({ start: `2032-02-29T0${made}:00:00Z`, titles: { en: `Leap ${made}` } }));
    return ids;
  });
  await page.setViewportSize(desk);
  const asked = new Set<string | null>();
  page.on('request', (call) => asked.add(new URL(call.url()).searchParams.get('month')));
  await page.goto('/en/events?date=2032-02-28');
  await calendarReady(page);
  for (const month of ['2032-01', '2032-03']) await expect.poll(() => asked.has(month)).toBe(true);
  const day = (date: string) => page.locator(`[data-day="${date}"]`);
  await day('2032-02-28').focus();
  await page.keyboard.press('ArrowRight');
  await expect(day('2032-02-29')).toBeFocused();
  await expect(page).toHaveURL(/date=2032-02-29/);
  await expect(page.locator('.day-panel .ticket')).toHaveCount(5);
  await page.getByRole('button', { name: 'View all 7 events' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.locator('.ticket')).toHaveCount(7);
  await expectAccessible(page);
  expect(await sheet.evaluate((dialog) => dialog.getBoundingClientRect().toJSON())).toMatchObject({
    right: desk.width,
    width: 420,
    height: desk.height,
  });
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await day('2032-02-29').focus();
  await page.keyboard.press('ArrowRight');
  await expect(day('2032-03-01')).toBeFocused();
  await expect(page.locator('#month-title')).toHaveText('March 2032');
  await page.keyboard.press('PageDown');
  await expect(day('2032-04-01')).toBeFocused();
  await page.keyboard.press('End');
  await expect(day('2032-04-04')).toBeFocused();
  await page.goBack();
  await expect(page.locator('#month-title')).toHaveText(/March 2032|February 2032/);
  expectNoThirdParty(page);
});

test('both filters must pass, are kept in the address and cleared together', async ({ page, server }) => {
  const star = await inDatabase(server.databaseUrl, async () => {
    const own = await makeStar({ name: '둘', names: { en: 'DUO' } });
    const at = { start: '2033-05-10T03:00:00Z' };
    await makeEvent({ ...at, star: own, eventType: 'concert', titles: { en: 'Both' } });
    await makeEvent({ ...at, star: own, eventType: 'tv_show', titles: { en: 'Only the star' } });
    await makeEvent({ ...at, eventType: 'concert', titles: { en: 'Only the kind' } });
    return own;
  });
  await page.goto(`/en/events?date=2033-05-10&stars=${star}`);
  await calendarReady(page);
  const panel = page.locator('.day-panel');
  await expect(panel.locator('.ticket')).toHaveCount(2);
  await page.locator('.filter-kinds').getByRole('button', { name: 'Concert' }).click();
  await expect(panel.locator('.ticket-title')).toHaveText(['Both']);
  await expect(page).toHaveURL(new RegExp(`categories=\\d+&stars=${star}`));
  await page.getByRole('button', { name: 'Clear all' }).first().click();
  await expect(panel.locator('.ticket')).toHaveCount(3);
  await expect(page).not.toHaveURL(/stars=/);
});

test('a month that fails shows a card and comes with the second try', async ({ page }) => {
  await page.goto('/en/events?date=2034-01-10');
  await calendarReady(page);
  await page.waitForLoadState('networkidle');
  let broken = true;
  await page.route('**/month.json?month=2035-*', (route) => (broken ? route.abort() : route.continue()));
  await page.locator('[data-day="2034-01-10"]').focus();
  await page.keyboard.press('Shift+PageDown');
  await expect(page.getByRole('alert')).toContainText('Error loading articles');
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('[data-day="2035-01-10"]')).toBeVisible();
});

test('a countdown counts, says LIVE NOW at the start and Completed at the end', async ({ page, server }) => {
  const start = Date.now() + 25 * 3_600_000;
  const id = await inDatabase(server.databaseUrl, () =>
    makeEvent({
      start: new Date(start),
      end: new Date(start + 3_600_000),
      titles: { en: 'Counted' },
    }),
  );
  // Stopped, so that a busy machine loses no second.
  await page.clock.install({ time: start - 90_001_000 });
  await page.clock.pauseAt(start - 90_000_000);
  await page.goto(`/en/events/${id}`);
  const countdown = page.locator('.event-details [role="timer"]');
  await expect(countdown).toHaveText('1d01h00m00s');
  await hide(page, true);
  await page.clock.fastForward(10_000);
  await expect(countdown).toHaveText('1d01h00m00s');
  await hide(page, false);
  await expect(countdown).toHaveText('1d00h59m50s');
  await page.clock.fastForward(3_600_000 - 9_000);
  await expect(countdown).toContainText('23:59:59');
  await page.clock.fastForward(23 * 3_600_000 + 3_599_000);
  const status = page.locator('.event-details [data-status]');
  await expect(status).toHaveText('LIVE NOW');
  await expect(countdown).toBeHidden();
  await page.clock.fastForward(3_600_000);
  await expect(status).toHaveText('Completed');
});

/** What a hidden page is told, and a page that is looked at again. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

test('a calendar left open is at the new day after midnight, in the new month too, and a chosen day stays', async ({
  page,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    await makeEvent({ start: '2031-08-31T03:00:00Z', titles: { en: 'Last of August' } });
    await makeEvent({ start: '2031-09-01T03:00:00Z', titles: { en: 'First of September' } });
    return makeEvent({ start: '2031-09-01T04:00:00Z', titles: { en: 'Second of September' } });
  });
  await page.setViewportSize(desk);
  await page.clock.install({ time: '2031-08-31T23:50:00+09:00' });
  await page.goto('/en/events');
  await calendarReady(page);
  const today = page.locator('[aria-current="date"]');
  const head = page.locator('.day-panel .section-head');
  await expect(today).toHaveAttribute('data-day', '2031-08-31');
  await expect(head).toHaveText(/31.*1 event/);
  await today.focus();
  await page.clock.fastForward('15:00');
  await expect(today).toHaveAttribute('data-day', '2031-09-01');
  await expect(today).toBeFocused();
  await expect(page.locator('#month-title')).toHaveText('September 2031');
  await expect(page.locator('[aria-selected="true"]')).toContainText('1 September');
  await expect(head).toHaveText(/Sep.*2 events/);
  await expect(page).toHaveURL('/en/events');
  // A day of one's own choice stays; hidden over midnight, the page is told when somebody looks at it.
  await page.locator('[data-day="2031-09-20"]').click();
  await page.clock.pauseAt('2031-09-01T23:59:00+09:00');
  await hide(page, true);
  await page.clock.setSystemTime('2031-09-02T08:00:00+09:00');
  await expect(today).toHaveAttribute('data-day', '2031-09-01');
  await hide(page, false);
  await expect(today).toHaveAttribute('data-day', '2031-09-02');
  await expect(page.locator('[aria-selected="true"]')).toContainText('20 September');
  await expect(page).toHaveURL(/date=2031-09-20/);
});

test('upcoming events go live, then are over, and on the new day are those of the new day in the same place', async ({
  page,
  server,
}) => {
  // In Seoul, at least two hours from now.
  const dayOf = (at: number) => Math.floor((at + 9 * 3_600_000) / 86_400_000);
  const midnight = (dayOf(Date.now() + 2 * 3_600_000) + 1) * 86_400_000 - 9 * 3_600_000;
  const start = midnight - 3_600_000;
  const id = await inDatabase(server.databaseUrl, () =>
    makeEvent({ start: new Date(start), end: new Date(start + 1_800_000), titles: { en: 'Late tonight' } }),
  );
  await page.setViewportSize(phone);
  await page.clock.install({ time: start - 10_000 });
  await page.clock.pauseAt(start - 9_000);
  await page.goto('/en/events?tab=upcoming&range=month&tz=Asia/Seoul');
  const ticket = page.locator(`.upcoming-list [data-ticket="${id}"]`);
  await ticket.scrollIntoViewIfNeeded();
  await expect(ticket.locator('.countdown')).toContainText('00:00:09');
  await page.clock.fastForward(9_000);
  await expect(ticket.locator('[data-status]')).toHaveText('LIVE NOW');
  await page.clock.fastForward(1_800_000);
  await expect(ticket.locator('[data-status]')).toHaveText('Completed');
  const heading = page.locator('.upcoming-day h2').first();
  const before = await heading.textContent();
  const other = page.locator('.upcoming-list .card-link').last();
  await other.focus();
  const place = (await other.boundingBox())?.y ?? 0;
  await page.route('**/en/events?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text())
      .replace(before ?? '', 'The new day')
      .replace('class="poster-days"', 'class="poster-days new"');
    await route.fulfill({ response: answer, body });
  });
  await page.clock.fastForward(1_811_000);
  await expect(heading).toHaveText('The new day');
  await expect(page).toHaveURL('/en/events?tab=upcoming&range=month&tz=Asia/Seoul');
  await expect(other).toBeFocused();
  // Tickets that were never seen have an estimated height: less than half a ticket is the same place.
  expect(Math.abs(((await other.boundingBox())?.y ?? 0) - place)).toBeLessThan(60);
  await expect(page.locator('.poster-days.new')).toHaveCount(1);
});

test('a tab that takes long is six placeholders of the size of what comes, and one that fails a card that tries again', async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto('/ms/events');
  await page.waitForLoadState('networkidle');
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route('**/events/part?tab=upcoming', async (route) => {
    asked.resolve();
    await answered.promise;
    await route.continue();
  });
  await page.locator('.events-tabs').getByRole('link', { name: 'Akan datang' }).click();
  await asked.promise;
  const placeholders = page.locator('.ticket-skeleton');
  await expect(placeholders).toHaveCount(6);
  await expect(page.locator('.events-tabs [aria-current]')).toHaveText('Akan datang');
  await expectAccessible(page);
  const size = (await placeholders.first().boundingBox())?.height ?? 0;
  const moved = await page.evaluateHandle(() => {
    const shifts = { sum: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
          shifts.sum += Number(entry.value);
    }).observe({ type: 'layout-shift' });
    return shifts;
  });
  answered.resolve();
  const tickets = page.locator('.upcoming-list .ticket');
  await expect(tickets.first()).toBeVisible();
  await expect(placeholders).toHaveCount(0);
  const height = (await tickets.first().boundingBox())?.height ?? 0;
  expect(Math.abs(height - size)).toBeLessThan(40);
  expect((await moved.jsonValue()).sum).toBeLessThanOrEqual(0.02);
  await page.route('**/events/part?tab=trending', (route) => route.fulfill({ status: 400 }), { times: 1 });
  await page.locator('.events-tabs').getByRole('link', { name: 'Sohor kini' }).click();
  await expect(page.getByRole('alert')).toContainText('Gagal');
  await expect(page).toHaveURL('/ms/events?tab=trending');
  await page.getByRole('button', { name: 'Cuba lagi' }).click();
  await expect(page.locator('.ranked-row').first()).toBeVisible();
  await expect(page.locator('.events-tabs [aria-current]')).toBeFocused();
});

test('a fan in New York sees the days of New York, on the day that has 25 hours too, with Korea’s time beside', async ({
  browser,
  baseURL,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    await makeEvent({ start: '2031-11-03T04:30:00Z', titles: { en: 'Before midnight' } });
    await makeEvent({ start: '2031-11-03T05:30:00Z', titles: { en: 'After midnight' } });
  });
  const page = await pageIn(browser, baseURL, { timezoneId: 'America/New_York', viewport: desk });
  await page.goto('/en/events?date=2031-11-02');
  await calendarReady(page);
  const panel = page.locator('.day-panel');
  await expect(panel.locator('.ticket-title')).toHaveText(['Before midnight']);
  await expect(panel.locator('.ticket-stub')).toContainText('23:30');
  await expect(panel.locator('.ticket-stub')).toContainText('13:30 KST');
  await page.locator('[data-day="2031-11-03"]').click();
  await expect(panel.locator('.ticket-title')).toHaveText(['After midnight']);
});

test('choosing an event leads to its story, else its details open in place and close again', async ({
  page,
  server,
}) => {
  const { story, told } = await inDatabase(server.databaseUrl, async () => {
    const article = await makeArticle({ rewrites: { en: 'The story of it' } });
    await makeEvent({
      start: '2036-06-01T03:00:00Z',
      titles: { en: 'Untold' },
      description: 'Nobody wrote of it.',
    });
    const id = await makeEvent({ start: '2036-06-01T04:00:00Z', titles: { en: 'Told' }, article });
    return { story: article, told: id };
  });
  await page.goto('/en/events?date=2036-06-01');
  await calendarReady(page);
  const untold = page.locator('.day-panel').getByRole('link', { name: 'Untold', exact: true });
  await untold.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Nobody wrote of it.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(untold).toBeFocused();
  await page.locator('.day-panel').getByRole('link', { name: 'Told', exact: true }).click();
  await expect(page).toHaveURL(`/en/article/${story}`);
  expect((await page.request.get(`/en/events/${told}`)).status()).toBe(200);
});

test('a heart on any page fills at once, says so, and goes back with a word when the server fails', async ({
  page,
  request,
}) => {
  const name = `heart_${Date.now().toString(36)}`;
  const password = '바다 건너는 별 31';
  const account = { email: `${name}@byeol.example`, username: name, language: 'en' };
  const made = await request.post('/api/auth/register', {
    data: { ...account, password, confirmPassword: password },
  });
  const { token } = await made.json();
  await page.addInitScript((proof) => localStorage.setItem('auth_token', proof), token);
  await page.goto('/en/search?q=night&tab=events');
  const heart = page.locator('[data-subscribe][role="button"]').first();
  let broken = true;
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/events/*/subscribe', async (route) => {
    if (!broken) return route.continue();
    asked.resolve();
    await answered.promise;
    return route.fulfill({ status: 400, json: { error: 'No', code: 'invalid' } });
  });
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await asked.promise;
  answered.resolve();
  await expect(page.locator('#toast')).toHaveText('Failed to subscribe to event');
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  broken = false;
  await heart.click();
  await expect(page.locator('#toast')).toHaveText('We’ll remind you 1 day and 1 hour before.');
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
});

test('a month of three thousand events is a light page, and its fullest day a sheet that lays out what is seen', async ({
  page,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    const one = await makeEvent({ start: '2038-05-01T03:00:00Z', titles: { en: 'Crowded' } });
    await connection()`
      with made as (
        insert into events (event_type, category_id, verification, start_time, decided_at)
        select 'concert', category_id, 'approved', case when n <= 400 then timestamptz '2038-05-20 03:00Z'
          else timestamptz '2038-05-01 03:00Z' + n * interval '12 minutes' end, now()
        from events, generate_series(1, 3000) n where id = ${one} returning id)
      insert into event_translations (event_id, language, title) select id, 'en', 'Crowd ' || id from made`;
  });
  const answer = await page.request.get('/en/events?date=2038-05-20', {
    headers: { 'accept-encoding': 'br' },
  });
  expect(answer.status()).toBe(200);
  const size = brotliCompressSync(await answer.body(), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
  }).byteLength;
  expect(size).toBeLessThanOrEqual(16_000);
  await page.goto('/en/events?date=2038-05-20');
  await calendarReady(page);
  await page.getByRole('button', { name: /View all \d{3} events/ }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.locator('.ticket').first()).toBeVisible();
  expect(await sheet.locator('.ticket').count()).toBeLessThan(40);
  const first = await sheet.locator('.card-link').first().textContent();
  await sheet.locator('.sheet-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
  await expect(sheet.locator('.card-link').first()).not.toHaveText(first ?? '');
  expect(await sheet.locator('.ticket').count()).toBeLessThan(40);
  await expect(sheet.locator('.countdown b').first()).toBeVisible();
  // The tests after this one have the demo's calendar again.
  await inDatabase(server.databaseUrl, async () => {
    await connection()`delete from events where start_time between '2038-05-01' and '2038-06-01'`;
  });
});

test('a guest who presses a heart is asked to log in', async ({ page }) => {
  await page.goto('/en/events?tab=upcoming');
  await page.locator('.ticket-heart').first().click();
  const dialog = page.getByRole('dialog', { name: 'Log in to be reminded' });
  await expect(dialog.getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    /^\/login\?lang=en&next=/,
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(dialog).toHaveCount(0);
});

test('tabs change in place and scroll to the top, stand in the address, and back returns', async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto('/ms/events?tab=trending');
  await page.evaluate(() => {
    Object.assign(window, { stayed: true });
    scrollTo(0, 500);
  });
  await page.locator('.events-tabs').getByRole('link', { name: 'Akan datang' }).click();
  await expect(page).toHaveURL('/ms/events?tab=upcoming');
  await expect(page.locator('.upcoming-list .ticket').first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.locator('.segmented').getByRole('link', { name: 'Bulan ini' }).click();
  await expect(page).toHaveURL('/ms/events?tab=upcoming&range=month');
  await page.goBack();
  await page.goBack();
  await expect(page.locator('.ranked-row').first()).toBeVisible();
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => /client\.[\w-]+\.js$/.test(name)),
  );
  expect(loaded, 'React on these tabs').toBe(false);
});

test('an event’s page is complete for search engines and reads in every language', async ({
  page,
  server,
}) => {
  const id = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '등대', names: { en: 'LIGHTHOUSE' } });
    return makeEvent({
      start: '2037-03-01T10:00:00Z',
      end: '2037-03-01T12:00:00Z',
      titles: { ko: '등대 공연', en: 'Lighthouse night', ms: 'Malam rumah api', vi: 'Đêm hải đăng' },
      description: 'Light over water.',
      venue: 'Hall',
      location: 'Seoul',
      star,
      ticketUrl: 'https://tickets.example/a',
      streamingUrl: 'javascript:alert(1)',
    });
  });
  for (const lang of languages) {
    await page.goto(`/${lang}/events/${id}`);
    await expectAccessible(page);
  }
  await page.goto(`/en/events/${id}`);
  const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
  const event = blocks.map((block) => JSON.parse(block)).find((data) => data['@type'] === 'MusicEvent');
  expect(event).toMatchObject({
    name: 'Lighthouse night',
    startDate: '2037-03-01T19:00:00+09:00',
    endDate: '2037-03-01T21:00:00+09:00',
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { name: 'Hall', address: { addressLocality: 'Seoul' } },
    performer: [{ name: 'LIGHTHOUSE' }],
    offers: { url: 'https://tickets.example/a' },
  });
  expect(event.organizer.name && event.image.length && event.description).toBeTruthy();
  await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Add to calendar' })).toHaveAttribute(
    'href',
    `/en/events/${id}.ics`,
  );
  expectNoThirdParty(page);
});

for (const lang of languages) {
  test(`the events page is accessible in ${lang}, on each tab`, async ({ page }) => {
    await page.setViewportSize(phone);
    for (const address of ['', '?tab=upcoming', '?tab=trending']) {
      await page.goto(`/${lang}/events${address}`);
      if (address === '') await calendarReady(page);
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    }
  });
}
