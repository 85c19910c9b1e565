import { brotliCompressSync, constants } from 'node:zlib';
import { connection } from '#db/client.ts';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { calendarReady, desk, inDatabase, pageIn } from '#tests/kit/events-page.ts';
import { makeArticle, makeEvent, makeStar } from '#tests/kit/make.ts';
import { stretchTimeouts } from '#tests/kit/page-timers.ts';
import { setVisibility } from '#tests/kit/visibility.ts';

test.use({ timezoneId: 'Asia/Seoul' });

test.beforeEach(({ page }) => stretchTimeouts(page));

test('the calendar is browsed by keys: days, weeks, months; the address follows and the month with it', async ({
  page,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    const ids: number[] = [];
    for (let number = 0; number < 7; number += 1) {
      const state = number === 6 ? 'cancelled' : 'scheduled';
      const titles = { en: `Leap ${number}` };
      ids.push(await makeEvent({ start: `2032-02-29T0${number}:00:00Z`, titles, state }));
    }
    return ids;
  });
  await page.setViewportSize(desk);
  const requestedMonths = new Set<string | null>();
  page.on('request', (call) => requestedMonths.add(new URL(call.url()).searchParams.get('month')));
  await page.goto('/en/events?date=2032-02-28');
  await expect(page).toHaveTitle('Events · February 2032 | Byeol');
  await calendarReady(page);
  for (const month of ['2032-01', '2032-03']) await expect.poll(() => requestedMonths.has(month)).toBe(true);
  const day = (date: string) => page.locator(`[data-day="${date}"]`);
  await day('2032-02-28').focus();
  await page.keyboard.press('ArrowRight');
  await expect(day('2032-02-29')).toBeFocused();
  await expect(page).toHaveURL(/date=2032-02-29/);
  await expect(day('2032-02-29').locator('.day-count')).toHaveText('7');
  await expect(day('2032-02-29').locator('.day-dots .dot')).toHaveCount(3);
  await expect(page.locator('.day-panel .ticket')).toHaveCount(5);
  await page.getByRole('button', { name: 'View all 7 events' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.locator('.ticket')).toHaveCount(7);
  await expect(sheet.locator('.ticket-cancelled')).toContainText(/Cancelled\s*Leap 6/);
  await expect(sheet.locator('.ticket-cancelled [role="timer"]')).toHaveCount(0);
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
  await expect(page).toHaveTitle('Events · March 2032 | Byeol');
  await page.keyboard.press('PageDown');
  await expect(day('2032-04-01')).toBeFocused();
  await page.keyboard.press('End');
  await expect(day('2032-04-04')).toBeFocused();
  await page.goBack();
  await expect(page.locator('#month-title')).toHaveText(/March 2032|February 2032/);
  expectNoThirdParty(page);
});

test('arrows go on from the day that has the focus, though it was a link before', async ({ page }) => {
  await page.goto('/en/events?date=2032-02-28');
  await page.locator('.month a[href*="date=2032-02-10"]').focus();
  await calendarReady(page);
  const day = (date: string) => page.locator(`[data-day="${date}"]`);
  await expect(day('2032-02-10')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(day('2032-02-11')).toBeFocused();
  await day('2032-02-10').focus();
  await page.keyboard.press('ArrowRight');
  await expect(day('2032-02-11')).toBeFocused();
});

test('a day pressed while React prepares its calendar is the day that is shown', async ({ page }) => {
  // React goes on by messages to itself: while they are held, it has begun and is not there yet.
  await page.addInitScript(() => {
    const heldMessages: (() => void)[] = [];
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      heldMessages.push(() => Reflect.apply(post, this, message));
    };
    Object.assign(window, {
      held: heldMessages,
      release: () => {
        MessagePort.prototype.postMessage = post;
        for (const go of heldMessages) go();
      },
    });
  });
  await page.goto('/en/events');
  await expect
    .poll(async () => {
      await page.mouse.move(200, 200);
      await page.mouse.move(210, 210);
      return page.evaluate(() => Reflect.get(window, 'held').length);
    })
    .toBeGreaterThan(0);
  const otherDay = page.locator('.month td:not(.day-today):not(.day-outside) a').first();
  const address = await otherDay.getAttribute('href');
  await otherDay.click();
  await page.evaluate(() => Reflect.get(window, 'release')());
  await expect(page).toHaveURL(address ?? '');
  await expect(page.locator('.day-selected a')).toHaveAttribute('href', address ?? '');
});

test('both filters must pass, are kept in the address and cleared together', async ({ page, server }) => {
  const star = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '둘', names: { en: 'DUO' } });
    const times = { start: '2033-05-10T03:00:00Z' };
    await makeEvent({ ...times, star, eventType: 'concert', titles: { en: 'Both' } });
    await makeEvent({ ...times, star, eventType: 'tv_show', titles: { en: 'Only the star' } });
    await makeEvent({ ...times, eventType: 'concert', titles: { en: 'Only the kind' } });
    return star;
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

test('a chosen star is named, and can be let go, in a month in which it has nothing', async ({
  page,
  server,
}) => {
  const star = await inDatabase(server.databaseUrl, () =>
    makeStar({ name: '먼빛', names: { en: 'FARLIGHT' } }),
  );
  await page.addInitScript(
    (id) => localStorage.setItem('byeol:preferences', JSON.stringify({ selectedStarIds: [id] })),
    star,
  );
  await page.goto('/en/events?date=2033-08-10');
  await calendarReady(page);
  await page.getByRole('button', { name: 'My Stars only' }).click();
  const filters = page.locator('.calendar-filters');
  await expect(filters.getByRole('button', { name: 'Stars: FARLIGHT', exact: true })).toBeVisible();
  await filters.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'FARLIGHT' }).click();
  await expect(page).not.toHaveURL(/stars=/);
});

test('a day is shown also where the browser takes no more changes of the address', async ({ page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.goto('/en/events?date=2033-08-10');
  await calendarReady(page);
  await page.evaluate(() => {
    history.replaceState = () => {
      throw new DOMException('more than 100 times per 10 seconds', 'SecurityError');
    };
  });
  await page.locator('[data-day="2033-08-10"]').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-day="2033-08-11"]')).toBeFocused();
  await expect(page.locator('#day-title')).toHaveText('11 Aug');
  expect(errors).toEqual([]);
});

test('a month that fails shows a card and comes with the second try', async ({ page }) => {
  let broken = true;
  await page.route('**/month.json?month=2035-*', (route) => (broken ? route.abort() : route.continue()));
  await page.goto('/en/events?date=2034-12-10');
  await calendarReady(page);
  await page.getByRole('button', { name: 'Next month' }).click();
  await expect(page.getByRole('alert')).toContainText('Error loading articles');
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('[data-day="2035-01-01"]')).toBeFocused();
});

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
  await setVisibility(page, 'hidden');
  await page.clock.setSystemTime('2031-09-02T08:00:00+09:00');
  await expect(today).toHaveAttribute('data-day', '2031-09-01');
  await setVisibility(page, 'visible');
  await expect(today).toHaveAttribute('data-day', '2031-09-02');
  await expect(page.locator('[aria-selected="true"]')).toContainText('20 September');
  await expect(page).toHaveURL(/date=2031-09-20/);
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
  await stretchTimeouts(page);
  await page.goto('/en/events?date=2031-11-02');
  await calendarReady(page);
  const panel = page.locator('.day-panel');
  await expect(panel.locator('.ticket-title')).toHaveText(['Before midnight']);
  await expect(panel.locator('.ticket-stub')).toContainText('23:30');
  await expect(panel.locator('.ticket-stub')).toContainText('13:30 KST');
  await page.locator('[data-day="2031-11-03"]').click();
  await expect(panel.locator('.ticket-title')).toHaveText(['After midnight']);
  // Its details in the sheet have both clocks, and its page, too.
  await panel.getByRole('link', { name: 'After midnight', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(/3 November 2031 00:30\s*Your time/);
  await page.keyboard.press('Escape');
  await panel.locator('.ticket-stub').click();
  await expect(page.locator('.event-facts')).toContainText(/3 November 2031 00:30\s*Your time/);
  await expect(page.locator('.event-facts')).toContainText(/3 November 2031 14:30\s*Korea time/);
});

test('tickets that are replaced before they were seen have their own time all the same', async ({
  browser,
  baseURL,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    for (const [day, name] of [
      ['02', 'First'],
      ['03', 'Second'],
    ] as const)
      await makeEvent({ start: `2032-11-${day}T17:30:00Z`, titles: { en: `${name} night` } });
  });
  const page = await pageIn(browser, baseURL, { timezoneId: 'America/New_York', viewport: desk });
  await stretchTimeouts(page);
  // As on a slow phone: what is in view is told after all that was pressed meanwhile.
  await page.addInitScript(() => {
    const { observe } = IntersectionObserver.prototype;
    const held: (() => void)[] = [];
    IntersectionObserver.prototype.observe = function (target) {
      if (target.matches('[data-ticket],[data-countdown]')) held.push(() => observe.call(this, target));
      else observe.call(this, target);
    };
    Object.assign(window, {
      see() {
        IntersectionObserver.prototype.observe = observe;
        for (const each of held) each();
      },
    });
  });
  await page.goto('/en/events?date=2032-11-02');
  await calendarReady(page);
  await page.locator('[data-day="2032-11-03"]').click();
  const second = page.locator('.day-panel').getByRole('link', { name: 'Second night', exact: true });
  await expect(second).toBeVisible();
  await page.evaluate(() => Reflect.get(window, 'see')());
  await second.click();
  await expect(page.getByRole('dialog')).toContainText(/3 November 2032 13:30\s*Your time/);
  await page.close();
});

test('a fan abroad gets own days in the month that is shown, which is not laid out anew', async ({
  browser,
  baseURL,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    await makeEvent({ start: '2032-05-03T02:30:00Z', titles: { en: 'Evening before' } });
    await makeEvent({ start: '2032-05-03T09:30:00Z', titles: { en: 'Same day' } });
  });
  const timezoneId = 'America/New_York';
  const page = await pageIn(browser, baseURL, { timezoneId, viewport: desk });
  const ownDays = Promise.withResolvers<{ isSameTable: boolean; html: string }>();
  await page.exposeFunction('report', ownDays.resolve);
  // By an observer, because a test that looks into a page counts as a person, for whom the island comes.
  await page.addInitScript(() =>
    document.addEventListener('readystatechange', () => {
      const table = document.querySelector('.month');
      const part = document.querySelector('[data-part]');
      if (document.readyState !== 'interactive' || !part) return;
      new MutationObserver(() => {
        const shownTable = document.querySelector('.month');
        if (!/1 event(?!s)/.test(shownTable?.querySelector('.day-selected')?.textContent ?? '')) return;
        Reflect.get(window, 'report')({ isSameTable: shownTable === table, html: shownTable?.outerHTML });
      }).observe(part, { subtree: true, childList: true, characterData: true });
    }),
  );
  await page.goto('/en/events?date=2032-05-03');
  const { isSameTable, html } = await ownDays.promise;
  const answer = await page.request.get(`/en/events/part?date=2032-05-03&tz=${timezoneId}`);
  expect(isSameTable).toBe(true);
  const isServers = await page.evaluate(
    ([own, servers]) => {
      const [ownMonth, serversMonth] = [own, servers].map((text) => {
        const holder = document.createElement('div');
        holder.innerHTML = text ?? '';
        return holder.querySelector('.month');
      });
      return ownMonth?.isEqualNode(serversMonth ?? null);
    },
    [html, await answer.text()],
  );
  expect(isServers).toBe(true);
  await expect(page.locator('.day-panel .ticket-title')).toHaveText(['Same day']);
  await page.context().close();
});

test('choosing an event leads to its story, else its details open in place and close again', async ({
  page,
  server,
}) => {
  const {
    story,
    told: toldEvent,
    unwritten,
  } = await inDatabase(server.databaseUrl, async () => {
    const article = await makeArticle({ rewrites: { en: 'The story of it' } });
    const unwritten = await makeEvent({
      start: '2036-06-01T03:00:00Z',
      titles: { en: 'Untold' },
      description: 'Nobody wrote of it.',
    });
    const id = await makeEvent({ start: '2036-06-02T04:00:00Z', titles: { en: 'Told' }, article });
    return { story: article, told: id, unwritten };
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
  const selected = () => page.evaluate(() => sessionStorage.getItem('byeol:selected-event'));
  expect(await selected()).toBe(String(unwritten));
  // A lookup that fails selects the event, too; from the highlights, which show the other days, as from the day.
  await page.route('**/api/articles?*', (route) => route.abort(), { times: 1 });
  await page.locator('.highlights').getByRole('link', { name: 'Told', exact: true }).click();
  await expect(dialog.getByRole('heading', { name: 'Told' })).toBeVisible();
  expect(await selected()).toBe(String(toldEvent));
  await page.keyboard.press('Escape');
  await page.locator('[data-day="2036-06-02"]').click();
  await page.locator('.day-panel').getByRole('link', { name: 'Told', exact: true }).click();
  await expect(page).toHaveURL(`/en/article/${story}`);
  expect((await page.request.get(`/en/events/${toldEvent}`)).status()).toBe(200);
});

test('a month of three thousand events is a light page, and its fullest day a sheet that lays out what is seen', async ({
  page,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    const firstEvent = await makeEvent({ start: '2038-05-01T03:00:00Z', titles: { en: 'Crowded' } });
    await connection()`
      with made as (
        insert into events (event_type, category_id, verification, start_time, decided_at)
        select 'concert', category_id, 'approved', case when n <= 400 then timestamptz '2038-05-20 03:00Z'
          else timestamptz '2038-05-01 03:00Z' + n * interval '12 minutes' end, now()
        from events, generate_series(1, 3000) n where id = ${firstEvent} returning id)
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
