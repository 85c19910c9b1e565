import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { ReminderChannel, ReminderState } from '../schema/reminders.ts';
import type { SubscriptionRow } from './subscriptions.ts';

/** One message about an event, as the fan it is for sees it. */
export interface MyReminder {
  time: string;
  channel: ReminderChannel;
  state: ReminderState;
  reason: string | null;
  dueAt: Date;
  sentAt: Date | null;
}

/** An event that a fan is subscribed to, with its reminders in the order of time. */
export interface MyEvent {
  id: number;
  title: string;
  /** Language of the title. */
  language: Lang;
  state: 'scheduled' | 'cancelled';
  startTime: Date;
  zone: string;
  precision: 'minute' | 'day';
  isOver: boolean;
  subscriptionType: SubscriptionRow['subscriptionType'];
  email: boolean;
  push: boolean;
  times: string[];
  reminders: MyReminder[];
}

type StoredReminder = Omit<MyReminder, 'dueAt' | 'sentAt'> & { dueAt: string; sentAt: string | null };
type Stored = Record<string, unknown> &
  Omit<MyEvent, 'startTime' | 'reminders'> & { startTime: string; reminders: StoredReminder[] };

/** A fan's public events: coming ones first, the next at the top, then those that are over, the last at the top. */
export async function listMyEvents(userId: number, language: Lang, limit: number): Promise<MyEvent[]> {
  const rows = await database().execute<Stored>(sql`
    select e.id, et.title, et.language, e.state, e.start_time as "startTime", e.zone, e.precision,
      e.over_at <= now() as "isOver", s.subscription_type as "subscriptionType", s.email, s.push, s.times,
      (select coalesce(json_agg(json_build_object('time', r.time, 'channel', r.channel, 'state', r.state,
          'reason', r.reason, 'dueAt', r.due_at, 'sentAt', r.sent_at) order by r.due_at, r.id), '[]'::json)
        from reminders r where r.user_id = s.user_id and r.event_id = s.event_id) as reminders
    from event_subscriptions s join events e on e.id = s.event_id
    join lateral (select title, language from event_translations where event_id = e.id
      order by (language = ${language}) desc, (language = 'en') desc limit 1) et on true
    where s.user_id = ${userId} and e.verification = 'approved'
    order by e.over_at <= now(), case when e.over_at <= now() then - extract(epoch from e.start_time)
      else extract(epoch from e.start_time) end, e.id limit ${limit}`);
  return rows.map(({ startTime, reminders, ...row }) => ({
    ...row,
    startTime: new Date(startTime),
    reminders: reminders.map(({ dueAt, sentAt, ...each }) => ({
      ...each,
      dueAt: new Date(dueAt),
      sentAt: sentAt === null ? null : new Date(sentAt),
    })),
  }));
}
