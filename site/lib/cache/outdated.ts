import { dayOf, seoul } from '#api/events/days.ts';
import { isLang } from '#content/locales.ts';
import { clock, dateAndTime } from '../../i18n/format.ts';
import { words } from '../../i18n/words.ts';

const htmlLang = /^<!doctype html><html[^>]* lang="(\w+)"/i;
const offlineNotice = '<p id="offline"';

/** A page that says of when it is, where it would say that there is no connection. Other files stay as they are. */
export function markOutdated(
  page: Uint8Array<ArrayBuffer>,
  renderedAt: Date,
  now = new Date(),
): Uint8Array<ArrayBuffer> {
  const html = new TextDecoder().decode(page);
  const lang = htmlLang.exec(html)?.[1];
  if (!lang || !isLang(lang)) return page;
  const t = words(lang);
  const isOfToday = dayOf(renderedAt, seoul) === dayOf(now, seoul);
  const time = isOfToday ? clock(lang, renderedAt) : dateAndTime(lang, renderedAt);
  const text = t('states:outdated', { time: t('events:inKoreaTime', { time }) });
  return new TextEncoder().encode(
    html.replace(offlineNotice, `<p class="offline" role="status">${text}</p>${offlineNotice}`),
  );
}
