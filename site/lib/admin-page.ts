import { requireRole, type Visitor, visitorOf } from '#api/plugins/session.ts';
import type { Lang } from '#content/locales.ts';
import type { Role } from '#db/schema/accounts.ts';
import { goOn } from './account-forms.ts';
import { paths } from './paths.ts';
import { languageOfVisit } from './request-language.ts';

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
  // The cookie of a form from elsewhere proves nobody.
  const visitor = await visitorOf(request).catch(() => undefined);
  if (!visitor) return goOn(paths.login(lang, url.pathname + url.search), null);
  return requireRole(request, needed).then(
    () => ({ lang, visitor }),
    () => rewrite(`/admin/forbidden?lang=${lang}`),
  );
}

/** Where a form of the administration leads. */
export const adminPaths = {
  dashboard: (lang: Lang, tab?: string) => `/admin?${tab ? `tab=${tab}&` : ''}lang=${lang}`,
  verification: (lang: Lang) => `/admin/events/verification?lang=${lang}`,
  event: (lang: Lang, id: number) => `/admin/events/${id}?lang=${lang}`,
};
