import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import type { Lang } from '#content/locales.ts';
import { firstWeekday, keepParticles, plainDayAndWeekday, weekdays } from '../../i18n/format.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';
import { weeksOf } from '../../lib/events/weeks.ts';
import { addDays, addMonths, monthOf, sameDayIn } from './dates.ts';
import { scopeOf } from './scope.ts';
import { type CalendarWords, countOf, fill } from './words.ts';

interface Props {
  lang: Lang;
  words: CalendarWords;
  month: CalendarMonth;
  date: string;
  today: string;
  /** True from a key that moved the day, or a retry, until that day has the focus, also while its month is loaded. */
  byKey: RefObject<boolean>;
  onSelect: (date: string) => void;
}

const labelsPerCell = 3;

/** The month after the ARIA grid pattern: one stop for Tab, arrows by day and week, Home and End, Page keys by month. */
export function MonthGrid({ lang, words, month, date, today, byKey, onSelect }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const weeks = weeksOf(
    month.days.map((day) => day.date),
    firstWeekday(lang),
  );
  const byDate = new Map(month.days.map((day) => [day.date, day.events]));
  const slugs = new Map(month.categories.map(({ id, slug }) => [id, slug]));

  useEffect(() => {
    const day = table.current?.querySelector<HTMLElement>(`[data-day="${date}"]`);
    if (!byKey.current || !day) return;
    byKey.current = false;
    // Who is somewhere else by now stays there.
    const { activeElement } = document;
    if (activeElement === document.body || table.current?.contains(activeElement)) day.focus();
  }, [date, byKey]);

  const move = (event: KeyboardEvent) => {
    // The server's calendar may have had the focus on another day than the selected one.
    const focused = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-day]') : null;
    const from = focused?.dataset.day ?? date;
    const weekday = (new Date(from).getUTCDay() - firstWeekday(lang) + 7) % 7;
    const shownMonth = monthOf(from);
    const targets: Record<string, string> = {
      ArrowLeft: addDays(from, -1),
      ArrowRight: addDays(from, 1),
      ArrowUp: addDays(from, -7),
      ArrowDown: addDays(from, 7),
      Home: addDays(from, -weekday),
      End: addDays(from, 6 - weekday),
      PageUp: sameDayIn(from, addMonths(shownMonth, event.shiftKey ? -12 : -1)),
      PageDown: sameDayIn(from, addMonths(shownMonth, event.shiftKey ? 12 : 1)),
    };
    const target = targets[event.key];
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    byKey.current = target !== date;
    if (byKey.current) onSelect(target);
    else table.current?.querySelector<HTMLElement>('[data-day][tabindex="0"]')?.focus();
  };

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern's own example is a table.
    <table ref={table} className="month" role="grid" aria-labelledby="month-title" onKeyDown={move}>
      <thead>
        <tr>
          {weekdays(lang).map(({ number, short, long }) => (
            <th key={number} className={number === 0 ? 'sunday' : undefined} scope="col" abbr={long}>
              <span aria-hidden="true">{short}</span>
              <span className="visually-hidden">{long}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((days) => (
          <tr key={days[0]?.date}>
            {days.map((day) => (
              <Cell
                key={day.date}
                lang={lang}
                words={words}
                month={month}
                slugs={slugs}
                date={day.date}
                events={day.outside ? undefined : (byDate.get(day.date) ?? [])}
                isToday={day.date === today}
                isSelected={day.date === date}
                onSelect={onSelect}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  lang: Lang;
  words: CalendarWords;
  month: CalendarMonth;
  slugs: ReadonlyMap<number, string>;
  date: string;
  /** Places in the month's events; undefined outside the month. */
  events: readonly number[] | undefined;
  isToday: boolean;
  isSelected: boolean;
  onSelect: (date: string) => void;
}

function Cell({ lang, words, month, slugs, date, events, isToday, isSelected, onSelect }: CellProps) {
  const number = Number(date.slice(8));
  const state = `${isToday ? ' day-today' : ''}${isSelected ? ' day-selected' : ''}`;
  if (!events) {
    return (
      <td className={`day day-outside${state}`}>
        <span className="day-number">{number}</span>
      </td>
    );
  }
  const count = events.length;
  const firstEvents = events.slice(0, 3).flatMap((index) => month.events[index] ?? []);
  const hiddenCount = count - Math.min(count, labelsPerCell);
  const labelParts = [
    plainDayAndWeekday(lang, date),
    isToday ? words.todayWord : '',
    count > 0 ? countOf(words, lang, count) : words.noEvents,
  ];
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a table that is a grid, a td is a gridcell.
    <td className={`day${state}`} aria-selected={isSelected}>
      <button
        type="button"
        tabIndex={isSelected ? 0 : -1}
        data-day={date}
        aria-current={isToday ? 'date' : undefined}
        onClick={() => onSelect(date)}
      >
        <span className="day-number" aria-hidden="true">
          {number}
        </span>
        {isToday && (
          <span className="day-word" aria-hidden="true">
            {words.todayWord}
          </span>
        )}
        {count > 0 && (
          <span className={`day-count tabular${count === 1 ? ' day-count-one' : ''}`} aria-hidden="true">
            {count}
          </span>
        )}
        <span className="visually-hidden">{labelParts.filter(Boolean).join(', ')}</span>
        {count > 0 && (
          <span className="day-dots" aria-hidden="true">
            {firstEvents.map(({ id, category }) => (
              <span key={id} className={`dot dot-${slugs.get(category)}`} />
            ))}
          </span>
        )}
        {count > 0 && (
          <span className="day-labels" aria-hidden="true">
            {firstEvents.slice(0, labelsPerCell).map(({ id, title, category, stars: [starId] }) => {
              const star = starId === undefined ? undefined : month.stars[starId];
              return (
                <span key={id} className={`day-label${star ? ' scope' : ''}`} style={scopeOf(star?.style)}>
                  <span className={`dot dot-${slugs.get(category)}`} />
                  <span>{keepParticles(star?.name ?? title)}</span>
                </span>
              );
            })}
            {hiddenCount > 0 && (
              <span className="day-rest">{fill(words.dayMore, { count: hiddenCount })}</span>
            )}
          </span>
        )}
      </button>
    </td>
  );
}
