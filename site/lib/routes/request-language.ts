import { preferredLanguage } from '#api/language/language.ts';
import { isLang, type Lang } from '#content/locales.ts';

const firstSegment = (path: string): string | undefined => path.split('/')[1];

/**
 * Language of a request, once for its page, its parts and the error page in its place (`Astro.locals.lang`): the prefix of the
 * path, else what the address says (decision L4), else that of the page to go on to, else what the browser asks for, else
 * Korean (decision L2). A choice kept in the browser is put into the address before the first paint.
 */
export function languageOf(
  { pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>,
  acceptLanguage: string | null,
): Lang {
  const candidates = [
    firstSegment(pathname),
    searchParams.get('lang'),
    firstSegment(searchParams.get('next') ?? ''),
  ];
  return candidates.find(isLang) ?? preferredLanguage(acceptLanguage);
}
