import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { type Database, database } from '../client.ts';
import type { NoticeKind, ReminderChannel } from '../schema/reminders.ts';

type Executor = Pick<Database, 'execute'>;

/** Seconds for which whoever took a reminder may send it; then it is taken again. */
const lease = 120;

/** Who is told what by which channel, of the subscriptions that `which` names; goes with `s` and `e`. */
const plans = (which: SQL) => sql`
  insert into reminders (user_id, event_id, version, time, channel, due_at, next_at, state, reason)
  select s.user_id, e.id, e.schedule_version, before.time, channel.name, at.due, at.due,
    case when at.due <= now() then 'skipped' else 'planned' end, case when at.due <= now() then 'past' end
  from event_subscriptions s join events e on e.id = s.event_id
  cross join unnest(s.times) as before(time)
  cross join lateral (values ('email', s.email), ('push', s.push)) as channel(name, wanted)
  cross join lateral (select reminder_due(e.start_time, e.zone, before.time) as due) at
  where ${which} and channel.wanted and e.verification = 'approved' and e.state = 'scheduled'
  on conflict (user_id, event_id, version, time, channel) do nothing`;

/**
 * Brings the plan of one subscription to what its settings say now. Whatever was sent stays sent: subscribing anew or
 * choosing a time again never repeats it. The event is locked by the caller, so that it does not move meanwhile.
 */
export async function planReminders(tx: Executor, userId: number, eventId: number): Promise<void> {
  await tx.execute(sql`
    delete from reminders r where r.user_id = ${userId} and r.event_id = ${eventId} and r.state in ('planned', 'skipped')
      and not exists (select from event_subscriptions s where s.user_id = r.user_id and s.event_id = r.event_id
        and case r.channel when 'email' then s.email else s.push end
        and (r.change_id is not null or r.time = any(s.times)))`);
  await tx.execute(plans(sql`s.user_id = ${userId} and s.event_id = ${eventId}`));
}

/** An event before and after the changes that subscribers have not been told of. */
export interface ChangeRow {
  eventId: number;
  version: number;
  /** The oldest unhandled change: what subscribers know. */
  changeId: number;
  oldStart: Date;
  oldPrecision: 'minute' | 'day';
  oldState: 'scheduled' | 'cancelled';
  oldVerification: 'pending' | 'approved' | 'rejected';
  start: Date;
  precision: 'minute' | 'day';
  state: 'scheduled' | 'cancelled';
  verification: 'pending' | 'approved' | 'rejected';
}

export interface ChangeOutcome {
  /** What subscribers are told, if anything. */
  notice: NoticeKind | undefined;
  /** Why what was planned before is not sent. */
  reason: 'moved' | 'cancelled' | 'withdrawn';
}

/**
 * Handles the changes of one event in one transaction: what was planned for older versions is skipped, notices and the
 * reminders of the new version are planned. Safe with any number of processes.
 * @param judge decides from what subscribers know and what is true now
 * @returns false when there was nothing to handle
 */
export function handleNextChange(judge: (change: ChangeRow) => ChangeOutcome): Promise<boolean> {
  return database().transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '100s'`);
    const [event] = await tx.execute<{ id: number }>(sql`
      select id from events where id in (select event_id from event_changes where handled_at is null)
      order by id limit 1 for no key update skip locked`);
    if (!event) return false;
    const change = await findChange(tx, event.id);
    const { notice, reason } = judge(change);
    const { eventId, version, changeId } = change;
    await tx.execute(sql`
      update reminders set state = 'skipped', reason = ${reason}
      where event_id = ${eventId} and version < ${version} and state = 'planned'`);
    if (notice) {
      await tx.execute(sql`
        insert into reminders (user_id, event_id, version, time, channel, due_at, next_at, change_id)
        select s.user_id, s.event_id, ${version}, ${notice}, channel.name, now(), now(), ${changeId}::int
        from event_subscriptions s
        cross join lateral (values ('email', s.email), ('push', s.push)) as channel(name, wanted)
        where s.event_id = ${eventId} and channel.wanted
        on conflict (user_id, event_id, version, time, channel) do nothing`);
    }
    await tx.execute(plans(sql`s.event_id = ${eventId}`));
    await tx.execute(
      sql`update event_changes set handled_at = now() where event_id = ${eventId} and handled_at is null`,
    );
    return true;
  });
}

async function findChange(tx: Executor, eventId: number): Promise<ChangeRow> {
  const [row] = await tx.execute<Record<string, unknown> & ChangeRow>(sql`
    select e.id as "eventId", e.schedule_version as version, c.id as "changeId", c.old_start as "oldStart",
      c.old_precision as "oldPrecision", c.old_state as "oldState", c.old_verification as "oldVerification",
      e.start_time as start, e.precision, e.state, e.verification
    from events e join event_changes c on c.event_id = e.id
    where e.id = ${eventId} and c.handled_at is null order by c.id limit 1`);
  if (!row) throw new Error(`event ${eventId} has no change to handle`);
  return { ...row, oldStart: new Date(row.oldStart), start: new Date(row.start) };
}

/** A reminder that this process has taken, with all that is needed to send it. */
export interface DueReminder {
  id: number;
  /** Names this taking: whoever takes the reminder later has a higher one. */
  attempts: number;
  userId: number;
  eventId: number;
  version: number;
  time: string;
  channel: ReminderChannel;
  dueAt: Date;
  /** Push subscriptions that have it already. */
  devices: number[];
  email: string | null;
  isVerified: boolean;
  language: Lang;
  /** The subscription still asks for it. */
  isWanted: boolean;
  /** A later time before the same start is due as well. */
  isOvertaken: boolean;
  title: string;
  venue: string | null;
  location: string | null;
  startTime: Date;
  overAt: Date;
  zone: string;
  precision: 'minute' | 'day';
  state: 'scheduled' | 'cancelled';
  verification: 'pending' | 'approved' | 'rejected';
  currentVersion: number;
  /** What a notice tells of. */
  oldStart: Date | null;
  oldZone: string | null;
  oldPrecision: 'minute' | 'day' | null;
}

/**
 * Takes reminders that are due, each by one process: it must be settled within two minutes, or is taken again.
 * @param limit how many at once
 */
export async function takeDueReminders(limit: number): Promise<DueReminder[]> {
  const rows = await database().execute<Record<string, unknown> & DueReminder>(sql`
    with due as (
      select id from reminders where state in ('planned', 'sending') and next_at <= now()
      order by next_at, id limit ${limit} for update skip locked),
    taken as (
      update reminders r set state = 'sending', attempts = attempts + 1,
        next_at = now() + make_interval(secs => ${lease}) from due where r.id = due.id returning r.*)
    select t.id, t.attempts, t.user_id as "userId", t.event_id as "eventId", t.version, t.time, t.channel,
      t.due_at as "dueAt", t.devices, u.email, u.email_verified_at is not null as "isVerified", u.language,
      u.deleted_at is null and exists (select from event_subscriptions s
        where s.user_id = t.user_id and s.event_id = t.event_id and case t.channel when 'email' then s.email else s.push end
          and (t.change_id is not null or t.time = any(s.times))) as "isWanted",
      t.change_id is null and exists (select from reminders o
        where o.user_id = t.user_id and o.event_id = t.event_id and o.version = t.version and o.channel = t.channel
          and o.change_id is null and o.state <> 'skipped' and o.due_at > t.due_at and o.due_at <= now()) as "isOvertaken",
      et.title, et.venue, et.location, e.start_time as "startTime", e.over_at as "overAt", e.zone, e.precision, e.state,
      e.verification, e.schedule_version as "currentVersion", c.old_start as "oldStart", c.old_zone as "oldZone",
      c.old_precision as "oldPrecision"
    from taken t join users u on u.id = t.user_id join events e on e.id = t.event_id
    join lateral (select title, venue, location from event_translations where event_id = e.id
      order by (language = u.language) desc, (language = 'en') desc limit 1) et on true
    left join event_changes c on c.id = t.change_id`);
  return rows.map(({ dueAt, startTime, overAt, oldStart, ...row }) => ({
    ...row,
    id: Number(row.id),
    dueAt: new Date(dueAt),
    startTime: new Date(startTime),
    overAt: new Date(overAt),
    oldStart: oldStart && new Date(oldStart),
  }));
}

type Taken = Pick<DueReminder, 'id' | 'attempts'>;
const still = ({ id, attempts }: Taken) => sql`id = ${id} and state = 'sending' and attempts = ${attempts}`;

/** Notes that a reminder was sent, unless another process has taken it since. */
export async function markSent(taken: Taken): Promise<void> {
  await database().execute(sql`update reminders set state = 'sent', sent_at = now() where ${still(taken)}`);
}

/** Notes why a reminder will not be sent. */
export async function markSkipped(taken: Taken, reason: string): Promise<void> {
  await database().execute(
    sql`update reminders set state = 'skipped', reason = ${reason} where ${still(taken)}`,
  );
}

/** Forgets a reminder that nobody wants any more. */
export async function dropReminder(taken: Taken): Promise<void> {
  await database().execute(sql`delete from reminders where ${still(taken)}`);
}

/** Gives a reminder back, to be taken after some seconds. */
export async function tryLater(taken: Taken, seconds: number): Promise<void> {
  await database().execute(sql`
    update reminders set state = 'planned', next_at = now() + make_interval(secs => ${seconds}) where ${still(taken)}`);
}

/** Notes that one browser has taken a reminder. */
export async function noteDevice(taken: Taken, device: number): Promise<void> {
  await database().execute(
    sql`update reminders set devices = devices || ${device}::int where ${still(taken)}`,
  );
}

/** Deletes what is known about events that ended long ago. */
export async function deleteOldReminders(days: number): Promise<void> {
  const before = sql`now() - make_interval(days => ${days})`;
  await database().execute(sql`
    delete from reminders r using events e where e.id = r.event_id and e.over_at < ${before} and r.due_at < ${before}`);
  await database().execute(sql`
    delete from event_changes c where c.handled_at < ${before} and not exists (select from reminders where change_id = c.id)`);
}
