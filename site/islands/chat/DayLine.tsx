import { dayAndWeekday, longDate } from '../../i18n/format.ts';
import { usePlace } from './context.ts';
import { ownZone } from './own-time.ts';

const dayNumber = (date: Date) => Math.round(new Date(date).setHours(0, 0, 0, 0) / 86_400_000);

/** A day in the visitor's zone, between the messages of two days. */
export function DayLine({ date }: { date: Date }) {
  const { lang, words } = usePlace();
  const now = new Date();
  const ago = dayNumber(now) - dayNumber(date);
  if (ago === 0) return <span>{words.today}</span>;
  if (ago === 1) return <span>{words.yesterday}</span>;
  const thisYear = date.getFullYear() === now.getFullYear();
  return <span>{thisYear ? dayAndWeekday(lang, date, ownZone()) : longDate(lang, date, ownZone())}</span>;
}
