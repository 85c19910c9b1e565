import { config } from '#api/config.ts';
import { clientAddress } from '#api/plugins/client.ts';
import { connection } from '#db/client.ts';
import type { PageCache } from '../cache/page-cache.ts';

export interface Health {
  ready: boolean;
}

const healthPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** True for the addresses of `answerHealth`. */
export const isHealthPath = (path: string): boolean => healthPaths.has(path);

/** `/healthz` (process), `/readyz` (database), `/metrics` (Prometheus text; loopback or token only). */
export function answerHealth(
  request: Request,
  path: string,
  health: Health,
  cache: PageCache,
): Response | Promise<Response> | undefined {
  if (path === '/healthz') return textResponse('ok', 200);
  if (path === '/readyz') return readiness(health);
  if (path === '/metrics') return metrics(request, cache);
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

const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

function metrics(request: Request, cache: PageCache): Response {
  const token = config().metricsToken;
  const address = clientAddress(request);
  // A proxy on the same machine asks for somebody else, and says so.
  const isForwarded = forwarding.some((name) => request.headers.has(name));
  const local = !isForwarded && ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address);
  const granted = token ? request.headers.get('authorization') === `Bearer ${token}` : local;
  if (!granted) return textResponse('Not Found', 404);
  const lines = [
    '# TYPE byeol_page_cache_answers_total counter',
    ...Object.entries(cache.counts).map(
      ([kind, count]) => `byeol_page_cache_answers_total{kind="${kind}"} ${count}`,
    ),
    '# TYPE byeol_page_renders_total counter',
    `byeol_page_renders_total ${cache.renders}`,
    '# TYPE byeol_page_cache_bytes gauge',
    `byeol_page_cache_bytes ${cache.bytes}`,
    '# TYPE byeol_page_cache_pages gauge',
    `byeol_page_cache_pages ${cache.size}`,
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
  ];
  return textResponse(`${lines.join('\n')}\n`, 200);
}

function textResponse(text: string, status: number): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
