import { createInstance, type TFunction } from 'i18next';
import { catalogues } from '#content/catalogues.ts';
import { defaultLanguage, type Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';

const i18n = createInstance();

await i18n.init({
  lng: defaultLanguage,
  fallbackLng: false,
  resources: catalogues,
  ns: ['reminders'],
  defaultNS: 'reminders',
  interpolation: { escapeValue: false, defaultVariables: { product: site.name } },
  returnNull: false,
});

/** The words of calendars, reminders and notifications in one language, also where no page is rendered. */
export const reminderWords = (lang: Lang): TFunction<['reminders']> => i18n.getFixedT(lang, ['reminders']);
