import { Elysia, ParseError, ValidationError } from 'elysia';
import { isPassing, isUnreachable } from '#db/database-errors.ts';
import { log } from '#db/log.ts';
import { ApiError, BadInput, Moved, NotFound, Unavailable } from '../errors.ts';
import { inputFault } from '../validation-fault.ts';
import { goneDuring } from './gone.ts';
import { allowedMethods, routePattern } from './methods.ts';

/** The one place where errors become answers: `{ error, code, field?, … }` (decision S8, quality §Safe 4). */
export const errors = new Elysia({ name: 'errors' }).onError({ as: 'global' }, async (context) => {
  const { code, request } = context;
  const error = (await goneDuring(context.error, request)) ?? context.error;
  if (error instanceof Moved) return redirect(error, request);
  if (error instanceof ApiError) return refusal(error);
  if (code === 'NOT_FOUND') return answerUnknown(request);
  if (error instanceof ValidationError && error.type !== 'response') return refusal(explain(error));
  if (error instanceof ParseError && error.cause instanceof ApiError) return refusal(error.cause);
  if (error instanceof ParseError) return refusal(new BadInput('body', 'Must be valid JSON.', 'malformed'));
  const isUnavailable = isUnreachable(error) || isPassing(error);
  // Of a lost database the log has a line already.
  if (isPassing(error) || !isUnavailable) report(error, request);
  if (isUnavailable) return refusal(new Unavailable());
  return json(500, { error: 'Something went wrong.', code: 'internal' });
});

/** An error as the API says it. */
export function refusal({ status, message, code, field, more, headers }: ApiError): Response {
  return json(status, { error: message, code, field, ...more }, headers);
}

function json(
  status: number,
  body: { error: string; code: string; field?: string | undefined } & ApiError['more'],
  headers = {},
): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'private, no-store', ...headers } });
}

/** The same address with the new number; 308 lets a call that writes keep its method and body. */
function redirect(moved: Moved, { url, method }: Request): Response {
  const { pathname, search } = new URL(url);
  const location = pathname.replace(new RegExp(`/${moved.from}(?=/|$)`), `/${moved.into}`) + search;
  const status = method === 'GET' || method === 'HEAD' ? 301 : 308;
  const body = { error: moved.message, code: moved.code, ...moved.more };
  return json(status, body, { location });
}

/** No route has this method and path: 405 when another method would do, the methods for OPTIONS, else 404. */
function answerUnknown(request: Request): Response {
  const allow = allowedMethods(new URL(request.url).pathname);
  if (allow === undefined) return refusal(new NotFound('Address'));
  if (request.method === 'OPTIONS') {
    return new Response(null, { status: 204, headers: { allow, 'cache-control': 'private, no-store' } });
  }
  return json(405, { error: `Use one of: ${allow}.`, code: 'method_not_allowed' }, { allow });
}

/** A sentence for a failed check. Nothing of what was sent goes back: it may be a password. */
function explain({ type, valueError }: ValidationError): ApiError {
  if (type === 'params') return new NotFound('Address');
  return inputFault(type, valueError);
}

/** One line for the operator: what failed where, without the values that a query or a body carried. */
function report(error: unknown, request: Request): void {
  const { method, url } = request;
  const call = { method, route: routePattern(method, new URL(url).pathname) };
  if (error instanceof ValidationError) {
    const at = error.valueError?.path ?? 'its root';
    log.error({ ...call, at }, 'an answer breaks its contract');
  } else {
    log.error({ ...call, err: error }, 'a call failed');
  }
}
