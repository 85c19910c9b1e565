import { createInstance, type TFunction } from 'i18next';
import { defaultLanguage, type Lang, languages } from '#content/locales.ts';
import { site } from '#content/site.ts';
import type { Words } from './resources.ts';
import { resources } from './resources.ts';

const i18n = createInstance();

await i18n.init({
  lng: defaultLanguage,
  fallbackLng: false,
  supportedLngs: [...languages],
  resources,
  defaultNS: 'common',
  interpolation: { escapeValue: false, defaultVariables: { product: site.name } },
  returnNull: false,
});

export type T = TFunction<(keyof Words)[]>;

const fixed = new Map<Lang, T>(languages.map((lang) => [lang, i18n.getFixedT(lang)]));

/**
 * The words of one language, for pages and components: `const t = words(lang); t('home:refresh')`. Never a process-wide
 * language: the function is bound to `lang` (design §Words). Keys are checked against the English catalogue by the compiler.
 */
export function words(lang: Lang): T {
  const t = fixed.get(lang);
  if (!t) throw new Error(`no words for ${lang}`);
  return t;
}

/** One area's plain strings, for an island that gets its slice of words as a prop. */
export function slice<Area extends keyof Words>(lang: Lang, area: Area): Words[Area] {
  return i18n.getResourceBundle(lang, area);
}
