import type { EventStatus } from './model.ts';

/** The four values of §3 Event, from what is stored, when it is over and the time (decision E2). */
export function statusOf(state: 'scheduled' | 'cancelled', start: Date, over: Date, now: Date): EventStatus {
  if (state === 'cancelled') return 'cancelled';
  if (now >= over) return 'completed';
  return now >= start ? 'live' : 'upcoming';
}

/** Seconds until an event's status changes by itself, Infinity when it will not. */
export function secondsToChange(
  { status, startTime, overAt }: { status: EventStatus; startTime: string; overAt: string },
  now: Date,
): number {
  const next = { upcoming: startTime, live: overAt, completed: undefined, cancelled: undefined }[status];
  return next ? (Date.parse(next) - now.getTime()) / 1000 : Number.POSITIVE_INFINITY;
}
