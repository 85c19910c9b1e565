import type { Page, Route } from '@playwright/test';
import postgres from 'postgres';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { demoAccounts } from '#tests/kit/cluster.ts';
import { startTestServer } from '#tests/kit/server.ts';

test.use({ locale: 'en-GB' });

/** An answer of the server in which one text became something that cannot be drawn. */
const broken = (change: (answer: Record<string, unknown>) => object) => async (route: Route) => {
  const answer = await route.fetch();
  await route.fulfill({ json: change(await answer.json()) });
};
const noText = { crash: true };

/** How each island is made to crash, and what of its page stays readable. */
const islands = {
  'the star filter': {
    path: '/en',
    answers: '**/api/stars?**',
    change: () => [{ id: 1, name: noText }],
    start: (page: Page) => page.locator('.my-stars').click(),
    again: () => Promise.resolve(),
    stays: '.card-link',
  },
  'the chat': {
    path: '/en/community/1',
    answers: '**/words/chat.json',
    change: (words: object) => ({ ...words, loginToChat: noText }),
    start: (page: Page) => page.locator('[data-chat]').scrollIntoViewIfNeeded(),
    again: () => Promise.resolve(),
    stays: '[data-message], .channel-news a',
  },
  'the calendar': {
    path: '/en/events',
    answers: '**/words/events.json',
    change: (words: object) => ({ ...words, calendarTitle: noText }),
    start: (page: Page) => page.locator('[data-calendar]').scrollIntoViewIfNeeded(),
    again: () => Promise.resolve(),
    stays: '.header a',
  },
  'event verification': {
    path: '/admin/events/verification?lang=en',
    answers: '**/api/admin/events/verification/pending?**',
    change: (list: object) => ({ ...list, events: [{ title: noText }] }),
    start: (page: Page) => page.getByRole('searchbox').fill('concert'),
    again: (page: Page) => page.getByRole('searchbox').fill('concert'),
    stays: '.admin h1',
  },
} as const;

for (const [island, { path, answers, change, start, again, stays }] of Object.entries(islands)) {
  test(`${island} that crashes leaves the page, offers three retries and then only a full reload`, async ({
    page,
  }) => {
    if (path.startsWith('/admin')) await page.request.post('/api/auth/login', { data: demoAccounts.admin });
    await page.route(answers, broken(change));
    await page.goto(path);
    await start(page);
    const alert = page.getByRole('alert').filter({ has: page.getByRole('heading', { name: 'App error' }) });
    for (const retriesLeft of [3, 2, 1]) {
      await alert.getByRole('button', { name: `Try again (${retriesLeft} left)` }).click();
      await again(page);
    }
    await expect(alert).toContainText('Rendering error, restart the app');
    await expect(alert.getByRole('button')).toHaveText(['Reload the page']);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.locator(stays).first()).toBeVisible();
  });
}

/** §2 Error and fallback screens, in words. */
const screens = {
  ko: {
    error: '오류가 발생했어요',
    reload: '새로 고침',
    home: '홈으로',
    startFailed: '초기화에 실패했어요.',
    outside: '외부 브라우저로 열기',
    section: ['기사를 불러오지 못했어요', '기사를 표시하지 못했어요. 새로 고침해 주세요.', '새로 고침'],
    crash: ['앱 오류', '다시 시도 (3번 남음)', '화면을 표시하지 못했어요. 앱을 다시 시작해 주세요'],
  },
  en: {
    error: 'An error occurred',
    reload: 'Reload',
    home: 'Go home',
    startFailed: 'Initialisation failed.',
    outside: 'Open in another browser',
    section: ['Error loading articles', 'We couldn’t show the stories. Please refresh.', 'Refresh'],
    crash: ['App error', 'Try again (3 left)', 'Rendering error, restart the app'],
  },
  ms: {
    error: 'Ralat telah berlaku',
    reload: 'Muat semula',
    home: 'Ke laman utama',
    startFailed: 'Gagal dimulakan.',
    outside: 'Buka dalam pelayar lain',
    section: [
      'Artikel tidak dapat dimuatkan',
      'Berita tidak dapat dipaparkan. Sila muat semula.',
      'Muat semula',
    ],
    crash: ['Ralat aplikasi', 'Cuba lagi (baki 3)', 'Ralat paparan, mulakan semula aplikasi'],
  },
  vi: {
    error: 'Đã xảy ra lỗi',
    reload: 'Tải lại',
    home: 'Về trang chủ',
    startFailed: 'Không khởi động được.',
    outside: 'Mở bằng trình duyệt khác',
    section: ['Không tải được bài viết', 'Không hiển thị được tin. Hãy làm mới trang.', 'Làm mới'],
    crash: ['Lỗi ứng dụng', 'Thử lại (còn 3 lần)', 'Lỗi hiển thị, hãy khởi động lại ứng dụng'],
  },
} as const;

for (const [lang, { reload, startFailed, outside, section, crash }] of Object.entries(screens)) {
  test(`a start, a section and an island that fail say so in ${lang}, with their ways on`, async ({
    page,
  }) => {
    const script = /_astro\/shell\..*\.js$/;
    await page.route(script, (route) => route.fulfill({ status: 500 }));
    await page.goto(`/${lang}`);
    const notice = page.locator('.start-failed');
    await expect(notice).toContainText(startFailed);
    await expect(notice.getByRole('link')).toHaveText([reload, outside]);
    await expect(page.locator('.card-link').first()).toBeVisible();
    await page.unroute(script);
    const started = page.waitForEvent('load');
    await notice.getByRole('link', { name: reload }).click();
    await started;
    await expect(notice).toBeHidden();

    const feed = `**/${lang}/feed?**`;
    await page.route(feed, (route) => route.fulfill({ status: 404, body: 'gone' }));
    await page.locator('[data-refresh]').first().click();
    const alert = page.locator('#feed [role="alert"]');
    const [title, sentence, refresh] = section;
    await expect(alert.getByRole('heading')).toHaveText(title);
    await expect(alert).toContainText(sentence);
    await page.unroute(feed);
    await alert.getByRole('button', { name: refresh }).click();
    await expect(alert).toHaveCount(0);

    await page.route('**/api/stars?**', (route) => route.fulfill({ json: [{ id: 1, name: noText }] }));
    await page.locator('.my-stars').click();
    const [crashed, retry, final] = crash;
    const card = page.getByRole('dialog').getByRole('alert');
    await expect(card.getByRole('heading')).toHaveText(crashed);
    await card.getByRole('button', { name: retry, exact: true }).click();
    for (let retriesLeft = 2; retriesLeft > 0; retriesLeft -= 1)
      await card.getByRole('button', { name: String(retriesLeft) }).click();
    await expect(card).toContainText(final);
  });
}

test('a page that cannot be made is the full-screen error page: reload clears what is kept here, home leads home', async ({
  page,
}) => {
  const server = await startTestServer();
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`alter table articles rename to articles_elsewhere`;
  for (const [lang, { error, reload, home }] of Object.entries(screens)) {
    const answer = await page.goto(`${server.url}/${lang}`);
    const headers = answer?.headers() ?? {};
    expect([answer?.status(), headers['cache-control'], headers['content-type']]).toEqual([
      500,
      expect.stringMatching(/no-/),
      'text/html; charset=utf-8',
    ]);
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(page.getByRole('heading')).toHaveText(error);
    await expect(page.getByRole('link')).toHaveText([reload, home]);
    await expect(page.getByRole('link', { name: home })).toHaveAttribute('href', `/${lang}`);
    await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
  }
  // What a browser forbids cannot be cleared, and keeps nobody from the reload.
  await page.evaluate(() => {
    sessionStorage.setItem('byeol:detected-language', 'vi');
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  const reloaded = page.waitForEvent('load');
  await page.getByRole('link', { name: screens.vi.reload }).click();
  await reloaded;
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.evaluate(() => {
    localStorage.setItem('byeol:preferences', '{"selectedStarIds":[1]}');
    sessionStorage.setItem('byeol:detected-language', 'vi');
  });
  await sql`alter table articles_elsewhere rename to articles`;
  await sql.end();
  await page.getByRole('link', { name: screens.vi.reload }).click();
  await expect(page.locator('.card-link').first()).toBeVisible();
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  await server.stop();
});
