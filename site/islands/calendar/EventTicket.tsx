import type { Lang } from '#content/locales.ts';
import { keepParticles, seoulTime, ticketStub } from '../../i18n/format.ts';
import type { CalendarEvent, CalendarMonth } from '../../lib/events/month.ts';
import { visitorZone } from '../../stores/clock.ts';
import { Icon } from '../Icon.tsx';
import { scopeOf } from './scope.ts';
import { type CalendarWords, fill } from './words.ts';

interface Props {
  lang: Lang;
  words: CalendarWords;
  event: CalendarEvent;
  month: CalendarMonth;
  /** Whether the day under which it stands is the visitor's own today. */
  isUnderToday: boolean;
}

/** `components/events/Ticket.astro` for days that the server did not render, in the visitor's own time. */
export function EventTicket({ lang, words, event, month, isUnderToday }: Props) {
  const start = new Date(event.start);
  const stub = ticketStub(lang, start, event.dayZone ?? visitorZone());
  const korean = event.dayZone ? '' : seoulTime(lang, start, visitorZone());
  const star = event.stars[0] === undefined ? undefined : month.stars[event.stars[0]];
  const now = Date.now();
  const status = event.cancelled
    ? 'cancelled'
    : now >= event.over
      ? 'completed'
      : now >= event.start
        ? 'live'
        : 'upcoming';
  const isWholeDay = status === 'live' && event.dayZone !== undefined;
  const href = `/${lang}/events/${event.id}`;
  const title = keepParticles(event.title);
  const isOpen = status === 'upcoming' || status === 'live';
  return (
    <article
      className={`ticket ticket-${status}${star ? ' scope' : ''}`}
      style={scopeOf(star?.style)}
      data-ticket={event.id}
    >
      <a className="ticket-stub" href={href}>
        <span>{stub.weekday}</span>
        <strong>{stub.day}</strong>
        {!event.dayZone && (
          <time className="tabular" dateTime={start.toISOString()}>
            {stub.time}
          </time>
        )}
        {korean && <small>{fill(words.kst, { time: korean })}</small>}
        <span className="visually-hidden">{fill(words.details, { title })}</span>
      </a>
      <div className="ticket-body">
        <p className="ticket-kind">
          <Icon name={event.type} size={16} />
          {words[`type_${event.type}`]}
          <span
            className={`status status-${isWholeDay ? 'today' : status}`}
            data-status
            hidden={status === 'upcoming' || (isWholeDay && !isUnderToday)}
          >
            {isWholeDay ? words.range_today : words[`status_${status}`]}
          </span>
        </p>
        <h3 className="ticket-title" lang={event.lang}>
          <a className="card-link" href={href} data-event={event.id}>
            {title}
          </a>
        </h3>
        {event.place && (
          <p className="ticket-place" lang={event.lang}>
            <Icon name="mapPin" size={14} />
            <span>{event.place}</span>
          </p>
        )}
        {isOpen && !event.dayZone && (
          <span
            className="countdown tabular"
            role="timer"
            data-countdown={start.toISOString()}
            data-ends={new Date(event.over).toISOString()}
            data-words={JSON.stringify({
              startsIn: words.startsIn,
              units: [words.days, words.hours, words.minutes, words.seconds],
              live: words.status_live,
              completed: words.status_completed,
            })}
            hidden
          />
        )}
      </div>
      {isOpen && (
        <a
          className="ticket-heart"
          href={`/login?lang=${lang}&next=${encodeURIComponent(href)}`}
          rel="nofollow"
          data-subscribe={event.id}
          aria-label={fill(words.remind, { title })}
        >
          <Icon name="heart" size={22} />
        </a>
      )}
    </article>
  );
}
