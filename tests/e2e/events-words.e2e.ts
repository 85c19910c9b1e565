import { addDays, dayOf, startOfDay } from '#api/events/days.ts';
import { type Lang, languages } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { calendarReady, desk, inDatabase, pageIn } from '#tests/kit/events-page.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';
import { stretchTimeouts } from '#tests/kit/page-timers.ts';

test.use({ timezoneId: 'Asia/Seoul' });

for (const lang of languages)
  test(`a type of event has one name in ${lang}: on chips, in rows and on its page`, async ({ request }) => {
    const words = await (await request.get(`/${lang}/words/events.json`)).json();
    const { categories } = await (await request.get(`/${lang}/events/month.json?month=2031-01`)).json();
    const categoryNames = categories.map(({ slug, name }: { slug: string; name: string }) => [slug, name]);
    expect(categoryNames.length).toBe(10);
    expect(categoryNames).toEqual(
      categoryNames.map(([slug]: [string]) => [slug, words[`type_${slug.replaceAll('-', '_')}`]]),
    );
  });

const live = {
  ko: '진행 중',
  en: 'LIVE NOW',
  ms: 'Sedang berlangsung',
  vi: 'Đang diễn ra',
} as const satisfies Record<Lang, string>;
const today = { ko: '오늘', en: 'Today', ms: 'Hari ini', vi: 'Hôm nay' } as const satisfies Record<
  Lang,
  string
>;

test('what is live says so in the reader’s language and in red, what only has a day is today’s and is not red', async ({
  page,
  server,
}) => {
  const hour = 3_600_000;
  const midnight = Math.floor((Date.now() + 9 * hour) / (24 * hour)) * 24 * hour - 9 * hour;
  const [liveEvent, dayEvent] = await inDatabase(server.databaseUrl, async () => {
    const eventIds = [
      await makeEvent({ start: new Date(midnight), end: new Date(midnight + 25 * hour) }),
      await makeEvent({ start: new Date(midnight), precision: 'day' }),
    ];
    // What was kept of this month is made anew.
    await connection()`select pg_notify('byeol_invalidate', 'events')`;
    return eventIds;
  });
  for (const lang of languages) {
    for (const [id, word, colour] of [
      [liveEvent, live[lang], 'rgb(211, 48, 0)'],
      [dayEvent, today[lang], 'rgb(238, 240, 244)'],
    ] as const) {
      await page.goto(`/${lang}/events/${id}`);
      const status = page.locator('.event-details [data-status]');
      await expect(status).toHaveText(word);
      await expect(status).toHaveCSS('background-color', colour);
    }
  }
  // The calendar of the browser says the same.
  await page.goto('/ms/events');
  await calendarReady(page);
  const statusOf = (id: number | undefined) =>
    page.getByRole('dialog').or(page.locator('.day-panel')).locator(`[data-ticket="${id}"] [data-status]`);
  const viewAll = page.locator('.view-all');
  if (await viewAll.isVisible()) await viewAll.click();
  await expect(statusOf(liveEvent).last()).toHaveText(live.ms);
  await expect(statusOf(dayEvent).last()).toHaveText(today.ms);
  await expect(statusOf(dayEvent).last()).toHaveCSS('background-color', 'rgb(238, 240, 244)');
});

/** Never on the same day as each other. */
const [eastmost, westmost] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const;

test('a whole day is today’s for a fan whose own day it is, in a list under that day alone', async ({
  browser,
  baseURL,
  server,
}) => {
  const dayIn = (zone: string, later = 0) => addDays(dayOf(new Date(), zone), later);
  const begin = (zone: string, later = 0) => startOfDay(dayIn(zone, later), zone);
  const { star, away, own, long } = await inDatabase(server.databaseUrl, async () => {
    const star = await makeStar({ name: '온날', names: { en: 'ALLDAY' } });
    const wish = { star, precision: 'day', zone: westmost } as const;
    const eventIds = {
      star,
      away: await makeEvent({ ...wish, zone: eastmost, start: begin(eastmost), titles: { en: 'Elsewhere' } }),
      own: await makeEvent({ ...wish, start: begin(westmost), titles: { en: 'Own day' } }),
      long: await makeEvent({
        ...wish,
        start: begin(westmost, -1),
        end: begin(westmost, 2),
        titles: { en: 'Long' },
      }),
    };
    await connection()`select pg_notify('byeol_invalidate', 'events')`;
    return eventIds;
  });
  const page = await pageIn(browser, baseURL, { timezoneId: westmost, viewport: desk });
  // The details of an event are waited for five seconds, which a slow machine may need for them.
  await stretchTimeouts(page);
  const expectToday = async (place: string, isToday: boolean) => {
    const status = page.locator(`${place} [data-status]`);
    await expect(status).toHaveText(today.en);
    await expect(status).toBeVisible({ visible: isToday });
  };
  for (const [id, isToday] of [
    [away, false],
    [own, true],
    [long, true],
  ] as const) {
    await page.goto(`/en/events/${id}`);
    await expectToday('.event-details', isToday);
  }
  for (const [id, date, isToday] of [
    [away, dayIn(eastmost), false],
    [own, dayIn(westmost), true],
    [long, dayIn(westmost), true],
    [long, dayIn(westmost, 1), false],
  ] as const) {
    const query = `date=${date}&stars=${star}`;
    const part = await (await page.request.get(`/en/events/part?${query}&tz=${westmost}`)).text();
    const [status = ''] = part.split(`data-ticket="${id}"`)[1]?.match(/<span[^>]*data-status[^>]*>/) ?? [];
    expect([status.includes('status-today'), status.includes('hidden')]).toEqual([true, !isToday]);
    await page.goto(`/en/events?${query}`);
    await calendarReady(page);
    await expectToday(`.day-panel [data-ticket="${id}"]`, isToday);
  }
  // The details in a sheet are those of the event's page, which is the same for everybody.
  await page.goto(`/en/events?date=${dayIn(westmost)}&stars=${star}`);
  await calendarReady(page);
  await page.locator('.day-panel').getByRole('link', { name: 'Own day', exact: true }).click();
  await expectToday('dialog', true);
  await page.context().close();
});

test('a fan abroad reads the name of the own zone, and a countdown in whole words of Malay', async ({
  browser,
  baseURL,
  server,
}) => {
  const id = await inDatabase(server.databaseUrl, () =>
    makeEvent({ start: new Date(Date.now() + 50 * 3_600_000) }),
  );
  for (const [lang, timezoneId, note] of [
    ['ms', 'Asia/Kuala_Lumpur', 'Waktu Malaysia, bersama waktu Korea.'],
    ['vi', 'Asia/Ho_Chi_Minh', 'Giờ Việt Nam, kèm giờ Hàn Quốc.'],
    ['en', 'America/New_York', 'All times in New York Time, with Korea time alongside.'],
    ['ko', 'Asia/Kuala_Lumpur', '말레이시아 시간 기준이에요. 한국 시간도 함께 적었어요.'],
    ['ko', 'Asia/Seoul', '한국 시간 기준이에요.'],
    ['en', 'Asia/Seoul', 'All times in Korea time (KST).'],
  ] as const) {
    const page = await pageIn(browser, baseURL, { timezoneId, viewport: desk });
    await page.goto(`/${lang}/events`);
    // Written by the server in the days of the zone, then by the calendar in the browser.
    await expect(page.locator('.zone-note')).toHaveText(note);
    await calendarReady(page);
    await expect(page.locator('.zone-note')).toHaveText(note);
    if (lang === 'ms') {
      await page.goto(`/ms/events/${id}`);
      await expect(page.locator('.event-details .countdown')).toHaveText(
        /^\d+\shari\s*\d\d\sjam\s*\d\d\smin\s*\d\d\ssaat$/,
      );
    }
    await page.context().close();
  }
});

test('a fan abroad whose day is Korea’s sees the own time and days without a format, the first of which is slow on a phone', async ({
  browser,
  baseURL,
  server,
}) => {
  const makeStarWithEvent = async (name: string, start: string) => {
    const star = await makeStar({ name, names: { en: name } });
    return { star, event: await makeEvent({ star, start, titles: { en: name } }) };
  };
  const { evening, midnight } = await inDatabase(server.databaseUrl, async () => ({
    evening: await makeStarWithEvent('EVENING', '2033-03-04T10:00:00Z'),
    midnight: await makeStarWithEvent('MIDNIGHT', '2033-03-04T15:30:00Z'),
  }));
  const page = await pageIn(browser, baseURL, { timezoneId: 'Asia/Kuala_Lumpur', viewport: desk });
  await page.addInitScript(() => {
    Object.assign(globalThis, { formats: 0 });
    const count = () =>
      Object.assign(globalThis, { formats: Number(Reflect.get(globalThis, 'formats')) + 1 });
    const { toLocaleDateString } = Date.prototype;
    Date.prototype.toLocaleDateString = function (...given: Parameters<typeof toLocaleDateString>) {
      count();
      return toLocaleDateString.apply(this, given);
    };
    Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      apply: (format, self, given: []) => {
        count();
        return Reflect.apply(format, self, given);
      },
      construct: (format, given: []) => {
        count();
        return Reflect.construct(format, given);
      },
    });
  });
  const formats = () => page.evaluate(() => Number(Reflect.get(globalThis, 'formats')));
  const openStub = async ({ star, event }: typeof evening) => {
    await page.goto(`/en/star/${star}`);
    const ticket = page.locator(`[data-ticket="${event}"]`).first();
    await ticket.scrollIntoViewIfNeeded();
    return ticket.locator('.ticket-stub');
  };
  const stub = await openStub(evening);
  await expect(stub.locator('[data-clock]')).toHaveText('18:00');
  await expect(stub.locator('[data-weekday]')).toHaveText('Fri');
  await expect(stub.locator('[data-kst]')).toContainText('19:00');
  expect(await formats()).toBe(0);
  // In Korea it is Saturday by then.
  const other = await openStub(midnight);
  await expect(other.locator('[data-clock]')).toHaveText('23:30');
  await expect(other.locator('[data-weekday]')).toHaveText('Fri');
  await expect(other.locator('[data-kst]')).toContainText('Sat 00:30');
  expect(await formats()).toBeGreaterThan(0);
  // Nor does the name of the zone cost one, by which the calendar asks for its days.
  const ownDays = page.waitForResponse(/\/en\/events\/part\?tz=Asia%2FKuala_Lumpur$/);
  await page.goto('/en/events');
  await (await ownDays).finished();
  await expect(page.locator('.zone-note')).toContainText('Malaysia Time');
  expect(await formats()).toBe(0);
  await page.context().close();
});
