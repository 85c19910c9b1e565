import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';

const ios = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android =
  'Mozilla/5.0 (Linux; Android 14; SM-S921N Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.6723.102 Mobile Safari/537.36';

/** User agents as these apps send them. */
const apps = {
  Facebook: `${ios} Mobile/22B83 [FBAN/FBIOS;FBAV/489.0.0.48.103;FBBV/663108343;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/3;FBID/phone;FBLC/ko_KR;FBOP/5]`,
  Instagram: `${ios} Mobile/22B83 Instagram 356.0.0.33.98 (iPhone15,2; iOS 18_1; ko_KR; ko; scale=3.00; 1179x2556; 657000000; IABMV/1)`,
  Twitter: `${ios} Version/18.1 Mobile/22B83 Safari/604.1 Twitter for iPhone/10.65`,
  Line: `${ios} Mobile/22B83 Safari Line/14.18.0`,
  KakaoTalk: `${android} KAKAOTALK/25.1.1 (INAPP)`,
  Telegram: `${android} Telegram-Android/11.4.2 (Samsung SM-S921N; Android 14; SDK 34; HIGH)`,
  WhatsApp: `${ios} Mobile/22B83 WhatsApp/24.22.77`,
  WeChat: `${android} XWEB/1300289 MMWEBSDK/20241103 MicroMessenger/8.0.55.2780(0x28003737) WeChat/arm64 Weixin NetType/WIFI Language/ko`,
  TikTok: `${ios} Mobile/22B83 musical_ly_36.9.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/ko Region/KR BytedanceWebview/d8a21c6`,
  YouTube: `${ios} Mobile/22B83 com.google.ios.youtube/19.45.4 (iPhone15,2; U; CPU iOS 18_1 like Mac OS X; ko_KR)`,
  LinkedIn: `${ios} Mobile/22B83 [LinkedInApp]/9.30.1234`,
};

const later = async (page: Page, milliseconds: number) => {
  await page.clock.runFor(milliseconds);
};

for (const [app, userAgent] of Object.entries(apps)) {
  test.describe(`in the browser of ${app}`, () => {
    test.use({ userAgent, viewport: { width: 360, height: 740 } });

    test('the page is there at once, the way out after two seconds and once', async ({ page }) => {
      await page.goto('/ko', { waitUntil: 'commit' });
      await expect(page.locator('.card-link').first()).toBeVisible();
      const dialog = page.getByRole('dialog', { name: `${app} 브라우저로 보고 있어요` });
      await expect(dialog).toBeVisible();
      expect(await page.evaluate(() => performance.now())).toBeGreaterThan(2000);
      await expect(dialog.getByRole('button')).toHaveText([
        '외부 브라우저로 열기',
        '주소 복사하기',
        '여기서 계속 보기',
      ]);
      await dialog.getByRole('button', { name: '여기서 계속 보기' }).click();
      await expect(dialog).toHaveCount(0);
      await page.goto('/ko/events');
      await expect(page.locator('html')).toHaveAttribute('data-in-app', app);
      await page.waitForFunction(() => performance.now() > 2600);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  });
}

test.describe('an app’s browser', () => {
  test.use({ userAgent: apps.KakaoTalk, viewport: { width: 360, height: 740 } });

  test('asks the API for what no cache has, shows a spinner before an island, and copies the address', async ({
    page,
  }) => {
    await page.addInitScript(() => sessionStorage.setItem('byeol:in-app-shown', 'KakaoTalk'));
    const asked: { address: string; control: string | undefined }[] = [];
    page.on('request', (request) => {
      const headers = request.headers();
      if (request.url().includes('/api/'))
        asked.push({ address: request.url(), control: headers['cache-control'] });
    });
    await page.addInitScript(() => {
      const begun = performance.now();
      new MutationObserver(() => {
        const spinner = document.querySelector('.mounting');
        if (spinner && !sessionStorage.getItem('spun'))
          sessionStorage.setItem('spun', String(performance.now() - begun));
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/ko');
    await page.locator('[data-my-stars]:visible').first().click();
    await expect(page.getByRole('dialog').locator('.star-grid button').first()).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem('spun'))).toBeTruthy();
    await expect(page.locator('.mounting')).toHaveCount(0);
    expect(asked.length).toBeGreaterThan(0);
    for (const { address, control } of asked) {
      expect(address).toMatch(/[?&]_=\d{13}/);
      expect(control).toBe('no-cache');
    }
  });

  test('is left by its own door, and the address can be taken along by hand', async ({ page }) => {
    await page.goto('/ko/events');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: '주소 복사하기' }).click();
    const byHand = dialog.getByRole('textbox', { name: '이 페이지의 주소' });
    await expect(byHand.or(page.locator('#toast p')).first()).toBeVisible();
    const left = page
      .waitForRequest((request) => request.url().startsWith('kakaotalk:'))
      .catch(() => undefined);
    await dialog.getByRole('button', { name: '외부 브라우저로 열기' }).click();
    void left;
    await expect(page).toHaveURL('/ko/events');
    expectNoThirdParty(page);
  });
});

for (const [name, userAgent] of [
  ['Facebook’s crawler', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  [
    'KakaoTalk’s crawler',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
  ],
  ['Twitter’s crawler', 'Twitterbot/1.0'],
  ['Telegram’s crawler', 'TelegramBot (like TwitterBot)'],
  ['WhatsApp’s preview', 'WhatsApp/2.23.20.0 A'],
  ['a browser of its own', `${ios} Version/18.1 Mobile/15E148 Safari/604.1`],
] as const) {
  test.describe(`for ${name}`, () => {
    test.use({ userAgent });

    test('there is no fallback page', async ({ page }) => {
      await page.goto('/ko');
      await page.waitForFunction(() => performance.now() > 2600);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page.locator('html')).not.toHaveAttribute('data-in-app');
    });
  });
}

test.describe('somebody who rests', () => {
  test.use({ locale: 'en-GB' });

  test('is offered what is new after five minutes, and not before', async ({ page }) => {
    await page.clock.install();
    await page.goto('/en');
    await page.mouse.move(90, 90);
    await page.waitForLoadState('networkidle');
    await later(page, 240_000);
    await page.mouse.move(100, 100);
    await later(page, 240_000);
    await expect(page.locator('.idle')).toHaveCount(0);
    await later(page, 121_000);
    const prompt = page.locator('.idle[role="status"]');
    await expect(prompt).toContainText('You’ve been away for a while.');
    await expect(page.locator('body')).toBeFocused();
    await expectAccessible(page);
    await prompt.getByRole('button', { name: 'Not now' }).click();
    await expect(prompt).toHaveCount(0);
    await later(page, 420_000);
    await expect(prompt).toBeVisible();
    const loaded = page.waitForEvent('load');
    await prompt.getByRole('button', { name: 'Show what’s new' }).click();
    await loaded;
  });

  test('is offered it, too, when nothing was ever touched', async ({ page }) => {
    await page.clock.install();
    await page.goto('/en');
    await page.clock.fastForward(361_000);
    await expect(page.locator('.idle')).toBeVisible();
  });

  test('is never interrupted while typing', async ({ page }) => {
    await page.clock.install();
    await page.goto('/en/search');
    await page.getByRole('searchbox').fill('pado');
    await later(page, 61_000);
    await page.waitForLoadState('networkidle');
    await later(page, 600_000);
    await expect(page.locator('.idle')).toHaveCount(0);
    await page.getByRole('searchbox').blur();
    await later(page, 61_000);
    await expect(page.locator('.idle')).toBeVisible();
  });
});

test.describe('a toast', () => {
  test.use({ locale: 'en-GB' });
  const toast = (page: Page) => page.locator('#toast p');

  test('is the only one, is announced, and goes after five seconds', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-write']);
    await page.clock.install();
    await page.goto('/en/article/1');
    await expect(page.locator('#toast')).toHaveAttribute('aria-live', 'polite');
    const share = page.locator('[data-share]:visible').first();
    await share.click();
    await share.click();
    await expect(toast(page)).toHaveCount(1);
    await later(page, 4_500);
    await expect(toast(page)).toHaveCount(1);
    await later(page, 600);
    await expect(toast(page)).toHaveCount(0);
  });

  test('is swiped away by 50 pixels and not by less', async ({ page }) => {
    await page.goto('/en/article/1');
    await page.locator('[data-share]:visible').first().click();
    const box = await toast(page).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 10];
    const swipe = async (by: number) => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by, y, { steps: 4 });
      await page.mouse.up();
    };
    await swipe(45);
    await expect(toast(page)).toHaveCount(1);
    await swipe(52);
    await expect(toast(page)).toHaveCount(0);
  });
});

test('an icon says what it means after 700 ms, the next one at once, and Escape takes it away', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/en');
  await page.mouse.move(10, 400);
  const icon = page.locator('.header a.icon-button[aria-label]');
  await page.waitForLoadState('networkidle');
  await page.clock.install();
  await icon.hover();
  await later(page, 600);
  await expect(page.locator('.tip')).toHaveCount(0);
  await later(page, 150);
  await expect(page.locator('.tip')).toHaveText('Search');
  await page.keyboard.press('Escape');
  await expect(page.locator('.tip')).toHaveCount(0);
  await page.mouse.move(10, 400);
  await icon.hover();
  await later(page, 10);
  await expect(page.locator('.tip')).toHaveText('Search');
});

test.describe('calls of the browser', () => {
  const keepToken = (page: Page) =>
    page.addInitScript(() => localStorage.setItem('auth_token', 'f'.repeat(64)));

  test('are tried three more times, one, two and four seconds apart, with the token and credentials', async ({
    page,
  }) => {
    const asked: { at: number; proof: string | undefined }[] = [];
    await page.route('**/api/auth/me*', (route) => {
      asked.push({ at: performance.now(), proof: route.request().headers().authorization });
      return route.fulfill({ status: 503, body: '{}' });
    });
    await keepToken(page);
    await page.goto('/ko');
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(4);
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    for (const [index, least] of [1000, 2000, 4000].entries())
      expect(pauses[index]).toBeGreaterThanOrEqual(least);
    expect(asked.map(({ proof }) => proof)).toEqual(Array(4).fill(`Bearer ${'f'.repeat(64)}`));
  });

  test('that are refused are not tried again', async ({ page }) => {
    let asked = 0;
    await page.route('**/api/auth/me*', (route) => {
      asked += 1;
      return route.fulfill({ status: 418, body: '{}' });
    });
    await keepToken(page);
    await page.clock.install();
    await page.goto('/ko');
    await expect.poll(() => asked).toBe(1);
    await later(page, 60_000);
    expect(asked).toBe(1);
  });
});

test('a script that cannot be loaded says so; the page stays readable', async ({ page }) => {
  await page.route(/_astro\/frame\..*\.js$/, (route) => route.fulfill({ status: 500 }));
  await page.goto('/ko');
  const notice = page.locator('.start-failed');
  await expect(notice).toContainText('초기화에 실패했어요.');
  await expect(notice.getByRole('link')).toHaveText(['새로 고침', '외부 브라우저로 열기']);
  await expect(page.locator('.card-link').first()).toBeVisible();
  await page.unroute(/_astro\/frame\..*\.js$/);
  await notice.getByRole('link', { name: '새로 고침' }).click();
  await expect(notice).toBeHidden();
});
