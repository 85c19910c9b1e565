import { isLang } from '#content/locales.ts';
import { clock } from '../../i18n/format.ts';
import { words } from '../../i18n/words.ts';

const isWritten = /^<!doctype html><html[^>]* lang="(\w+)"/i;
const place = '<p id="offline"';

/** A page that says of when it is, where it would say that there is no connection. Other files stay as they are. */
export function markOutdated(page: Uint8Array<ArrayBuffer>, madeAt: Date): Uint8Array<ArrayBuffer> {
  const html = new TextDecoder().decode(page);
  const lang = isWritten.exec(html)?.[1];
  if (!lang || !isLang(lang)) return page;
  const t = words(lang);
  const text = t('states:outdated', { time: t('events:kst', { time: clock(lang, madeAt) }) });
  return new TextEncoder().encode(
    html.replace(place, `<p class="offline" role="status">${text}</p>${place}`),
  );
}
