import { type EventType, eventTypeEntries } from '#content/event-types.ts';
import { normalized } from '#content/normalize.ts';

/** What a sentence of a source says about a time. Months are 1 to 12; without a year or a month it is the next such day. */

const day = 86_400_000;
const inSeoul = (at: Date) => new Date(at.getTime() + 9 * 3_600_000).toISOString().slice(0, 10);
const plusDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);
/** The first day of that number from `from` on, or back: this month's or the next one's that has it. */
const suchDay = (from: string, dayOfMonth: number, step: 1 | -1) =>
  Array.from({ length: 62 }, (_, n) => plusDays(from, n * step)).find(
    (date) => Number(date.slice(8)) === dayOfMonth,
  );
const pad = (value: number) => String(value).padStart(2, '0');
/** `29일`, `29~30일`; no length and no count of days as in `3일간`, `3일째` or `3일 뒤`. */
const bareDay =
  /(?<![\d.,:/-])(\d{1,2})(?=(?:\s*[~∼·]\s*\d{1,2})?일(?!간|째|차|\s*(?:차(?![가-힣])|동안|만에|만의|연속|이내|뒤(?!늦)|후(?![속보배])|전(?!\s*세계|[국격석체곡]))))/g;
/** A month before a day says which day it is. */
const anyMonth = /\d\s*월|(?:이|내|다음|이번|지난)\s*달|\d\s*[./]\s*\d/;
const english = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * True when a sentence names a calendar day.
 * @param date `YYYY-MM-DD`
 * @param published when the source appeared: what `tomorrow` and `next month` count from, in Korean time
 */
export function namesDate(sentence: string, date: string, published: Date): boolean {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  const from = inSeoul(published);
  const nearest = (namedMonth: number, at: number) => {
    const [thisYear = 0] = from.split('-').map(Number);
    const thisYearsDay = `${thisYear}-${pad(namedMonth)}-${pad(at)}`;
    return Date.parse(thisYearsDay) < Date.parse(from) - 60 * day ? thisYear + 1 : thisYear;
  };
  const same = (namedMonth: number, at: number, inYear?: number) =>
    namedMonth === month && at === dayOfMonth && (inYear ?? nearest(namedMonth, at)) === year;

  for (const [, y, m, d, more = ''] of sentence.matchAll(
    /(?:(\d{4})년\s*)?(\d{1,2})월\s*(\d{1,2})(?:일)?((?:\s*(?:\([월화수목금토일]\))?\s*(?:[~∼,·-]|과|와|및|부터)\s*\d{1,2}일)*)/g,
  )) {
    const others = [...more.matchAll(/(\d{1,2})일/g)].map(([, other]) => Number(other));
    if ([Number(d), ...others].some((at) => same(Number(m), at, y ? Number(y) : undefined))) return true;
  }
  for (const [, y, m, d] of sentence.matchAll(
    /(?<![\d.])(?:(\d{4})\s*[./-]\s*)?(\d{1,2})\s*[./-]\s*(\d{1,2})(?![\d%])/g,
  )) {
    if (same(Number(m), Number(d), y ? Number(y) : undefined)) return true;
  }
  for (const [, d1, m, d2, y] of sentence.matchAll(
    /(?:(\d{1,2})\s+)?([A-Za-z]{3,9})\.?(?:\s+(\d{1,2})(?:st|nd|rd|th)?)?(?:,?\s+(\d{4}))?/g,
  )) {
    const namedMonth = english.indexOf((m ?? '').slice(0, 3).toLowerCase()) + 1;
    const at = Number(d1 ?? d2);
    if (namedMonth > 0 && at > 0 && same(namedMonth, at, y ? Number(y) : undefined)) return true;
  }
  const [, fromMonth = 0] = from.split('-').map(Number);
  for (const [, which = '', d] of sentence.matchAll(/(이달|이번\s*달|내달|다음\s*달)\s*(\d{1,2})일/g)) {
    const namedMonth = /내달|다음/.test(which) ? (fromMonth % 12) + 1 : fromMonth;
    if (same(namedMonth, Number(d))) return true;
  }
  for (const { 1: d, index } of sentence.matchAll(bareDay)) {
    const before = sentence.slice(0, index);
    if (!anyMonth.test(before) && suchDay(from, Number(d), /지난\s*$/.test(before) ? -1 : 1) === date)
      return true;
  }
  return [
    ['오늘', 0],
    ['내일', 1],
    ['모레', 2],
  ].some(([word, days]) => sentence.includes(String(word)) && plusDays(from, Number(days)) === date);
}

const koreanWeekdays = '일월화수목금토';
const englishWeekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Whether a weekday in the sentence is the date's: undefined when the sentence names none. */
export function weekdayFits(sentence: string, date: string): boolean | undefined {
  const weekdays = [
    ...[...sentence.matchAll(/\(([월화수목금토일])\)|([월화수목금토일])요일/g)].map(([, a, b]) =>
      koreanWeekdays.indexOf(a ?? b ?? ''),
    ),
    ...englishWeekdays.flatMap((word, index) => (sentence.toLowerCase().includes(word) ? [index] : [])),
  ];
  return weekdays.length === 0 ? undefined : weekdays.includes(new Date(date).getUTCDay());
}

/** True when a sentence names a time of day. @param time `HH:MM` */
export function namesTime(sentence: string, time: string): boolean {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  if (time === '12:00' && sentence.includes('정오')) return true;
  if (time === '00:00' && sentence.includes('자정')) return true;
  for (const [, part, h, m, half] of sentence.matchAll(
    /(오전|오후|낮|저녁|밤|새벽|아침)?\s*(\d{1,2})시(?!간)(?:\s*(\d{1,2})분|\s*(반))?/g,
  )) {
    if ((half ? 30 : Number(m ?? 0)) !== minute) continue;
    const namedHour = Number(h);
    if (namedHour === hour && !(part && /오후|저녁|밤/.test(part) && namedHour < 12)) return true;
    if (namedHour < 12 && namedHour + 12 === hour && !(part && /오전|새벽|아침/.test(part))) return true;
    if (namedHour === 12 && hour === 0 && part && /오전|밤|새벽/.test(part)) return true;
  }
  for (const [, h, m, half] of sentence.matchAll(/(\d{1,2})(?::(\d{2}))?\s*(a\.?m|p\.?m)?/gi)) {
    if (m === undefined && half === undefined) continue;
    const namedHour = Number(h) + (half && /p/i.test(half) && Number(h) < 12 ? 12 : 0);
    if (namedHour === hour && Number(m ?? 0) === minute) return true;
  }
  return false;
}

/** True when a sentence speaks of such an event. */
export const namesType = (sentence: string, type: EventType): boolean =>
  eventTypeEntries[type].evidence.test(sentence);

/** What has a day that can be moved; after it `연기` means that and not acting. */
const movable =
  '(?:일정|일자|날짜|시기|공연|콘서트|투어|컴백|발매|발표|공개|방송|방영|편성|팬미팅|팬콘서트|행사|시상식|개최|개봉|상영)';
const moves = [
  /순연|미뤄[졌진지]|미뤘|미룬|미루[기고]|미룰|앞당[겨긴겼기]|늦[춰췄춘]|늦추(?!지)/,
  /연기(?:[됐된돼됨]|되[어었며]|키로)/,
  // A notice that something may yet change moves nothing.
  new RegExp(
    `${movable}일?[을를이가은는]?\\s*(?:(?:잠정|전격|긴급|무기한)\\s*)?(?:연기|변경|조정)(?!력|자|상|대상|돌|될 수|\\s*가능)`,
  ),
  /(?:\d일|\d월|내년|내달|다음\s*[달주]|이후|뒤)(?:\([월화수목금토일]\))?으?로\s*(?:연기|변경|조정|옮[겨긴겼])/,
  /\bpostpon|\breschedul|\b(?:brought|moved) forward\b|\bpushed back\b|\bmoved (?:up |back )?(?:to|from)\b(?! tears)/i,
];

/** True when a source says that something takes place on another day than was said before. */
export const namesMove = (source: string): boolean => moves.some((each) => each.test(source));

/** True when a sentence stands in the source, whatever its spaces. */
export function isQuoted(sentence: string | null | undefined, source: string): sentence is string {
  const tight = (text: string) => normalized(text).replace(/\s+/g, '');
  return !!sentence && tight(sentence).length >= 6 && tight(source).includes(tight(sentence));
}
