import { readdirSync } from 'node:fs';
import i18next, { type InitOptions, type TFunction } from 'i18next';
import { type Lang, languages } from '#content/locales.ts';
import { site } from '#content/site.ts';
import catalogueFiles from './catalogue-files.ts';

/** How i18next is made, in every process: without a language, so that none is fallen back to that another reader chose (decision W4). */
export const wordOptions = (): InitOptions => ({
  initAsync: false,
  fallbackLng: false,
  supportedLngs: [...languages],
  preload: [...languages],
  ns: readdirSync('content/locales/en')
    .map((file) => file.replace('.json', ''))
    .sort(),
  defaultNS: 'common',
  interpolation: { escapeValue: false, defaultVariables: { product: site.name } },
  returnNull: false,
});

/**
 * The one i18next of this process. Where pages are rendered astro-i18next has made it as the server started
 * (`astro-i18next.config.mjs`); elsewhere whoever asks first makes it, in the same way (decision W6).
 */
export function i18n(): typeof i18next {
  if (!i18next.isInitialized) i18next.use(catalogueFiles).init(wordOptions());
  return i18next;
}

/** The words of one area in one language, also where no page is rendered: `areaWords(lang, 'mail')('resetTitle')`. */
export const areaWords = <Area extends 'mail' | 'reminders' | 'events'>(
  lang: Lang,
  area: Area,
): TFunction<[Area]> => i18n().getFixedT(lang, [area]);
