import postgres from 'postgres';

/** Tables that a migration makes the first part of a partitioned one, and how many ids more that part takes (`0012_partitions.sql`). */
const tables = [
  { name: 'messages', room: 4_000_000 },
  { name: 'audit_log', room: 1_000_000 },
] as const;

/**
 * Shows PostgreSQL that the ids of tables that are not partitioned yet end below a bound: it reads them for that, while others go on
 * reading and writing. The migration would have to do so while it holds the tables (decision D13).
 * @returns takes the proof back if the migration did not use it: it would refuse the rows that come behind the bound
 */
export async function proveBounds(sql: postgres.Sql): Promise<() => Promise<void>> {
  for (const { name, room } of tables) {
    if (!(await isPlain(sql, name))) continue;
    await takeBack(sql, name);
    const [row] = await sql<{ bound: string }[]>`
      select ((coalesce(pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')), 0) / ${room}::bigint + 2) * ${room}::bigint)::text
        as bound`;
    await sql.unsafe(`alter table ${name} add constraint ${name}_bound check (id < ${row?.bound}) not valid`);
    await sql.unsafe(`alter table ${name} validate constraint ${name}_bound`);
  }
  return async () => {
    for (const { name } of tables) if (await isPlain(sql, name)) await takeBack(sql, name);
  };
}

async function isPlain(sql: postgres.Sql, name: string): Promise<boolean> {
  const rows = await sql`select from pg_class where oid = to_regclass(${name}) and relkind = 'r'`;
  return rows.length > 0;
}

const takeBack = (sql: postgres.Sql, name: string) =>
  sql.unsafe(`alter table ${name} drop constraint if exists ${name}_bound`);

const pause = 1_000;
const tries = 60;

/** Tries again what needed a lock that others held: those behind it must not wait longer than it asked for. */
export async function withPatience<T>(action: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time += 1) {
    try {
      return await action();
    } catch (error) {
      const { cause = error } = error instanceof Error ? error : { cause: error };
      const isInTheWay =
        cause instanceof postgres.PostgresError && (cause.code === '55P03' || cause.code === '40P01');
      if (!isInTheWay || time === tries) throw error;
      await Bun.sleep(pause);
    }
  }
}
