import { api, internalOrigin } from '#api/app.ts';
import { readId } from '#api/input.ts';
import { clientAddress, disableIdleTimeout, registerConnection } from '#api/plugins/client.ts';
import type { Lang } from '#content/locales.ts';
import { pictureFailures } from '../../routes.ts';
import { forwardedHeaders, seeOther } from '../accounts/forms.ts';
import { readResponse } from '../http/api-call.ts';
import { paths } from '../routes/paths.ts';
import { languageOf } from '../routes/request-language.ts';
import { readQuery } from '../routes/route-parameters.ts';

/** Where the form of the library sends a picture without a script: its bytes go on to the call unread, which knows who may. */
export const uploadPath = '/admin/pictures';

/** Hands a posted picture to its call, and goes on to its page, or back to the library with the reason. */
export async function answerUploadForm(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const lang = languageOf(url, request.headers.get('accept-language'));
  const back = backTo(url, lang);
  if (request.method !== 'POST') return seeOther(back());
  const headers = new Headers();
  for (const name of [...forwardedHeaders, 'content-type', 'content-length']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const forwarded = new Request(new URL('/api/admin/pictures', internalOrigin), {
    method: 'POST',
    headers,
    body: request.body,
  });
  registerConnection(forwarded, clientAddress(request), () => disableIdleTimeout(request));
  const { status, error, answer } = await readResponse<{ id: number }>(await api.handle(forwarded));
  if (!error) return seeOther(back({ picture: answer.id, saved: '1' }));
  if (status === 401) return seeOther(paths.login({ lang, next: back() }));
  if (status === 403) return seeOther(paths.adminForbidden({ lang }));
  const refused = pictureFailures.find((each) => each === error.code) ?? 'unavailable';
  return seeOther(back({ refused }));
}

/** Where the form stands: in the library, where a story or event may ask for a picture, or with a star that does. */
function backTo(url: URL, lang: Lang) {
  const starId = readId(url.searchParams.get('star'));
  const { section, entry } = readQuery('adminStar', url);
  return (more: { picture?: number; refused?: string; saved?: string } = {}): string =>
    starId === undefined
      ? paths.admin({ tab: 'multimedia', lang, for: readQuery('admin', url).for, ...more })
      : paths.adminStar(starId, { lang, section, entry, ...more });
}
