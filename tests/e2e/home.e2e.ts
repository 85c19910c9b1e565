import type { Page } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { languageEntries } from '#content/writing.ts';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { keepToasts, stretchTimeouts } from '#tests/kit/page-timers.ts';
import { setVisibility } from '#tests/kit/visibility.ts';

const cards = (page: Page) => page.locator('#feed [data-article]');

test.beforeEach(async ({ page }) => {
  await stretchTimeouts(page);
  await keepToasts(page);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the feed is whole and its pages are links', async ({ page }) => {
    await page.goto('/en');
    await expect(cards(page)).toHaveCount(20);
    await expect(page.locator('.todays-events .ticket').first()).toBeVisible();
    await page.getByRole('link', { name: 'Load more stories' }).click();
    await expect(page).toHaveURL('/en?page=2');
    await expect(cards(page)).toHaveCount(20);
    await page.getByRole('link', { name: 'Newer stories' }).click();
    await expect(page).toHaveURL('/en');
  });

  test('the languages are links to the same page, from a later page of the feed to its first', async ({
    page,
  }) => {
    for (const path of ['/ko', '/ko?page=2', '/ko?page=3']) {
      await page.goto(path);
      for (const { code, nativeName } of languageEntries) {
        const link = page.getByRole('contentinfo').getByRole('link', { name: nativeName });
        await expect(link).toHaveAttribute('href', `/${code}`);
        await expect(link).toHaveAttribute('lang', code);
      }
    }
  });
});

for (const lang of languages) {
  test(`axe finds nothing on the ${lang} front page and nothing is wider than a phone`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`/${lang}`);
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await expectAccessible(page, 'colours');
    expectNoThirdParty(page);
  });
}

test('the last card of every group ends where its group ends: no row has a hole', async ({ page }) => {
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/en');
    await page.getByRole('link', { name: 'Load more stories' }).click();
    await expect.poll(() => cards(page).count()).toBeGreaterThan(35);
    const holes = await page.locator('#feed .feed-group:has(> [data-article])').evaluateAll((groups) =>
      groups.flatMap((group) => {
        const right = (element: Element | null) => Math.round(element?.getBoundingClientRect().right ?? 0);
        return right(group.lastElementChild) === right(group) ? [] : [group.className];
      }),
    );
    expect([width, holes]).toEqual([width, []]);
  }
});

test('a badge leads to the channel, a card to the story', async ({ page }) => {
  await page.goto('/en');
  const lead = cards(page)
    .filter({ has: page.locator('.star-badge') })
    .first();
  await expect(lead.locator('.star-badge')).toHaveAttribute('href', /^\/en\/community\/\d+$/);
  await lead.locator('.card-link').click();
  await expect(page).toHaveURL(/\/en\/article\/\d+$/);
});

/** What a finger that lands on the words of a link meets, from their first row of pixels to the last. */
const missedPresses = (page: Page, links: string) =>
  page.locator(links).evaluateAll((elements) =>
    elements.flatMap((link) => {
      link.scrollIntoView({ block: 'center' });
      const { left, top, bottom } = link.getBoundingClientRect();
      return [top + 1, (top + bottom) / 2, bottom - 2].flatMap((y) => {
        const pressTarget = document.elementFromPoint(left + 4, y)?.closest('a');
        return pressTarget === link
          ? []
          : [`${link.textContent}: ${pressTarget?.className} ${pressTarget?.textContent}`];
      });
    }),
  );

test('a press on any part of a headline opens its story, and on the badge above it the channel', async ({
  page,
}) => {
  for (const [width, path] of [
    [360, '/en'],
    [768, '/vi'],
    [1280, '/ko'],
    [360, '/en/search?q=PADOBAN'],
    [1280, '/en/search?q=PADOBAN'],
    [768, '/ms/star/1?tab=articles'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    expect(await page.locator('.card-badges').count()).toBeGreaterThan(2);
    for (const links of ['.card .card-title .card-link', '.card-badges .star-badge'])
      expect([width, path, await missedPresses(page, links)]).toEqual([width, path, []]);
    const heights = await page
      .locator('.card-badges .star-badge')
      .evaluateAll((elements) => elements.map((badge) => badge.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  }
});

for (const stars of [[], [1, 2, 3], [20], Array.from({ length: 15 }, (_, index) => index + 1)])
  test(`a phone shows the whole first headline above the tabs with ${stars.length} chosen stars`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    if (stars.length > 0) await select(page, stars);
    for (const lang of languages) {
      await page.goto(`/${lang}`);
      await expect(page.locator('.lead-card[data-article] h2')).toBeVisible();
      const bottom = async (part: string) => {
        const box = await page.locator(part).first().boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0));
      };
      const tabs = Math.round((await page.locator('.tab-bar').boundingBox())?.y ?? 0);
      expect(await bottom('.lead-card[data-article] h2'), lang).toBeLessThanOrEqual(tabs);
      expect(
        (await page.locator('.lead-card[data-article] img').first().boundingBox())?.height,
      ).toBeGreaterThan(150);
    }
  });

test('the picture of the first story leads to it, too', async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/en');
    const box = await page.locator('.lead-picture[style]').boundingBox();
    await page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await expect(page).toHaveURL(/\/en\/article\/\d+$/);
  }
});

test('the day and the age of the news are one line or one under the other, names close to their faces', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const lang of languages) {
    await page.goto(`/${lang}`);
    const [day, age] = await page.locator('.feed-date').evaluate((line) =>
      ['strong', '.meta'].map((part) => {
        const words = line.querySelector(part);
        const { left, bottom, top } = words?.getBoundingClientRect() ?? new DOMRect();
        const range = document.createRange();
        if (words) range.selectNodeContents(words);
        return {
          left,
          bottom,
          top,
          lines: new Set([...range.getClientRects()].map((row) => Math.round(row.bottom))).size,
        };
      }),
    );
    expect([lang, day?.lines, age?.lines]).toEqual([lang, 1, 1]);
    const isUnder = (age?.top ?? 0) >= (day?.bottom ?? 0) - 4 && age?.left === day?.left;
    const isBeside = Math.abs((age?.bottom ?? 0) - (day?.bottom ?? 0)) < 6;
    expect([lang, isUnder || isBeside]).toEqual([lang, true]);
    const gaps = await page.locator('.star-rail-item').evaluateAll((items) =>
      items.map((item) => {
        const range = document.createRange();
        if (item.lastChild) range.selectNodeContents(item.lastChild);
        const faceBottom = item.firstElementChild?.getBoundingClientRect().bottom ?? 0;
        return range.getBoundingClientRect().top - faceBottom;
      }),
    );
    expect(Math.max(...gaps), lang).toBeLessThan(14);
  }
});

test('load more adds the next stories, none twice, and goes when there is no more', async ({ page }) => {
  await page.goto('/en');
  const more = page.getByRole('link', { name: 'Load more stories' });
  await more.click();
  await expect.poll(() => cards(page).count()).toBeGreaterThan(35);
  for (let count = await cards(page).count(); await more.isVisible(); count = await cards(page).count()) {
    await more.click();
    await expect.poll(() => cards(page).count()).toBeGreaterThan(count);
  }
  const ids = await cards(page).evaluateAll((elements) =>
    elements.map((card) => card.getAttribute('data-article')),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(40);
  await expect(page).toHaveURL(/\/en\?pages=\d+$/);
});

test('a part that cannot be loaded says so and can be tried again; what was there stays', async ({
  page,
}) => {
  await page.goto('/en');
  await page.route('**/en/feed?**', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.getByRole('link', { name: 'Load more stories' }).click();
  await expect(page.getByRole('alert')).toContainText('Error loading articles');
  await expect(cards(page)).toHaveCount(20);
  await page.unroute('**/en/feed?**');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => cards(page).count()).toBeGreaterThan(35);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.locator('.card-link:focus')).toBeVisible();
});

test('a server that fails is asked three times, a second apart; without a connection, that is what is said', async ({
  page,
}) => {
  // Before its answer: until the next one passes a second and what the machine needs.
  const askedAt: number[] = [];
  await page.route('**/en/feed?**', (route) => {
    askedAt.push(performance.now());
    return route.fulfill({ status: 503, body: 'later' });
  });
  await page.goto('/en');
  await page.getByRole('link', { name: 'Load more stories' }).click();
  await expect(page.getByRole('alert')).toContainText('We couldn’t show the stories. Please refresh.');
  expect(askedAt).toHaveLength(3);
  const [first = 0, second = 0, third = 0] = askedAt;
  expect(Math.min(second - first, third - second)).toBeGreaterThan(990);
  await page.route('**/en/feed?**', (route) => route.abort());
  await page.getByRole('alert').getByRole('button').click();
  await expect(page.getByRole('alert')).toContainText('Check your connection');
});

test('a part that takes ten seconds is a time-out with its own words', async ({ page }) => {
  // The clock of a test does not reach this one: ten seconds, and no other time, are over at once.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(milliseconds === 10_000 ? 50 : milliseconds);
  });
  await page.goto('/en');
  await page.route('**/en/feed?**', () => {});
  await page.getByRole('link', { name: 'Load more stories' }).click();
  await expect(page.getByRole('alert')).toContainText('Request timeout - please check your connection');
});

const select = (page: Page, ids: readonly number[]) =>
  page.addInitScript(
    (selectedStarIds) => localStorage.setItem('byeol:preferences', JSON.stringify({ selectedStarIds })),
    ids,
  );
const choose = (page: Page, ids: readonly number[]) =>
  page.evaluate(
    (selectedStarIds) => localStorage.setItem('byeol:preferences', JSON.stringify({ selectedStarIds })),
    ids,
  );
const part = '**/en/feed?**';
async function expectOnly(page: Page, star: string): Promise<void> {
  await expect(cards(page).filter({ hasNotText: star })).toHaveCount(0);
  await expect(cards(page).first()).toBeVisible();
}
const banner = (page: Page) => page.locator('#selected-stars');

test('boxes stand for the feed of My Stars until it is there, and nothing of everybody’s shows through', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await select(page, [1]);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(part, async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto('/en');
  const boxes = page.locator('.feed-skeletons');
  await expect(boxes.locator('.lead-picture')).toBeInViewport();
  await expect(boxes.locator('.card-compact')).toHaveCount(4);
  await expect(banner(page)).toBeVisible();
  await expect(cards(page).locator('visible=true')).toHaveCount(0);
  await expectAccessible(page);
  answer();
  await expect(cards(page).first()).toBeVisible();
  await expect(boxes).toBeHidden();
});

for (const [missingPart, address] of [
  ['script', '**/feed-parts*.js'],
  ['answer', part],
] as const) {
  test(`without the ${missingPart} that brings My Stars, everybody’s feed is readable as such, under what happened`, async ({
    page,
  }) => {
    await select(page, [1]);
    await page.route(address, (route) =>
      missingPart === 'script' ? route.abort() : route.fulfill({ status: 404, body: 'gone' }),
    );
    await page.goto('/en');
    const alert = page.locator('#feed').getByRole('alert');
    await expect(alert).toContainText('Error loading articles');
    await expect(cards(page).locator('visible=true')).toHaveCount(20);
    await expect(banner(page)).toBeHidden();
    await expect(page.locator('.feed-skeletons')).toBeHidden();
    await page.unroute(address);
    await alert.getByRole('button', { name: 'Refresh' }).click();
    await expect(banner(page)).toBeVisible();
    await expect(alert).toHaveCount(0);
    await expectOnly(page, 'PADOBAN');
  });
}

test('without the page’s own script, a visitor with stars reads everybody’s feed', async ({ page }) => {
  await select(page, [1]);
  await page.route('**/FeedControls*.js', (route) => route.abort());
  await page.goto('/en');
  await expect(cards(page).locator('visible=true')).toHaveCount(20);
  await expect(banner(page)).toBeHidden();
});

test('without a connection Load more and Refresh say so, and the feed stays', async ({ page, context }) => {
  await page.goto('/en');
  await context.setOffline(true);
  await expect(page.locator('#offline')).toBeVisible();
  for (const name of ['[data-more]', '[data-refresh]']) {
    await page.locator(name).click();
    await expect(page.locator('#toast')).toContainText('You’re offline');
    await page.locator('#toast').evaluate((region) => region.replaceChildren());
  }
  await expect(page).toHaveURL('/en');
  await expect(page.locator('#feed article').first()).toBeVisible();
});

test('a press whose script cannot be had leads where the link does', async ({ page }) => {
  await page.route('**/feed-parts*.js', (route) => route.abort());
  await page.goto('/en');
  await page.getByRole('link', { name: 'Load more stories' }).click();
  await expect(page).toHaveURL('/en?page=2');
});

test('a later page is everybody’s and says so; choosing stars there leads to their feed', async ({
  page,
}) => {
  await page.goto('/en?page=2');
  await choose(page, [1]);
  await page.reload();
  await expect(page.locator('.my-stars [data-my-stars-count]')).toHaveText('1');
  await expect(cards(page).locator('visible=true')).toHaveCount(20);
  await expect(banner(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Load more stories' }).click();
  await expect.poll(() => cards(page).count()).toBeGreaterThan(25);
  await page.locator('.my-stars').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^HARUCHI [1-9]/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL('/en');
  await expect(banner(page)).toBeVisible();
});

/** Answers to load-more wait until they are let go; the first part of a feed comes at once. */
async function holdMore(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(part, async (route) => {
    if (!route.request().url().includes('offset=0')) await promise;
    await route.continue().catch(() => undefined);
  });
  return resolve;
}

test('clearing My Stars while more of them is loading shows everybody’s feed alone, with more to come', async ({
  page,
}) => {
  await page.goto('/en');
  await choose(
    page,
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
  await page.reload();
  await expect(banner(page)).toBeVisible();
  await expect(page.locator('.feed-skeletons')).toBeHidden();
  const letGo = await holdMore(page);
  const more = page.locator('[data-more]');
  const partRequest = page.waitForRequest(part);
  await more.click();
  const request = await partRequest;
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(banner(page)).toBeHidden();
  letGo();
  await expect.poll(() => request.failure()?.errorText).toBe('net::ERR_ABORTED');
  await expect(cards(page)).toHaveCount(20);
  await expect(more).toHaveText('Load more stories');
  await expect(more).toHaveAttribute('data-offset', '20');
  await more.click();
  await expect.poll(() => cards(page).count()).toBeGreaterThan(35);
});

test('a star chosen in another tab while more is loading leaves nothing of everybody’s under its banner', async ({
  page,
  context,
}) => {
  await page.goto('/en');
  const otherTab = await context.newPage();
  await otherTab.goto('/en/about');
  const letGo = await holdMore(page);
  const partRequest = page.waitForRequest(part);
  await page.locator('[data-more]').click();
  const request = await partRequest;
  await choose(otherTab, [1]);
  await expect(banner(page)).toBeVisible();
  letGo();
  await expect.poll(() => request.failure()?.errorText).toBe('net::ERR_ABORTED');
  await expectOnly(page, 'PADOBAN');
});

test('the banner shows who is meant, also stars that are not among the popular ones, without asking for those that are', async ({
  page,
}) => {
  let starRequests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/stars?')) starRequests += 1;
  });
  await page.goto('/en');
  const faces = banner(page).locator('img');
  await choose(page, [1, 2]);
  await page.reload();
  await expect(faces).toHaveCount(2);
  await expect(faces.first()).toHaveAttribute('alt', 'PADOBAN');
  expect(starRequests).toBe(0);
  const otherStars = await page.request.get('/api/stars?starIds=[20,21]&language=en');
  const names = new Map(
    (await otherStars.json()).map(({ id, name }: { id: number; name: string }) => [id, name]),
  );
  for (const id of [20, 21]) await expect(page.locator(`[data-star="${id}"]`)).toHaveCount(0);
  await choose(page, [20, 1, 21]);
  await page.reload();
  await expect(faces).toHaveCount(3);
  for (const [at, name] of [names.get(20), 'PADOBAN', names.get(21)].entries()) {
    await expect(faces.nth(at)).toHaveAttribute('alt', String(name));
    await expect
      .poll(() => faces.nth(at).evaluate((face: HTMLImageElement) => face.naturalWidth))
      .not.toBe(0);
  }
  expect(starRequests).toBe(1);
  await expectAccessible(page);
  expectNoThirdParty(page);
});

test('with many stars the banner names some and counts the others; nothing in it shrinks or overlaps', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto('/en/about');
  await choose(
    page,
    Array.from({ length: 15 }, (_, index) => index + 1),
  );
  for (const lang of languages) {
    await page.goto(`/${lang}`);
    await expect(banner(page).locator('img')).toHaveCount(2);
    await expect(banner(page).locator('[data-selected-faces]')).toHaveText('+13');
    const [faces, words, clear, cross] = await Promise.all(
      ['[data-selected-faces]', '[data-words]', '[data-clear-stars]', 'svg'].map((part) =>
        banner(page)
          .locator(part)
          .evaluate((element) => {
            const { left, right, top, bottom, width } = element.getBoundingClientRect();
            return { left, right, top, bottom, width, cut: element.scrollWidth > Math.ceil(width) };
          }),
      ),
    );
    expect([lang, cross?.width, faces?.cut, words?.cut, clear?.cut]).toEqual([lang, 16, false, false, false]);
    expect(faces?.right).toBeLessThanOrEqual(words?.left ?? 0);
    // The longest words take a row of their own.
    const isBeside = (words?.right ?? 0) <= (clear?.left ?? 0);
    expect(isBeside || (words?.bottom ?? 0) <= (clear?.top ?? 0), lang).toBe(true);
    expect(clear?.right).toBeLessThanOrEqual(344);
    for (const face of await banner(page).locator('img').all())
      expect((await face.boundingBox())?.width).toBe(24);
  }
});

test('a clear that cannot be answered keeps the banner over the stars’ stories, and can be pressed again', async ({
  page,
}) => {
  await page.goto('/en');
  await choose(page, [1]);
  await page.reload();
  await expectOnly(page, 'PADOBAN');
  await page.route(part, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('alert')).toContainText('Error loading articles');
  await expect(banner(page)).toBeVisible();
  await page.unroute(part);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(banner(page)).toBeHidden();
  await expect(cards(page)).toHaveCount(20);
});

test('a refresh that fails says so where it was pressed', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto('/en');
  await page.route(part, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(page.locator('#feed').getByRole('alert').getByRole('heading')).toBeInViewport();
  await expect(cards(page)).toHaveCount(20);
});

test('refresh keeps the size of a thumb beside the longest dates', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  for (const lang of languages) {
    await page.goto(`/${lang}`);
    const box = await page.locator('[data-refresh]').boundingBox();
    expect([lang, box?.width, box?.height]).toEqual([lang, 44, 44]);
  }
});

test('refresh loads the feed anew and says so', async ({ page }) => {
  await page.goto('/en');
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(page.locator('#toast')).toContainText('You’re up to date.');
  await expect(cards(page)).toHaveCount(20);
  await expect(page.locator('.todays-events')).toHaveCount(1);
});

test('the age of the newest story is true, also an hour later', async ({ page }) => {
  await page.clock.install();
  await page.goto('/en');
  const age = page.locator('time[data-newest]');
  const newest = Date.parse((await age.getAttribute('datetime')) ?? '');
  await page.clock.setFixedTime(newest + 3 * 3_600_000);
  await setVisibility(page, 'visible');
  await expect(age).toHaveText(/^3 hrs?\.? ago$/);
});

test('a home left open over midnight names the new day and has its events, with the focus in them', async ({
  page,
}) => {
  await page.clock.install({ time: '2031-08-31T23:50:00+09:00' });
  await page.goto('/en');
  const events = page.locator('.todays-events');
  const stories = await cards(page).count();
  await events.locator('.card-link').first().focus();
  // The server has no other clock: the new day is told in its place.
  await page.route('/en', async (route) => {
    const html = await (await route.fetch()).text();
    const tomorrow = html
      .replace(/(class="feed-day">\s*<strong>)[^<]*/, '$1Monday 1 September')
      .replace('class="todays-events', 'class="todays-events of-tomorrow');
    await route.fulfill({ body: tomorrow, contentType: 'text/html' });
  });
  await page.clock.fastForward('15:00');
  await expect(page.locator('.feed-day strong')).toHaveText('Monday 1 September');
  await expect(events).toHaveClass(/of-tomorrow/);
  await expect(events).toBeVisible();
  expect(await cards(page).count()).toBe(stories);
  expect(await events.evaluate((section) => section.contains(document.activeElement))).toBe(true);
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(page.locator('#toast')).toContainText('You’re up to date.');
  await expect(events).toHaveClass(/of-tomorrow/);
});

test('a feed that is loaded anew says how old its stories are by now', async ({ page }) => {
  await page.clock.install();
  await page.goto('/en');
  const age = page.locator('time[data-newest]');
  const newest = Date.parse((await age.getAttribute('datetime')) ?? '');
  await page.clock.setFixedTime(newest + 47 * 60_000);
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(page.locator('#toast')).toContainText('You’re up to date.');
  await expect(age).toHaveText(/^47 min/);
});

const pressLanguage = async (page: Page, language: string) => {
  await page.locator('.language-menu summary').click();
  await page.locator('.language-menu').getByRole('link', { name: language }).click();
};

test('changing the language stores the choice, shows the overlay and opens the same page', async ({
  page,
}) => {
  await page.goto('/en/search?q=a&tab=articles&page=2');
  await pressLanguage(page, 'Bahasa Melayu');
  await expect(page).toHaveURL('/ms/search?q=a&tab=articles&page=2');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ms');
  const stored = await page.evaluate(() => ({ ...localStorage }));
  expect(stored['byeol:language']).toBe('ms');
  expect(JSON.parse(stored['byeol:preferences'] ?? '{}')).toMatchObject({ language: 'ms' });
});

test('changing the language begins the feed anew (§2) and keeps what else the address says', async ({
  page,
}) => {
  await page.goto('/en?page=2&offset=20&utm_source=friend');
  await pressLanguage(page, 'Bahasa Melayu');
  await expect(page).toHaveURL('/ms?utm_source=friend');
  await expect(cards(page)).toHaveCount(20);
});

test('an overlay says that the language is being changed until the other page is there', async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const text = document.querySelector('.switching')?.textContent;
      if (text) sessionStorage.setItem('seen-overlay', text);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/ko');
  await page.locator('.language-menu summary').click();
  await page.locator('.language-menu').getByRole('link', { name: 'Tiếng Việt' }).click();
  await expect(page).toHaveURL('/vi');
  expect(await page.evaluate(() => sessionStorage.getItem('seen-overlay'))).toBe('언어를 바꾸고 있어요…');
  await expect(page.locator('.switching')).toHaveCount(0);
});

test('the language menu opens by keyboard, closes on Escape and gives the focus back', async ({ page }) => {
  await page.goto('/en');
  const summary = page.locator('.language-menu summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.language-menu')).toHaveAttribute('open', '');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(page.locator('.language-menu')).not.toHaveAttribute('open', '');
  await expect(summary).toBeFocused();
});

test('a fan chooses stars, sees only their stories, the banner and the count, and clears them', async ({
  page,
}) => {
  test.slow();
  await page.goto('/en');
  await page.locator('.my-stars').click();
  const dialog = page.getByRole('dialog', { name: 'Choose My Stars' });
  await dialog.getByRole('searchbox').fill('mo hajin');
  await dialog.getByRole('button', { name: /^MO HAJIN/ }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('#selected-stars')).toBeVisible();
  await expect(page.locator('.my-stars [data-my-stars-count]')).toHaveText('1');
  await expect(cards(page).first()).toContainText('MO HAJIN');
  for (const card of await cards(page).all()) await expect(card).toContainText('MO HAJIN');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(cards(page)).toHaveCount(20);
  await expect(page.locator('#selected-stars')).toBeHidden();
});

test('cancel takes a choice back', async ({ page }) => {
  await page.goto('/en');
  await page.locator('.my-stars').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^PADOBAN/ }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('byeol:preferences'))).toBeNull();
  await expect(page.locator('.my-stars')).toBeFocused();
});

test('the theme can be chosen and stays', async ({ page }) => {
  await page.goto('/en');
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('losing the network is said and the way back, too', async ({ page, context }) => {
  await page.goto('/en');
  await context.setOffline(true);
  await expect(page.locator('#offline')).toContainText('You’re offline');
  await context.setOffline(false);
  await expect(page.locator('#offline')).toBeHidden();
  await expect(page.locator('#toast')).toContainText('You’re back online.');
});
