import type { AppPorts, RunningEdge } from './edges.ts';

/** What the site takes from a proxy alone: a visitor's own would name lines of the log, and have his traces kept. */
const named: Readonly<Record<string, string>> = {
  'x-request-id': 'of-a-visitor-0123456789',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'visitor=1',
};

/** Each goes through a proxy on a way of its own. */
const asks = ['GET /en', 'GET /login', 'GET /api/community/channels/1/stream', 'POST /api/auth/logout'];

/**
 * Which headers of a visitor that only a proxy may set come through one, with an app that is ready and with one that only runs.
 * @param start the proxy, before apps at these ports
 * @returns each with the request that brought it, and what did not come through at all
 */
export async function visitorHeadersBehind(
  start: (ports: AppPorts) => Promise<RunningEdge>,
): Promise<string[]> {
  const faults: string[] = [];
  let isReady = true;
  let asked = 0;
  const app = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ method, url, headers }) {
      const { pathname } = new URL(url);
      if (pathname === '/readyz') return new Response(null, { status: isReady ? 200 : 503 });
      if (asks.includes(`${method} ${pathname}`)) asked += 1;
      for (const name of Object.keys(named))
        if (headers.has(name)) faults.push(`${name} ${method} ${pathname}`);
      return new Response('…', { headers: { 'cache-control': 'private, no-store' } });
    },
  });
  const port = app.port ?? 0;
  const edge = await start([port, port]);
  for (const ready of [true, false]) {
    isReady = ready;
    // As long as a proxy takes to see that it is not.
    if (!ready) await Bun.sleep(5_000);
    for (const ask of asks) {
      const [method = '', path = ''] = ask.split(' ');
      const before = asked;
      const answer = await fetch(edge.url + path, { method, headers: named });
      await answer.bytes();
      if (answer.status !== 200 || asked === before) faults.push(`${answer.status} ${ask}`);
    }
  }
  await edge.stop();
  await app.stop(true);
  return faults;
}
