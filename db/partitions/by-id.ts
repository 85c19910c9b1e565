import { getTableName } from 'drizzle-orm';
import postgres from 'postgres';
import { connection } from '../client.ts';
import { auditLog, users } from '../schema/accounts.ts';
import { channels, messageReports, messages } from '../schema/community.ts';
import { attachPartition, changePartitions, dropPartition, listPartitions, lockTables } from './attach.ts';

/**
 * Tables whose ids grow with time, partitioned by them (decision D13): a page of the newest rows reads the newest part alone, and
 * what is old goes with its part. A part holds about a month, by the pace of the month before, but never so few that there would be
 * many parts, nor so many that one were large.
 */
interface Series {
  table: typeof messages | typeof auditLog;
  /** Ids of a part. */
  least: number;
  most: number;
  /** Column of what a row belongs to, where somebody is told whose rows were forgotten. */
  owner: 'channel_id' | undefined;
  /** What refers to a row and goes with it. */
  referring: { table: typeof messageReports; column: typeof messageReports.messageId } | undefined;
  /** Tables whose locks dropping a part takes, in the order in which writers take them. */
  locked: (typeof channels | typeof users | typeof messages | typeof auditLog | typeof messageReports)[];
}

export const messageSeries: Series = {
  table: messages,
  least: 4_000_000,
  most: 64_000_000,
  owner: 'channel_id',
  referring: { table: messageReports, column: messageReports.messageId },
  locked: [channels, users, messages, messageReports],
};
export const auditSeries: Series = {
  table: auditLog,
  least: 1_000_000,
  most: 64_000_000,
  owner: undefined,
  referring: undefined,
  locked: [users, auditLog],
};

interface Part {
  name: string;
  from: number;
  to: number;
}

async function partsOf(
  { table }: Series,
  sql: postgres.Sql | postgres.TransactionSql = connection(),
): Promise<Part[]> {
  const parts = await listPartitions(sql, table);
  return parts
    .map(({ name, from, to }) => ({ name, from: from === null ? 0 : Number(from), to: Number(to) }))
    .sort((one, other) => one.from - other.from);
}

/** The id that was given last; 0: none was. */
async function lastIdOf({ table }: Series): Promise<number> {
  const [row] = await connection()<{ last: string | null }[]>`
    select pg_sequence_last_value(pg_get_serial_sequence(${getTableName(table)}, ${table.id.name})) as last`;
  return Number(row?.last ?? 0);
}

/**
 * Makes parts until there is one beyond the last id, or beyond `upTo`, and the next one as well: so one is always ready. However
 * long nobody did so, one part takes all that there is no place for.
 */
export async function makeParts(series: Series, upTo = 0): Promise<void> {
  const given = Math.max(upTo, await lastIdOf(series));
  const isReady = (parts: readonly Part[]) => parts.some(({ from }) => from > given);
  const before = await partsOf(series);
  if (isReady(before)) return;
  const span = await spanOf(series, before, given);
  await changePartitions(async (tx) => {
    // Somebody else may have made them meanwhile.
    let parts = await partsOf(series, tx);
    while (!isReady(parts)) {
      const from = parts.at(-1)?.to ?? 0;
      const part = { name: nameOf(series, from), from, to: Math.max(from + span, given + 1) };
      await attachPartition(tx, series.table, part.name, { from: String(from), to: String(part.to) });
      parts = [...parts, part];
    }
  });
}

const nameOf = ({ table }: Series, from: number) => `${getTableName(table)}_from_${from}`;

/** Ids of a month, by the part before the one that is written to: how long it took is known best. */
async function spanOf({ least, most }: Series, parts: readonly Part[], given: number): Promise<number> {
  const begun = parts.filter(({ from }) => from <= given);
  const part = begun.at(-2) ?? begun.at(-1);
  const [first] = part
    ? await connection().unsafe<{ id: string; days: number }[]>(
        `select id, extract(epoch from now() - created_at)::float8 / 86400 as days from ${part.name} order by id limit 1`,
      )
    : [];
  const ofMonth = first ? ((given - Number(first.id)) / Math.max(first.days, 1)) * 30 : 0;
  return Math.min(Math.max(Math.ceil(ofMonth / least) * least, least), most);
}

/** Days for which a row may stay beyond its time: it goes with its part, which holds about a month. */
export const graceDays = 31;
/** Rows that one statement deletes: a fraction of a second. */
const rowsAtOnce = 5_000;

export interface Forgotten {
  /** Parts that went whole: nobody has read whose rows they had. */
  parts: number;
  /** Whose rows went from parts that stay, by `Series.owner`. */
  owners: ReadonlySet<number>;
}

/**
 * Forgets what is older than `days`: parts of which every row is, and of others the rows that have been for a month, since where
 * little is written a part would last for years.
 */
export async function forgetOlder(series: Series, days: number, signal?: AbortSignal): Promise<Forgotten> {
  const given = await lastIdOf(series);
  const kept = (await partsOf(series)).filter(({ from }) => from <= given);
  let parts = 0;
  for (let part = kept[0]; part && part.to <= given; part = kept[0]) {
    if (!(await isOver(part, days))) break;
    await drop(series, part);
    kept.shift();
    parts += 1;
  }
  const owners = new Set<number>();
  for (const part of kept) {
    const count = await trim(series, part, days + graceDays, owners, signal);
    if (count === 0) break;
  }
  return { parts, owners };
}

async function isOver({ name }: Part, days: number): Promise<boolean> {
  const [newest] = await connection().unsafe<{ isOld: boolean }[]>(
    `select created_at < now() - make_interval(days => $1::int) as "isOld" from ${name} order by id desc limit 1`,
    [days],
  );
  return newest?.isOld ?? true;
}

async function drop({ table, referring, locked }: Series, { name, from, to }: Part): Promise<void> {
  await changePartitions(async (tx) => {
    await lockTables(tx, locked);
    if (referring)
      await tx.unsafe(
        `delete from ${getTableName(referring.table)} where message_id >= $1::bigint and message_id < $2::bigint`,
        [from, to],
      );
    await dropPartition(tx, table, name);
  });
}

/** Deletes the oldest rows of a part, and adds whose they were to `owners`. @returns how many */
async function trim(
  { owner }: Series,
  { name }: Part,
  days: number,
  owners: Set<number>,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const groups = await connection().unsafe<{ owner: number | null; count: number }[]>(
      `with deleted as (
        delete from ${name} where id in (select id from ${name} order by id limit ${rowsAtOnce})
          and created_at < now() - make_interval(days => $1::int)
        returning ${owner ?? 'null::int'} as owner)
      select owner, count(*)::int as count from deleted group by owner`,
      [days],
    );
    const deleted = groups.reduce((sum, group) => sum + group.count, 0);
    for (const group of groups) if (group.owner !== null) owners.add(group.owner);
    count += deleted;
    if (deleted < rowsAtOnce) return count;
  }
}

/** True for what PostgreSQL says when a row has no part to go to. */
export const isWithoutPart = (error: unknown): boolean => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return (
    cause instanceof postgres.PostgresError && cause.code === '23514' && cause.constraint_name === undefined
  );
};
