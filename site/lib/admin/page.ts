import { Forbidden } from '#api/errors.ts';
import { readerOf, requireRole, type Visitor } from '#api/plugins/session.ts';
import type { Lang } from '#content/locales.ts';
import type { Role } from '#db/schema/accounts.ts';
import { goOn } from '../accounts/forms.ts';
import { paths } from '../routes/paths.ts';
import { languageOfVisit } from '../routes/request-language.ts';

/** The page for what is not there, in the language of the page that it stands for (decision L4). */
export const notFound = (lang: Lang): string => `/404?lang=${lang}`;

export interface Admitted {
  lang: Lang;
  visitor: Visitor;
}

/**
 * Who may see a page of the administration (decision S1): guests go to the login and come back, others see a 403 page
 * in their language.
 * @param rewrite shows another page in the place of this one
 */
export async function admit(
  { request, url }: { request: Request; url: URL },
  needed: Role,
  rewrite: (path: string) => Promise<Response>,
): Promise<Admitted | Response> {
  const lang = languageOfVisit(url, request.headers.get('accept-language'));
  const visitor = await readerOf(request);
  if (!visitor) return goOn(paths.login({ lang, next: url.pathname + url.search }));
  return requireRole(request, needed).then(
    () => ({ lang, visitor }),
    (error: unknown) => {
      if (error instanceof Forbidden) return rewrite(paths.adminForbidden({ lang }));
      throw error;
    },
  );
}
