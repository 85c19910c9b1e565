import { api, internalOrigin } from '#api/app.ts';
import { clientAddress, registerConnection } from '#api/plugins/client.ts';
import { isOwnOrigin } from '#api/plugins/session.ts';
import { isLang } from '#content/locales.ts';
import {
  type AnyCall,
  type ApiAnswer,
  type ApiCall,
  type ApiMethod,
  type ApiPath,
  type ApiResponse,
  type CallArguments,
  readResponse,
  requestOf,
} from '../http/api-call.ts';

/** Forms that work without JavaScript: a page hands what was typed to the API's own door and shows what it says. */

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The fields of a posted form, each once; undefined when it is no form. The entry has bounded its size. */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string> | undefined> {
  if (!formType.test(request.headers.get('content-type') ?? '')) return undefined;
  return new Map(new URLSearchParams(await request.text()));
}

/** What a person typed: any word where the API knows a few, which it judges. The names of fields are checked. */
type Typed<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? Typed<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Typed<Value[Name]> }
      : Value;

/** A call as a form sends it: ids of its address come as text. */
type FormCall<Call> = {
  [Name in keyof Call & ('params' | 'body')]: Name extends 'params'
    ? { [Param in keyof Call[Name]]: string | number }
    : Typed<Call[Name]>;
} & { headers?: Record<string, string> };

/** The body of such a call, for a function that makes it of a form. */
export type FormBody<M extends ApiMethod, P extends ApiPath<M>> =
  FormCall<ApiCall<M, P>> extends { body: infer Body } ? Body : never;

/** What tells who asks, and from which page. */
export const forwardedHeaders = ['origin', 'sec-fetch-site', 'cookie', 'user-agent'];

/**
 * Calls the API for a visitor as the visitor's own browser would, with the cookie, the origin and the address:
 * `await callApiFor(request, 'put', '/api/auth/profile', { body: { displayName } })`.
 */
export function callApiFor<M extends ApiMethod, const P extends ApiPath<M>>(
  request: Request,
  method: M,
  path: P,
  ...call: CallArguments<FormCall<ApiCall<M, P>>>
): Promise<ApiResponse<ApiAnswer<M, P>>>;
export function callApiFor(
  request: Request,
  method: ApiMethod,
  path: string,
  call?: AnyCall,
): Promise<ApiResponse> {
  return callUntyped(request, method, path, call);
}

/** The same where a table says which fields a form has: what it sends is judged by the call alone. */
export async function callUntyped(
  request: Request,
  method: ApiMethod,
  path: string,
  call: AnyCall = {},
): Promise<ApiResponse> {
  const [address, init] = requestOf(method, path, call);
  const headers = new Headers(init.headers);
  for (const name of forwardedHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const forwarded = new Request(new URL(address, internalOrigin), { ...init, headers });
  registerConnection(forwarded, clientAddress(request));
  return readResponse(await api.handle(forwarded));
}

/** 303 to a path of ours, with the cookies that the API set. */
export function seeOther(path: string, setCookies: readonly string[] = []): Response {
  const headers = new Headers({ location: path });
  for (const cookie of setCookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * Where to go after login (quality §Safe 12): a path on this site that is a page, never another origin, however it is
 * written. Undefined for anything else.
 */
export function localPath(target: string | null | undefined): string | undefined {
  if (
    !target?.startsWith('/') ||
    target.length > 500 ||
    /[\\\p{Cc}]/u.test(target) ||
    target.startsWith('//')
  )
    return undefined;
  const base = 'http://here.invalid';
  if (!URL.canParse(target, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(target, base);
  const isPage =
    origin === base && !pathname.startsWith('//') && !/^\/(?:api|media|login|logout)(?:\/|$)/.test(pathname);
  return isPage ? pathname + search + hash : undefined;
}

/** The page of this site from which one came to log in, by `Referer`; undefined for a front page, whose login leads to the channels. */
export function refererPath({ headers }: Request): string | undefined {
  const referer = URL.parse(headers.get('referer') ?? '');
  if (!referer || !isOwnOrigin(referer.origin)) return undefined;
  const { pathname, search } = referer;
  return pathname === '/' || isLang(pathname.slice(1)) ? undefined : localPath(pathname + search);
}
