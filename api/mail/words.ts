import { createInstance, type TFunction } from 'i18next';
import en from '#content/locales/en/mail.json';
import ko from '#content/locales/ko/mail.json';
import ms from '#content/locales/ms/mail.json';
import vi from '#content/locales/vi/mail.json';
import type { Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';

const i18n = createInstance();

await i18n.init({
  lng: 'ko',
  fallbackLng: false,
  resources: { ko: { mail: ko }, en: { mail: en }, ms: { mail: ms }, vi: { mail: vi } },
  ns: ['mail'],
  defaultNS: 'mail',
  interpolation: { escapeValue: false, defaultVariables: { product: site.name } },
  returnNull: false,
});

/** The words of letters in one language: `mailWords(lang)('mail:resetTitle')`. Bound to the language, never process-wide. */
export const mailWords = (lang: Lang): TFunction<['mail']> => i18n.getFixedT(lang, ['mail']);
