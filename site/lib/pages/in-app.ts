/** The eleven in-app browsers of §4, by what their user agents carry. */
const userAgentPatterns = {
  Facebook: /FBAN|FBAV|FB_IAB|FBIOS/,
  Instagram: /Instagram/,
  Twitter: /Twitter/,
  Line: /\bLine\//i,
  KakaoTalk: /KAKAOTALK/i,
  Telegram: /Telegram/i,
  WhatsApp: /WhatsApp/,
  WeChat: /MicroMessenger/i,
  TikTok: /TikTok|musical_ly|BytedanceWebview|trill_/i,
  YouTube: /com\.google\.android\.youtube|com\.google\.ios\.youtube|\bYouTube\//i,
  LinkedIn: /LinkedInApp/,
} as const;
export type InAppBrowser = keyof typeof userAgentPatterns;

/** Programs that fetch pages for nobody's eyes, some of which carry an app's name (decision L8). */
const crawler =
  /bot\b|crawl|spider|slurp|externalhit|facebookcatalog|scrap|preview|fetch|lighthouse|^WhatsApp/i;

const browsers = Object.keys(userAgentPatterns) as InAppBrowser[];

/** Which app's own browser this is; undefined for real browsers and for crawlers. */
export function inAppBrowser(userAgent: string): InAppBrowser | undefined {
  if (crawler.test(userAgent)) return undefined;
  // Instagram's carries Facebook's marks in some versions, so the narrower name goes first.
  return userAgentPatterns.Instagram.test(userAgent)
    ? 'Instagram'
    : browsers.find((name) => userAgentPatterns[name].test(userAgent));
}

/** §4: milliseconds for which rendering waits in an app's browser, KakaoTalk's being the slowest to settle; never longer than the gate. */
export const renderDelay = (app: InAppBrowser | undefined): number =>
  app === undefined ? 0 : app === 'KakaoTalk' ? 200 : 100;
export const renderGate = 500;

/** An address that makes an app hand the page to the system's browser; where there is no such way, the page's own. */
export function outsideAddress(app: InAppBrowser, userAgent: string, page: string): string {
  if (app === 'KakaoTalk') return `kakaotalk://web/openExternal?url=${encodeURIComponent(page)}`;
  const url = new URL(page);
  if (app === 'Line') {
    url.searchParams.set('openExternalBrowser', '1');
    return url.href;
  }
  if (/Android/i.test(userAgent)) {
    const scheme = url.protocol.replace(':', '');
    const fallbackUrl = encodeURIComponent(page);
    return `intent://${page.slice(`${url.protocol}//`.length)}#Intent;scheme=${scheme};action=android.intent.action.VIEW;S.browser_fallback_url=${fallbackUrl};end`;
  }
  return /iPhone|iPad|iPod/.test(userAgent) ? `x-safari-${page}` : page;
}
