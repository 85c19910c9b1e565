import { preferredLanguage } from '#api/language/language.ts';
import { isLang, type Lang } from '#content/locales.ts';

/**
 * Language of a page without a prefix (decision L4): what its address says, else that of the page to go on to, else what
 * the browser asks for. A choice kept in the browser is put into the address before the first paint.
 */
export function languageOfVisit({ searchParams }: URL, acceptLanguage: string | null): Lang {
  const asked = searchParams.get('lang');
  return isLang(asked) ? asked : languageOfRequest(searchParams.get('next') ?? '', acceptLanguage);
}

/** Language of an error page: the path's prefix, else what the browser asks for, else Korean (decision L2). */
export function languageOfRequest(path: string, acceptLanguage: string | null): Lang {
  const [, first] = path.split('/');
  return isLang(first) ? first : preferredLanguage(acceptLanguage);
}
