import { expect, test } from 'bun:test';
import { languageEntries } from '#content/locales.ts';
import { ageText } from '#site/i18n/age.ts';
import { ageWords } from '#site/i18n/format.ts';

test('ages in the browser read as the format of each language writes them', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  for (const { code, intl } of languageEntries) {
    const format = new Intl.RelativeTimeFormat(intl, { numeric: 'always', style: 'short' });
    const ages = ageWords(code);
    const at = (minutes: number) => ageText(ages, new Date(now.getTime() - minutes * 60_000), now);
    for (let count = 1; count < 60; count += 1) expect(at(count)).toBe(format.format(-count, 'minute'));
    for (let count = 1; count < 24; count += 1) expect(at(count * 60)).toBe(format.format(-count, 'hour'));
    for (let count = 1; count < 400; count += 1) expect(at(count * 1440)).toBe(format.format(-count, 'day'));
    expect([at(0), at(-5), at(1439)]).toEqual([
      format.format(-0, 'minute'),
      format.format(-0, 'minute'),
      format.format(-23, 'hour'),
    ]);
  }
});
