import { ageText } from '../../i18n/age.ts';
import { minute } from '../../stores/clock.ts';

/** Writes every `<time data-age>` as of now: each minute, and after ages were put into the page. */
export function refreshAges(): void {
  const { ages } = document.body.dataset;
  if (!ages) return;
  const now = new Date();
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-age]')) {
    const text = ageText(ages, new Date(element.dateTime), now);
    if (element.textContent !== text) element.textContent = text;
  }
}

// A cached page must not show an old age.
minute.subscribe(refreshAges);
