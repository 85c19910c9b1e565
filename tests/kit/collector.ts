/** A stand-in for a collector of traces on loopback: OTLP over HTTP, in JSON. */

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  attributes: Record<string, unknown>;
  /** Names the process that made it. */
  process: unknown;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** All that it was sent. */
  text(): string;
  /** What it answers with, instead of 200. */
  answer: () => Response | Promise<Response>;
  stop(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Request {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        attributes: Attribute[];
      }[];
    }[];
  }[];
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export function startCollector(): Collector {
  const texts: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 });
      const text = await request.text();
      texts.push(text);
      const { resourceSpans }: Request = JSON.parse(text);
      for (const { resource, scopeSpans } of resourceSpans) {
        const process = valuesOf(resource.attributes)['service.instance.id'];
        for (const { spans } of scopeSpans)
          for (const { traceId, spanId, parentSpanId, name, attributes } of spans)
            collector.spans.push({
              ...{ traceId, spanId, parentSpanId, name, process },
              attributes: valuesOf(attributes),
            });
      }
      return collector.answer();
    },
  });
  const collector: Collector = {
    url: server.url.origin,
    spans: [],
    text: () => texts.join('\n'),
    answer: () => Response.json({}),
    stop: () => server.stop(true),
  };
  return collector;
}
