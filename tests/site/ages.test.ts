import { expect, test } from 'bun:test';
import { intlTag, languages } from '#content/locales.ts';
import { ageText } from '#site/i18n/age.ts';
import { ageWords } from '#site/i18n/format.ts';

test('ages in the browser read as the format of each language writes them', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  for (const lang of languages) {
    const format = new Intl.RelativeTimeFormat(intlTag(lang), { numeric: 'always', style: 'short' });
    const ages = ageWords(lang);
    const ageAfter = (minutes: number) => ageText(ages, new Date(now.getTime() - minutes * 60_000), now);
    for (let count = 1; count < 60; count += 1) expect(ageAfter(count)).toBe(format.format(-count, 'minute'));
    for (let count = 1; count < 24; count += 1)
      expect(ageAfter(count * 60)).toBe(format.format(-count, 'hour'));
    for (let count = 1; count < 400; count += 1)
      expect(ageAfter(count * 1440)).toBe(format.format(-count, 'day'));
    expect([ageAfter(0), ageAfter(-5), ageAfter(1439)]).toEqual([
      format.format(-0, 'minute'),
      format.format(-0, 'minute'),
      format.format(-23, 'hour'),
    ]);
  }
});
