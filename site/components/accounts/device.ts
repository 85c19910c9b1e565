/** In this order: most browsers also name those they descend from. */
const programs: readonly [RegExp, string][] = [
  [/KAKAOTALK/i, 'KakaoTalk'],
  [/Instagram/, 'Instagram'],
  [/FBA[NV]/, 'Facebook'],
  [/Line\//, 'LINE'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Whale\//, 'Whale'],
  [/OPR\//, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const firstMatch = (list: readonly [RegExp, string][], text: string) =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/** `Chrome, Android`: what a person recognises of a user agent; undefined when there is nothing. */
export function deviceName(userAgent: string | null): string | undefined {
  const parts = [firstMatch(programs, userAgent ?? ''), firstMatch(systems, userAgent ?? '')].filter(
    (part) => part !== undefined,
  );
  return parts.join(', ') || undefined;
}
