import {
  type Context,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { site } from '#content/site.ts';
import type { Attributes, Span, SpanKind, Tracer } from '#db/tracing.ts';

/** What becomes of spans. */
type Outcome = 'sent' | 'lost' | 'dropped';

/** Spans that may wait for the collector: some hundreds of bytes each. */
const maxWaiting = 4_096;
const batchSize = 512;
const sendInterval = 2_000;
/** Milliseconds that a batch is tried for, again and again while the collector is busy. */
const sendTimeout = 5_000;
/** Longer values are cut off. */
const maxValueLength = 2_000;

const kinds: Record<SpanKind, OtelSpanKind> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
};

/**
 * Makes spans and sends them in batches. A collector that is away costs what waits for it, and no more.
 * @param endpoint below which `/v1/traces` is
 * @param share of the traces that begin here and are kept
 * @param count is told what became of spans
 */
export function makeTracer(
  endpoint: string,
  share: number,
  count: (outcome: Outcome, spans: number) => void,
): { tracer: Tracer; end(): Promise<void> } {
  let waiting = 0;
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: sendTimeout });
  const countingExporter: SpanExporter = {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        count(result.error || result.code !== 0 ? 'lost' : 'sent', spans.length);
        // Whoever made them cannot help it, and nobody is told twice.
        onResult({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': site.name.toLowerCase(),
      'service.instance.id': crypto.randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanLimits: { attributeValueLengthLimit: maxValueLength },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: countingExporter,
        maxQueueSize: maxWaiting,
        maxExportBatchSize: batchSize,
        scheduledDelayMillis: sendInterval,
        exportTimeoutMillis: sendTimeout + 1_000,
      }),
    ],
  });
  const otel = provider.getTracer('byeol');
  const finish = (span: OtelSpan) => {
    if (!span.isRecording()) return;
    if (waiting >= maxWaiting) {
      count('dropped', 1);
      return;
    }
    waiting += 1;
    span.end();
  };
  const tracer: Tracer = (name, kind, attributes, parent) =>
    ourSpan(otel.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent)), finish);
  return { tracer, end: () => provider.shutdown() };
}

function ourSpan(span: OtelSpan, finish: (span: OtelSpan) => void): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01';
  return {
    traceparent: `00-${traceId}-${spanId}-${sampled}`,
    set(attributes) {
      span.setAttributes(attributes);
      if (isFailure(attributes)) span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end(error) {
      // Messages of errors may hold values of a person: the kind of error has none.
      if (error !== undefined)
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kindOf(error));
      finish(span);
    },
  };
}

const isFailure = (attributes: Attributes): boolean => Number(attributes['http.response.status_code']) >= 500;

/** `57014` of PostgreSQL, whatever Drizzle wraps around it, else `TimeoutError`. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? kindOf(error.cause) : error.name;
}

/** @param traceparent W3C's, version 00, of this or another process */
function contextOf(traceparent: string | undefined): Context {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}
