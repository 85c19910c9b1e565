import { createInstance, type TFunction } from 'i18next';
import { catalogues } from '#content/catalogues.ts';
import { defaultLanguage, type Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';

const i18n = createInstance();

await i18n.init({
  lng: defaultLanguage,
  fallbackLng: false,
  resources: catalogues,
  ns: ['mail'],
  defaultNS: 'mail',
  interpolation: { escapeValue: false, defaultVariables: { product: site.name } },
  returnNull: false,
});

/** The words of letters in one language: `mailWords(lang)('mail:resetTitle')`. Bound to the language, never process-wide. */
export const mailWords = (lang: Lang): TFunction<['mail']> => i18n.getFixedT(lang, ['mail']);
