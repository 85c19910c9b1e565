/** Times of the profile that the server wrote in another zone (`OwnTime.astro`), in the visitor's own (decision E3). */
import { isLang } from '#content/locales.ts';
import { dateAndTimeWithZone } from '../../i18n/format.ts';
import { visitorZone } from '../../stores/clock.ts';

const { lang } = document.documentElement;
for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-own-time]')) {
  if (isLang(lang)) time.textContent = dateAndTimeWithZone(lang, new Date(time.dateTime), visitorZone());
}
