import { api, ownProcess } from '#api/app.ts';
import { clientAddress, noteConnection } from '#api/plugins/client.ts';

/** Forms that work without JavaScript: a page hands what was typed to the API's own door and shows what it says. */

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The fields of a posted form, each once; undefined when it is no form. The entry has bounded its size. */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string> | undefined> {
  if (!formType.test(request.headers.get('content-type') ?? '')) return undefined;
  return new Map(new URLSearchParams(await request.text()));
}

export interface ApiAnswer {
  status: number;
  /** What was wrong, when something was. */
  code: string | undefined;
  field: string | undefined;
  /** The most characters that the field takes, when there were more. */
  most: number | undefined;
  /** What is there already. */
  id: number | undefined;
  /** Seconds to wait after too many calls. */
  retryAfter: number;
  setCookies: readonly string[];
  /** What it says. */
  json: unknown;
}

const passedOn = ['origin', 'sec-fetch-site', 'cookie', 'user-agent'];

/** Calls the API for a visitor as the visitor's own browser would: with the cookie, the origin and the address. */
export async function callFor(
  request: Request,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<ApiAnswer> {
  const headers = new Headers(body ? { 'content-type': 'application/json' } : {});
  for (const name of passedOn) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const call = new Request(new URL(path, ownProcess), {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  noteConnection(call, clientAddress(request));
  const answer = await api.handle(call);
  const json: unknown = await answer.json();
  const said: { code?: string; field?: string; most?: number; id?: number } = answer.ok || !json ? {} : json;
  return {
    status: answer.status,
    json,
    code: said.code,
    field: said.field,
    most: said.most,
    id: said.id,
    retryAfter: Number(answer.headers.get('retry-after') ?? 0),
    setCookies: answer.headers.getSetCookie(),
  };
}

/** 303 to a path of ours, with the cookies that the API set. */
export function goOn(path: string, setCookies: readonly string[] = []): Response {
  const headers = new Headers({ location: path });
  for (const cookie of setCookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * Where to go after login (quality §Safe 12): a path on this site that is a page, never another origin, however it is
 * written. Undefined for anything else.
 */
export function localPath(wanted: string | null | undefined): string | undefined {
  if (
    !wanted?.startsWith('/') ||
    wanted.length > 500 ||
    /[\\\p{Cc}]/u.test(wanted) ||
    wanted.startsWith('//')
  )
    return undefined;
  const base = 'http://here.invalid';
  if (!URL.canParse(wanted, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(wanted, base);
  const isPage =
    origin === base && !pathname.startsWith('//') && !/^\/(?:api|media|login|logout)(?:\/|$)/.test(pathname);
  return isPage ? pathname + search + hash : undefined;
}
