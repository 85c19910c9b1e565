import { connection } from '#db/client.ts';
import { answerMetrics } from '../metrics/answer-metrics.ts';

export interface Health {
  ready: boolean;
}

const healthPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** True for the addresses of `answerHealth`. */
export const isHealthPath = (path: string): boolean => healthPaths.has(path);

/** `/healthz` (process), `/readyz` (database), `/metrics` (what this process counts). */
export function answerHealth(
  request: Request,
  path: string,
  health: Health,
): Response | Promise<Response> | undefined {
  if (path === '/healthz') return textResponse('ok', 200);
  if (path === '/readyz') return readiness(health);
  if (path === '/metrics') return answerMetrics(request);
  return undefined;
}

async function readiness(health: Health): Promise<Response> {
  if (!health.ready) return textResponse('stopping', 503);
  try {
    await connection()`select 1`;
    return textResponse('ready', 200);
  } catch {
    return textResponse('no database', 503);
  }
}

function textResponse(text: string, status: number): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
