import { brotliCompress, constants } from 'node:zlib';
import { ApiError } from '#api/errors.ts';
import { readFormBody } from '#api/plugins/bounds.ts';
import { clientAddress, registerConnection } from '#api/plugins/client.ts';
import { lacksSessionMark, renewedCookies, visitorOf } from '#api/plugins/session.ts';
import { words } from '../../i18n/words.ts';
import { chooseEncoding } from '../http/encodings.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { languageOf } from '../routes/request-language.ts';
import { policyOf } from './page-policy.ts';

const methods = new Set(['GET', 'HEAD', 'POST']);
/** Bytes of an editor's form: a whole story, in which a syllable takes nine. */
const maxStoryBytes = 256 * 1024;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Answers one visitor (decision L4): the page knows who asks and takes forms. It is rendered for this request alone, kept by
 * nobody, and never touches the page cache (quality §Safe 14).
 * @param url the page's address on our own origin
 */
export async function answerPersonal(
  render: (request: Request) => Promise<Response>,
  request: Request,
  url: URL,
): Promise<Response> {
  if (!methods.has(request.method)) return methodNotAllowed();
  const { method, headers } = request;
  const body = method === 'POST' ? await readFormBytes(request, url) : undefined;
  if (body instanceof Response) return body;
  const pageRequest = new Request(url, {
    method: method === 'HEAD' ? 'GET' : method,
    headers,
    ...(body ? { body } : {}),
  });
  registerConnection(pageRequest, clientAddress(request));
  const answer = await render(pageRequest);
  return finish(answer, request, await missingMark(pageRequest, answer));
}

/** A session that this page found by its cookie alone shows itself to the scripts of every page from here on. */
async function missingMark(request: Request, answer: Response): Promise<readonly string[]> {
  if (!lacksSessionMark(request) || answer.headers.has('set-cookie')) return [];
  const visitor = await visitorOf(request).catch(() => undefined);
  return visitor ? renewedCookies(request) : [];
}

/** The bytes of a form, or what is said to whoever sends what is none: the browser goes back to what was typed. */
async function readFormBytes(request: Request, url: URL): Promise<Uint8Array<ArrayBuffer> | Response> {
  try {
    return await (url.pathname.startsWith('/admin')
      ? readFormBody(request, maxStoryBytes)
      : readFormBody(request));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const t = words(languageOf(url, request.headers.get('accept-language')));
    const text = t(error.status === 413 ? 'states:formTooLarge' : 'states:formUnreadable');
    return new Response(text, {
      status: error.status,
      headers: {
        ...securityHeaders(),
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'private, no-store',
      },
    });
  }
}

function methodNotAllowed(): Response {
  return new Response('Method Not Allowed', {
    status: 405,
    headers: { ...securityHeaders(), allow: [...methods].join(', ') },
  });
}

async function finish(answer: Response, request: Request, setCookies: readonly string[]): Promise<Response> {
  const headers = new Headers(answer.headers);
  for (const cookie of setCookies) headers.append('set-cookie', cookie);
  for (const [name, value] of Object.entries(securityHeaders(policyOf(answer)))) headers.set(name, value);
  headers.set('cache-control', 'private, no-store');
  headers.set('vary', 'Cookie, Accept-Language, Accept-Encoding');
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const { status } = answer;
  if (bytes.byteLength === 0) return new Response(null, { status, headers });
  const body = chooseEncoding(request) === 'br' ? await brotli(bytes, headers) : bytes;
  // For HEAD the server sends the body's length alone.
  return new Response(body, { status, headers });
}

function brotli(bytes: Uint8Array, headers: Headers): Promise<Uint8Array<ArrayBuffer>> {
  headers.set('content-encoding', 'br');
  return new Promise((resolve, reject) =>
    brotliCompress(bytes, brotliOptions, (error, compressed) =>
      error ? reject(error) : resolve(new Uint8Array(compressed)),
    ),
  );
}
