import type { EventStatus } from './model.ts';

/** The four values of the specification, from what is stored, when it is over and the time (decision E2). */
export function statusOf(state: 'scheduled' | 'cancelled', start: Date, over: Date, now: Date): EventStatus {
  if (state === 'cancelled') return 'cancelled';
  if (now >= over) return 'completed';
  return now >= start ? 'live' : 'upcoming';
}
