import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { makeStar } from '#tests/kit/make.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';

const phone = { width: 360, height: 780 };
const tablet = { width: 768, height: 1024 };
const desk = { width: 1280, height: 900 };

async function starNamed(request: APIRequestContext, name: string): Promise<number> {
  const response = await request.get(`/api/stars?search=${encodeURIComponent(name)}&language=en`);
  const stars: { id: number; name: string }[] = await response.json();
  return stars.find((star) => star.name === name)?.id ?? 0;
}

/** A star with a name and nothing else. */
async function makeBareStar(databaseUrl: string, biographies: Record<string, string> = {}): Promise<number> {
  openDatabase(databaseUrl);
  try {
    return await makeStar({ name: '새별', names: { en: 'SAEBYEOL' }, biographies });
  } finally {
    await closeDatabase();
  }
}

/** A group that disbanded, of which only a month and years are known, with one who left before. */
async function makeDisbandedGroup(databaseUrl: string): Promise<number> {
  openDatabase(databaseUrl);
  try {
    const id = await makeStar({ name: '해넘이', names: { en: 'SUNDOWN' }, category: 'K-Pop Group' });
    const sql = connection();
    await sql`insert into star_profiles (star_id, debut_date, activity, end_date) values (${id}, '2011-05', 'ended', '2019')`;
    await sql`insert into star_members (group_id, position, names, since, until, is_former) values
      (${id}, 0, '{"ko": "가람", "en": "GARAM"}', '2011', '2014-03', true), (${id}, 1, '{"ko": "나울", "en": "NAUL"}', null, null, false)`;
    return id;
  } finally {
    await closeDatabase();
  }
}

async function withoutScripts(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  return context.newPage();
}

test('a star’s page shows who the star is, in the words and figures of the fan’s language', async ({
  page,
  request,
}) => {
  const id = await starNamed(request, 'SIMYA BUS');
  await page.setViewportSize(desk);
  await page.goto(`/en/star/${id}`);
  await expect(page).toHaveTitle('SIMYA BUS Profile | Byeol');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('SIMYA BUS');
  const main = page.getByRole('main');
  for (const text of [
    'K-Pop Group',
    'Studio Corner',
    'October 2019',
    '14 October 2019',
    'Last Stop',
    '#3355FF',
    '5.8M',
    '2.1M',
  ]) {
    await expect(main.getByText(text).filter({ visible: true }).first()).toBeVisible();
  }
  await expect(main.getByRole('link', { name: 'NOSEON' })).toHaveAttribute('href', /^\/en\/star\/\d+$/);
  await expect(page.getByRole('button', { name: 'Follow' })).toBeVisible();
  await page.goto(`/ko/star/${id}`);
  await expect(page).toHaveTitle('심야버스 프로필 | Byeol');
  await expect(main.getByText('2019년 10월', { exact: true })).toBeVisible();
  expectNoThirdParty(page);
});

test('the description is name, category and the opening of the biography, inside the limit of the language', async ({
  request,
  server,
}) => {
  const visit = new PlainVisit(request, server.url);
  const id = await starNamed(request, 'HARUCHI');
  for (const [language, limit, start] of [
    ['en', 160, 'HARUCHI, Idol.'],
    ['ko', 120, '하루치, 아이돌.'],
  ] as const) {
    await visit.goto(`/${language}/star/${id}`);
    const description = visit.attribute('meta[name="description"]', 'content') ?? '';
    expect(description.startsWith(start)).toBe(true);
    expect([...description].length).toBeLessThanOrEqual(limit);
    expect([...description].length).toBeGreaterThan(limit - 20);
  }
});

test('official accounts stand first by followers, verified ones say so, and the closed service is only text', async ({
  page,
  request,
}) => {
  await page.goto(`/en/star/${await starNamed(request, 'SIMYA BUS')}`);
  const social = page.locator('.star-social');
  await social.locator('summary').click();
  const rows = social.locator('li');
  await expect(rows).toHaveCount(10);
  await expect(rows.nth(0)).toContainText('Instagram');
  await expect(rows.nth(0)).toContainText('Verified account');
  await expect(rows.nth(0)).toContainText('3.2M');
  await expect(rows.nth(9)).toContainText('run by fans');
  await expect(rows.nth(0).getByRole('link')).toHaveAttribute('rel', 'noopener');
  const closed = rows.filter({ hasText: 'V LIVE' });
  await expect(closed).toContainText('closed');
  await expect(closed.getByRole('link')).toHaveCount(0);
});

test('the timeline shows ten events, then all of them in place, and says so', async ({ page, request }) => {
  const id = await starNamed(request, 'PADOBAN');
  await page.goto(`/en/star/${id}`);
  await expect(page.locator('.moment')).toHaveCount(10);
  await expect(page.locator('.moment', { hasText: 'Important' }).first()).toBeVisible();
  await page.getByRole('link', { name: /^Show all \d+ events$/ }).click();
  await expect(page).toHaveURL(`/en/star/${id}?tab=timeline&show=all`);
  await expect.poll(() => page.locator('.moment').count()).toBeGreaterThan(10);
  const total = await page.locator('.moment').count();
  await expect(page.locator('[data-star-status]')).toHaveText(`All ${total} events are shown.`);
  await expect(page.locator('.moment').nth(10)).toBeFocused();
  await page.goBack();
  await expect(page.locator('.moment')).toHaveCount(10);
  const [newestDate, ...otherDates] = await page
    .locator('.moment time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
  expect([newestDate, ...otherDates]).toEqual([newestDate, ...otherDates].toSorted().toReversed());
});

test('tabs change in place, stand in the address, and the back button returns', async ({ page, request }) => {
  const id = await starNamed(request, 'HARUCHI');
  await page.goto(`/en/star/${id}`);
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  for (const [name, tab] of [
    ['Photos', 'photos'],
    ['Achievements', 'achievements'],
    ['Articles', 'articles'],
  ] as const) {
    const link = page.locator('.tabs').getByRole('link', { name });
    await link.click();
    await expect(page).toHaveURL(`/en/star/${id}?tab=${tab}`);
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(link).toBeFocused();
  }
  await expect(page.locator('.star-stories article').first()).toBeVisible();
  await page.goBack();
  await expect(page.locator('.award').filter({ hasText: 'Won' }).first()).toBeVisible();
  await expect(page.locator('.award').filter({ hasText: 'Nominated' }).first()).toBeVisible();
  await page.goBack();
  await expect(page.locator('.mosaic li').first()).toBeVisible();
  await page.reload();
  await expect(page.locator('.mosaic li').first()).toBeVisible();
  await page.goBack();
  await expect(page.locator('.moment')).toHaveCount(10);
});

test('stories that a tab puts in place say how old they are by now', async ({ page, request }) => {
  const id = await starNamed(request, 'HARUCHI');
  await page.clock.install();
  await page.goto(`/en/star/${id}?tab=articles`);
  const age = page.locator('.star-stories time[data-age]').first();
  const published = Date.parse((await age.getAttribute('datetime')) ?? '');
  await page.goto(`/en/star/${id}?tab=photos`);
  await page.clock.setFixedTime(published + 47 * 60_000);
  await page.locator('.tabs').getByRole('link', { name: 'Articles' }).click();
  await expect(age).toHaveText(/^47 min/);
});

test.describe('what cannot be fetched', () => {
  test('a tab that cannot be fetched leaves what is there, says so, and comes once the network is back', async ({
    page,
    context,
    request,
  }) => {
    const address = `/ko/star/${await starNamed(request, 'HARUCHI')}`;
    await page.goto(address);
    const tab = (name: string) => page.locator('.tabs').getByRole('link', { name });
    const toast = page.locator('#toast');
    await tab('사진').click();
    await expect(page.locator('.mosaic li')).toHaveCount(12);
    await context.setOffline(true);
    await tab('수상').click();
    await expect(toast).toContainText('오프라인이에요');
    await expect(page.locator('.mosaic li')).toHaveCount(12);
    await expect(tab('사진')).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('[data-part]')).not.toHaveAttribute('aria-busy');
    await expect(page).toHaveURL(`${address}?tab=photos`);
    await context.setOffline(false);
    await tab('수상').click();
    await expect(page.locator('.award').first()).toBeVisible();
    await expect(page).toHaveURL(`${address}?tab=achievements`);
  });

  test('a tab whose server fails says so in place, and is tried again when pressed again', async ({
    page,
    request,
  }) => {
    const address = `/en/star/${await starNamed(request, 'HARUCHI')}`;
    await page.goto(address);
    await page.route('**/star/*?tab=photos', (route) => route.fulfill({ status: 500, body: 'no' }));
    const photos = page.locator('.tabs').getByRole('link', { name: 'Photos' });
    await photos.click();
    await expect(page.locator('#toast')).toContainText('This couldn’t be opened');
    await expect(page.locator('.moment')).toHaveCount(10);
    await expect(page).toHaveURL(address);
    await page.unrouteAll();
    await photos.click();
    await expect(page.locator('.mosaic li')).toHaveCount(12);
  });

  test('going back to a tab that cannot be fetched says so, and the tab follows with the network', async ({
    page,
    context,
    request,
  }) => {
    await page.goto(`/en/star/${await starNamed(request, 'HARUCHI')}?tab=photos`);
    const tab = (name: string) => page.locator('.tabs').getByRole('link', { name });
    await tab('Achievements').click();
    await expect(page.locator('.award').first()).toBeVisible();
    // The page that is loaded anew knows the tabs of this address alone.
    await page.reload();
    await tab('Articles').click();
    await expect(page.locator('.star-stories').first()).toBeVisible();
    await page.goBack();
    await expect(page.locator('.award').first()).toBeVisible();
    await context.setOffline(true);
    await page.goBack();
    await expect(page.locator('#toast')).toContainText('You’re offline');
    await expect(page.locator('.award').first()).toBeVisible();
    await context.setOffline(false);
    await expect(page.locator('.mosaic li')).toHaveCount(12);
  });

  test('a press whose script cannot be fetched says so, and works once the network is back', async ({
    page,
    context,
    request,
  }) => {
    const address = `/ko/star/${await starNamed(request, 'HARUCHI')}?tab=photos`;
    const toast = page.locator('#toast');
    await page.goto(address);
    await context.setOffline(true);
    await page.locator('[data-photo]').nth(2).click();
    await expect(toast).toContainText('오프라인이에요');
    await expect(page).toHaveURL(address);
    await context.setOffline(false);
    await page.locator('[data-photo]').nth(2).click();
    await expect(page.getByRole('dialog').locator('[data-lightbox-place]')).toHaveText('3 / 12');

    await page.goto(address);
    await context.setOffline(true);
    await page.locator('.tabs').getByRole('link', { name: '타임라인' }).click();
    await expect(toast).toContainText('오프라인이에요');
    await context.setOffline(false);
    await page.locator('.tabs').getByRole('link', { name: '타임라인' }).click();
    await expect(page.locator('.moment')).toHaveCount(10);
  });
});

test('photos can be filtered by category', async ({ page, request }) => {
  const id = await starNamed(request, 'HARUCHI');
  await page.goto(`/en/star/${id}?tab=photos`);
  await expect(page.locator('.mosaic li')).toHaveCount(12);
  const filters = page.getByRole('navigation', { name: 'Photo categories' });
  await expect(filters.getByRole('link')).toHaveText([
    'All',
    'Profile',
    'Performance',
    'Casual',
    'Photoshoot',
    'Event',
    'Behind the scenes',
  ]);
  await filters.getByRole('link', { name: 'Performance' }).click();
  await expect(page).toHaveURL(`/en/star/${id}?tab=photos&category=performance`);
  await expect(page.locator('.mosaic li')).toHaveCount(2);
  await filters.getByRole('link', { name: 'All' }).click();
  await expect(page.locator('.mosaic li')).toHaveCount(12);
});

test('the lightbox wraps around by button, key and swipe, closes on Escape and gives the focus back', async ({
  page,
  request,
}) => {
  await page.goto(`/en/star/${await starNamed(request, 'HARUCHI')}?tab=photos`);
  const first = page.locator('[data-photo]').first();
  await first.click();
  const viewer = page.getByRole('dialog', { name: 'Photo viewer' });
  const counter = viewer.locator('[data-lightbox-place]');
  await expect(counter).toHaveText('1 / 12');
  await expect(viewer).toContainText('Photo:');
  await viewer.getByRole('button', { name: 'Previous photo' }).click();
  await expect(counter).toHaveText('12 / 12');
  await page.keyboard.press('ArrowRight');
  await expect(counter).toHaveText('1 / 12');
  await page.mouse.move(700, 400);
  await page.mouse.down();
  await page.mouse.move(500, 400);
  await page.mouse.up();
  await expect(counter).toHaveText('2 / 12');
  const image = viewer.getByRole('img');
  await expect(image).toHaveAttribute('alt', /.+/);
  await expect
    .poll(() => image.evaluate((img) => (img as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(400);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(first).toBeFocused();
});

test('Back closes the lightbox and leaves the photos and the focus; the next one leads to the tab before', async ({
  page,
  request,
}) => {
  const address = `/ko/star/${await starNamed(request, 'HARUCHI')}`;
  await page.goto(`${address}?utm_source=x`);
  await page.locator('.tabs').getByRole('link', { name: '사진' }).click();
  const third = page.locator('[data-photo]').nth(2);
  const viewer = page.getByRole('dialog');
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await third.click();
    await expect(viewer.locator('[data-lightbox-place]')).toHaveText('3 / 12');
    await close();
    await expect(viewer).toBeHidden();
    await expect(page).toHaveURL(`${address}?tab=photos`);
    await expect(third).toBeFocused();
    // Closed by hand, the lightbox takes its step of the history back, which is no press of Back yet.
    await expect.poll(() => page.evaluate(() => history.state?.lightbox ?? false)).toBe(false);
  }
  await page.goBack();
  await expect(page.locator('.moment')).toHaveCount(10);
  await expect(page.locator('.tabs [aria-current]')).toBeFocused();
  await expect(page).toHaveURL(`${address}?utm_source=x`);
  await page.goForward();
  await third.click();
  await expect(viewer).toBeVisible();
  await page.evaluate(() => history.go(-2));
  await expect(viewer).toBeHidden();
  await expect(page.locator('.moment')).toHaveCount(10);
  await expect(page.locator('.tabs [aria-current]')).toBeFocused();
});

test('without scripts tabs, filters, the whole timeline and the large pictures are links', async ({
  browser,
  baseURL,
  request,
}) => {
  const id = await starNamed(request, 'PADOBAN');
  const page = await withoutScripts(browser, baseURL);
  await page.goto(`/en/star/${id}`);
  await page.getByRole('link', { name: /^Show all \d+ events$/ }).click();
  await expect.poll(() => page.locator('.moment').count()).toBeGreaterThan(10);
  await page.locator('.tabs').getByRole('link', { name: 'Photos' }).click();
  await page.getByRole('link', { name: 'Casual' }).click();
  await expect(page.locator('.mosaic li')).toHaveCount(2);
  await page.locator('[data-photo]').first().click();
  await expect(page).toHaveURL(/\/media\/.+-1200\.webp$/);
  await page.context().close();
});

test('links to other languages carry what is open, without scripts and after a change in place', async ({
  browser,
  baseURL,
  page,
  request,
}) => {
  const id = await starNamed(request, 'HARUCHI');
  const scriptlessPage = await withoutScripts(browser, baseURL);
  const leadsTo = async (tab: Page, address: string) => {
    const english = tab.locator('a[data-language="en"]');
    await expect(english).toHaveCount(2);
    for (const link of await english.all())
      await expect(link).toHaveJSProperty('href', `${baseURL}${address}`);
  };
  for (const [path, query] of [
    [`/star/${id}`, '?tab=photos&category=event'],
    [`/star/${id}`, ''],
    ['/events', '?date=2030-05-01&categories=1,2'],
    ['/events', '?tab=upcoming&range=month'],
    ['/community', '?q=ha&sort=latest'],
    ['/search', '?q=ha&tab=stars'],
  ] as const) {
    await scriptlessPage.goto(`/ko${path}${query}${query ? '&' : '?'}utm_source=x`);
    await leadsTo(scriptlessPage, `/en${path}${query}`);
  }
  await scriptlessPage.goto('/ko?page=2');
  await leadsTo(scriptlessPage, '/en');
  await scriptlessPage.goto(`/ko/star/${id}?tab=photos&category=event`);
  await scriptlessPage.locator('.footer').getByRole('link', { name: 'English' }).click();
  await expect(scriptlessPage.locator('.chips [aria-current]')).toHaveText('Event');
  await scriptlessPage.context().close();

  await page.goto(`/ko/star/${id}?tab=photos&category=event`);
  await page.locator('.tabs').getByRole('link', { name: '타임라인' }).click();
  await expect(page).toHaveURL(`/ko/star/${id}`);
  await leadsTo(page, `/en/star/${id}`);
  await page.goBack();
  await leadsTo(page, `/en/star/${id}?tab=photos&category=event`);
});

test('a biography in another language is shown as that language', async ({ request, server }) => {
  const visit = new PlainVisit(request, server.url);
  const id = await makeBareStar(server.databaseUrl, { ko: '한 줄 소개예요.', ms: 'Satu baris.' });
  await visit.goto(`/vi/star/${id}`);
  expect(visit.texts('main [lang="ko"]')).toContain('한 줄 소개예요.');
});

test('a star of whom nothing is known yet has a page that says so kindly', async ({ page, server }) => {
  const id = await makeBareStar(server.databaseUrl);
  await page.goto(`/en/star/${id}`);
  for (const text of [
    'No biography available.',
    'Nothing official has been announced yet.',
    'The timeline starts here',
  ]) {
    await expect(page.getByText(text)).toBeVisible();
  }
  await expect(page.getByText('followers')).toBeHidden();
  for (const [tab, text] of [
    ['photos', 'No photos yet'],
    ['achievements', 'No achievements yet'],
    ['articles', 'No recent articles'],
  ]) {
    await page.goto(`/en/star/${id}?tab=${tab}`);
    await expect(page.getByRole('heading', { name: text })).toBeVisible();
  }
  await expectAccessible(page);
});

test('an unknown or impossible star is a 404 that leads home', async ({ request, server }) => {
  const visit = new PlainVisit(request, server.url);
  for (const id of ['2147483647', '0', 'haruchi', '1e3', '99999999999']) {
    expect(await visit.goto(`/en/star/${id}`), id).toBe(404);
    expect(visit.text('h1')).toBe('Star not found');
    expect(visit.text('main p[lang="en"]')).toBe('404 Page Not Found');
    expect(await visit.follow('Go home', 'main')).toBe(200);
    expect(new URL(visit.url).pathname).toBe('/en');
  }
});

test('structured data names a person or a group with what is known', async ({ request, server }) => {
  const visit = new PlainVisit(request, server.url);
  const dataOf = async (name: string) => {
    await visit.goto(`/en/star/${await starNamed(request, name)}`);
    return visit.texts('script[type="application/ld+json"]').map((text) => JSON.parse(text));
  };
  const [group, trail] = await dataOf('PADOBAN');
  expect(group).toMatchObject({ '@type': 'MusicGroup', name: 'PADOBAN', foundingDate: '2018-06-08' });
  expect(group.member).toHaveLength(5);
  expect(group.sameAs.length).toBeGreaterThan(3);
  expect(trail).toMatchObject({ '@type': 'BreadcrumbList' });
  const [person] = await dataOf('YUNSEUL');
  expect(person).toMatchObject({
    '@type': 'Person',
    birthDate: '1998-03-15',
    memberOf: [{ '@type': 'MusicGroup', name: 'PADOBAN' }],
  });
  expect(visit.attribute('meta[property="og:type"]', 'content')).toBe('profile');
});

test('a group that disbanded says so in a line, with former members apart and no day that nobody knows', async ({
  page,
  request,
  server,
}) => {
  const visit = new PlainVisit(request, server.url);
  const id = await makeDisbandedGroup(server.databaseUrl);
  for (const [lang, line] of [
    ['ko', '2011년 5월 데뷔 · 2019년 해체'],
    ['en', 'debuted May 2011 · disbanded 2019'],
    ['ms', 'debut Mei 2011 · dibubarkan pada 2019'],
    ['vi', 'ra mắt tháng 5 năm 2011 · tan rã năm 2019'],
  ] as const) {
    await visit.goto(`/${lang}/star/${id}`);
    expect(visit.text('.star-line')).toBe(line);
  }
  await page.goto(`/en/star/${id}`);
  const former = page.locator('section', { has: page.getByRole('heading', { name: 'Former members' }) });
  await expect(former.last()).toContainText('GARAM');
  await expect(former.last()).toContainText('2011–2014');
  await expect(former.last()).not.toContainText('NAUL');
  const data = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').first().textContent()) ?? '',
  );
  expect(data).toMatchObject({ foundingDate: '2011-05', member: [{ name: 'NAUL' }] });
  await expectAccessible(page);
});

test('on a phone the header lies over the hero and takes the star’s name once the hero is past', async ({
  page,
  request,
}) => {
  await page.setViewportSize(phone);
  await page.goto(`/en/star/${await starNamed(request, 'HARUCHI')}`);
  const header = page.getByRole('banner');
  await expect(header).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await page.mouse.wheel(0, 900);
  await expect(header).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(header.getByText('HARUCHI')).toBeVisible();
  // Without its file, such as in a tunnel, it has the page's ground at once.
  await page.route('**/star-header*.js', (route) => route.abort());
  await page.reload();
  await page.mouse.wheel(0, 100);
  await expect(header).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

test('labels and counts of the tabs never lie on each other: the row scrolls, also in a wide font', async ({
  page,
  request,
}) => {
  await page.setViewportSize(phone);
  const id = await starNamed(request, 'HARUCHI');
  for (const language of languages) {
    for (const font of ['', 'DejaVu Sans']) {
      await page.goto(`/${language}/star/${id}?tab=articles`);
      const row = page.locator('.star-tabs .tabs');
      await row.evaluate((nav: HTMLElement, family) => {
        nav.style.fontFamily = family;
      }, font);
      const ends = await row.locator('.tab').evaluateAll((tabs) =>
        tabs.map((tab) => {
          const words = document.createRange();
          words.selectNodeContents(tab);
          const { left, right } = tab.getBoundingClientRect();
          return { left, right, words: words.getBoundingClientRect().right };
        }),
      );
      for (const [index, { right, words }] of ends.entries()) {
        expect(words, `${language}, tab ${index} ${font}`).toBeLessThanOrEqual(right + 0.5);
        expect(right, `${language}, tab ${index} ${font}`).toBeLessThan(ends[index + 1]?.left ?? Infinity);
      }
      // At its end the row shows the last count before the 16 px in which it fades.
      const last = await row.evaluate((nav) => {
        nav.scrollLeft = nav.scrollWidth;
        const edge = nav.getBoundingClientRect().right - 16;
        return edge - (nav.lastElementChild?.getBoundingClientRect().right ?? 0);
      });
      expect(last, `${language} ${font}`).toBeGreaterThanOrEqual(-0.5);
    }
  }
});

const views = [
  ['timeline', phone],
  ['photos', tablet],
  ['achievements', phone],
  ['articles', desk],
] as const;
const palest = ['MEOKGUREUM', 'HAYANBAM', 'MO HAJIN', 'FIRST SNOW CLUB'] as const;

for (const [schemeIndex, colorScheme] of (['light', 'dark'] as const).entries()) {
  test(`star pages fit every screen and are accessible in every language, ${colorScheme}`, async ({
    page,
    request,
  }) => {
    test.setTimeout(90_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [index, language] of languages.entries()) {
      const id = await starNamed(request, palest[index] ?? '');
      const [tab, viewport] = views[(index + 2 * schemeIndex) % views.length] ?? views[0];
      await page.setViewportSize(viewport);
      await page.goto(`/${language}/star/${id}?tab=${tab}`);
      await expectAccessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${language} ${tab} ${viewport.width}`).toBeLessThanOrEqual(0);
    }
  });
}

test('a phone opens a star with what is next and its tabs; who the star is stands behind them, one press away', async ({
  page,
}) => {
  const topOf = async (part: string) => (await page.locator(part).first().boundingBox())?.y ?? Number.NaN;
  await page.setViewportSize({ width: 360, height: 740 });
  for (const lang of languages) {
    await page.goto(`/${lang}/star/1`);
    const tops = [];
    for (const part of [
      '.follow-bar',
      '.star-next .ticket',
      '.star-tabs',
      '.star-about',
      '.biography',
      '.facts',
    ])
      tops.push(await topOf(part));
    expect([lang, tops]).toEqual([lang, [...tops].sort((a, b) => a - b)]);
    expect(tops[2], lang).toBeLessThan(1000);
  }
  await page.locator('.star-about-link').click();
  await expect(page.locator('#about')).toBeInViewport();
  await expectAccessible(page);
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/en/star/1');
    await expect(page.locator('.star-about-link')).toBeHidden();
    expect(await topOf('.biography')).toBeLessThan(await topOf('.star-tabs'));
    expect(await topOf('.facts')).toBeLessThan(await topOf('.timeline'));
  }
});
