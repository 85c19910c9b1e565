import { expect, test } from 'bun:test';
import { languages } from '#content/locales.ts';
import { partialDate, partialDay, partialMonth } from '#site/i18n/partial-date.ts';

const inAll = (format: typeof partialDate, date: string) => languages.map((lang) => format(lang, date));

test('a date is told as precisely as it is known', () => {
  expect(inAll(partialDate, '2001')).toEqual(['2001년', '2001', '2001', 'năm 2001']);
  expect(inAll(partialDate, '2001-02')).toEqual([
    '2001년 2월',
    'February 2001',
    'Februari 2001',
    'tháng 2 năm 2001',
  ]);
  expect(inAll(partialDate, '2001-02-28')).toEqual([
    '2001년 2월 28일',
    '28 February 2001',
    '28 Februari 2001',
    '28 tháng 2, 2001',
  ]);
});

test('a month or a day below its year is told without it', () => {
  expect(inAll(partialMonth, '2001-02-28')).toEqual(inAll(partialDate, '2001-02'));
  expect(inAll(partialMonth, '2001')).toEqual(inAll(partialDate, '2001'));
  expect(inAll(partialDay, '2001-02-28')).toEqual(['2월 28일', '28 February', '28 Februari', '28 tháng 2']);
  expect(inAll(partialDay, '2001-02')).toEqual(['2월', 'February', 'Februari', 'Tháng 2']);
  expect(inAll(partialDay, '2001')).toEqual(['', '', '', '']);
});
