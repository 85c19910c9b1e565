import type { EventType } from '#db/schema/events.ts';
import type { EventStatus } from './model.ts';

/** Usual length in minutes of an event without an end (decision E2). Day-long ones last their day. */
const usualMinutes: Record<EventType, number> = {
  comeback: 60,
  concert: 150,
  fan_meeting: 120,
  tv_show: 80,
  award_show: 240,
  streaming: 60,
  birthday: 1440,
  anniversary: 1440,
  release: 60,
  other: 120,
};

/** When an event is over: its own end, the end of its day, or the usual length of its type after the start. */
export function endOf(event: {
  eventType: EventType;
  startTime: Date;
  endTime: Date | null;
  precision: 'minute' | 'day';
}): Date {
  if (event.endTime) return event.endTime;
  const minutes = event.precision === 'day' ? 1440 : usualMinutes[event.eventType];
  return new Date(event.startTime.getTime() + minutes * 60_000);
}

/** The four values of the specification, from what is stored and the time (decision E2). */
export function statusOf(state: 'scheduled' | 'cancelled', start: Date, end: Date, now: Date): EventStatus {
  if (state === 'cancelled') return 'cancelled';
  if (now >= end) return 'completed';
  return now >= start ? 'live' : 'upcoming';
}
