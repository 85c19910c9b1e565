/**
 * The visitor's own time (decision E3) on tickets that the server wrote in another zone, with Korea's beside, and on the page of
 * an event. Written with the browser's own clock instead of formats, because most fans are abroad and each of them loads it.
 */
import { isLang, languageEntry } from '#content/locales.ts';

const { lang } = document.documentElement;
const language = isLang(lang) ? languageEntry(lang).intl : lang;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector);

const clock = (date: Date) =>
  [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
const inWords = (date: Date, options: Intl.DateTimeFormatOptions) =>
  date.toLocaleDateString(language, options);
const longDate: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'long', day: 'numeric' };

/** The visitor's time on a ticket; Korea's, which stood there, moves to the line below, with its weekday when that differs. */
function showTicket(ticket: HTMLElement): void {
  if (ticket.dataset.zone === zone) return;
  ticket.dataset.zone = zone;
  const start = new Date(ticket.dataset.start ?? '');
  const [weekday, day, time, korean] = ['weekday', 'day', 'clock', 'kst'].map((name) =>
    ticket.querySelector<HTMLElement>(`[data-${name}]`),
  );
  if (!weekday || !day || !time || !korean) return;
  const before = `${weekday.textContent} ${time.textContent}`;
  const otherDay = day.textContent !== String(start.getDate());
  if (korean.hidden && otherDay)
    korean.textContent = korean.textContent?.replace(time.textContent ?? '', before) ?? '';
  korean.hidden = false;
  weekday.textContent = inWords(start, { weekday: 'short' });
  day.textContent = String(start.getDate());
  time.textContent = clock(start);
}

/** The full time on an event's page. */
function showLine(line: HTMLElement): void {
  const { ownTime = '', ownEnd, until = '' } = line.dataset;
  const text = line.querySelector('.event-clock');
  if (!text) return;
  const [start, end] = [new Date(ownTime), new Date(ownEnd ?? ownTime)];
  const days = [start, end].map((date) => inWords(date, longDate));
  const closes = `${days[0] === days[1] ? '' : `${days[1]} `}${clock(end)}`;
  text.textContent = `${days[0]} ${clock(start)}${ownEnd ? `, ${until.replace('@', closes)}` : ''}`;
  line.hidden = false;
}

function show(): void {
  all('[data-start]').forEach(showTicket);
  all('[data-own-time]').forEach(showLine);
}

/** Also on tickets that come later. */
export function startOwnTimes(): void {
  show();
  document.addEventListener('tickets', show);
}
