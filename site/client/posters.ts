/** The days that remain on posters, by the visitor's own calendar; the server counted Seoul's. */
import { dDay } from '../i18n/d-day.ts';

const dayMilliseconds = 86_400_000;
const midnight = (date: Date) => new Date(date).setHours(12, 0, 0, 0);

export function startPosters(): void {
  for (const days of document.querySelectorAll<HTMLElement>('[data-poster-start]')) {
    const left = Math.round(
      (midnight(new Date(days.dataset.posterStart ?? '')) - midnight(new Date())) / dayMilliseconds,
    );
    days.textContent = left <= 0 ? (days.dataset.today ?? '') : dDay(left);
  }
}
