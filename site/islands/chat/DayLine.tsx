import { dayAndWeekday, longDate } from '../../i18n/format.ts';
import { visitorZone } from '../../stores/clock.ts';
import { useChat } from './context.ts';

const dayNumber = (date: Date) => Math.round(new Date(date).setHours(0, 0, 0, 0) / 86_400_000);

/** A day in the visitor's zone, between the messages of two days. */
export function DayLine({ date }: { date: Date }) {
  const { lang, words } = useChat();
  const now = new Date();
  const daysAgo = dayNumber(now) - dayNumber(date);
  if (daysAgo === 0) return <span>{words.today}</span>;
  if (daysAgo === 1) return <span>{words.yesterday}</span>;
  const isThisYear = date.getFullYear() === now.getFullYear();
  return (
    <span>{isThisYear ? dayAndWeekday(lang, date, visitorZone()) : longDate(lang, date, visitorZone())}</span>
  );
}
