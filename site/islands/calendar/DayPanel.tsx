import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { plainShortDay, zoneName } from '../../i18n/format.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';
import { visitorZone } from '../../stores/clock.ts';
import { ticketsAdded } from '../../stores/events.ts';
import { Icon } from '../Icon.tsx';
import { EventTicket } from './EventTicket.tsx';
import { type CalendarWords, countOf, fill } from './words.ts';

interface Props {
  lang: Lang;
  words: CalendarWords;
  month: CalendarMonth;
  date: string;
  today: string;
}

/** The selected day: at most five events, all of them in a sheet from the side (§2 Calendar tab). */
export function DayPanel({ lang, words, month, date, today }: Props) {
  const [open, setOpen] = useState(false);
  const events = (month.days.find((day) => day.date === date)?.events ?? []).flatMap(
    (index) => month.events[index] ?? [],
  );
  const count = countOf(words, lang, events.length);
  const ticket = (event: (typeof events)[number]) => (
    <EventTicket
      key={`${event.id} ${date}`}
      lang={lang}
      words={words}
      event={event}
      month={month}
      isUnderToday={date === today}
    />
  );
  return (
    <section className="day-panel" id="day" aria-labelledby="day-title">
      <div className="section-head rule" aria-live="polite">
        <h2 id="day-title">{plainShortDay(lang, date)}</h2>
        <span className="section-count tabular">{count}</span>
      </div>
      {events.length === 0 && (
        <div className="day-empty">
          <p>{words.dayEmpty}</p>
          <p>{words.dayEmptyHint}</p>
        </div>
      )}
      <div className="day-tickets">{events.slice(0, limits.calendarPanel).map(ticket)}</div>
      {events.length > limits.calendarPanel && (
        <button type="button" className="button button-line view-all" onClick={() => setOpen(true)}>
          {fill(words.viewAllOfDay, { count: events.length })}
        </button>
      )}
      <p className="zone-note">
        <Icon name="clock" size={14} />
        {visitorZone() === 'Asia/Seoul'
          ? words.zoneSeoul
          : fill(words.zoneOwn, { zone: zoneName(lang, visitorZone()) })}
      </p>
      {open && (
        <Sheet
          title={`${plainShortDay(lang, date)} · ${count}`}
          close={words.close}
          tickets={events.length}
          ticketAt={(index) => events[index] && ticket(events[index])}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

interface SheetProps {
  title: string;
  close: string;
  tickets: number;
  ticketAt: (index: number) => ReactNode;
  onClose: () => void;
}

function Sheet({ title, close, tickets, ticketAt, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [body, setBody] = useState<HTMLElement | null>(null);
  useEffect(() => {
    dialog.current?.setAttribute('closedby', 'any');
    dialog.current?.showModal();
    ticketsAdded();
  }, []);
  return (
    <dialog ref={dialog} className="sheet side-sheet" aria-labelledby="sheet-title" onClose={onClose}>
      <div className="sheet-body sheet-scroll-all" ref={setBody}>
        <header>
          <h2 id="sheet-title">{title}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label={close}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="x" size={22} />
          </button>
        </header>
        {tickets > virtualizeAbove ? (
          body && <VirtualTickets scrollElement={body} tickets={tickets} ticketAt={ticketAt} />
        ) : (
          <div className="day-tickets">{Array.from({ length: tickets }, (_, index) => ticketAt(index))}</div>
        )}
      </div>
    </dialog>
  );
}

/** More than these are laid out only where they are seen: a day of an anniversary may have hundreds. */
const virtualizeAbove = 50;
const usualHeight = 140;
const gap = 12;

type VirtualTicketsProps = Pick<SheetProps, 'tickets' | 'ticketAt'> & { scrollElement: HTMLElement };

function VirtualTickets({ scrollElement, tickets, ticketAt }: VirtualTicketsProps) {
  const list = useVirtualizer({
    count: tickets,
    getScrollElement: () => scrollElement,
    estimateSize: () => usualHeight,
    gap,
    overscan: 6,
  });
  const visibleTickets = list.getVirtualItems();
  const firstIndex = visibleTickets[0]?.index;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tickets come with another first one.
  useEffect(ticketsAdded, [firstIndex]);
  return (
    <div className="tickets-in-view" style={{ height: list.getTotalSize() }}>
      {visibleTickets.map(({ key, index, start }) => (
        <div
          key={key}
          ref={list.measureElement}
          data-index={index}
          style={{ transform: `translateY(${start}px)` }}
        >
          {ticketAt(index)}
        </div>
      ))}
    </div>
  );
}
