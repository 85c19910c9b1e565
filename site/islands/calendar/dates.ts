/** Days as `YYYY-MM-DD` and months as `YYYY-MM`, without a zone. */

const dayMilliseconds = 86_400_000;

export const monthOf = (date: string): string => date.slice(0, 7);

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMilliseconds).toISOString().slice(0, 10);
}

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The same day of another month, or that month's last. */
export function sameDayIn(date: string, month: string): string {
  const lastDay = Number(addDays(`${addMonths(month, 1)}-01`, -1).slice(8));
  return `${month}-${String(Math.min(Number(date.slice(8)), lastDay)).padStart(2, '0')}`;
}

export const firstMonth = '1970-01';
export const lastMonth = '2999-12';
