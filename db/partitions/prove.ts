import type postgres from 'postgres';

/** Tables that a migration makes the first part of a partitioned one, and how many ids more that part takes (`0012_partitions.sql`). */
const tables = [
  { name: 'messages', room: 4_000_000 },
  { name: 'audit_log', room: 1_000_000 },
] as const;

/**
 * Shows PostgreSQL that the ids of tables that are not partitioned yet end below a bound: it reads them for that, while others go on
 * reading and writing. The migration would have to do so while it holds the tables (decision D13).
 * @param alter runs a statement that needs the table for itself for a moment
 * @returns takes the proof back if the migration did not use it: it would refuse the rows that come behind the bound
 */
export async function proveBounds(
  sql: postgres.Sql,
  alter: (statement: string) => Promise<void>,
): Promise<() => Promise<void>> {
  const takeBack = (name: string) => alter(`alter table ${name} drop constraint if exists ${name}_bound`);
  for (const { name, room } of tables) {
    if (!(await isPlain(sql, name))) continue;
    await takeBack(name);
    const [row] = await sql<{ bound: string }[]>`
      select ((coalesce(pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')), 0) / ${room}::bigint + 2) * ${room}::bigint)::text
        as bound`;
    await alter(`alter table ${name} add constraint ${name}_bound check (id < ${row?.bound}) not valid`);
    await sql.unsafe(`alter table ${name} validate constraint ${name}_bound`);
  }
  return async () => {
    for (const { name } of tables) if (await isPlain(sql, name)) await takeBack(name);
  };
}

async function isPlain(sql: postgres.Sql, name: string): Promise<boolean> {
  const rows = await sql`select from pg_class where oid = to_regclass(${name}) and relkind = 'r'`;
  return rows.length > 0;
}
