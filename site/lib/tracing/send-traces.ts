import { Counter } from 'prom-client';
import type { Config } from '#api/config.ts';
import { metrics } from '#db/metrics.ts';
import { setTracer } from '#db/tracing.ts';

const spans = new Counter({
  name: 'byeol_trace_spans_total',
  help: 'Spans of traces: sent to the collector, lost because it was away, or dropped because too many waited for it.',
  labelNames: ['outcome'],
  registers: [metrics],
});

/** A stop waits no longer than this for a collector, in milliseconds. */
const endTimeout = 2_000;

/**
 * Sends traces to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, by OTLP over HTTP. Without one nothing is loaded and nothing made.
 * @returns sends what waits, and makes no more
 */
export async function startTracing({
  traceEndpoint,
  traceShare,
}: Pick<Config, 'traceEndpoint' | 'traceShare'>): Promise<() => Promise<void>> {
  if (!traceEndpoint) return () => Promise.resolve();
  const { makeTracer } = await import('./otlp-tracer.ts');
  const { tracer, end } = makeTracer(traceEndpoint, traceShare, (outcome, count) =>
    spans.inc({ outcome }, count),
  );
  setTracer(tracer);
  return async () => {
    setTracer(undefined);
    await Promise.race([end().catch(() => {}), Bun.sleep(endTimeout)]);
  };
}
