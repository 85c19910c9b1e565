import type { APIRequestContext, Page, Request } from '@playwright/test';
import { languages } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';

const results = (page: Page, heading: string) => page.getByRole('region', { name: heading, exact: true });
const robots = (page: Page) => page.locator('meta[name="robots"]');

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `sideways scroll on ${page.url()}`).toBe(0);
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a fan searches from the header and finds the star first, then stories, events and the channel', async ({
    page,
  }) => {
    await page.goto('/ko');
    await page.locator('.header').getByRole('link', { name: '검색' }).click();
    await page.getByRole('searchbox').fill('ㅍㄷㅂ');
    await page.getByRole('button', { name: '검색', exact: true }).click();
    await expect(page).toHaveURL(/\/ko\/search\?q=/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('‘ㅍㄷㅂ’ 검색 결과');
    await expect(page.getByRole('searchbox')).toHaveValue('ㅍㄷㅂ');
    await expect(page.locator('main section h2')).toHaveText(['스타', '기사', '일정', '채널']);
    await expect(results(page, '스타').getByRole('link').first()).toHaveText('파도반');
    await expect(results(page, '기사').locator('article').first()).toContainText('파도반');
    await expect(results(page, '일정').locator('.ticket')).toHaveCount(3);
    await expect(results(page, '채널').getByRole('link')).toHaveAttribute('href', /^\/ko\/community\/\d+$/);
    await expect(robots(page)).toHaveAttribute('content', 'noindex');
  });
});

test.describe('without a browser', () => {
  const visitTo = async (request: APIRequestContext, server: TestServer, path: string) => {
    const visit = new PlainVisit(request, server.url);
    return { visit, status: await visit.goto(path), at: () => visit.url.slice(server.url.length) };
  };

  test('every kind has its tab and address, and the language changes with the search kept', async ({
    request,
    server,
  }) => {
    const { visit, at } = await visitTo(request, server, '/en/search?q=concert');
    await visit.follow(/^Events/, 'nav[aria-label="Kinds of results"]');
    expect(at()).toBe('/en/search?q=concert&tab=events');
    expect(visit.texts('main .ticket').length).toBeGreaterThan(0);
    expect(visit.texts('main article:not(.ticket)')).toEqual([]);
    await visit.follow('Bahasa Melayu', '.footer');
    expect(at()).toBe('/ms/search?q=concert&tab=events');
  });

  test('long results come in pages', async ({ request, server }) => {
    const { visit, at } = await visitTo(request, server, '/en/search?q=padoban&tab=events');
    const pager = 'nav[aria-label="Pages"]';
    expect(visit.text(pager)).toContain('Page 1 of 2');
    const first = visit.texts('.ticket h3');
    await visit.follow('Next', pager);
    expect(at()).toBe('/en/search?q=padoban&tab=events&page=2');
    expect(visit.text(pager)).toContain('Page 2 of 2');
    const second = visit.texts('.ticket h3');
    expect(first).toHaveLength(20);
    expect(second.length).toBeGreaterThan(0);
    await visit.follow('Previous', pager);
    expect(visit.texts('.ticket h3')).toEqual(first);
    expect(await visit.goto('/en/search?q=padoban&tab=events&page=3')).toBe(404);
  });

  test('before a search there are the categories and popular stars, and all stars one step away', async ({
    request,
    server,
  }) => {
    const { visit, at } = await visitTo(request, server, '/vi/search');
    expect(visit.texts('main section h2')).toEqual(['Danh mục', 'Sao được quan tâm']);
    expect(visit.attribute('meta[name="robots"]', 'content')).toBeUndefined();
    await visit.follow('Tất cả các sao');
    expect(at()).toBe('/vi/search?tab=stars');
    // Another test of the same server may have added a star to the demo's thirty.
    expect(visit.texts('.found-row').length).toBeGreaterThanOrEqual(30);
    await visit.follow('PADOBAN');
    expect(at()).toMatch(/^\/vi\/star\/\d+$/);
  });

  test('nothing found says so, helps, and leads on', async ({ request, server }) => {
    const { visit, at } = await visitTo(request, server, '/ms/search?q=zzzzqqq');
    expect(visit.texts('main :is(h1, h2)')).toContain('Tiada hasil untuk “zzzzqqq”');
    await visit.follow('Semua bintang');
    expect(at()).toBe('/ms/search?tab=stars');
    await visit.goto('/ms/search?q=konsert&tab=channels');
    await visit.follow('Tunjukkan semua hasil');
    expect(at()).toBe('/ms/search?q=konsert');
    await visit.goto('/ms/search?q=padovan');
    expect(visit.texts('main h2')[0]).toBe('Adakah anda maksudkan bintang ini?');
    await visit.follow('PADOBAN');
    expect(at()).toMatch(/^\/ms\/star\/\d+$/);
  });

  test('what cannot be searched for is explained at the field', async ({ request, server }) => {
    for (const [query, sentence] of [
      ['a'.repeat(101), 'Use at most 100 characters.'],
      ['a%07b', 'Some of these characters can’t be searched for'],
    ]) {
      const { visit, status } = await visitTo(request, server, `/en/search?q=${query}`);
      expect(status).toBe(400);
      expect(visit.attribute('main input[type="search"]', 'aria-invalid')).toBe('true');
      const described = visit.attribute('main input[type="search"]', 'aria-describedby') ?? '';
      expect(visit.texts(`[id="${described.split(' ').join('"], [id="')}"]`).join(' ')).toContain(sentence);
    }
  });

  test('what is typed stays text', async ({ request, server }) => {
    const typed = '"><script>alert(1)</script>';
    const { visit } = await visitTo(request, server, `/en/search?q=${encodeURIComponent(typed)}`);
    expect(visit.attribute('main input[type="search"]', 'value')).toBe(typed);
    expect(visit.texts('main script').filter((text) => text.includes('alert'))).toEqual([]);
  });

  test('no words end the first screen of the page', async ({ request, server }) => {
    for (const path of ['search', 'community'])
      for (const words of ['<!--first-screen-end--><img src=x>', '</head><img src=x>']) {
        const address = `/en/${path}?q=${encodeURIComponent(words)}`;
        expect(await (await request.get(address)).text()).not.toMatch(/<!--[\w-]{20,}-->/);
        const { visit } = await visitTo(request, server, address);
        expect(visit.attribute('main input[type="search"]', 'value')).toBe(words);
        expect(visit.document.querySelectorAll('img[src="x"]')).toHaveLength(0);
        expect(visit.document.querySelectorAll('head style')).toHaveLength(1);
      }
  });

  test('a category shows its stars and stories; its spelling with a space leads to it, others nowhere', async ({
    request,
    server,
  }) => {
    const { visit, at } = await visitTo(request, server, '/ko/category/k-pop%20group');
    expect(at()).toBe('/ko/category/k-pop-group');
    expect(visit.texts('h1')).toEqual(['K팝 그룹']);
    expect(visit.texts('.feed article').length).toBeGreaterThan(5);
    expect(visit.texts('nav[aria-label="스타"] a').filter((name) => name === '모하진')).toEqual([]);
    await visit.follow('심야버스', 'nav[aria-label="스타"]');
    expect(at()).toMatch(/^\/ko\/star\/\d+$/);
    for (const path of [
      '/ko/category/singers',
      '/ko/category/k-pop-group?page=99',
      '/ko/category/idol?page=0',
    ]) {
      expect([path, (await request.get(path)).status()]).toEqual([path, 404]);
    }
  });

  test('the pages about the site read in their language and lead to each other', async ({
    request,
    server,
  }) => {
    const { visit, at } = await visitTo(request, server, '/ko/about');
    expect(visit.texts('h1')).toEqual(['Byeol 소개']);
    expect(visit.texts('.prose p').length).toBeGreaterThan(3);
    expect(visit.text('main')).not.toContain('{{');
    await visit.follow('개인정보', 'main');
    expect(at()).toBe('/ko/privacy');
    expect(visit.texts('.prose h2')[0]).toBeTruthy();
    expect(await visit.goto('/ko/imprint')).toBe(404);
  });
});

test('the field is ready to type, its button clears it in place', async ({ page }) => {
  await page.goto('/en/search');
  await expect(page.getByRole('combobox')).toBeFocused();
  const clear = page.getByRole('link', { name: 'Clear the search' });
  await expect(clear).toBeHidden();
  await page.keyboard.type('lighthouse');
  await clear.click();
  await expect(page).toHaveURL('/en/search');
  await expect(page.getByRole('combobox')).toHaveValue('');
  await expect(page.getByRole('combobox')).toBeFocused();
  await expect(clear).toBeHidden();
  await page.goto('/en/search?q=padoban');
  await expect(page.getByRole('combobox')).not.toBeFocused();
  expectNoThirdParty(page);
});

test('an address without a language keeps what was searched for', async ({ page }) => {
  await page.goto('/search?q=padoban&tab=stars');
  await page.waitForURL(/\/ko\/search\?q=padoban&tab=stars/);
  await expect(page.getByRole('link', { name: '파도반', exact: true })).toBeVisible();
});

for (const lang of languages) {
  test(`search, category and pages about the site are accessible and fit a small phone in ${lang}`, async ({
    page,
  }) => {
    test.slow();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ['search', 'search?q=padoban', 'search?q=zzzzqqq', 'category/actress', 'editorial']) {
      await page.goto(`/${lang}/${path}`);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
    }
  });
}

test('search is accessible in the dark, and where it explains what is wrong', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const path of ['/ms/search?tab=stars', '/ko/search?q=konsert', '/ko/search?q=a%07']) {
    await page.goto(path);
    await expectAccessible(page);
  }
});

test('who searches too often is told to wait, and only who does: guests of the same address search on', async ({
  context,
  page,
  playwright,
}) => {
  const server = await startTestServer({ settings: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  try {
    const { id } = await signIn(context, server, 'user');
    const guest = await playwright.request.newContext();
    const clientAddress = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    const ask = (count: number, client = page.request) =>
      client.get(`${server.url}/en/search?q=zz${count}`, clientAddress);
    // So many of 60 in this minute of the clock and the next ones: the test may run over its end between any two searches.
    const searched = (count: number) =>
      inDatabase(
        server.databaseUrl,
        () => connection()`insert into rate_limits (key, window_start, count)
          select ${`search:account:${id}`}, date_trunc('minute', now()) + n * interval '1 minute', ${count}::int
          from generate_series(0, 4) n on conflict (key, window_start) do update set count = excluded.count`,
      );
    await searched(59);
    expect((await ask(1)).status()).toBe(200);
    await searched(60);
    expect((await ask(2)).status()).toBe(429);
    const refused = await ask(99);
    expect(await refused.text()).toContain('That’s a lot of searches.');
    expect(Number(refused.headers()['retry-after'])).toBeGreaterThan(0);
    expect((await ask(1, guest)).status()).toBe(200);
    await guest.dispose();
  } finally {
    await server.stop();
  }
});

test.describe('suggestions', () => {
  const options = (page: Page) => page.getByRole('listbox').getByRole('option');

  test('nothing of them is loaded before the first key, and little after it', async ({ page }) => {
    const finishedRequests: Request[] = [];
    page.on('requestfinished', (request) => finishedRequests.push(request));
    await page.goto('/en/search', { waitUntil: 'networkidle' });
    await expect(page.getByRole('combobox')).toBeFocused();
    const requestsBefore = finishedRequests.length;
    expect(finishedRequests.some((request) => /\bsuggestions/.test(request.url()))).toBe(false);
    await page.keyboard.type('p');
    await expect(options(page).first()).toBeVisible();
    const scripts = finishedRequests
      .slice(requestsBefore)
      .filter((request) => request.resourceType() === 'script');
    const sizes = await Promise.all(scripts.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(3000);
  });

  test('a fan chooses a star by keys: the list tells where one is, Enter leads to the star', async ({
    page,
  }) => {
    await page.goto('/ko/search');
    const field = page.getByRole('combobox');
    // At once: the answer to its first sign would be taken away by that to both.
    await field.fill('ㅍㄷ');
    await expect(options(page).first()).toContainText('파도반');
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    await expect(field).not.toHaveAttribute('aria-activedescendant', /./);
    await page.keyboard.press('ArrowDown');
    await expect(field).toHaveAttribute('aria-activedescendant', /./);
    const active = await field.getAttribute('aria-activedescendant');
    await expect(page.locator(`#${active}`)).toHaveAttribute('aria-selected', 'true');
    await expect(page.locator(`#${active}`)).toContainText('파도반');
    await page.keyboard.press('ArrowUp');
    await expect(field).not.toHaveAttribute('aria-activedescendant', /./);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ko\/star\/1$/);
  });

  test('Enter without a choice searches, Escape only closes the list', async ({ page }) => {
    await page.goto('/en/search');
    const field = page.getByRole('combobox');
    await field.fill('pado');
    await expect(options(page).first()).toContainText('PADOBAN');
    await page.keyboard.press('Escape');
    await expect(options(page)).toHaveCount(0);
    await expect(field).toHaveValue('pado');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/en/search?q=pado');
  });

  test('a group is suggested by its member, a member with its group', async ({ page }) => {
    await page.goto('/ko/search');
    const field = page.getByRole('combobox');
    await field.fill('눈썹');
    await expect(options(page).first()).toHaveText('첫눈클럽멤버 눈썹달');
    await field.fill('윤슬');
    await expect(options(page).first()).toHaveText('윤슬파도반');
  });

  test('searches of this device come back on an empty field, and are forgotten on demand', async ({
    page,
  }) => {
    await page.goto('/vi/search');
    for (const text of ['konsert', 'padoban']) {
      await page.getByRole('combobox').fill(text);
      await page.getByRole('combobox').press('Enter');
      await page.waitForURL(`/vi/search?q=${text}`);
    }
    await page.goto('/vi/search');
    await page.getByRole('combobox').press('ArrowDown');
    await expect(page.getByRole('listbox', { name: 'Tìm kiếm gần đây' })).toBeVisible();
    await expect(options(page)).toHaveText(['padoban', 'konsert', 'Xóa lịch sử tìm kiếm']);
    await options(page).nth(1).click();
    await expect(page).toHaveURL('/vi/search?q=konsert');
    await page.goto('/vi/search');
    await page.getByRole('combobox').click();
    await options(page).last().click();
    await expect(options(page)).toHaveCount(0);
    await page.reload();
    await page.getByRole('combobox').press('ArrowDown');
    await expect(options(page)).toHaveCount(0);
  });

  test('a slow answer never replaces that of a later key, a failed one leaves the search as it is', async ({
    page,
  }) => {
    await page.goto('/en/search');
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/suggestions\?q=p&/, async (route) => {
      await isReleased;
      await route.continue().catch(() => {});
    });
    const field = page.getByRole('combobox');
    const suggestionRequest = page.waitForRequest(/suggestions\?q=p&/);
    await field.press('p');
    await suggestionRequest;
    await field.fill('ondo');
    await expect(options(page).first()).toContainText('ONDOCHA');
    release();
    await expect(options(page).first()).toContainText('ONDOCHA');
    await page.route(/suggestions/, (route) => route.abort());
    await field.fill('simya');
    await expect(options(page)).toHaveCount(0);
    await field.press('Enter');
    await expect(page).toHaveURL('/en/search?q=simya');
  });

  for (const lang of languages) {
    test(`are accessible and fit a small phone in ${lang}`, async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(`/${lang}/search`);
      await page.getByRole('combobox').pressSequentially('a');
      await expect(options(page).first()).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await expect(page.locator('form [role="status"]')).not.toBeEmpty();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
      for (const box of await options(page).evaluateAll((elements) =>
        elements.map((each) => each.clientHeight),
      ))
        expect(box).toBeGreaterThanOrEqual(44);
    });
  }
});

test('an empty result leads on in three ways', async ({ page }) => {
  await page.goto('/ms/search?q=zzzzqqq');
  const links = page.locator('.state-ways').getByRole('link');
  await expect(links).toHaveCount(3);
  for (const href of await links.evaluateAll((elements) =>
    elements.map((each) => each.getAttribute('href') ?? ''),
  ))
    expect((await page.request.get(href)).status()).toBe(200);
});
