/** An island because a calendar is browsed: days, months and filters change at every press and by keys, without a page in between. */
import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Lang } from '#content/locales.ts';
import { keepLanguageLinks } from '../../components/common/language-links.client.ts';
import { monthHeading } from '../../i18n/format.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';
import { tornConstellation } from '../../lib/pages/torn-constellation.ts';
import { today as currentDay } from '../../stores/clock.ts';
import { ticketsAdded } from '../../stores/events.ts';
import { Icon } from '../Icon.tsx';
import { DayPanel } from './DayPanel.tsx';
import { addMonths, firstMonth, lastMonth, monthOf } from './dates.ts';
import { Filters } from './Filters.tsx';
import { applyFilter, type Filter } from './filter.ts';
import { Highlights } from './Highlights.tsx';
import { MonthGrid } from './MonthGrid.tsx';
import { loadMonth, months } from './months.ts';
import { viewAtHand } from './view.ts';
import { type CalendarWords, fill } from './words.ts';

export interface CalendarProps {
  lang: Lang;
  words: CalendarWords;
  /** Where months come from. */
  address: string;
  date: string;
  filter: Filter;
  /** The month of `date`. */
  first: CalendarMonth;
}

/** The month of the selected date, asked for again on a new day. */
function useMonth(address: string, month: string, today: string) {
  // Not the whole store: months beside it are loaded ahead, and the calendar is the same without them.
  const data = useSyncExternalStore(months.listen, () => months.get().get(month));
  const [failed, setFailed] = useState('');
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt and a new day ask again.
  useEffect(() => {
    let isCurrent = true;
    loadMonth(address, month).then(
      () => {
        if (!isCurrent) return;
        setFailed('');
        for (const step of [1, -1]) {
          const neighbour = addMonths(month, step);
          if (neighbour >= firstMonth && neighbour <= lastMonth)
            loadMonth(address, neighbour).catch(() => undefined);
        }
      },
      () => isCurrent && setFailed(month),
    );
    return () => {
      isCurrent = false;
    };
  }, [address, month, today, attempt]);
  return { data, failed: failed === month && !data, retry: () => setAttempt((times) => times + 1) };
}

/** The view's address, so that it can be shared; a new month is a step back, a day or a filter is not. */
function updateAddress(
  lang: Lang,
  date: string,
  today: string,
  { categoryIds, starIds }: Filter,
  isStep: boolean,
) {
  const query = new URLSearchParams();
  if (date !== today) query.set('date', date);
  if (categoryIds.length > 0) query.set('categories', categoryIds.join());
  if (starIds.length > 0) query.set('stars', starIds.join());
  const address = `/${lang}/events${query.size > 0 ? `?${query.toString().replaceAll('%2C', ',')}` : ''}`;
  try {
    history[isStep ? 'pushState' : 'replaceState'](history.state, '', address);
  } catch {
    // Safari takes a hundred changes in ten seconds, and a key that is held makes more: the first that it takes again says all.
  }
  keepLanguageLinks();
}

export function Calendar({
  lang,
  words,
  address,
  date: initial,
  filter: initialFilter,
  first,
}: CalendarProps) {
  const byKey = useRef(false);
  const [date, setDate] = useState(initial);
  const [filter, setFilter] = useState(initialFilter);
  const today = useStore(currentDay);
  const selectedMonth = monthOf(date);
  const { data, failed, retry } = useMonth(address, selectedMonth, today);
  const month = data && applyFilter(data, filter);

  // Countdowns and hearts are the page's own: it is told that there are other tickets now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown follows from these.
  useEffect(ticketsAdded, [date, filter, data]);

  // Who was at today is at today still: the address says no other day. Nothing changes under an open list of a day.
  const previousToday = useRef(today);
  useEffect(() => {
    const wasToday = date === previousToday.current && today !== previousToday.current;
    previousToday.current = today;
    if (!wasToday) return;
    if (document.querySelector('dialog[open]')) {
      updateAddress(lang, date, today, filter, false);
      return;
    }
    byKey.current = document.activeElement?.getAttribute('data-day') === date;
    setDate(today);
  }, [today, date, filter, lang]);

  // Back to a month that is here asks nobody: the page, which would fetch it as a part, does not hear of it.
  useEffect(() => {
    const showAddress = (event: PopStateEvent) => {
      const view = viewAtHand();
      if (!view) return;
      event.stopImmediatePropagation();
      keepLanguageLinks();
      setDate(view.date);
      setFilter(view.filter);
    };
    addEventListener('popstate', showAddress, true);
    return () => removeEventListener('popstate', showAddress, true);
  }, []);

  const select = (next: string) => {
    const nextMonth = monthOf(next);
    if (nextMonth < firstMonth || nextMonth > lastMonth) return;
    updateAddress(lang, next, today, filter, nextMonth !== selectedMonth);
    setDate(next);
  };
  const choose = (next: Filter) => {
    updateAddress(lang, date, today, next, false);
    setFilter(next);
  };
  const turn = (step: 1 | -1) => {
    const next = addMonths(selectedMonth, step);
    select(next === monthOf(today) ? today : `${next}-01`);
  };
  const retryByButton = () => {
    // It goes with its card: the focus is then the day's.
    byKey.current = true;
    retry();
  };
  const [year = 0, number = 1] = selectedMonth.split('-').map(Number);
  const heading = monthHeading(lang, new Date(Date.UTC(year, number - 1, 1)));
  const title = selectedMonth === monthOf(today) ? words.title : `${words.title} · ${heading}`;
  useEffect(() => {
    document.title = fill(words.pageTitle, { title });
  }, [words, title]);
  return (
    <>
      <div className="calendar-intro">
        <h2>{words.calendarTitle}</h2>
        <p>{words.calendarDescription}</p>
      </div>
      <Filters lang={lang} words={words} month={month ?? data ?? first} filter={filter} onFilter={choose} />
      <div className="calendar-columns">
        <section className="calendar-month" aria-labelledby="month-title">
          <div className="month-head">
            <h3 id="month-title" aria-live="polite">
              {heading}
            </h3>
            <button type="button" className="button button-line month-today" onClick={() => select(today)}>
              {words.goToday}
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={words.previousMonth}
              onClick={() => turn(-1)}
            >
              <Icon name="chevronLeft" size={24} />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={words.nextMonth}
              onClick={() => turn(1)}
            >
              <Icon name="chevronRight" size={24} />
            </button>
          </div>
          {month && (
            <MonthGrid
              lang={lang}
              words={words}
              month={month}
              date={date}
              today={today}
              byKey={byKey}
              onSelect={select}
            />
          )}
          {!month && !failed && (
            <div className="skeleton month-skeleton" role="status" aria-label={words.loadingEvents} />
          )}
          {failed && <Failed words={words} onRetry={retryByButton} />}
        </section>
        {month && (
          <div className="calendar-side">
            <DayPanel lang={lang} words={words} month={month} date={date} today={today} />
            <Highlights key={selectedMonth} lang={lang} words={words} month={month} date={date} />
          </div>
        )}
      </div>
    </>
  );
}

/** §8: a month that does not come is a card with the feed's own sentence. */
function Failed({ words, onRetry }: { words: CalendarWords; onRetry: () => void }) {
  return (
    <div className="state" role="alert">
      <svg
        className="constellation"
        width="160"
        height="110"
        viewBox="0 0 160 110"
        aria-hidden="true"
        fill="none"
        strokeWidth="2"
      >
        <path d={tornConstellation.joints} stroke="var(--ctl)" />
        <path d={tornConstellation.tear} stroke="var(--bad)" strokeDasharray="3 5" strokeLinecap="round" />
      </svg>
      <h3>{words.failed}</h3>
      <button type="button" className="button button-primary" onClick={onRetry}>
        {words.retry}
      </button>
    </div>
  );
}
