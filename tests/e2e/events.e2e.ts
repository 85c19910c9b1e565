import { type Lang, languages } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { calendarReady, inDatabase, pageIn, phone } from '#tests/kit/events-page.ts';
import { holdAnswer } from '#tests/kit/held-answer.ts';
import { makeArticle, makeEvent, makeStar } from '#tests/kit/make.ts';
import { keepToasts, stretchTimeouts } from '#tests/kit/page-timers.ts';
import { setVisibility } from '#tests/kit/visibility.ts';

test.use({ timezoneId: 'Asia/Seoul' });

test.beforeEach(({ page }) => stretchTimeouts(page));

test('highlights stand in the order of the days that they say, and a cancelled event says so', async ({
  browser,
  baseURL,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    const day = { precision: 'day', start: '2035-06-26T15:00:00Z', titles: { en: 'Whole day' } } as const;
    await makeEvent(day);
    await makeEvent({ start: '2035-06-27T01:00:00Z', titles: { en: 'Evening before' }, state: 'cancelled' });
    await makeEvent({ start: '2035-06-29T01:00:00Z', titles: { en: 'Day after' } });
  });
  for (const [zone, days] of [
    ['America/New_York', ['Evening before', 'Whole day', 'Day after']],
    ['Asia/Seoul', ['Whole day', 'Evening before', 'Day after']],
  ] as const) {
    const page = await pageIn(browser, baseURL, { timezoneId: zone, viewport: phone });
    await page.goto('/en/events?month=2035-06');
    const titles = page.locator('.highlight-title');
    const rows = page.locator('.highlight');
    await expect(titles).toHaveText([...days]);
    await expect(rows.filter({ hasText: 'Evening before' }).locator('.status')).toHaveText('Cancelled');
    await expect(rows.locator('.status')).toHaveCount(1);
    await calendarReady(page);
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('button', { name: 'Previous month' }).click();
    await expect(titles).toHaveText([...days]);
    await expect(rows.filter({ hasText: 'Evening before' }).locator('.status')).toHaveText('Cancelled');
    await page.context().close();
  }
});

test('without JavaScript every time says that it is Korea’s', async ({ browser, baseURL }) => {
  const page = await pageIn(browser, baseURL, { javaScriptEnabled: false, viewport: phone });
  for (const [path, name] of [
    ['/ms', 'KST'],
    ['/ms/events?tab=upcoming', 'KST'],
    ['/ms/star/1', 'KST'],
    ['/ko/star/1', '한국 시간'],
  ] as const) {
    await page.goto(path);
    const clockSuffixes = await page
      .locator('.ticket-stub [data-clock]')
      .evaluateAll((times) =>
        times.map((time) => getComputedStyle(time, '::after').content + time.dataset.zone),
      );
    expect([path, clockSuffixes.length > 0, clockSuffixes.filter((text) => !text.includes(name))]).toEqual([
      path,
      true,
      [],
    ]);
  }
  // In another zone Korea's time stands beside its own.
  await page.goto('/ms/events?tab=upcoming&tz=America/Los_Angeles');
  const stubs = page.locator('.ticket-stub:has([data-clock])');
  await expect(stubs.first()).toContainText('KST');
  expect(
    await stubs.evaluateAll((all) =>
      all.map((stub) => getComputedStyle(stub.querySelector('[data-clock]') ?? stub, '::after').content),
    ),
  ).toEqual(Array(await stubs.count()).fill('none'));
  await page.context().close();
});

test('without JavaScript the month is links, its filter a form, and every tab has its address', async ({
  browser,
  baseURL,
  server,
}) => {
  const { star, id } = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '무대', names: { en: 'STAGE' } });
    const event = { start: '2031-03-31T16:00:00Z', star, titles: { en: 'Night of stages' }, venue: 'Hall' };
    return { star, id: await makeEvent(event) };
  });
  const page = await pageIn(browser, baseURL, { javaScriptEnabled: false, viewport: phone });
  await page.goto('/en/events?month=2031-04');
  await page.getByRole('link', { name: /Thursday 1 April|Tuesday 1 April/ }).click();
  await expect(page.locator('.day-panel')).toContainText('Night of stages');
  await expect(page.locator('#day-title')).toHaveText('1 Apr');
  await expect(page.locator('.highlights')).toContainText('1 in total');
  await expect(page.locator('.highlight > .dot')).toHaveClass(/dot-\w/);
  await expect(page.locator('.highlight')).toHaveText(/Night of stages\s*Concert\s*1 Apr · Hall · STAGE/);
  await page.goto(`/en/events?date=2031-04-01&stars=${star}&categories=1`);
  await expect(page.locator('.day-panel')).toContainText(/No events scheduled\s*Select another date/);
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
  await page.goto('/en/events?tab=upcoming&offset=900000');
  await expect(page.locator('.segmented [aria-current]')).toHaveText('This week');
  await expect(page.locator('.events-part')).toContainText(
    /No upcoming events\s*Check back later for new events/,
  );
  await page.goto('/en/events?tab=trending&category=none');
  await expect(page.locator('.events-part')).toContainText('No trending events');
  await page.goto('/en/events?tab=upcoming&range=month');
  await expect(page.locator('.upcoming-day').first()).toContainText(/day \d+ \w+\s*\d+ events?/);
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
  await page.clock.install({ time: start - 90_060_000 });
  await page.clock.pauseAt(start - 90_000_000);
  await page.goto(`/en/events/${id}`);
  const countdown = page.locator('.event-details [role="timer"]');
  await expect(countdown).toHaveText('1d01h00m00s');
  await setVisibility(page, 'hidden');
  await page.clock.fastForward(10_000);
  await expect(countdown).toHaveText('1d01h00m00s');
  await setVisibility(page, 'visible');
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

test('nothing moves on the page of an event when its countdown and the visitor’s own time come', async ({
  browser,
  server,
}) => {
  const id = await inDatabase(server.databaseUrl, () =>
    makeEvent({ start: new Date(Date.now() + 12 * 86_400_000) }),
  );
  for (const lang of ['ko', 'ms']) {
    const context = await browser.newContext({ viewport: phone, timezoneId: 'America/New_York' });
    const page = await context.newPage();
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ('value' in entry) document.documentElement.dataset.shift = `${entry.value}`;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${server.url}/${lang}/events/${id}`);
    await expect(page.locator('.event-details .countdown b').first()).toBeVisible();
    await expect(page.locator('.event-own-time time').first()).toHaveText(/\d/);
    const shift = Number((await page.locator('html').getAttribute('data-shift')) ?? 0);
    expect(shift).toBeLessThan(0.005);
    await context.close();
  }
});

test('a fan who lives where an event is reads its time once', async ({ browser, server }) => {
  const zone = 'Asia/Kuala_Lumpur';
  const ids = await inDatabase(server.databaseUrl, async () => [
    await makeEvent({ start: '2037-03-01T12:00:00Z', zone }),
    await makeEvent({ start: '2037-03-01T12:00:00Z', end: '2037-03-01T14:00:00Z', zone }),
  ]);
  for (const [timezoneId, labels] of [
    [zone, ['Waktu anda', 'Waktu Korea']],
    ['Asia/Singapore', ['Waktu anda', 'Waktu Korea']],
    ['America/New_York', ['Waktu anda', 'Waktu setempat', 'Waktu Korea']],
    ['Asia/Seoul', ['Waktu setempat', 'Waktu Korea']],
  ] as const)
    for (const id of ids) {
      const page = await pageIn(browser, server.url, { timezoneId, viewport: phone });
      await page.goto(`/ms/events/${id}`);
      await expect(page.locator('.event-facts dd small').filter({ visible: true })).toHaveText(labels);
      await page.context().close();
    }
});

test('a page is kept no longer than what it says of an event is true', async ({ request, server }) => {
  const { star, id, article } = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '곧', names: { en: 'SOON' } });
    // Shorter than any of them is kept otherwise, and long enough to ask for all of them.
    const id = await makeEvent({ star, start: new Date(Date.now() + 55_000) });
    return { star, id, article: await makeArticle({ stars: [star] }) };
  });
  for (const path of [
    `/en/events/${id}`,
    `/en/star/${star}`,
    `/en/article/${article}`,
    '/vi/events?tab=upcoming',
  ]) {
    const answer = await request.get(path);
    expect([path, (await answer.text()).includes(`data-ticket="${id}"`)]).toEqual([path, true]);
    const life = answer.headers()['cdn-cache-control'] ?? '';
    const [, maxAge, swr] = life.match(/max-age=(\d+), stale-while-revalidate=(\d+)/) ?? [];
    expect([path, Number(maxAge) + Number(swr)]).toEqual([path, expect.any(Number)]);
    expect([path, Number(maxAge) + Number(swr) <= 55]).toEqual([path, true]);
  }
});

test('upcoming events go live, then are over, and on the new day are those of the new day in the same place', async ({
  page,
  server,
}) => {
  // In Seoul, at least two hours from now.
  const dayOf = (time: number) => Math.floor((time + 9 * 3_600_000) / 86_400_000);
  const midnight = (dayOf(Date.now() + 2 * 3_600_000) + 1) * 86_400_000 - 9 * 3_600_000;
  const start = midnight - 3_600_000;
  const id = await inDatabase(server.databaseUrl, () =>
    makeEvent({ start: new Date(start), end: new Date(start + 1_800_000), titles: { en: 'Late tonight' } }),
  );
  await page.setViewportSize(phone);
  await page.clock.install({ time: start - 69_000 });
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
  const headingBefore = await heading.textContent();
  const lastTicket = page.locator('.upcoming-list .card-link').last();
  await lastTicket.focus();
  // Where it stands is known once what came into sight is laid out.
  let positionBefore = Number.NaN;
  const settles = async () => {
    const position = (await lastTicket.boundingBox())?.y ?? 0;
    const hasSettled = position === positionBefore;
    positionBefore = position;
    return hasSettled;
  };
  await expect.poll(settles).toBe(true);
  await page.route('**/en/events?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text())
      .replace(headingBefore ?? '', 'The new day')
      .replace('class="poster-days"', 'class="poster-days new"');
    await route.fulfill({ response: answer, body });
  });
  await page.clock.fastForward(1_811_000);
  await expect(heading).toHaveText('The new day');
  await expect(page).toHaveURL('/en/events?tab=upcoming&range=month&tz=Asia/Seoul');
  await expect(lastTicket).toBeFocused();
  // Tickets that were never seen have an estimated height: less than half a ticket is the same place, once they are laid out.
  await expect
    .poll(async () => Math.abs(((await lastTicket.boundingBox())?.y ?? 0) - positionBefore))
    .toBeLessThan(60);
  await expect(page.locator('.poster-days.new')).toHaveCount(1);
});

test('upcoming events that were read on are all there on the new day', async ({ page, server }) => {
  const dayOf = (time: number) => Math.floor((time + 9 * 3_600_000) / 86_400_000);
  const midnight = (dayOf(Date.now()) + 1) * 86_400_000 - 9 * 3_600_000;
  await inDatabase(server.databaseUrl, async () => {
    for (let number = 0; number < 55; number += 1)
      await makeEvent({
        start: new Date(midnight + 86_400_000 + number * 600_000),
        titles: { en: `Lamp ${number}` },
      });
    await connection()`select pg_notify('byeol_invalidate', 'events')`;
  });
  // What is kept of it from the test before would stand beside further rows of now, until its minute is over.
  const list = '/en/events?tab=upcoming&range=month&tz=Asia/Seoul';
  await expect.poll(async () => (await page.request.get(list)).text()).toContain('Lamp 0');
  await page.clock.install({ time: midnight - 60_000 });
  await page.clock.pauseAt(midnight - 30_000);
  await page.goto(`${list}&pages=2`);
  const links = page.locator('.upcoming-list .card-link');
  await expect.poll(() => links.count()).toBeGreaterThan(50);
  const last = page.locator(`.upcoming-list [data-event="${await links.last().getAttribute('data-event')}"]`);
  await last.focus();
  const heading = page.locator('.upcoming-day h2').first();
  const headingBefore = await heading.textContent();
  await page.route('**/en/events?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(headingBefore ?? '', 'The new day');
    await route.fulfill({ response: answer, body });
  });
  await page.clock.fastForward(60_000);
  await expect(heading).toHaveText('The new day');
  await expect(last).toBeFocused();
  expect(await links.count()).toBeGreaterThan(50);

  // On the next, of which only the page comes, the posters are new and none of the rows leaves.
  await page.route('**/en/events/part?*', (route) => route.abort());
  await page.route('**/en/events?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('class="poster-days"', 'class="poster-days new"');
    await route.fulfill({ response: answer, body });
  });
  await page.clock.fastForward(86_400_000);
  await expect(async () => {
    await page.clock.runFor(1_000);
    expect(await page.locator('.poster-days.new').count()).toBe(1);
  }).toPass();
  await expect(heading).toHaveText('The new day');
  expect(await links.count()).toBeGreaterThan(50);
});

test('a tab that takes long is six placeholders of the size of what comes, and one that fails a card that tries again', async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto('/ms/events');
  await page.waitForLoadState('networkidle');
  const held = await holdAnswer(page, '**/events/part?tab=upcoming');
  await page.locator('.events-tabs').getByRole('link', { name: 'Akan datang' }).click();
  await held.requested;
  const placeholders = page.locator('.ticket-skeleton');
  await expect(placeholders).toHaveCount(6);
  await expect(page.locator('.events-tabs [aria-current]')).toHaveText('Akan datang');
  await expectAccessible(page);
  const size = (await placeholders.first().boundingBox())?.height ?? 0;
  const shiftSum = await page.evaluateHandle(() => {
    const shifts = { sum: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
          shifts.sum += Number(entry.value);
    }).observe({ type: 'layout-shift' });
    return shifts;
  });
  held.release();
  const tickets = page.locator('.upcoming-list .ticket');
  await expect(tickets.first()).toBeVisible();
  await expect(placeholders).toHaveCount(0);
  // Which ticket is first depends on the hour, and so does whether its title takes two lines or four.
  const heights = await tickets.evaluateAll((all) =>
    all.slice(0, 6).map((ticket) => ticket.getBoundingClientRect().height),
  );
  const usual = heights.sort((a, b) => a - b)[Math.floor(heights.length / 2)] ?? 0;
  expect(Math.abs(usual - size)).toBeLessThan(40);
  expect((await shiftSum.jsonValue()).sum).toBeLessThanOrEqual(0.02);
  await page.route('**/events/part?tab=trending', (route) => route.fulfill({ status: 400 }), { times: 1 });
  await page.locator('.events-tabs').getByRole('link', { name: 'Sohor kini' }).click();
  await expect(page.getByRole('alert')).toContainText('Gagal');
  await expect(page).toHaveURL('/ms/events?tab=trending');
  await page.getByRole('button', { name: 'Cuba lagi' }).click();
  await expect(page.locator('.ranked-row').first()).toBeVisible();
  await expect(page.locator('.events-tabs [aria-current]')).toBeFocused();
});

test('a heart on any page fills at once, says so, and goes back with a word when the server fails', async ({
  page,
  request,
  server,
}) => {
  await keepToasts(page);
  const name = `heart_${Date.now().toString(36)}`;
  const password = '바다 건너는 별 31';
  const account = { email: `${name}@byeol.example`, username: name, language: 'en' };
  const registration = await request.post('/api/auth/register', {
    data: { ...account, password, confirmPassword: password },
  });
  const { token } = await registration.json();
  await page.addInitScript((proof) => localStorage.setItem('auth_token', proof), token);
  await inDatabase(server.databaseUrl, () => makeEvent({ titles: { en: 'Lantern night of Eocheong' } }));
  await page.goto('/en/search?q=Eocheong&tab=events');
  const heart = page.locator('[data-subscribe][role="button"]').first();
  let broken = true;
  const requested = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/events/*/subscribe', async (route) => {
    if (!broken) return route.continue();
    requested.resolve();
    await answered.promise;
    return route.fulfill({ status: 400, json: { error: 'No', code: 'invalid' } });
  });
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await requested.promise;
  answered.resolve();
  await expect(page.locator('#toast')).toHaveText('Failed to subscribe to event');
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  broken = false;
  await heart.click();
  // Nor does it promise what would not arrive.
  await expect(page.locator('#toast')).toHaveText(
    /^Added to your events\. Emails won’t arrive: .+ Push notifications won’t arrive: .+See what to do$/,
  );
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await inDatabase(server.databaseUrl, async () => {
    await connection()`update users set email_verified_at = now() where username = ${name}`;
    await connection()`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
      select user_id, s.id, ${`https://93.184.215.14/push/${name}`}, 'key', 'secret'
      from sessions s join users u on u.id = user_id where username = ${name}`;
  });
  await heart.click();
  await expect(page.locator('#toast')).toHaveText('No more reminders for this event.');
  await heart.click();
  await expect(page.locator('#toast')).toHaveText('We’ll remind you 1 day and 1 hour before.');

  // It promises no reminder whose time is past.
  for (const [minutes, toast] of [
    [300, 'We’ll remind you 1 hour before.'],
    [30, 'Added to your events.'],
  ] as const) {
    const start = new Date(Date.now() + minutes * 60_000);
    const id = await inDatabase(server.databaseUrl, () => makeEvent({ start }));
    await page.goto(`/en/events/${id}`);
    await page.locator(`[data-subscribe="${id}"][role="button"]`).click();
    await expect(page.locator('#toast')).toHaveText(toast);
  }
});

test('a guest who presses a heart is asked to log in', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/en/events?tab=upcoming');
  await page.locator('.ticket-heart').first().click();
  const dialog = page.getByRole('dialog', { name: 'Log in to be reminded' });
  await expect(dialog.getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    /^\/login\?lang=en&next=/,
  );
  await expect(dialog.locator('.sheet-handle')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(dialog).toHaveCount(0);
});

test('tabs change in place and scroll to the top, stand in the address, and back returns', async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto('/ms/events?tab=trending');
  await expect(page).toHaveTitle('Acara · Sohor kini | Byeol');
  await page.evaluate(() => {
    Object.assign(window, { stayed: true });
    scrollTo(0, 500);
  });
  await page.locator('.events-tabs').getByRole('link', { name: 'Akan datang' }).click();
  await expect(page).toHaveURL('/ms/events?tab=upcoming');
  await expect(page.locator('.upcoming-list .ticket').first()).toBeVisible();
  await expect(page).toHaveTitle('Acara · Akan datang | Byeol');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.locator('.segmented').getByRole('link', { name: 'Bulan ini' }).click();
  await expect(page).toHaveURL('/ms/events?tab=upcoming&range=month');
  await page.goBack();
  await page.goBack();
  await expect(page.locator('.ranked-row').first()).toBeVisible();
  await expect(page).toHaveTitle('Acara · Sohor kini | Byeol');
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => /client\.[\w-]+\.js$/.test(name)),
  );
  expect(loaded, 'React on these tabs').toBe(false);
});

test('trending rows say all of what is wanted, a chip shows one kind, and more come below', async ({
  page,
}) => {
  await page.goto('/en/events?tab=trending');
  const rows = page.locator('.ranked-row');
  await expect(rows).toHaveCount(10);
  const chips = page.locator('.event-chips').getByRole('link');
  await expect(chips.first()).toHaveText('All Categories');
  await expect(chips.first()).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('.ranked .score')).toHaveText([
    'Hot',
    'Trending',
    'Trending',
    'Rising',
    'Rising',
    'New',
    'New',
    'New',
    'New',
    'New',
  ]);
  await expect(rows.first()).toContainText('Number 1, going up');
  await expect(rows.nth(3)).toContainText('Number 4, steady');
  await expect(rows.nth(6)).toContainText('Number 7, going down');
  await expect(rows.first().locator('h3')).toHaveText(/\S/);
  await expect(rows.first().locator('.ranked-text')).toHaveText(/\S/);
  await expect(rows.first().locator('.ranked-counts')).toHaveText(/Interested \d+\s*RSVPs \d+/);
  const crowded = rows.filter({ has: page.locator('.faces-more') }).first();
  await expect(crowded.locator('.faces img')).toHaveCount(3);
  await expect(crowded.locator('.faces-more')).toHaveText(/^\+\d+and \d+ more$/);
  await expect(page.locator('.ranked .emoji').first()).toHaveText(/[💿🎤💝📺🏆]/u);
  await page.getByRole('link', { name: 'Load More Trending Events' }).click();
  await expect(rows).toHaveCount(20);
  await expect(rows.nth(10)).toContainText('Number 11');
  await expect(rows.nth(10).locator('.card-link')).toBeFocused();
  await chips.filter({ hasText: 'Concert' }).click();
  await expect(page).toHaveURL('/en/events?tab=trending&category=concert');
  await expect(rows.locator('.ranked-kind').filter({ hasNotText: 'Concert' })).toHaveCount(0);
});

const koreaTime = {
  ko: '한국 시간',
  en: 'Korea time',
  ms: 'waktu Korea',
  vi: 'giờ Hàn Quốc',
} as const satisfies Record<Lang, string>;

test('an event’s page is complete for search engines and reads in every language', async ({
  page,
  server,
}) => {
  const id = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '등대', names: { en: 'LIGHTHOUSE' } });
    const guest = await makeStar({ name: '파수', names: { en: 'KEEPER' } });
    return makeEvent({
      stars: [guest],
      article: await makeArticle({ rewrites: { en: 'A light is lit' } }),
      officialUrl: 'https://official.example/a',
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
    await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
    // A preview abroad has nothing but this beside the title.
    for (const name of ['name="description"', 'property="og:description"'])
      await expect(page.locator(`meta[${name}]`)).toHaveAttribute(
        'content',
        new RegExp(`19:00 ?\\(${koreaTime[lang]}\\) · Hall, Seoul`),
      );
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
    performer: [{ name: 'LIGHTHOUSE' }, { name: 'KEEPER' }],
    offers: { url: 'https://tickets.example/a' },
  });
  expect(event.image.length && event.description).toBeTruthy();
  expect(Object.keys(event.offers)).toEqual(['@type', 'url']);
  expect(event).not.toHaveProperty('organizer');
  await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
  const details = page.locator('.event-details');
  await expect(details).toContainText(/1 March 2037 19:00, until 21:00\s*Korea time/);
  await expect(details).toContainText(/Where\s*Hall, Seoul/);
  for (const [name, address] of [
    ['Find on a map', /^https:.*Hall/],
    [/^Tickets/, 'https://tickets.example/a'],
    [/^Official/, 'https://official.example/a'],
    ['Read the story', /\/en\/article\/\d+$/],
  ] as const)
    await expect(details.getByRole('link', { name })).toHaveAttribute('href', address);
  await expect(details.locator('.event-stars li')).toHaveText([
    /LIGHTHOUSE\s*Performer/,
    /KEEPER\s*Performer/,
  ]);
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
      await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    }
  });
}
