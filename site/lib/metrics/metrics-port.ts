import { registerConnection } from '#api/plugins/client.ts';
import { log } from '#db/log.ts';
import { answerMetrics } from './answer-metrics.ts';

/** Ports that are tried, from the one that was set on. */
const attempts = 64;

/**
 * Answers `/metrics` at a port of this process alone: processes that share a port share its requests, and a worker has none. Each takes
 * the first port that is free, so one that starts anew has that of the one that ended.
 * @param port of METRICS_PORT; undefined: none
 * @returns ends it
 */
export function listenForScrapes(host: string, port: number | undefined): () => Promise<void> {
  if (port === undefined) return () => Promise.resolve();
  for (let candidate = port; candidate < port + attempts; candidate += 1) {
    try {
      const server = serve(host === 'localhost' ? '127.0.0.1' : host, candidate);
      log.info({ port: candidate }, 'metrics have a port of their own');
      return () => server.stop(true);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  log.error({ from: port, attempts }, 'no port is free for metrics: METRICS_PORT');
  return () => Promise.resolve();
}

const serve = (hostname: string, port: number) =>
  Bun.serve({
    hostname,
    port,
    // Without a word about it Bun shares a port with other processes outside of development.
    reusePort: false,
    development: false,
    fetch(request, server) {
      if (new URL(request.url).pathname !== '/metrics') return new Response('Not Found', { status: 404 });
      registerConnection(request, server.requestIP(request)?.address);
      return answerMetrics(request);
    },
  });
