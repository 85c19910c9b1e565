import { type SQL, sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { lastEvent } from './messages.ts';

/** A process that was not seen for so long holds no streams any more: it writes every two seconds. */
export const processLifeSeconds = 6;

const liveProcess = (process: SQL) => sql`exists (select from stream_processes p
  where p.id = ${process} and p.seen_at > now() - make_interval(secs => ${processLifeSeconds}))`;

/** Distinct people with an open stream in a channel, over all processes that live (decision C3). */
export const presentPeople = (channel: SQL) => sql`(
  select count(distinct o.person)::int from open_streams o
  where o.channel_id = ${channel} and ${liveProcess(sql`o.process_id`)})`;

export interface StreamRow {
  id: string;
  channelId: number;
  /** An account, or a guest's network as a negative number. */
  person: number;
  network: string;
}

export interface StreamStart {
  channelId: number;
  lastEventId: number;
  memberCount: number;
  activeUsers: number;
  slowModeSeconds: number;
  /** Streams that other processes hold for the same account or, of a guest, for guests of the same network. */
  elsewhere: number;
}

/**
 * Notes a stream that opens in a star's channel, and tells where it begins; undefined, and nothing noted, when the star has no
 * channel. One statement.
 */
export async function addStream(
  processId: string,
  starId: number,
  { id, person, network }: Omit<StreamRow, 'channelId'>,
): Promise<StreamStart | undefined> {
  const sameHolder = person < 0 ? sql`o.network = ${network} and o.person < 0` : sql`o.person = ${person}`;
  const [row] = await database().execute<Record<string, unknown> & StreamStart>(sql`
    with channel as (select * from channels where star_id = ${starId}),
    added as (
      insert into open_streams (id, process_id, channel_id, person, network)
      select ${id}::uuid, ${processId}::uuid, id, ${person}::bigint, ${network} from channel)
    select c.id as "channelId", c.member_count as "memberCount", c.slow_mode_seconds as "slowModeSeconds",
      ${lastEvent(sql`c.id`)} as "lastEventId",
      ${presentPeople(sql`c.id`)} + (not exists (select from open_streams o where o.channel_id = c.id
        and o.person = ${person} and ${liveProcess(sql`o.process_id`)}))::int as "activeUsers",
      (select count(*)::int from open_streams o
        where ${sameHolder} and o.process_id <> ${processId} and ${liveProcess(sql`o.process_id`)}) as elsewhere
    from channel c`);
  return row && { ...row, lastEventId: Number(row.lastEventId) };
}

/** Forgets streams that ended. */
export async function removeStreams(ids: readonly string[]): Promise<void> {
  await database().execute(
    sql`delete from open_streams where id in (select (json_array_elements_text(${JSON.stringify(ids)}::text::json))::uuid)`,
  );
}

/** Says that a process lives; answers how many streams are noted for it. One statement. */
export async function seeProcess(processId: string): Promise<number> {
  const [row] = await database().execute<{ streams: number }>(sql`
    with seen as (
      insert into stream_processes (id) values (${processId}) on conflict (id) do update set seen_at = now())
    select count(*)::int as streams from open_streams where process_id = ${processId}`);
  return row?.streams ?? 0;
}

/** Notes the streams of a process anew: after a crash of the database nothing is noted. */
export async function replaceStreams(processId: string, streams: readonly StreamRow[]): Promise<void> {
  await database().execute(sql`
    with held as (
      select * from jsonb_to_recordset(${JSON.stringify(streams)}::text::jsonb)
        as s(id uuid, "channelId" int, person bigint, network text)),
    ended as (
      delete from open_streams where process_id = ${processId} and id not in (select id from held))
    insert into open_streams (id, process_id, channel_id, person, network)
    select id, ${processId}::uuid, "channelId", person, network from held on conflict (id) do nothing`);
}

/** Forgets a process and its streams, and with it all that were not seen for a minute. */
export async function forgetProcesses(processId?: string): Promise<void> {
  await database().execute(sql`
    delete from stream_processes where id = ${processId ?? null} or seen_at < now() - interval '1 minute'`);
  await database().execute(
    sql`delete from open_streams where process_id not in (select id from stream_processes)`,
  );
}

export interface ChannelState {
  channelId: number;
  memberCount: number;
  activeUsers: number;
  slowModeSeconds: number;
}

/** What streams tell of channels besides their messages. One statement. */
export async function listChannelStates(channelIds: readonly number[]): Promise<ChannelState[]> {
  return database().execute<Record<string, unknown> & ChannelState>(sql`
    select c.id as "channelId", c.member_count as "memberCount", c.slow_mode_seconds as "slowModeSeconds",
      ${presentPeople(sql`c.id`)} as "activeUsers"
    from channels c where c.id in (select (json_array_elements_text(${JSON.stringify(channelIds)}::text::json))::int)`);
}
