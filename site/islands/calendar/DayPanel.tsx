import { useEffect, useRef, useState } from 'react';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { plainDay } from '../../i18n/format.ts';
import type { CalendarMonth } from '../../lib/event-month.ts';
import { Icon } from '../Icon.tsx';
import { EventTicket } from './EventTicket.tsx';
import { zone } from './months.ts';
import { type CalendarWords, countOf, fill } from './words.ts';

interface Props {
  lang: Lang;
  words: CalendarWords;
  month: CalendarMonth;
  date: string;
}

/** The selected day: at most five events, all of them in a sheet from the side (§2 Calendar tab). */
export function DayPanel({ lang, words, month, date }: Props) {
  const [open, setOpen] = useState(false);
  const events = (month.days.find((day) => day.date === date)?.events ?? []).flatMap(
    (place) => month.events[place] ?? [],
  );
  const count = countOf(words, lang, events.length);
  const ticket = (event: (typeof events)[number]) => (
    <EventTicket key={`${event.id} ${date}`} lang={lang} words={words} event={event} month={month} />
  );
  return (
    <section className="day-panel" id="day" aria-labelledby="day-title">
      <div className="section-head rule" aria-live="polite">
        <h2 id="day-title">{plainDay(lang, date)}</h2>
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
        {zone === 'Asia/Seoul' ? words.zoneSeoul : fill(words.zoneOwn, { zone })}
      </p>
      {open && (
        <Sheet
          title={`${plainDay(lang, date)} · ${count}`}
          close={words.close}
          onClose={() => setOpen(false)}
        >
          {events.map(ticket)}
        </Sheet>
      )}
    </section>
  );
}

interface SheetProps {
  title: string;
  close: string;
  onClose: () => void;
  children: React.ReactNode;
}

function Sheet({ title, close, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.setAttribute('closedby', 'any');
    dialog.current?.showModal();
    document.dispatchEvent(new Event('tickets'));
  }, []);
  return (
    <dialog ref={dialog} className="sheet side-sheet" aria-labelledby="sheet-title" onClose={onClose}>
      <div className="sheet-body sheet-scroll-all">
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
        <div className="day-tickets">{children}</div>
      </div>
    </dialog>
  );
}
