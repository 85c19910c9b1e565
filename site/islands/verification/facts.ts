import type { VerificationItem } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { clock, fullDay, zoneName } from '../../i18n/format.ts';
import type { VerificationAreaWords } from './words.ts';

type EventTime = Pick<VerificationItem, 'startTime' | 'zone' | 'precision'>;

/** The time of day in the event's zone, or that it lasts all day. */
export const clockOf = (
  lang: Lang,
  words: VerificationAreaWords,
  { startTime, zone, precision }: EventTime,
): string => (precision === 'day' ? words.allDay : clock(lang, new Date(startTime), zone));

/** Day and time in the event's zone, which is named unless it is Korea's. */
export function timeOf(lang: Lang, words: VerificationAreaWords, time: EventTime): string {
  const { startTime, zone } = time;
  return `${fullDay(lang, new Date(startTime), zone)} ${clockOf(lang, words, time)}${zoneOf(lang, zone)}`;
}

export const zoneOf = (lang: Lang, zone: string): string =>
  zone === 'Asia/Seoul' ? '' : ` (${zoneName(lang, zone)})`;
