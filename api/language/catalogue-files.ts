import { readFileSync } from 'node:fs';
import type { BackendModule } from 'i18next';

/**
 * The words of `content/locales/`, which i18next reads whole when it is made. `i18next-fs-backend` reads them as well, but says
 * keys in the place of words where a file is missing or torn; by this one nothing starts then. The file's default is what
 * the script of astro-i18next imports.
 */
const catalogueFiles: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read: (lang, area, found) =>
    found(null, JSON.parse(readFileSync(`content/locales/${lang}/${area}.json`, 'utf8'))),
};

export default catalogueFiles;
