import { wordOptions } from './api/language/words.ts';
import { defaultLanguage, languages } from './content/locales.ts';

/**
 * What astro-i18next makes the server's one i18next of, and how it writes addresses (decision W6).
 * @type {import('astro-i18next').AstroI18nextConfig}
 */
export default {
  defaultLocale: defaultLanguage,
  locales: [...languages],
  showDefaultLocale: true,
  i18nextServer: wordOptions(),
  i18nextServerPlugins: { fsBackend: null, catalogueFiles: '/api/language/catalogue-files.ts' },
};
