/** The eleven in-app browsers of §4, by what their user agents carry. */
const marks = {
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
export type InAppBrowser = keyof typeof marks;

/** Programs that fetch pages for nobody's eyes, some of which carry an app's name (decision L8). */
const crawler =
  /bot\b|crawl|spider|slurp|externalhit|facebookcatalog|scrap|preview|fetch|lighthouse|^WhatsApp/i;

const names = Object.keys(marks) as InAppBrowser[];

/** Which app's own browser this is; undefined for real browsers and for crawlers. */
export function inAppBrowser(userAgent: string): InAppBrowser | undefined {
  if (crawler.test(userAgent)) return undefined;
  // Instagram's carries Facebook's marks in some versions, so the narrower name goes first.
  return marks.Instagram.test(userAgent) ? 'Instagram' : names.find((name) => marks[name].test(userAgent));
}
