import { useStore } from '@nanostores/react';
import { dayAndWeekday, longDate } from '../../i18n/format.ts';
import { today, visitorZone } from '../../stores/clock.ts';
import { useChat } from './context.ts';

/** Days are counted by their dates: they are longer or shorter where clocks are changed. */
const dayNumber = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;

/** A day in the visitor's zone, between the messages of two days. */
export function DayLine({ date }: { date: Date }) {
  const { lang, words } = useChat();
  // Another one begins while the chat is open.
  useStore(today);
  const now = new Date();
  const daysAgo = dayNumber(now) - dayNumber(date);
  if (daysAgo === 0) return <span>{words.today}</span>;
  if (daysAgo === 1) return <span>{words.yesterday}</span>;
  const isThisYear = date.getFullYear() === now.getFullYear();
  return (
    <span>{isThisYear ? dayAndWeekday(lang, date, visitorZone()) : longDate(lang, date, visitorZone())}</span>
  );
}
