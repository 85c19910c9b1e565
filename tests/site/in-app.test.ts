import { expect, test } from 'bun:test';
import { inAppBrowser, outsideAddress, renderDelay, renderGate } from '#site/lib/pages/in-app.ts';

const page = 'https://byeol.example/ko/article/7?from=app';
const android = 'Mozilla/5.0 (Linux; Android 14; SM-S921N; wv)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';

test('rendering waits 200 ms in KakaoTalk, 100 ms in the others, not at all elsewhere, and never past the gate', () => {
  expect([renderDelay('KakaoTalk'), renderDelay('Line'), renderDelay(undefined)]).toEqual([200, 100, 0]);
  expect(renderGate).toBe(500);
});

test('each app is left by the door that it has', () => {
  expect(outsideAddress('KakaoTalk', android, page)).toBe(
    `kakaotalk://web/openExternal?url=${encodeURIComponent(page)}`,
  );
  expect(outsideAddress('Line', iphone, page)).toBe(`${page}&openExternalBrowser=1`);
  expect(outsideAddress('Instagram', android, page)).toBe(
    `intent://byeol.example/ko/article/7?from=app#Intent;scheme=https;action=android.intent.action.VIEW;S.browser_fallback_url=${encodeURIComponent(page)};end`,
  );
  expect(outsideAddress('Facebook', iphone, page)).toBe(`x-safari-${page}`);
  expect(outsideAddress('LinkedIn', 'Mozilla/5.0 (Macintosh)', page)).toBe(page);
});

test('Instagram with Facebook’s marks is Instagram, and words inside others’ names are nobody', () => {
  expect(inAppBrowser(`${iphone} Instagram 356.0 [FBAN/FBIOS]`)).toBe('Instagram');
  for (const userAgent of ['', 'Mozilla/5.0 Online/2.0', 'Mozilla/5.0 (X11) Chrome/130', 'SkypeUriPreview'])
    expect([userAgent, inAppBrowser(userAgent)]).toEqual([userAgent, undefined]);
});
