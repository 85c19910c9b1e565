import { currentWork, doFor } from './work.ts';

export type Attributes = Record<string, string | number>;
export type SpanKind = 'server' | 'client' | 'internal' | 'producer' | 'consumer';

export interface Span {
  /** W3C's `traceparent` of this span. */
  traceparent: string;
  set(attributes: Attributes): void;
  /** @param error what it failed with */
  end(error?: unknown): void;
}

/** Begins a span below another, or a trace of its own. `parent` may come from a proxy, and has the form of `traceparent`. */
export type Tracer = (
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  parent: string | undefined,
) => Span;

let tracer: Tracer | undefined;

/** From now on spans are made; undefined: none are, and nothing is asked of anybody. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/**
 * Does something as a span of the trace to which the work belongs that runs now. Without a tracer (no
 * `OTEL_EXPORTER_OTLP_ENDPOINT`) it does it, and no more.
 * @param attributesOf attributes that only what came out can tell
 */
export function traced<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  action: () => Promise<T>,
  attributesOf?: (result: T) => Attributes,
): Promise<T> {
  if (!tracer) return action();
  const work = currentWork();
  const span = tracer(name, kind, attributes, work?.traceparent);
  return doFor({ ...work, traceparent: span.traceparent }, async () => {
    try {
      const result = await action();
      if (attributesOf) span.set(attributesOf(result));
      span.end();
      return result;
    } catch (error) {
      span.end(error);
      throw error;
    }
  });
}

/** The same for what is a span only within a trace: nobody looks for what a process does by itself every second. */
function tracedWithin<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  action: () => Promise<T>,
): Promise<T> {
  return currentTraceparent() === undefined ? action() : traced(name, kind, attributes, action);
}

/** What another process needs to go on with this trace; undefined without a tracer, and outside of any trace that is kept. */
export function currentTraceparent(): string | undefined {
  const traceparent = tracer ? currentWork()?.traceparent : undefined;
  return traceparent !== undefined && isKept(traceparent) ? traceparent : undefined;
}

/** The last bit of its flags: nobody will see the other traces. */
const isKept = (traceparent: string): boolean => (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;

/**
 * Does something that serves several at once, such as what a timer gathered, as a part of one of their traces; without one it
 * does it, and no more, for nobody's work.
 * @param traceparent of whoever asked first
 */
export const continueTrace = <T>(
  traceparent: string | undefined,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  action: () => Promise<T>,
): Promise<T> => doFor({ traceparent }, () => tracedWithin(name, kind, attributes, action));

/** Begins a span that somebody else ends; undefined without a tracer, or outside of any trace. */
export function beginSpan(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
  const parent = currentTraceparent();
  return parent === undefined ? undefined : tracer?.(name, kind, attributes, parent);
}
