/**
 * The visitor's own time on tickets that the server wrote in another zone, with Korea's below when they differ (decision
 * E3). Days of whole-day events stay what they are.
 */
import { isLang, type Lang } from '#content/locales.ts';
import { clock, dateAndTime, longDate, seoulTime, ticketStub } from '../i18n/format.ts';

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Puts the visitor's time on every ticket below an element that does not have it yet. */
export function showOwnTimes(within: ParentNode = document): void {
  const { lang } = document.documentElement;
  if (!isLang(lang)) return;
  for (const ticket of within.querySelectorAll<HTMLElement>('[data-ticket][data-start]')) {
    if (ticket.dataset.zone === own) continue;
    const start = new Date(ticket.dataset.start ?? '');
    const stub = ticketStub(lang, start, own);
    const put = (name: string, text: string) => {
      const element = ticket.querySelector<HTMLElement>(`[data-${name}]`);
      if (element) element.textContent = text;
      return element;
    };
    const shown = ticket.querySelector('[data-clock]')?.textContent ?? '';
    put('weekday', stub.weekday);
    put('day', stub.day);
    put('clock', stub.time);
    const korean = seoulTime(lang, start, own);
    const kst = ticket.querySelector<HTMLElement>('[data-kst]');
    if (kst && korean) kst.textContent = kst.textContent?.replace(shown, korean) ?? '';
    if (kst) kst.hidden = korean === '';
    ticket.dataset.zone = own;
  }
  for (const line of within.querySelectorAll<HTMLElement>('[data-own-time]')) showOwnLine(line, lang);
}

/** The full time on an event's page, when it is not Korea's. */
function showOwnLine(line: HTMLElement, lang: Lang): void {
  const { ownTime = '', ownEnd, until = '' } = line.dataset;
  const start = new Date(ownTime);
  const text = line.querySelector('.event-clock');
  line.hidden = seoulTime(lang, start, own) === '';
  if (line.hidden || !text) return;
  const end = ownEnd && new Date(ownEnd);
  const closes =
    end &&
    (longDate(lang, end, own) === longDate(lang, start, own)
      ? clock(lang, end, own)
      : dateAndTime(lang, end, own));
  text.textContent = dateAndTime(lang, start, own) + (closes ? `, ${until.replace('@', closes)}` : '');
}
