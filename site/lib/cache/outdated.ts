import { isLang } from '#content/locales.ts';
import { clock } from '../../i18n/format.ts';
import { words } from '../../i18n/words.ts';

const htmlLang = /^<!doctype html><html[^>]* lang="(\w+)"/i;
const offlineNotice = '<p id="offline"';

/** A page that says of when it is, where it would say that there is no connection. Other files stay as they are. */
export function markOutdated(page: Uint8Array<ArrayBuffer>, renderedAt: Date): Uint8Array<ArrayBuffer> {
  const html = new TextDecoder().decode(page);
  const lang = htmlLang.exec(html)?.[1];
  if (!lang || !isLang(lang)) return page;
  const t = words(lang);
  const text = t('states:outdated', { time: t('events:kst', { time: clock(lang, renderedAt) }) });
  return new TextEncoder().encode(
    html.replace(offlineNotice, `<p class="offline" role="status">${text}</p>${offlineNotice}`),
  );
}
