import { AsyncLocalStorage } from 'node:async_hooks';

/** For what something is done: a request, a job. Lines of the log and spans of traces name it. */
export interface Work {
  requestId?: string | undefined;
  /** The span below which what happens now belongs, as W3C's `traceparent`. */
  traceparent?: string | undefined;
}

const work = new AsyncLocalStorage<Work>();

/** The work that runs now; undefined outside of any. */
export const currentWork = (): Work | undefined => work.getStore();

/** Does something, and whatever follows from it, for a piece of work. */
export const doFor = <T>(piece: Work, action: () => T): T => work.run(piece, action);
