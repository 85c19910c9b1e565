import { eq, lt, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { database } from '../../client.ts';
import { channels, openStreams, streamProcesses } from '../../schema/community.ts';
import { derived, type Expression, literal, nameOf, namesOf, prepare, type RowOf } from '../../sql.ts';
import { isShownById } from '../stars/badge.ts';
import { lastEvent, oldestMessage } from './messages.ts';

const c = alias(channels, 'c');
const o = alias(openStreams, 'o');
const p = alias(streamProcesses, 'p');

/** A process that was not seen for so long holds no streams any more: it writes every two seconds. */
const leaseSeconds = 6;

/** True for a stream of a process that lives. */
const isLive = sql`exists (select from ${streamProcesses} ${p}
  where ${p.id} = ${o.processId} and ${p.seenAt} > now() - make_interval(secs => ${literal(leaseSeconds)}))`;

/** Distinct people with an open stream in a channel, over all processes that live (decision C3). */
export const presentPeople = (channel: Expression): SQL<number> => sql`(
  select count(distinct ${o.person})::int from ${openStreams} ${o} where ${o.channelId} = ${channel} and ${isLive})`;

export interface StreamRow {
  id: string;
  channelId: number;
  /** An account, or a guest's network as a negative number. */
  person: number;
  network: string;
}

/** Streams that other processes hold. */
const elsewhere = (condition: SQL): SQL<number> => sql`(
  select count(*)::int from ${openStreams} ${o}
  where ${condition} and ${o.processId} <> ${sql.placeholder('processId')} and ${isLive})`;

/** The one who comes; below zero: a guest. */
const visitor = {
  person: sql`${sql.placeholder('person')}::bigint`,
  network: sql`${sql.placeholder('network')}::text`,
};

const startFields = {
  channelId: c.id,
  memberCount: c.memberCount,
  slowModeSeconds: c.slowModeSeconds,
  lastEventId: lastEvent(c),
  oldestMessage,
  /** With the visitor, whose stream this statement does not see yet. */
  activeUsers: sql<number>`${presentPeople(c.id)} + (not exists (
    select from ${openStreams} ${o} where ${o.channelId} = ${c.id} and ${o.person} = ${visitor.person} and ${isLive}))::int`,
  /** Streams that other processes hold for the same account or, of a guest, for guests of the same network. */
  elsewhere: sql<number>`case when ${visitor.person} < 0
    then ${elsewhere(sql`${o.network} = ${visitor.network} and ${o.person} < 0`)}
    else ${elsewhere(eq(o.person, visitor.person))} end`,
};
export type StreamStart = RowOf<typeof startFields>;

const columnsOfStream = namesOf(
  openStreams.id,
  openStreams.processId,
  openStreams.channelId,
  openStreams.person,
  openStreams.network,
);

type NewStream = { processId: string; starId: number } & Omit<StreamRow, 'channelId'>;

const insertStream = prepare<typeof startFields, NewStream>(
  startFields,
  (columns) => sql`
    with added as (
      insert into ${openStreams} (${columnsOfStream})
      select ${sql.placeholder('id')}::uuid, ${sql.placeholder('processId')}::uuid, ${channels.id},
        ${visitor.person}, ${visitor.network}
      from ${channels} where ${channels.starId} = ${sql.placeholder('starId')} and ${isShownById(channels.starId)})
    select ${columns} from ${channels} ${c} where ${c.starId} = ${sql.placeholder('starId')} and ${isShownById(c.starId)}`,
);

/**
 * Notes a stream that opens in a star's channel, and tells where it begins; undefined, and nothing noted, when the star has no
 * channel. One statement.
 */
export async function addStream(
  processId: string,
  starId: number,
  stream: Omit<StreamRow, 'channelId'>,
): Promise<StreamStart | undefined> {
  const { id, person, network } = stream;
  const [start] = await insertStream({ processId, starId, id, person, network });
  return start;
}

/** Forgets streams that ended. */
export async function removeStreams(ids: readonly string[]): Promise<void> {
  await database()
    .delete(openStreams)
    .where(sql`${openStreams.id} = any(${`{${ids.join()}}`}::uuid[])`);
}

const processFields = { streams: sql<number>`count(*)::int` };

const upsertProcess = prepare<typeof processFields, { processId: string }>(
  processFields,
  (columns) => sql`
    with seen as (
      insert into ${streamProcesses} (${namesOf(streamProcesses.id)}) values (${sql.placeholder('processId')}::uuid)
      on conflict (${namesOf(streamProcesses.id)}) do update set ${nameOf(streamProcesses.seenAt)} = now())
    select ${columns} from ${openStreams} where ${openStreams.processId} = ${sql.placeholder('processId')}`,
);

/** Says that a process lives; answers how many streams are noted for it. One statement. */
export async function renewLease(processId: string): Promise<number> {
  const [row] = await upsertProcess({ processId });
  return row?.streams ?? 0;
}

const held = derived('held', {
  id: openStreams.id,
  channelId: openStreams.channelId,
  person: openStreams.person,
  network: openStreams.network,
});

/** Notes the streams of a process anew: after a crash of the database nothing is noted. */
export async function replaceStreams(processId: string, streams: readonly StreamRow[]): Promise<void> {
  const { id, channelId, person, network } = held.fields;
  await database().execute(sql`
    with ${held.name} as (
      select * from jsonb_to_recordset(${JSON.stringify(streams)}::text::jsonb)
        as stream(id uuid, "channelId" int, person bigint, network text)),
    ended as (
      delete from ${openStreams}
      where ${openStreams.processId} = ${processId} and ${openStreams.id} not in (select ${id} from ${held.name}))
    insert into ${openStreams} (${columnsOfStream})
    select ${id}, ${processId}::uuid, ${channelId}, ${person}, ${network} from ${held.name}
    on conflict (${namesOf(openStreams.id)}) do nothing`);
}

/** Forgets a process and its streams, and with it all that were not seen for a minute. */
export async function endLeases(processId?: string): Promise<void> {
  const isLongGone = lt(streamProcesses.seenAt, sql`now() - interval '1 minute'`);
  const db = database();
  await db
    .delete(streamProcesses)
    .where(processId === undefined ? isLongGone : or(eq(streamProcesses.id, processId), isLongGone));
  const processes = db.select({ id: streamProcesses.id }).from(streamProcesses);
  await db.delete(openStreams).where(notInArray(openStreams.processId, processes));
}

const stateFields = {
  channelId: c.id,
  memberCount: c.memberCount,
  slowModeSeconds: c.slowModeSeconds,
  activeUsers: presentPeople(c.id),
};
export type ChannelState = RowOf<typeof stateFields>;

const selectStates = prepare<typeof stateFields, { channelIds: string }>(
  stateFields,
  (columns) => sql`
    select ${columns} from ${channels} ${c}
    where ${c.id} = any(${sql.placeholder('channelIds')}::int[]) and ${isShownById(c.starId)}`,
);

/** What streams tell of channels besides their messages; nothing of those that are gone, or whose star is hidden. One statement. */
export function listChannelStates(channelIds: readonly number[]): Promise<ChannelState[]> {
  return selectStates({ channelIds: `{${channelIds.join()}}` });
}
