/** A date as precisely as it is known: `2001`, `2001-02` or `2001-02-28`. */
export type PartialDate = string;

export type DatePrecision = 'year' | 'month' | 'day';

/** The years that a date may have. */
export const earliestYear = 1800;
export const latestYear = 2099;

const shape = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?$/;

/** True for a year, a month or a day that there is, in any year of four digits. */
function isDate(text: string): boolean {
  if (!shape.test(text)) return false;
  return text.length < 10 || new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
}

const isYearKept = (text: string) =>
  Number(text.slice(0, 4)) >= earliestYear && Number(text.slice(0, 4)) <= latestYear;

/** True for a year, a month or a day that there is, from 1800 to 2099. */
export const isPartialDate = (text: string): boolean => isDate(text) && isYearKept(text);

/** True for a date of which only the year is wrong: before 1800, or after 2099. */
export const isOfOtherYear = (text: string): boolean => isDate(text) && !isYearKept(text);

/** How precisely a date is known. */
export function precisionOf(date: PartialDate): DatePrecision {
  return date.length === 4 ? 'year' : date.length === 7 ? 'month' : 'day';
}

/** True when the first is surely before the second: `2001` is not before `2001-05`, nor after it. */
export function isBefore(one: PartialDate, other: PartialDate): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length) < other.slice(0, length);
}
