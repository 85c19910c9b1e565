import type { Config } from '#api/config.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { codeOf } from '#db/error-code.ts';
import { log } from '#db/log.ts';
import { answerMetrics } from './answer-metrics.ts';

/** Ports that are tried, from the one that was set on. */
const attempts = 64;
/** Milliseconds after which a process without a port tries again. */
const retryEvery = 500;
/** Milliseconds for which it waits for that of the process before, which may serve for longer than 20 s after it was told to leave. */
const inheritedFor = 30_000;

interface Scrapes {
  /** Undefined where there is none; of the process before for as long as it is waited for. */
  readonly port: number | undefined;
  stop(): Promise<void>;
}

/**
 * Answers `/metrics` at a port of this process alone: processes that share a port share its requests, and a worker has none. Each takes
 * the first port that is free and keeps it: what is counted at one port is counted by one process for as long as that lives.
 * @param settings without a METRICS_PORT there is none; PORT is left to the site, which may be about to listen there
 * @param inherited the port of the process whose place this one takes: it is had once that process has left it, and another where
 *   some other program keeps it
 */
export function listenForScrapes(
  { host, port: sitePort, metricsPort: from }: Pick<Config, 'host' | 'port' | 'metricsPort'>,
  inherited?: number,
  patience = inheritedFor,
): Scrapes {
  if (from === undefined) return { port: undefined, stop: () => Promise.resolve() };
  const hostname = host === 'localhost' ? '127.0.0.1' : host;
  const all = { first: from, end: from + attempts };
  let wanted = inherited === undefined ? all : { first: inherited, end: inherited + 1 };
  let server = serveAtFirstFree(hostname, wanted, sitePort);
  if (!server && wanted === all) log.error({ from, attempts }, 'no port is free for metrics: METRICS_PORT');
  const givesUpAt = performance.now() + patience;
  const timer = setInterval(() => {
    if (!server && wanted !== all && performance.now() > givesUpAt) {
      wanted = all;
      log.warn({ port: inherited }, 'another program has the port for metrics of the process before');
    }
    try {
      server ??= serveAtFirstFree(hostname, wanted, sitePort);
      if (server) clearInterval(timer);
    } catch (error) {
      // Such as no file descriptor left: it is tried again.
      log.debug({ err: error }, 'no port for metrics yet');
    }
  }, retryEvery).unref();
  return {
    get port() {
      return server?.port ?? inherited;
    },
    async stop() {
      clearInterval(timer);
      await server?.stop(true);
    },
  };
}

/**
 * @param ports from `first` on, without `end`
 * @param except nor is this one tried
 */
function serveAtFirstFree(
  hostname: string,
  { first, end }: { first: number; end: number },
  except: number,
): MetricsServer | undefined {
  for (let port = first; port < end; port += 1) {
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
