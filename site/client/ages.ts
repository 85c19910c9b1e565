import { ageText } from '../i18n/age.ts';

/** Rewrites `<time data-age>` each minute while the page is seen: a cached page must not show an old age. */
export function keepAgesTrue(): void {
  const { ages } = document.body.dataset;
  if (!ages) return;
  const refresh = () => {
    if (document.hidden) return;
    const now = new Date();
    for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-age]')) {
      const text = ageText(ages, new Date(element.dateTime), now);
      if (element.textContent !== text) element.textContent = text;
    }
  };
  refresh();
  setInterval(refresh, 60_000);
  document.addEventListener('visibilitychange', refresh);
}
