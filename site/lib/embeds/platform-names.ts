import { embedPlatformEntry, embedPlatforms } from '#content/embed-platforms.ts';
import type { Lang } from '#content/locales.ts';
import { languageList } from '../../i18n/format.ts';

/** The platforms that stories embed, as a sentence of `lang` lists them. */
export const platformNames = (lang: Lang): string =>
  languageList(
    lang,
    embedPlatforms.map((platform) => embedPlatformEntry(platform).name),
  );
