import { preferredLanguage } from '#api/language/language.ts';
import { isLang, type Lang } from '#content/locales.ts';

/** Language of an error page: the path's prefix, else what the browser asks for, else Korean (decision L2). */
export function languageOfRequest(path: string, acceptLanguage: string | null): Lang {
  const [, first] = path.split('/');
  return isLang(first) ? first : preferredLanguage(acceptLanguage);
}
