import type { Browser } from '@playwright/test';
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

/** Programs that fetch pages for nobody's eyes, and a browser of its own. */
const notApps = {
  'Facebook’s crawler': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'KakaoTalk’s crawler':
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
  'Twitter’s crawler': 'Twitterbot/1.0',
  'Telegram’s crawler': 'TelegramBot (like TwitterBot)',
  'WhatsApp’s preview': 'WhatsApp/2.23.20.0 A',
  Safari: `${ios} Version/18.1 Mobile/15E148 Safari/604.1`,
};

/** A page of a browser with this name, whose clock stands until it is told to run; pictures are left out. */
async function pageOf(browser: Browser, baseURL: string | undefined, userAgent: string) {
  const context = await browser.newContext({
    ...(baseURL ? { baseURL } : {}),
    userAgent,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await page.route('**/media/**', (route) => route.abort());
  await page.clock.install({ time: '2026-11-21T11:59:00Z' });
  await page.clock.pauseAt('2026-11-21T12:00:01Z');
  return page;
}

test('each of the eleven shows the page at once, the way out after two seconds and once', async ({
  browser,
  baseURL,
}) => {
  for (const [app, userAgent] of Object.entries(apps)) {
    const page = await pageOf(browser, baseURL, userAgent);
    const dialog = page.getByRole('dialog', { name: `${app} 브라우저로 보고 있어요` });
    await page.goto('/ko/about', { waitUntil: 'commit' });
    await expect(page.locator('h1')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-in-app', app);
    const open = await page.evaluate(() => performance.now());
    await page.clock.runFor(Math.max(0, 1_990 - open));
    await expect(dialog).toHaveCount(0);
    await page.clock.runFor(20);
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText([
      '외부 브라우저로 열기',
      '링크 복사하기',
      '여기서 계속 보기',
    ]);
    await dialog.getByRole('button', { name: '여기서 계속 보기' }).click();
    await expect(dialog).toHaveCount(0);
    if (app === 'LinkedIn') {
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-in-app', app);
      await page.clock.runFor(10_000);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await page.context().close();
  }
});

test('crawlers that carry an app’s name, and browsers of their own, never see it', async ({
  browser,
  baseURL,
}) => {
  for (const [name, userAgent] of Object.entries(notApps)) {
    const page = await pageOf(browser, baseURL, userAgent);
    await page.goto('/ko/about', { waitUntil: 'load' });
    await page.clock.runFor(10_000);
    await expect(page.getByRole('dialog'), name).toHaveCount(0);
    await expect(page.locator('html'), name).not.toHaveAttribute('data-in-app');
    await page.context().close();
  }
});

test.describe('an app’s browser', () => {
  test.use({ userAgent: apps.KakaoTalk, viewport: { width: 360, height: 740 } });

  test('asks the API for what no cache has, and shows a spinner for 200 ms before an island', async ({
    page,
  }) => {
    await page.addInitScript(() => sessionStorage.setItem('byeol:in-app-shown', 'KakaoTalk'));
    const apiRequests: { address: string; control: string | undefined }[] = [];
    page.on('request', (request) => {
      const headers = request.headers();
      if (request.url().includes('/api/'))
        apiRequests.push({ address: request.url(), control: headers['cache-control'] });
    });
    await page.goto('/ko');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.locator('[data-my-stars]:visible').first().click();
    await expect(page.getByRole('progressbar')).toHaveCount(1);
    await page.clock.runFor(190);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.clock.runFor(20);
    await page.clock.resume();
    await expect(page.getByRole('dialog').locator('.star-grid button').first()).toBeVisible();
    await expect(page.locator('.mounting')).toHaveCount(0);
    expect(apiRequests.length).toBeGreaterThan(0);
    for (const { address, control } of apiRequests) {
      expect(address).toMatch(/[?&]_=\d{13}/);
      expect(control).toBe('no-cache');
    }
  });

  test('is left by its own door, and the address can be taken along by hand', async ({ page }) => {
    await page.clock.install();
    await page.goto('/ko/events');
    await expect(page.locator('html')).toHaveAttribute('data-in-app', 'KakaoTalk');
    await page.clock.fastForward(2_000);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: '링크 복사하기' }).click();
    const byHand = dialog.getByRole('textbox', { name: '이 페이지의 링크' });
    await expect(byHand.or(page.locator('#toast p')).first()).toBeVisible();
    await dialog.getByRole('button', { name: '외부 브라우저로 열기' }).click();
    await expect(page).toHaveURL('/ko/events');
    expectNoThirdParty(page);
  });
});
