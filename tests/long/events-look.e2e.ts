import { addDays, dayOf, seoul } from '#api/events/days.ts';
import { languages } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { documentAt } from '#tests/kit/document-at.ts';
import { calendarReady, desk, inDatabase, phone } from '#tests/kit/events-page.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';

test.use({ timezoneId: 'Asia/Seoul' });

const laptop = { width: 1280, height: 900 };

test('the demo has a day in Seoul with more events than the panel shows, so that all of them can be asked for', async ({
  page,
}) => {
  await page.setViewportSize(desk);
  await page.goto('/en/events');
  // It lies ahead, which may be in the next month.
  for (const month of ['this', 'next']) {
    if (month === 'next') await page.locator('.month-head [rel^="next"]').click();
    await page.locator('#month-title').waitFor();
    const counts = await page.locator('.day-count').allTextContents();
    if (counts.some((count) => Number(count) > limits.calendarPanel)) break;
  }
  const days = page.locator('.day', {
    has: page.locator('.day-count', { hasText: new RegExp(`^([${limits.calendarPanel + 1}-9]|\\d\\d)$`) }),
  });
  await days.first().locator('a,button').first().click();
  await expect(page.locator('.day-panel .ticket')).toHaveCount(limits.calendarPanel);
  await page.locator('.day-panel .view-all').click();
  const dayTickets = page.getByRole('dialog').or(page.locator('.day-panel'));
  await expect.poll(() => dayTickets.last().locator('.ticket').count()).toBeGreaterThan(limits.calendarPanel);
});

test('posters are the biggest events to come of four stars, each with its days, and nothing stands twice', async ({
  page,
}) => {
  await page.setViewportSize(laptop);
  for (const lang of ['ko', 'ms'] as const) {
    await page.goto(`/${lang}/events`);
    const posters = page.locator('.poster');
    await expect(posters).toHaveCount(4);
    for (const days of await posters.locator('.poster-days').allTextContents())
      expect(days.trim()).toMatch(/^D-[1-9]\d*$/);
    const { events } = await (await page.request.get(`/api/events?limit=100&language=${lang}`)).json();
    const starOf = new Map<string, number>(
      events.map((event: { id: number; primaryStar: { id: number } | null }) => [
        String(event.id),
        event.primaryStar?.id ?? 0,
      ]),
    );
    const posterIds = await posters.evaluateAll((elements) =>
      elements.map((each) => each.getAttribute('data-ticket') ?? ''),
    );
    expect(new Set(posterIds.map((id) => starOf.get(id))).size).toBe(4);
    await expect(page.locator('a[href="#subscribe"]')).toHaveCount(0);
    for (const ready of [false, true]) {
      if (ready) await calendarReady(page);
      const ids = await page
        .locator('.events-page [data-event]')
        .filter({ visible: true })
        .evaluateAll((links) => links.map((link) => link.getAttribute('data-event')));
      expect(ids.length).toBeGreaterThan(8);
      expect(ids, `${lang}, ready: ${ready}`).toEqual([...new Set(ids)]);
    }
  }
});

test('beside the calendar stands no hole, whether the day has five events or none, and choosing one moves no row', async ({
  page,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    for (let hour = 10; hour < 15; hour += 1)
      await makeEvent({ start: `2041-10-10T${hour}:00:00+09:00`, venue: 'Hanbit Dome', location: 'Seoul' });
    await makeEvent({ start: '2041-10-12T10:00:00+09:00' });
  });
  await page.setViewportSize(laptop);
  await page.goto('/en/events?date=2041-10-10');
  await calendarReady(page);
  const bottom = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0) + (await page.evaluate(() => scrollY));
  };
  const rows: number[] = [];
  for (const day of ['2041-10-10', '2041-10-20']) {
    await page.locator(`[data-day="${day}"]`).click();
    await expect(page.locator(`[data-day="${day}"]`)).toHaveAttribute('tabindex', '0');
    await expect
      .poll(async () => Math.abs((await bottom('.month')) - (await bottom('.calendar-side'))))
      .toBeLessThan(24);
    rows.push(await bottom('.month'));
  }
  expect(rows[0]).toBe(rows[1]);
});

test('in a cell of the calendar each event is one line, whose words are whole and end in an ellipsis', async ({
  page,
  server,
}) => {
  await inDatabase(server.databaseUrl, async () => {
    for (const name of ['MEOKGUREUM', 'FIRST SNOW CLUB', 'KWON HAESOL'])
      await makeEvent({
        start: '2043-11-05T10:00:00Z',
        star: await makeStar({ name, names: { en: name, ms: name } }),
        titles: { en: `${name} and ONDOCHA write a song in a day`, ms: `${name} menulis lagu dalam sehari` },
      });
  });
  await page.setViewportSize(laptop);
  await page.goto('/en/events?date=2043-11-05');
  for (const ready of [false, true]) {
    if (ready) await calendarReady(page);
    const labels = page.locator('.day-label > :last-child');
    await expect(labels).toHaveText(['MEOKGUREUM', 'FIRST SNOW CLUB', 'KWON HAESOL']);
    const lines = await labels.evaluateAll((elements) =>
      elements.map((label) => {
        const { height, right } = label.getBoundingClientRect();
        const range = document.createRange();
        const words = [...(label.textContent ?? '').matchAll(/\S+/g)].map((word) => {
          const text = label.firstChild;
          if (text) range.setStart(text, word.index);
          if (text) range.setEnd(text, word.index + word[0].length);
          return { lines: range.getClientRects().length, right: range.getBoundingClientRect().right };
        });
        const style = getComputedStyle(label);
        const chip = label.parentElement?.getBoundingClientRect().right ?? 0;
        return {
          isOneLine: height < 2 * Number.parseFloat(style.fontSize),
          isWhole: words.every((word) => word.lines === 1 && word.right <= right + 0.5),
          hasEllipsis: style.webkitLineClamp === '1' && style.textOverflow === 'ellipsis',
          isOffTheEdge: words.every((word) => word.right <= chip - 3.5),
        };
      }),
    );
    expect(lines).toEqual(
      Array.from({ length: 3 }, () => ({
        isOneLine: true,
        isWhole: true,
        hasEllipsis: true,
        isOffTheEdge: true,
      })),
    );
  }
});

test('on a phone the count of a day covers neither its number nor the ring of today', async ({
  page,
  server,
}) => {
  const today = dayOf(new Date(), seoul);
  await inDatabase(server.databaseUrl, async () => {
    for (let number = 0; number < 12; number += 1) await makeEvent({ start: `${today}T23:30:00+09:00` });
  });
  await page.setViewportSize(phone);
  await page.goto(`/en/events?date=${today}`);
  for (const ready of [false, true]) {
    if (ready) await calendarReady(page);
    await expect(page.locator('.day-today .day-count')).toBeVisible();
    const bites = await page.locator('.day:has(.day-count)').evaluateAll((days) =>
      days.flatMap((day) => {
        const [cell, number, count] = [day, ...day.querySelectorAll('.day-number, .day-count')].map((part) =>
          part.getBoundingClientRect(),
        );
        if (!cell || !number || !count || count.width === 0) return [];
        const ring = 2;
        const isApart =
          count.top >= number.bottom + ring ||
          count.left >= number.right + ring ||
          count.right <= number.left - ring;
        const isInside =
          count.left >= cell.left - 0.5 &&
          count.right <= cell.right + 0.5 &&
          count.bottom <= cell.bottom + 0.5;
        return isApart && isInside ? [] : [day.textContent];
      }),
    );
    expect(bites).toEqual([]);
  }
});

test('upcoming events scroll with the page on small screens and in a box of 800 pixels from 1024 on', async ({
  page,
}) => {
  for (const [width, isBox] of [
    [360, false],
    [768, false],
    [1023, false],
    [1024, true],
    [1280, true],
  ] as const) {
    await page.setViewportSize({ width, height: 780 });
    await page.goto('/ms/events?tab=upcoming&range=month');
    const list = page.locator('.upcoming-list');
    const { height, contentHeight, windowed } = await list.evaluate((element) => ({
      height: element.clientHeight,
      contentHeight: element.scrollHeight,
      windowed: [...element.querySelectorAll('.ticket')].every(
        (ticket) => getComputedStyle(ticket).contentVisibility === 'auto',
      ),
    }));
    expect(windowed).toBe(true);
    if (isBox) {
      expect([width, height]).toEqual([width, 800]);
      expect(contentHeight).toBeGreaterThan(800);
    } else {
      expect(height).toBeGreaterThan(800);
      expect([width, contentHeight]).toEqual([width, height]);
    }
  }
});

for (const { name, viewport } of [
  { name: 'a phone', viewport: { width: 360, height: 640 } },
  { name: 'a laptop', viewport: laptop },
])
  test(`the filter of the calendar keeps its buttons in sight on ${name}, and closes by its cross`, async ({
    page,
    server,
  }) => {
    await inDatabase(server.databaseUrl, async () => {
      for (let number = 0; number < 40; number += 1)
        await makeEvent({
          start: '2042-02-05T10:00:00Z',
          star: await makeStar({ name: `긴 이름의 별 ${number}`, names: { ms: `BINTANG NOMBOR ${number}` } }),
          titles: { ms: `Acara ${number}` },
        });
    });
    await page.setViewportSize(viewport);
    await page.goto('/ms/events?date=2042-02-05');
    await calendarReady(page);
    await page.getByRole('button', { name: 'Tapis' }).click();
    const dialog = page.getByRole('dialog');
    const apply = dialog.getByRole('button', { name: 'Tunjukkan acara' });
    await expect(apply).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('button', { name: 'Kosongkan semua' })).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    const last = dialog.locator('.filter-choices').last().getByRole('button').last();
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport({ ratio: 1 });
    await last.click();
    await expect(apply).toBeInViewport({ ratio: 1 });
    const cross = dialog.getByRole('button', { name: 'Tutup' });
    await expect(cross).toBeInViewport({ ratio: 1 });
    await cross.click();
    await expect(dialog).toBeHidden();
    await expect(page.locator('.calendar-filters')).toContainText('Bintang: BINTANG NOMBOR');
  });

test('an event’s page names the weekday, and its countdown stands on one line', async ({ page, server }) => {
  const id = await inDatabase(server.databaseUrl, () => makeEvent({ start: '2037-03-01T10:00:00Z' }));
  const soon = await inDatabase(server.databaseUrl, () =>
    makeEvent({ start: new Date(Date.now() + 5 * 3_600_000) }),
  );
  await page.setViewportSize(phone);
  const weekdays = { ko: '일요일', en: 'Sunday', ms: 'Ahad', vi: 'Chủ Nhật' };
  for (const lang of languages) {
    await page.goto(`/${lang}/events/${id}`);
    await expect(page.locator('.event-facts')).toContainText(weekdays[lang]);
    await page.goto(`/${lang}/events/${soon}`);
    const countdown = page.locator('.event-details .countdown');
    await expect(countdown.locator('b')).toHaveText(/^\d\d:\d\d:\d\d$/);
    // The lower edge of letters without descenders is the baseline that both share.
    const baselines = await countdown.evaluate((element) =>
      [...element.children].map((part) => {
        const mark = document.createElement('span');
        mark.style.cssText = 'display:inline-block;width:0;height:0';
        part.append(mark);
        const { bottom } = mark.getBoundingClientRect();
        mark.remove();
        return Math.round(bottom);
      }),
    );
    expect(baselines).toHaveLength(2);
    expect(baselines[0]).toBe(baselines[1]);
  }
});

test('a whole day that is far off stands with its month and year, a near one without', async ({
  page,
  server,
  baseURL,
}) => {
  const makeNext = async (start: string) => {
    const star = await makeStar();
    await makeEvent({ star, start: `${start}T00:00:00+09:00`, precision: 'day', eventType: 'birthday' });
    return star;
  };
  const soon = addDays(dayOf(new Date(), seoul), 20);
  const [far, near] = await inDatabase(server.databaseUrl, async () => [
    await makeNext('2044-08-01'),
    await makeNext(soon),
  ]);
  const dateOn = async (address: string) =>
    (await documentAt(page.request, `${baseURL}${address}`)).querySelector('.ticket-body time')?.textContent;
  const dates = { ko: '2044년 8월 1일', en: '1 August 2044', ms: '1 Ogos 2044', vi: '1 tháng 8, 2044' };
  for (const lang of languages) {
    expect(await dateOn(`/${lang}/star/${far}`)).toBe(dates[lang]);
    expect(await dateOn(`/${lang}/star/${near}`)).toBeUndefined();
  }
  // Where its day stands above, it is not said twice.
  expect(await dateOn('/en/events?date=2044-08-01')).toBeUndefined();
});
