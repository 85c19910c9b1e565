import { useEffect, useRef, useState } from 'react';
import type { Lang } from '#content/locales.ts';
import { keepParticles, shortDay } from '../../i18n/format.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';
import { Icon } from '../Icon.tsx';
import { zone } from './months.ts';
import { type CalendarWords, fill } from './words.ts';

interface Props {
  lang: Lang;
  words: CalendarWords;
  month: CalendarMonth;
  /** The day whose events stand beside them. */
  date: string;
}

/** Events above the tabs; where their posters have room, the rules of `Highlights.astro` leave them out. */
const postersOfPage = () =>
  [...document.querySelectorAll<HTMLElement>('.poster')].map(({ dataset }) => Number(dataset.ticket));

/** Rows that are laid out before somebody asks for more: a month may have thousands. */
const step = 100;

/** "This month's highlights": by its day every event of the month that the day beside it does not show. */
export function Highlights({ lang, words, month, date }: Props) {
  const [most, setMost] = useState(step);
  const list = useRef<HTMLUListElement>(null);
  const all = [...new Set(month.days.flatMap(({ events }) => events))];
  const ofDay = new Set(month.days.find((day) => day.date === date)?.events);
  const others = all.filter((place) => !ofDay.has(place));
  const places = others.length > 0 ? others : all;
  const posters = postersOfPage();
  // What is on or comes next stands at the top, as in the server's list; what was is above.
  useEffect(() => {
    // A row that a poster stands for is not laid out.
    const coming = list.current?.querySelectorAll<HTMLElement>('[data-coming]') ?? [];
    const next = [...coming].find((row) => row.offsetParent);
    if (list.current && next) list.current.scrollTop = next.offsetTop - list.current.offsetTop;
  }, []);
  const now = Date.now();
  const slugs = new Map(month.categories.map((category) => [category.id, category]));
  return (
    <section className="highlights" aria-labelledby="highlights-title">
      <div className="section-head rule">
        <h2 id="highlights-title">{words.highlights}</h2>
        <span className="section-count tabular">{fill(words.countInTotal, { count: all.length })}</span>
      </div>
      {places.length === 0 && <p className="day-empty">{words.highlightsEmpty}</p>}
      {places.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
        <ul ref={list} className="highlights-scroll" tabIndex={0} aria-labelledby="highlights-title">
          {places.slice(0, most).map((place) => {
            const event = month.events[place];
            if (!event) return null;
            const category = slugs.get(event.category);
            const star = event.stars[0] === undefined ? undefined : month.stars[event.stars[0]];
            const day = shortDay(lang, new Date(event.start), event.dayZone ?? zone);
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
          {places.length > most && (
            <li>
              <button
                type="button"
                className="button button-line list-more"
                onClick={() => setMost(most + step)}
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
