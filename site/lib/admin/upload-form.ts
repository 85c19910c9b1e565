import { api, internalOrigin } from '#api/app.ts';
import { readId } from '#api/input.ts';
import { clientAddress, disableIdleTimeout, registerConnection } from '#api/plugins/client.ts';
import type { Lang } from '#content/locales.ts';
import { directoryFailures, pictureFailures } from '../../routes.ts';
import { forwardedHeaders, seeOther } from '../accounts/forms.ts';
import { type ApiRefusal, readResponse } from '../http/api-call.ts';
import { paths } from '../routes/paths.ts';
import { languageOf } from '../routes/request-language.ts';
import { readQuery } from '../routes/route-parameters.ts';

/** A form that sends a file without a script: its bytes go on to the call unread, which knows who may. */
interface UploadForm {
  call: string;
  /** Where it is sent from, as the address that it is sent to tells. */
  from(url: URL, lang: Lang): string;
  /** The page of what was made, or was there already. */
  made(url: URL, lang: Lang, answer: { id: number; isKnown?: boolean }): string;
  /** Where it was sent from, with the reason. */
  refused(url: URL, lang: Lang, error: ApiRefusal['error']): string;
}

/** Where the form of a picture stands: in the library, where a story or event may ask for it, or with a star that does. */
function pictureForm(
  url: URL,
  lang: Lang,
  more: { picture?: number; refused?: string; saved?: string; known?: string } = {},
) {
  const starId = readId(url.searchParams.get('star'));
  const { section, entry } = readQuery('adminStar', url);
  return starId === undefined
    ? paths.admin({ tab: 'multimedia', lang, for: readQuery('admin', url).for, ...more })
    : paths.adminStar(starId, { lang, section, entry, ...more });
}

/** By the addresses that the forms have. */
export const uploadForms = {
  '/admin/pictures': {
    call: '/api/admin/pictures',
    from: pictureForm,
    made: (url, lang, { id, isKnown }) =>
      pictureForm(url, lang, { picture: id, ...(isKnown ? { known: '1' } : { saved: '1' }) }),
    refused: (url, lang, { code }) =>
      pictureForm(url, lang, { refused: pictureFailures.find((each) => each === code) ?? 'unavailable' }),
  },
  '/admin/directory/files': {
    call: '/api/admin/directory/imports',
    from: (_url, lang) => paths.adminDirectory({ lang }),
    made: (_url, lang, { id }) => paths.adminDirectory({ lang, import: id }),
    refused: (_url, lang, { code, about }) => {
      const refused = directoryFailures.find((each) => each === code) ?? 'unavailable';
      return paths.adminDirectory({ lang, refused, ...(about !== undefined && { about }) });
    },
  },
} as const satisfies Record<string, UploadForm>;

/** The form at this address; undefined when it is none. */
export const uploadFormAt = (path: string): UploadForm | undefined =>
  Object.hasOwn(uploadForms, path) ? uploadForms[path as keyof typeof uploadForms] : undefined;

/** Hands a posted file to its call, and goes on to its page, or back to the form with the reason. */
export async function answerUploadForm(request: Request, form: UploadForm): Promise<Response> {
  const url = new URL(request.url);
  const lang = languageOf(url, request.headers.get('accept-language'));
  if (request.method !== 'POST') return seeOther(form.from(url, lang));
  const headers = new Headers();
  for (const name of [...forwardedHeaders, 'content-type', 'content-length']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const forwarded = new Request(new URL(form.call, internalOrigin), {
    method: 'POST',
    headers,
    body: request.body,
  });
  registerConnection(forwarded, clientAddress(request), () => disableIdleTimeout(request));
  const { status, error, answer } = await readResponse<{ id: number; isKnown?: boolean }>(
    await api.handle(forwarded),
  );
  if (!error) return seeOther(form.made(url, lang, answer));
  if (status === 401) return seeOther(paths.login({ lang, next: form.from(url, lang) }));
  if (status === 403) return seeOther(paths.adminForbidden({ lang }));
  return seeOther(form.refused(url, lang, error));
}
