/**
 * The browser's one way to the API (§7, §8): bearer token, credentials, errors as `status: body`, time-outs and retries. What
 * a call is stands in `lib/http/api-call.ts`. No React, no framework: every page may use it.
 */
import {
  type AnyCall,
  type ApiAnswer,
  type ApiCall,
  type ApiMethod,
  type ApiPath,
  type CallArguments,
  requestOf,
} from '../lib/http/api-call.ts';
import { inAppBrowser } from '../lib/pages/in-app.ts';
import { token } from '../stores/session.ts';

/** The server said no: `message` is its status and body. Lost connections are a `TypeError`, time-outs a `TimeoutError`. */
export class CallFailed extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
    /** Seconds after which to come back; 0 when the server named none. */
    readonly retryAfter: number,
  ) {
    super(`${status}: ${body}`);
  }

  /** `{ error, code, field? }` of our API (decision S8); empty for an answer of somebody between us. */
  get problem(): { error?: string; code?: string; field?: string } {
    try {
      return JSON.parse(this.body);
    } catch {
      return {};
    }
  }
}

let serverIsAhead = 0;

/** Now by the server's clock, ms, as its last answer told it: a phone's own may be minutes off. */
export const serverNow = () => Date.now() + serverIsAhead;

/** Learns from an answer how the clocks differ; one that may have been kept on the way tells of another time. */
function compareClocks({ headers }: Response, askedAt: number): void {
  const date = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(date) || !headers.get('cache-control')?.includes('no-store')) return;
  // It was written between question and answer, in whole seconds and up to one late: who agrees with that is right.
  serverIsAhead = date < askedAt - 2000 || date > Date.now() ? date - Date.now() : 0;
}

const isLate = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** How patient a call is. Left out: §8's rules. */
export interface Patience {
  /** Milliseconds for each try, 10,000 by default. */
  timeout?: number;
  /** Further tries: 3 for reads; for writes 1 when `idempotent`, else 0. Never after a 4xx. */
  retries?: number;
  /** Milliseconds between tries; by default 1 s, 2 s, 4 s … up to 30 s for reads and 1 s for writes. */
  pause?: number;
  /** A try that came too late is not made again. */
  lateIsFinal?: boolean;
  /** A write that does the same however often it arrives (decision S5). */
  idempotent?: boolean;
  signal?: AbortSignal;
}

const isFinal = (error: unknown, { signal, lateIsFinal }: Patience) =>
  signal?.aborted ||
  (error instanceof CallFailed && error.status >= 400 && error.status < 500) ||
  (lateIsFinal && isLate(error));

/**
 * What every request to the API carries (§7): the token of whoever is logged in, credentials, and in an app's browser,
 * whose caches outlive what the server says, an address that was never asked for before.
 */
function request(address: string, init: RequestInit): Request {
  if (!address.startsWith('/api/')) return new Request(address, init);
  const headers = new Headers(init.headers);
  const proof = token.get();
  if (proof) headers.set('authorization', `Bearer ${proof}`);
  if (!inAppBrowser(navigator.userAgent))
    return new Request(address, { ...init, headers, credentials: 'include' });
  headers.set('cache-control', 'no-cache');
  headers.set('pragma', 'no-cache');
  const fresh = `${address}${address.includes('?') ? '&' : '?'}_=${Date.now()}`;
  return new Request(fresh, { ...init, headers, credentials: 'include', cache: 'no-store' });
}

/** Waits, but no longer than until the network is back or nobody wants the answer any more. */
const wait = (milliseconds: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    signal?.addEventListener('abort', done);
  });

/**
 * `fetch` with §8's patience for whatever `read` makes of the answer, which may be a page's HTML as well.
 * @throws CallFailed, TypeError (no connection), TimeoutError, AbortError
 */
export async function fetchPatiently<Answer>(
  address: string,
  init: RequestInit,
  read: (response: Response) => Promise<Answer>,
  patience: Patience = {},
): Promise<Answer> {
  const { method = 'GET' } = init;
  const {
    signal,
    timeout = 10_000,
    retries = method === 'GET' ? 3 : Number(patience.idempotent ?? false),
  } = patience;
  for (let tried = 0; ; tried += 1) {
    const late = AbortSignal.timeout(timeout);
    const askedAt = Date.now();
    try {
      const response = await fetch(
        request(address, { ...init, signal: signal ? AbortSignal.any([signal, late]) : late }),
      );
      compareClocks(response, askedAt);
      if (response.ok) return await read(response);
      throw new CallFailed(
        response.status,
        await response.text(),
        Number(response.headers.get('retry-after') ?? 0),
      );
    } catch (error) {
      if (tried >= retries || isFinal(error, patience)) throw error;
    }
    await wait(patience.pause ?? (method === 'GET' ? Math.min(1000 * 2 ** tried, 30_000) : 1000), signal);
    signal?.throwIfAborted();
  }
}

/**
 * Calls the API: `await callApi('get', '/api/stars/:id/profile', { params: { id: 7 } })`. Carries the token of whoever is
 * logged in. Lists in a query go as JSON text.
 * @throws CallFailed, TypeError (no connection), TimeoutError, AbortError
 */
export function callApi<M extends ApiMethod, const P extends ApiPath<M>>(
  method: M,
  path: P,
  ...call: CallArguments<ApiCall<M, P> & Patience>
): Promise<ApiAnswer<M, P>>;
export function callApi(method: ApiMethod, path: string, call: AnyCall & Patience = {}): Promise<unknown> {
  return fetchPatiently(...requestOf(method, path, call), (response) => response.json(), call);
}
