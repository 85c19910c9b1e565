import { Registry } from 'prom-client';

/**
 * What this process counts (`/metrics`). A metric is defined where it is counted, with `registers: [metrics]`: the library's own
 * registry would be shared by the built server and what starts it, which have the same modules twice.
 */
export const metrics = new Registry();

/** Seconds, for what takes from a fraction of a millisecond to some seconds. */
export const shortTimes = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Seconds, for what a machine elsewhere does, or a job. */
export const longTimes = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
