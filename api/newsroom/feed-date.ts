/** Longer than any date is. */
const maxDateLength = 80;
const [compactDate, numericDate, timeOfDay, wordDate] = [
  /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/,
  /^(\d{4})\s?[-./년]\s?(\d{1,2})\s?[-./월]\s?(\d{1,2})[.일]?(?:\s?\([^\s()]{1,3}\))?(?:[T\s]\s?(.+))?$/i,
  /^(?:(오전|오후|am|pm)\s?)?(\d{1,2})(?::|시\s?)(\d\d)분?(?::(\d\d)(?:[.,]\d{1,9})?)?(?:\s?(am|pm))?(?:\s?(z|utc|gmt|[+-]\d\d:?\d\d))?$/i,
  // RFC 822, and the month first.
  /^(?:[^\s\d,]{1,9},?\s)?((?:\d{1,2}[\s-][a-z]{3,9}|[a-z]{3,9}\.?\s\d{1,2},?)[\s-]\d{2,4})(?:,?\s(\d{1,2}:\d\d(?::\d\d)?(?:\s[ap]m)?))?(?:\s?((?:gmt|utc)?[+-]\d\d:?\d\d|z|utc?|gmt|[ecmp][sd]t))?$/i,
];
/** A zone by its name, or a day of the week, behind all else. */
const comment = /\s\([^()]*\)$/;

/**
 * A date of a feed; without a zone it is Korean time, and nothing is of the future. Without a date it is `now`.
 * @returns undefined for one that cannot be read: it may be of any year, and news of today is rewritten
 */
export function instantOf(value: string | undefined, now: Date): Date | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return now;
  if (text.length > maxDateLength) return undefined;
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(comment, '')
    .replace(/\s?\b[KJ]ST$/i, ' +0900');
  const at = Date.parse(zonedDate(plain));
  return Number.isNaN(at) ? undefined : new Date(Math.min(at, now.getTime()));
}

/** The date in a form that `Date.parse` knows surely, which makes the year 900 of `gestern +0900`; empty: it is none. */
function zonedDate(text: string): string {
  const compact = compactDate.exec(text);
  if (compact) {
    const [, year, month, day, hour = '00', minute = '00', second = '00'] = compact;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}+09:00`;
  }
  const numeric = numericDate.exec(text);
  if (numeric) {
    const [, year, month = '', day = '', time = '0:00'] = numeric;
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${zonedTime(time)}`;
  }
  const [, day, time = '00:00', zone = '+0900'] = wordDate.exec(text) ?? [];
  return day === undefined ? '' : `${day} ${time} ${zone}`;
}

/** `오후 3:05` as `15:05:00+09:00`; empty: it is no time. */
function zonedTime(text: string): string {
  const [time, before, hour = '', minute, second = '00', behind, zone = '+09:00'] =
    timeOfDay.exec(text) ?? [];
  if (time === undefined) return '';
  const half = (before ?? behind)?.toLowerCase();
  const isLate = half === '오후' || half === 'pm';
  const ofDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0);
  return `${String(ofDay).padStart(2, '0')}:${minute}:${second}${/^[zug]/i.test(zone) ? 'Z' : zone}`;
}
