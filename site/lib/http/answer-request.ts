import { Unavailable } from '#api/errors.ts';
import { refusal } from '#api/plugins/errors.ts';
import { routePattern } from '#api/plugins/methods.ts';
import { workOf } from '#api/plugins/request-id.ts';
import { isPassing, isUnreachable } from '#db/database-errors.ts';
import { log } from '#db/log.ts';
import { traced } from '#db/tracing.ts';
import { doFor } from '#db/work.ts';
import { countAnswer } from '../metrics/answer-counts.ts';
import { type MatchedRoute, patternOf } from '../routes/match-route.ts';
import { addSecurityHeaders } from './security-headers.ts';

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Answers a request for itself alone, under the id that the log, traces and the header `X-Request-Id` name; counted, timed, and
 * told in the log by its route, never by its address. What is answered from memory has none of it but the count: nothing is
 * done for it that one could look for, and other caches would hand its id on to everybody.
 */
export function answerRequest(
  request: Request,
  route: string,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const method = knownMethods.has(request.method) ? request.method : 'other';
  const work = workOf(request);
  const startedAt = performance.now();
  return doFor(work, async () => {
    const response = await traced(
      `${method} ${route}`,
      'server',
      { 'http.request.method': method, 'http.route': route, 'byeol.request_id': work.requestId },
      () => orFailure(answer),
      ({ status }) => ({ 'http.response.status_code': status }),
    );
    const milliseconds = performance.now() - startedAt;
    const { status } = response;
    countAnswer(method, route, status, milliseconds / 1000);
    log.info({ method, route, status, ms: Math.round(milliseconds) }, 'answered');
    response.headers.set('x-request-id', work.requestId);
    return response;
  });
}

async function orFailure(answer: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    return failure(error);
  }
}

/** What is answered when nothing else could be. */
export function failure(error: unknown): Response {
  const isUnavailable = isUnreachable(error) || isPassing(error);
  // Of a lost database the log has a line already.
  if (isPassing(error) || !isUnavailable) log.error({ err: error }, 'a request failed');
  if (isUnavailable) return addSecurityHeaders(refusal(new Unavailable()));
  return addSecurityHeaders(
    Response.json({ error: 'Something went wrong.', code: 'internal' }, { status: 500 }),
  );
}

/** What a request that no cache answers is counted as: a pattern, without what its address names. */
export function routeOf(method: string, path: string, page: MatchedRoute | undefined): string {
  if (page) return patternOf(page);
  if (path.startsWith('/api/') || path === '/api') return routePattern(method, path) ?? '/api/*';
  if (path.startsWith('/media/')) return '/media/*';
  if (path.startsWith('/calendar/')) return '/calendar/*';
  return 'unknown';
}
