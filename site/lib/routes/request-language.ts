import { preferredLanguage } from '#api/language/language.ts';
import { isLang, type Lang } from '#content/locales.ts';
import { namesLanguage } from './match-route.ts';

/**
 * Language of a page without a prefix (decision L4): what its address says, else that of the page to go on to, else what
 * the browser asks for. A choice kept in the browser is put into the address before the first paint.
 */
export function languageOfVisit({ searchParams }: URL, acceptLanguage: string | null): Lang {
  const asked = searchParams.get('lang');
  return isLang(asked) ? asked : languageOfRequest(searchParams.get('next') ?? '', acceptLanguage);
}

/** Language of an error page: that of its path, else that of a visit. @param path as it was asked for */
export function languageOfError(path: string, url: URL, acceptLanguage: string | null): Lang {
  return namesLanguage(path) ? languageOfRequest(path, acceptLanguage) : languageOfVisit(url, acceptLanguage);
}

/** Language of a page with a prefix: the path's, else what the browser asks for, else Korean (decision L2). */
export function languageOfRequest(path: string, acceptLanguage: string | null): Lang {
  const [, first] = path.split('/');
  return isLang(first) ? first : preferredLanguage(acceptLanguage);
}
