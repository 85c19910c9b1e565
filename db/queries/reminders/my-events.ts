import { and, eq, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { eventSubscriptions, events } from '../../schema/events.ts';
import { reminders } from '../../schema/reminders.ts';
import { execute, jsonArray, jsonObject, literal, type RowOf, selectValue, type ValueOf } from '../../sql.ts';
import { bestEventWords, e, et, isPublic } from '../events/fields.ts';

const { userId: fanId, eventId, subscriptionType, email, push, times } = eventSubscriptions;

const reminder = jsonObject({
  time: reminders.time,
  channel: reminders.channel,
  state: reminders.state,
  reason: reminders.reason,
  dueAt: reminders.dueAt,
  sentAt: reminders.sentAt,
});

/** One message about an event, as the fan it is for sees it. */
export type MyReminder = ValueOf<typeof reminder>;

const isOver = sql<boolean>`${e.overAt} <= now()`;

const myEventFields = {
  id: e.id,
  title: et.title,
  /** Language of the title. */
  language: et.language,
  state: e.state,
  startTime: e.startTime,
  zone: e.zone,
  precision: e.precision,
  isOver,
  subscriptionType,
  email,
  push,
  times,
  reminders: selectValue(
    jsonArray(reminder, { orderBy: sql`${reminders.dueAt}, ${reminders.id}` }),
    sql`from ${reminders} where ${and(eq(reminders.userId, fanId), eq(reminders.eventId, eventId))}`,
  ),
};

/** An event that a fan is subscribed to, with its reminders in the order of time. */
export type MyEvent = RowOf<typeof myEventFields>;

/** A fan's public events: coming ones first, the next at the top, then those that are over, the last at the top. */
export function listMyEvents(userId: number, language: Lang, limit: number): Promise<MyEvent[]> {
  const start = sql`extract(epoch from ${e.startTime})`;
  return execute(
    myEventFields,
    (columns) => sql`
      select ${columns} from ${eventSubscriptions} join ${events} ${e} on ${e.id} = ${eventId} ${bestEventWords(language)}
      where ${and(eq(fanId, userId), isPublic())}
      order by ${isOver}, case when ${isOver} then - ${start} else ${start} end, ${e.id} limit ${literal(limit)}`,
  );
}
