import type { Config } from '#api/config.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { codeOf } from '#db/error-code.ts';
import { log } from '#db/log.ts';
import { answerMetrics } from './answer-metrics.ts';

/** Ports that are tried, from the one that was set on. */
const attempts = 64;
/** Milliseconds after which a process looks for a lower port again. */
const moveEvery = 1_000;

/**
 * Answers `/metrics` at a port of this process alone: processes that share a port share its requests, and a worker has none. Each takes
 * the first port that is free, and a lower one once that is: in a rolling restart the new process comes before the old one
 * leaves, and the ports that are scraped stay the same.
 * @param settings without a METRICS_PORT there is none; PORT is left to the site, which may be about to listen there
 * @returns ends it
 */
export function listenForScrapes({
  host,
  port: sitePort,
  metricsPort: port,
}: Pick<Config, 'host' | 'port' | 'metricsPort'>): () => Promise<void> {
  if (port === undefined) return () => Promise.resolve();
  const hostname = host === 'localhost' ? '127.0.0.1' : host;
  let server = serveAtFirstFree(hostname, port, port + attempts, sitePort);
  if (!server) log.error({ from: port, attempts }, 'no port is free for metrics: METRICS_PORT');
  const timer = setInterval(() => {
    try {
      const lower = serveAtFirstFree(hostname, port, server?.port ?? port + attempts, sitePort);
      if (!lower) return;
      void server?.stop();
      server = lower;
    } catch (error) {
      // Such as no file descriptor left: it is looked for again.
      log.debug({ err: error }, 'no lower port for metrics');
    }
  }, moveEvery).unref();
  return async () => {
    clearInterval(timer);
    await server?.stop(true);
  };
}

/**
 * @param end the first port that is not tried
 * @param except nor is this one
 */
function serveAtFirstFree(
  hostname: string,
  from: number,
  end: number,
  except: number,
): MetricsServer | undefined {
  for (let port = from; port < end; port += 1) {
    if (port === except) continue;
    try {
      const server = serve(hostname, port);
      log.info({ port }, 'metrics have a port of their own');
      return server;
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
  return undefined;
}

type MetricsServer = ReturnType<typeof serve>;

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
