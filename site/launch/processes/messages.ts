import type { Config } from '#api/config.ts';
import type { Place } from '../../lib/http/shared-port.ts';

/**
 * What the supervisor tells a process: with which settings to serve, and at which port of the process before to answer for metrics; that
 * all are about to end; or to leave the port to the others and end.
 */
export type Order =
  | { kind: 'serve'; settings: Config; metricsPort: number | undefined }
  | { kind: 'retire' }
  | { kind: 'leave'; place: Place };

/**
 * What a process tells the supervisor: that it serves, that it still does, that it takes no new connections any more, or why it cannot go on.
 * Its port for metrics may become another one.
 */
export type Report =
  | { kind: 'serves'; url: string; metricsPort: number | undefined }
  | { kind: 'alive'; metricsPort: number | undefined }
  | { kind: 'left' }
  | { kind: 'fails'; reason: string };

/** Milliseconds between two signs of life of a process that serves. */
export const signOfLifeInterval = 2_000;
