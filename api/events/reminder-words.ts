import { createInstance, type TFunction } from 'i18next';
import en from '#content/locales/en/reminders.json';
import ko from '#content/locales/ko/reminders.json';
import ms from '#content/locales/ms/reminders.json';
import vi from '#content/locales/vi/reminders.json';
import type { Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';

const i18n = createInstance();

await i18n.init({
  lng: 'ko',
  fallbackLng: false,
  resources: { ko: { reminders: ko }, en: { reminders: en }, ms: { reminders: ms }, vi: { reminders: vi } },
  ns: ['reminders'],
  defaultNS: 'reminders',
  interpolation: { escapeValue: false, defaultVariables: { product: site.name } },
  returnNull: false,
});

/** The words of calendars, reminders and notifications in one language, also where no page is rendered. */
export const reminderWords = (lang: Lang): TFunction<['reminders']> => i18n.getFixedT(lang, ['reminders']);
