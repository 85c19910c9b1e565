import { and, eq, inArray, isNull, lt, lte, min, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { database, type Transaction } from '../../client.ts';
import { deleteInPieces } from '../../in-pieces.ts';
import { users } from '../../schema/accounts.ts';
import { eventSubscriptions, events } from '../../schema/events.ts';
import { eventChanges, type NoticeKind, reminders } from '../../schema/reminders.ts';
import {
  type Executor,
  execute,
  isOneOf,
  literal,
  nameOf,
  namesOf,
  nullable,
  type RowOf,
} from '../../sql.ts';
import { e, et, isPublic, overAt, wordsOf } from '../events/fields.ts';

const r = alias(reminders, 'r');
const es = alias(eventSubscriptions, 'es');

/** Seconds for which whoever took a reminder may send it; then it is taken again. */
const leaseSeconds = 120;

/** Where a subscription wants to be told: `channel.name` of those that are `channel.wanted`. */
const channels = sql`(values ('email', ${es.email}), ('push', ${es.push})) as channel(name, wanted)`;

/** What makes a reminder the same as another: there is never a second one. */
const uniqueColumns = namesOf(
  reminders.userId,
  reminders.eventId,
  reminders.version,
  reminders.time,
  reminders.channel,
);

/** Who is told what by which channel, of the subscriptions that `condition` selects; goes with `event_subscriptions es`. */
const insertPlans = (condition: SQL | undefined) => sql`
  insert into ${reminders} (${uniqueColumns}, ${namesOf(reminders.dueAt, reminders.nextAt, reminders.state, reminders.reason)})
  select ${es.userId}, ${e.id}, ${e.scheduleVersion}, before.time, channel.name, due.at, due.at,
    case when due.at <= now() then 'skipped' else 'planned' end, case when due.at <= now() then 'past' end
  from ${eventSubscriptions} ${es} join ${events} ${e} on ${e.id} = ${es.eventId}
  cross join unnest(${es.times}) as before(time)
  cross join lateral ${channels}
  cross join lateral (select reminder_due(${e.startTime}, ${e.zone}, before.time) as at) due
  where ${condition} and channel.wanted and ${isPublic()} and ${e.state} = 'scheduled'
  on conflict (${uniqueColumns}) do nothing`;

/** Whether a subscription asks for a reminder by its channel and, unless it tells of a change, at its time. */
const asksFor = (reminder: Record<'channel' | 'changeId' | 'time', AnyPgColumn>) => sql`
  case ${reminder.channel} when 'email' then ${es.email} else ${es.push} end
  and (${reminder.changeId} is not null or ${reminder.time} = any(${es.times}))`;

/**
 * Brings the plan of one subscription to what its settings say now. Whatever was sent stays sent: subscribing anew or
 * choosing a time again never repeats it. The event is locked by the caller, so that it does not move meanwhile.
 */
export async function planReminders(tx: Transaction, userId: number, eventId: number): Promise<void> {
  const ofSubscription = and(eq(es.userId, userId), eq(es.eventId, eventId));
  await tx
    .delete(reminders)
    .where(
      and(
        eq(reminders.userId, userId),
        eq(reminders.eventId, eventId),
        inArray(reminders.state, ['planned', 'skipped']),
        sql`not exists (select from ${eventSubscriptions} ${es} where ${ofSubscription} and ${asksFor(reminders)})`,
      ),
    );
  await tx.execute(insertPlans(ofSubscription));
}

/** Plans what the subscriptions of events ask for and is not planned yet. The events are locked by the caller. */
export async function planRemindersOfEvents(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  await tx.execute(insertPlans(isOneOf(es.eventId, eventIds)));
}

const changeFields = {
  eventId: e.id,
  version: e.scheduleVersion,
  /** The change that tells what subscribers know. */
  changeId: eventChanges.id,
  oldStart: eventChanges.oldStart,
  oldPrecision: eventChanges.oldPrecision,
  oldState: eventChanges.oldState,
  oldVerification: eventChanges.oldVerification,
  start: e.startTime,
  precision: e.precision,
  state: e.state,
  verification: e.verification,
};

/** An event before and after the changes that subscribers have not been told of. */
export type ChangeRow = RowOf<typeof changeFields>;

export interface ChangeOutcome {
  /** What subscribers are told, if anything. */
  notice: NoticeKind | undefined;
  /** Why what was planned before is not sent. */
  reason: 'moved' | 'cancelled' | 'withdrawn';
}

/** Events with changes that nobody has handled, in the order of their ids. */
export async function listChangedEvents(): Promise<number[]> {
  const rows = await database()
    .selectDistinct({ id: eventChanges.eventId })
    .from(eventChanges)
    .where(isNull(eventChanges.handledAt))
    .orderBy(eventChanges.eventId);
  return rows.map(({ id }) => id);
}

/**
 * Handles the changes of one event in one transaction: what was planned for older versions is skipped, notices and the
 * reminders of the new version are planned. Safe with any number of processes: an event that another one is at is left to it.
 * @param judge decides from what subscribers know and what is true now
 */
export function handleChanges(eventId: number, judge: (change: ChangeRow) => ChangeOutcome): Promise<void> {
  return database().transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '100s'`);
    const [event] = await tx
      .select({ id: events.id })
      .from(events)
      .where(eq(events.id, eventId))
      .for('no key update', { skipLocked: true });
    const change = event && (await findChange(tx, eventId));
    if (!change) return;
    const { notice, reason } = judge(change);
    const { version, changeId } = change;
    await tx
      .update(reminders)
      .set({ state: 'skipped', reason })
      .where(
        and(eq(reminders.eventId, eventId), lt(reminders.version, version), eq(reminders.state, 'planned')),
      );
    if (notice) await planNotices(tx, { eventId, version, changeId, notice });
    await tx.execute(insertPlans(eq(es.eventId, eventId)));
    await tx
      .update(eventChanges)
      .set({ handledAt: sql`now()` })
      .where(and(eq(eventChanges.eventId, eventId), isNull(eventChanges.handledAt)));
  });
}

/** Plans what tells every subscriber of a change at once. */
async function planNotices(
  tx: Executor,
  {
    eventId,
    version,
    changeId,
    notice,
  }: Pick<ChangeRow, 'eventId' | 'version' | 'changeId'> & { notice: NoticeKind },
): Promise<void> {
  await tx.execute(sql`
    insert into ${reminders} (${uniqueColumns}, ${namesOf(reminders.dueAt, reminders.nextAt, reminders.changeId)})
    select ${es.userId}, ${es.eventId}, ${version}, ${notice}, channel.name, now(), now(), ${changeId}::int
    from ${eventSubscriptions} ${es} cross join lateral ${channels}
    where ${es.eventId} = ${eventId} and channel.wanted
    on conflict (${uniqueColumns}) do nothing`);
}

/**
 * The oldest change that nobody has handled; where the event was not public before it, the oldest of a public event among those that
 * were handled together with its withdrawal: whoever handled them told of none. Undefined when all are handled.
 */
async function findChange(tx: Transaction, eventId: number): Promise<ChangeRow | undefined> {
  const oldestUnhandled = tx
    .select({ id: min(eventChanges.id) })
    .from(eventChanges)
    .where(and(eq(eventChanges.eventId, eventId), isNull(eventChanges.handledAt)));
  const [change] = await tx
    .select(changeFields)
    .from(e)
    .innerJoin(eventChanges, eq(eventChanges.eventId, e.id))
    .where(and(eq(e.id, eventId), lte(eventChanges.id, oldestUnhandled)))
    .orderBy(
      sql`${eventChanges.oldVerification} = 'approved' desc`,
      sql`${eventChanges.handledAt} desc nulls first`,
      eventChanges.id,
    )
    .limit(1);
  return change;
}

const taken = alias(reminders, 'taken');
const later = alias(reminders, 'later');
const failed = alias(reminders, 'failed');

const dueFields = {
  id: taken.id,
  /** Names this taking: whoever takes the reminder later has a higher one. */
  attempts: taken.attempts,
  userId: taken.userId,
  eventId: taken.eventId,
  version: taken.version,
  time: taken.time,
  channel: taken.channel,
  dueAt: taken.dueAt,
  /** Push subscriptions that have it already. */
  devices: taken.devices,
  email: users.email,
  isVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
  language: users.language,
  /** The subscription still asks for it. */
  isWanted: sql<boolean>`${users.deletedAt} is null and exists (select from ${eventSubscriptions} ${es}
    where ${es.userId} = ${taken.userId} and ${es.eventId} = ${taken.eventId} and ${asksFor(taken)})`,
  /** A later time before the same start is due as well. */
  isOvertaken: sql<boolean>`${taken.changeId} is null and exists (select from ${reminders} ${later}
    where ${later.userId} = ${taken.userId} and ${later.eventId} = ${taken.eventId}
      and ${later.version} = ${taken.version} and ${later.channel} = ${taken.channel}
      and ${later.changeId} is null and ${later.state} <> 'skipped'
      and ${later.dueAt} > ${taken.dueAt} and ${later.dueAt} <= now())`,
  title: et.title,
  venue: et.venue,
  location: et.location,
  startTime: e.startTime,
  overAt,
  zone: e.zone,
  precision: e.precision,
  state: e.state,
  verification: e.verification,
  currentVersion: e.scheduleVersion,
  /** What a notice tells of. */
  oldStart: nullable(eventChanges.oldStart),
  oldZone: nullable(eventChanges.oldZone),
  oldPrecision: nullable(eventChanges.oldPrecision),
};

/**
 * True for what was tried before, and for whatever is its owner's while one that failed waits to be tried again. `offset 0` lets the
 * planner look up the owner's alone: otherwise it gathers all that is planned when many are due.
 */
const isRepeat = sql`(${r.attempts} > 0 or exists (select from ${reminders} ${failed}
  where ${failed.userId} = ${r.userId} and ${failed.channel} = ${r.channel}
    and ${failed.state} = 'planned' and ${failed.attempts} > 0 offset 0))`;

/** A reminder that this process has taken, with all that is needed to send it. */
export type DueReminder = RowOf<typeof dueFields>;

/**
 * Takes reminders of a channel that are due, each by one process: it must be settled within two minutes, or is taken again.
 * @param wish.limit how many at once
 * @param wish.except people whose reminders stay where they are
 * @param wish.withRepeats also repeats
 */
export function takeDueReminders(
  channel: DueReminder['channel'],
  { limit, except, withRepeats }: { limit: number; except: readonly number[]; withRepeats: boolean },
): Promise<DueReminder[]> {
  return execute(
    dueFields,
    (columns) => sql`
      with due as (
        select ${r.id} as due_id from ${reminders} ${r} where ${r.state} in ('planned', 'sending')
          and ${r.channel} = ${channel} and ${r.nextAt} <= now()
          and (${withRepeats}::boolean or not ${isRepeat}) and ${r.userId} <> all(${`{${except.join()}}`}::int[])
        order by ${r.nextAt} limit ${literal(limit)} for update skip locked),
      taken as (
        update ${reminders} ${r} set ${nameOf(r.state)} = 'sending', ${nameOf(r.attempts)} = ${r.attempts} + 1,
          ${nameOf(r.nextAt)} = now() + make_interval(secs => ${leaseSeconds})
        from due where ${r.id} = due_id returning ${r}.*)
      select ${columns} from ${taken} join ${users} on ${users.id} = ${taken.userId}
      join ${events} ${e} on ${e.id} = ${taken.eventId} join lateral (${wordsOf(e.id, users.language)}) ${et} on true
      left join ${eventChanges} on ${eventChanges.id} = ${taken.changeId}`,
  );
}

type TakenReminder = Pick<DueReminder, 'id' | 'attempts'>;

/** The reminder, unless another process has taken it since. */
const isStillTaken = ({ id, attempts }: TakenReminder) =>
  and(eq(reminders.id, id), eq(reminders.state, 'sending'), eq(reminders.attempts, attempts));

/** Notes that a reminder was sent, unless another process has taken it since. */
export async function markSent(reminder: TakenReminder): Promise<void> {
  await database().update(reminders).set({ state: 'sent', sentAt: sql`now()` }).where(isStillTaken(reminder));
}

/** Notes why a reminder will not be sent. */
export async function markSkipped(reminder: TakenReminder, reason: string): Promise<void> {
  await database().update(reminders).set({ state: 'skipped', reason }).where(isStillTaken(reminder));
}

/** Forgets a reminder that nobody wants any more. */
export async function deleteReminder(reminder: TakenReminder): Promise<void> {
  await database().delete(reminders).where(isStillTaken(reminder));
}

/** Gives a reminder back, to be taken after some seconds. */
export async function retryLater(reminder: TakenReminder, seconds: number): Promise<void> {
  await database()
    .update(reminders)
    .set({ state: 'planned', nextAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(isStillTaken(reminder));
}

/** Gives back what was taken and not tried, to be taken after some seconds: that was no try. */
export async function giveBack(untried: readonly TakenReminder[], seconds: number): Promise<void> {
  await database()
    .update(reminders)
    .set({
      state: 'planned',
      attempts: sql`${reminders.attempts} - 1`,
      nextAt: sql`now() + make_interval(secs => ${seconds})`,
    })
    .where(or(...untried.map(isStillTaken)));
}

/** Notes that one browser has taken a reminder. */
export async function recordDelivery(reminder: TakenReminder, device: number): Promise<void> {
  await database()
    .update(reminders)
    .set({ devices: sql`${reminders.devices} || ${device}::int` })
    .where(isStillTaken(reminder));
}

/** Deletes what is known about events that ended long ago. */
export async function deleteOldReminders(days: number, signal?: AbortSignal): Promise<void> {
  const before = sql`now() - make_interval(days => ${days})`;
  const ofPastEvents = sql`join ${events} on ${events.id} = ${reminders.eventId}
    where ${events.overAt} < ${before} and ${reminders.dueAt} < ${before}`;
  await deleteInPieces(reminders, ofPastEvents, signal);
  const isToldOf = sql`exists (select from ${reminders} where ${reminders.changeId} = ${eventChanges.id})`;
  const toldOfByNone = sql`where ${eventChanges.handledAt} < ${before} and not ${isToldOf}`;
  await deleteInPieces(eventChanges, toldOfByNone, signal);
}
