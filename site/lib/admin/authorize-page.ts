import { Forbidden } from '#api/errors.ts';
import { readerOf, requireRole, type Visitor } from '#api/plugins/session.ts';
import type { Lang } from '#content/locales.ts';
import type { Role } from '#db/schema/accounts.ts';
import { seeOther } from '../accounts/forms.ts';
import { paths } from '../routes/paths.ts';

/**
 * Who may see a page of the administration (decision S1): guests go to the login and come back, others see a 403 page
 * in their language.
 * @param rewrite shows another page in the place of this one
 */
export async function authorizePage(
  { request, url, locals: { lang } }: { request: Request; url: URL; locals: { lang: Lang } },
  requiredRole: Role,
  rewrite: (path: string) => Promise<Response>,
): Promise<Visitor | Response> {
  const visitor = await readerOf(request);
  if (!visitor) return seeOther(paths.login({ lang, next: url.pathname + url.search }));
  return requireRole(request, requiredRole).then(
    () => visitor,
    (error: unknown) => {
      if (error instanceof Forbidden) return rewrite(paths.adminForbidden({ lang }));
      throw error;
    },
  );
}
