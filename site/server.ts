import { createApp } from 'astro/app/entrypoint';
import { sendPendingHints } from '#api/community/live/hints.ts';
import { acceptStreams, endStreams } from '#api/community/live/live.ts';
import { type Config, setConfig } from '#api/config.ts';
import { settlePurges } from '#api/edge/purge.ts';
import { onInvalidation, settleInvalidations } from '#api/invalidation.ts';
import { allJobs } from '#api/jobs/all.ts';
import { startJobs, stopJobs } from '#api/jobs/jobs.ts';
import { checkOriginals } from '#api/media/check-originals.ts';
import { forgetMarks } from '#api/media/marks.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { routePattern } from '#api/plugins/methods.ts';
import { sharedKey } from '#api/plugins/reads.ts';
import { readStarColours } from '#api/stars/stars.ts';
import { flushThrottled } from '#api/throttled-invalidation.ts';
import { chooseBus, closeBus } from '#db/bus.ts';
import { closeDatabase, openDatabase, poolSizeOf, unpreparedSizeOf } from '#db/client.ts';
import { hostsFrom } from '#db/hosts.ts';
import { log, setLogLevel } from '#db/log.ts';
import { findPrimary } from '#db/primary.ts';
import { Replicas } from '#db/replicas.ts';
import { setReplicas } from '#db/shared-read.ts';
import { watchDatabase } from '#db/watch-database.ts';
import { observePage } from './lib/cache/observe-render.ts';
import { markOutdated } from './lib/cache/outdated.ts';
import { PageCache } from './lib/cache/page-cache.ts';
import { ReadCache } from './lib/cache/read-cache.ts';
import { openSharedPages } from './lib/cache/shared-pages.ts';
import { answerRequest, failure, routeOf } from './lib/http/answer-request.ts';
import { answerHealth, type Health, isHealthPath } from './lib/http/health.ts';
import { type Leaving, listen } from './lib/http/listen.ts';
import { answerOutsideAstro, isOutsideAstro } from './lib/http/outside-astro.ts';
import { addSecurityHeaders } from './lib/http/security-headers.ts';
import { StaticFiles } from './lib/http/static-files.ts';
import { countFile, countPage, countRead } from './lib/metrics/answer-counts.ts';
import { watchCaches } from './lib/metrics/cache-metrics.ts';
import { listenForScrapes } from './lib/metrics/metrics-port.ts';
import { watchEventLoop } from './lib/metrics/process-metrics.ts';
import { CriticalCss } from './lib/pages/critical-css.ts';
import { answerPersonal } from './lib/pages/personal-pages.ts';
import { isAddress, pageKey, renderPublic } from './lib/pages/public-pages.ts';
import { matchRoute } from './lib/routes/match-route.ts';
import { maxCachedColours, warmColourScopes } from './lib/stars/colour-scope.ts';
import { startTracing } from './lib/tracing/send-traces.ts';

export interface RunningServer {
  url: string;
  /** Of this process alone, where there is one. */
  readonly metricsPort: number | undefined;
  /** `/readyz` says no from now on, and everything is answered as before: who sends us readers sends them elsewhere. */
  retire(): void;
  /** Drains: readiness down, for `drainSeconds` unless others have the port, what was accepted is answered, then no new connections, pool closed. */
  stop(leaving?: Leaving): Promise<void>;
}

type Server = ReturnType<typeof Bun.serve>;

const astroApp = createApp({ streaming: false });

/**
 * Serves the built site with `Bun.serve` (architecture §Running): static files, `/api/*`, health, then pages through the page
 * cache. The database must be migrated.
 * @param sharesPort other processes serve the port as well
 * @param metricsPort of the process whose place this one takes
 * @throws the error of `Bun.serve` when the port is taken
 */
export async function startServer(
  settings: Config,
  sharesPort = false,
  metricsPort?: number,
): Promise<RunningServer> {
  setConfig(settings);
  setLogLevel(settings.logLevel);
  if (!settings.databaseUrl) throw new Error('startServer needs a databaseUrl');
  const { databaseUrl, databaseDirectUrl = databaseUrl, databaseReplicaUrls } = settings;
  const pooledUrl = databaseDirectUrl === databaseUrl ? undefined : databaseUrl;
  const max = poolSizeOf(settings.databaseConnections);
  const primary = await findPrimary(databaseDirectUrl);
  openDatabase(primary, max, pooledUrl);
  const replicas =
    databaseReplicaUrls.length > 0
      ? new Replicas(databaseReplicaUrls, { max, maxUnprepared: unpreparedSizeOf(max) })
      : undefined;
  setReplicas(replicas);
  chooseBus(settings.busUrl);
  acceptStreams();
  const endTracing = await startTracing(settings);

  const stopWatching = watchDatabase({ hosts: hostsFrom(primary, databaseDirectUrl), pooledUrl, replicas });
  const listening = Promise.withResolvers<void>();
  if (settings.jobs) await startJobs(allJobs, listening.promise);

  const health: Health = { ready: true };
  const files = await StaticFiles.load(new URL('../client/', import.meta.url));
  const critical = new CriticalCss((href) => files.read(href));
  const sharedPages = await openSharedPages(settings, new URL('../.inputs', import.meta.url));
  const fifth = settings.pageCacheBytes / 5;
  const cache = new PageCache(
    (request, key) =>
      observePage(request, key, () =>
        renderPublic((inner) => astroApp.render(inner), request, key, critical),
      ),
    4 * fifth,
    Date.now,
    markOutdated,
    sharedPages?.store,
  );
  const readCache = new ReadCache(fifth);
  watchCaches({ pages: cache, reads: readCache, store: sharedPages?.store });
  watchEventLoop();
  const scrapes = listenForScrapes(settings, metricsPort);
  const unsubscribe = await onInvalidation(
    (tags) => {
      replicas?.noteWrite(tags);
      if (tags.includes('stars')) forgetMarks();
      cache.invalidate(tags);
      readCache.invalidate(tags);
      sharedPages?.invalidated(tags);
    },
    () => {
      replicas?.noteWrite();
      forgetMarks();
      cache.clear();
      readCache.clear();
    },
  );

  const hasProxies = settings.trustedProxies.length > 0;
  /** Whether a proxy may have named the work, which counts if it is one of ours: to look who asks would cost hot pages. */
  const namesWork = ({ headers }: Request): boolean =>
    hasProxies && (headers.has('x-request-id') || headers.has('traceparent'));
  const respond = (incoming: Request, bun: Server): Response | Promise<Response> => {
    const request = withOrigin(incoming);
    if (!request) return badHost();
    const pathAndQuery = pathAndQueryOf(request.url);
    const queryStart = pathAndQuery.indexOf('?');
    const path = queryStart < 0 ? pathAndQuery : pathAndQuery.slice(0, queryStart);
    const isGetOrHead = request.method === 'GET' || request.method === 'HEAD';
    if (isGetOrHead) {
      const file = files.answer(path, request);
      if (file) return countFile(file);
    }
    const matched = matchRoute(path);
    // An address that cannot be decoded is no page of a person: Astro would log it as a failure.
    const route = matched?.for === 'person' && !isAddress(path) ? undefined : matched;
    // An unknown address is a page for everyone, too: the 404 page.
    if (isGetOrHead && (route ? route.for === 'everyone' : !isOutside(path))) {
      // Searches are counted by address (decision S7); asking for it at every page would cost the hot ones.
      if ((queryStart >= 0 && route?.mayBeSearch) || namesWork(request))
        registerConnection(request, bun.requestIP(incoming)?.address);
      const query = queryStart < 0 ? '' : pathAndQuery.slice(queryStart + 1);
      const key = pageKey(path, query, route, request.headers.get('accept-language'));
      return countPage(route, cache.respond(request, key));
    }
    if (isGetOrHead) {
      const key = sharedKey(pathAndQuery, request);
      if (key) {
        if (namesWork(request)) registerConnection(request, bun.requestIP(incoming)?.address);
        return countRead(routePattern('GET', path) ?? 'unknown', readCache.respond(request, key));
      }
    }
    registerConnection(request, bun.requestIP(incoming)?.address, () => bun.timeout(incoming, 0));
    const probed = answerHealth(request, path, health);
    if (probed) return Promise.resolve(probed).then(addSecurityHeaders);
    return answerRequest(request, routeOf(request.method, path, route), async () => {
      const nonPage = answerOutsideAstro(request, path);
      if (nonPage) return addSecurityHeaders(await nonPage);
      if (route?.for !== 'person') return methodNotAllowed();
      const url = new URL(pathAndQuery, settings.siteUrl);
      return answerPersonal((inner) => astroApp.render(inner), request, url);
    });
  };

  /** Whoever asks again while this process stops does so on another connection: this one may be closed just then. */
  const withConnectionClose = (answer: Response): Response => {
    if (!health.ready) answer.headers.set('connection', 'close');
    return answer;
  };

  const heldWhileClosing = async (answer: Response | Promise<Response>): Promise<Response> => {
    const response = await answer;
    await server.closing;
    return withConnectionClose(response);
  };

  const serve = (hostname: string, port: number) =>
    Bun.serve({
      hostname,
      port,
      reusePort: sharesPort,
      // Longer than a body may take (`bodyDeadline`), which is refused in words: Bun may cut up to four seconds early.
      idleTimeout: 16,
      // Whoever reads a body bounds it and says so in words (`readBody`); Bun's own refusal is an empty answer. What nobody
      // reads is not kept in memory.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      fetch(incoming, bun) {
        const answer = respond(incoming, bun);
        return answer instanceof Response && !server.closing
          ? withConnectionClose(answer)
          : heldWhileClosing(answer);
      },
      error: failure,
    });
  const server = listen(settings.host, settings.port, serve, sharesPort);
  let retiredAt: number | undefined;
  const retire = (): number => {
    health.ready = false;
    retiredAt ??= performance.now();
    return retiredAt;
  };
  listening.resolve();
  checkOriginals().catch((error: unknown) =>
    log.error({ err: error }, 'the store of pictures could not be checked'),
  );

  readStarColours(maxCachedColours)
    .then(warmColourScopes)
    .catch((error: unknown) => log.error({ err: error }, 'the colours of the stars could not be read ahead'))
    .finally(() => sharedPages?.begin((key) => cache.renew(key)));

  return {
    url: server.url,
    get metricsPort() {
      return scrapes.port;
    },
    retire,
    async stop(leaving) {
      // Of several that share the port, one that leaves alone leaves it to the others.
      const isLast = !leaving?.place && (!sharesPort || retiredAt !== undefined);
      const drainedAt = retire() + settings.drainSeconds * 1_000;
      if (isLast) await Bun.sleep(Math.max(0, drainedAt - performance.now()));
      await Promise.all([server.drain(10_000, leaving), stopJobs(), endStreams(), sharedPages?.rest()]);
      await unsubscribe();
      stopWatching();
      await sendPendingHints();
      await flushThrottled();
      await settleInvalidations();
      await settlePurges();
      await sharedPages?.end();
      await scrapes.stop();
      await closeBus();
      await closeDatabase();
      setReplicas(undefined);
      await replicas?.end(5);
      await endTracing();
    },
  };
}

let lastHost = '';
/** A name or an address, with a port or without: anything else in `Host` would be read as a path or a query of the absolute address. */
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * A request with an absolute address, which everything behind reads. Who speaks HTTP/1.0 may leave `Host` out: what it would
 * say is never used (quality §Safe 12). Undefined when there is one that names no host, or more than one, which Bun joins with a comma.
 */
function withOrigin(request: Request): Request | undefined {
  const host = request.headers.get('host');
  // Nearly all name the same one.
  if (host && host !== lastHost) {
    if (!hostPattern.test(host) || !URL.canParse(`http://${host}/`)) return undefined;
    lastHost = host;
  }
  if (!request.url.startsWith('/')) return request;
  return host ? undefined : new Request(`http://localhost${request.url}`, request);
}

/** `/path?query` of an absolute address, without parsing the rest. */
function pathAndQueryOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start < 0 ? '/' : url.slice(start);
}

/** True for what is no page: calls, pictures, private calendars, health. */
const isOutside = (path: string): boolean => isOutsideAstro(path) || isHealthPath(path);

function badHost(): Response {
  return addSecurityHeaders(
    Response.json({ error: 'The Host header names no host.', code: 'malformed' }, { status: 400 }),
  );
}

function methodNotAllowed(): Response {
  return addSecurityHeaders(
    new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET, HEAD' } }),
  );
}
