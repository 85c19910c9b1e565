/** A stand-in for a cache in front of the site: it notes what it is told. */
export interface EdgeStandIn {
  /** Of its address. */
  port: number;
  calls: { method: string; path: string; headers: Headers; body: string; at: number }[];
  /** What it answers from now on. */
  answers(status: number): void;
  stop(): Promise<void>;
}

export function startEdge(): EdgeStandIn {
  const calls: EdgeStandIn['calls'] = [];
  let status = 200;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method, headers, url } = request;
      calls.push({
        method,
        headers,
        path: new URL(url).pathname,
        body: await request.text(),
        at: performance.now(),
      });
      return Response.json({}, { status });
    },
  });
  return {
    port: server.port ?? 0,
    calls,
    answers: (next) => {
      status = next;
    },
    stop: () => server.stop(true),
  };
}
