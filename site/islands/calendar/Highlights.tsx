import { useEffect, useRef, useState } from 'react';
import type { Lang } from '#content/locales.ts';
import { keepParticles, shortDay } from '../../i18n/format.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';
import { visitorZone } from '../../stores/clock.ts';
import { Icon } from '../Icon.tsx';
import { type CalendarWords, fill } from './words.ts';

interface Props {
  lang: Lang;
  words: CalendarWords;
  month: CalendarMonth;
  /** The day whose events stand beside them. */
  date: string;
}

/** Events above the tabs; where their posters have room, the rules of `Highlights.astro` leave them out. */
const posterIds = () =>
  [...document.querySelectorAll<HTMLElement>('.poster')].map(({ dataset }) => Number(dataset.ticket));

/** Rows that are laid out before somebody asks for more: a month may have thousands. */
const pageSize = 100;

/** "This month's highlights": by its day every event of the month that the day beside it does not show. */
export function Highlights({ lang, words, month, date }: Props) {
  const [limit, setLimit] = useState(pageSize);
  const list = useRef<HTMLUListElement>(null);
  const monthIndexes = [...new Set(month.days.flatMap(({ events }) => events))];
  const dayIndexes = new Set(month.days.find((day) => day.date === date)?.events);
  const otherIndexes = monthIndexes.filter((index) => !dayIndexes.has(index));
  const indexes = otherIndexes.length > 0 ? otherIndexes : monthIndexes;
  const posters = posterIds();
  // What is on or comes next stands at the top, as in the server's list; what was is above.
  useEffect(() => {
    // A row that a poster stands for is not laid out.
    const coming = list.current?.querySelectorAll<HTMLElement>('[data-coming]') ?? [];
    const next = [...coming].find((row) => row.offsetParent);
    if (list.current && next) list.current.scrollTop = next.offsetTop - list.current.offsetTop;
  }, []);
  const now = Date.now();
  const categoriesById = new Map(month.categories.map((category) => [category.id, category]));
  return (
    <section className="highlights" aria-labelledby="highlights-title">
      <div className="section-head rule">
        <h2 id="highlights-title">{words.highlights}</h2>
        <span className="section-count tabular">
          {fill(words.countInTotal, { count: monthIndexes.length })}
        </span>
      </div>
      {indexes.length === 0 && <p className="day-empty">{words.highlightsEmpty}</p>}
      {indexes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <ul ref={list} className="highlights-scroll" tabIndex={0} aria-labelledby="highlights-title">
          {indexes.slice(0, limit).map((index) => {
            const event = month.events[index];
            if (!event) return null;
            const category = categoriesById.get(event.category);
            const star = event.stars[0] === undefined ? undefined : month.stars[event.stars[0]];
            const day = shortDay(lang, new Date(event.start), event.dayZone ?? visitorZone());
            return (
              <li
                key={event.id}
                className="highlight"
                data-coming={event.over > now ? '' : undefined}
                data-poster={posters.includes(event.id) ? posters.indexOf(event.id) : undefined}
              >
                <span className={`dot dot-${category?.slug}`} />
                <a
                  className="card-link highlight-title"
                  href={`/${lang}/events/${event.id}`}
                  data-event={event.id}
                  lang={event.lang}
                >
                  {keepParticles(event.title)}
                </a>
                <span className="highlight-meta">
                  <span className="visually-hidden">{category?.name} </span>
                  {event.cancelled && (
                    <span className="status status-cancelled">{words.status_cancelled}</span>
                  )}{' '}
                  {[day, event.venue, star?.name].filter(Boolean).join(' · ')}
                </span>
                <Icon name="chevronRight" />
              </li>
            );
          })}
          {indexes.length > limit && (
            <li>
              <button
                type="button"
                className="button button-line list-more"
                onClick={() => setLimit(limit + pageSize)}
              >
                {words.loadMore}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
