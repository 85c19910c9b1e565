/**
 * The visitor's own time (decision E3) on tickets that the server wrote in another zone, with Korea's beside, and on the page of
 * an event. Written with the browser's own clock instead of formats, because most fans are abroad and each of them loads it, and the
 * first format of a page costs a slow phone a tenth of a second.
 */
import { intlTag, isLang } from '#content/locales.ts';
import { today } from '../../stores/clock.ts';

const { lang } = document.documentElement;
const language = isLang(lang) ? intlTag(lang) : lang;

/** Hours and minutes, which begin this text in every language. */
const clock = (date: Date) => date.toTimeString().slice(0, 5);

/** The visitor's time on a ticket; Korea's, which stood there, moves to the line below, with its weekday when that differs. */
function showTicket(ticket: HTMLElement): void {
  const start = new Date(ticket.dataset.start ?? '');
  const date = `${start.getDate()}`;
  const hour = clock(start);
  // In the order of `Ticket.astro`: to ask for each by its name would take the bytes that a star's page may have.
  const [weekday, day, time, korean] = ticket.querySelectorAll<HTMLElement>('.ticket-stub > *');
  const isOtherDay = day?.textContent !== date;
  if (!weekday || !day || !time || !korean || (!isOtherDay && time.textContent === hour)) return;
  const before = `${time.textContent}`;
  if (korean.hidden && isOtherDay)
    korean.textContent = `${korean.textContent}`.replace(before, `${weekday.textContent} ${before}`);
  korean.hidden = false;
  if (isOtherDay) weekday.textContent = start.toLocaleDateString(language, { weekday: 'short' });
  day.textContent = date;
  time.textContent = hour;
}

/** A time in the text of an event's page, with its day unless it is that of the time before it. */
function showTime(time: HTMLTimeElement): void {
  const date = new Date(time.dateTime);
  const day = time.dataset.own ? '' : `${date.toLocaleDateString(language, { dateStyle: 'full' })} `;
  time.textContent = day + clock(date);
}

/** A whole day is today's on the visitor's own day alone. */
function showToday(status: HTMLElement): void {
  status.hidden = !status.dataset.days?.includes(today.get());
}

/** Writes all that is in the page now. */
export function showLocalTimes(): void {
  document.querySelectorAll<HTMLElement>('[data-days]').forEach(showToday);
  document.querySelectorAll<HTMLElement>('[data-start]').forEach(showTicket);
  document.querySelectorAll<HTMLTimeElement>('[data-own]').forEach(showTime);
  // Who lives where the event is reads its time once.
  const [own, next] = document.querySelectorAll('.event-clock');
  if (next?.textContent === own?.textContent) next?.parentElement?.remove();
}
