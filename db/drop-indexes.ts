import type postgres from 'postgres';

interface DropOptions {
  tables: readonly string[];
  /** Whether unique indexes are dropped as well; those of constraints stay. */
  unique: boolean;
}

/**
 * Drops the foreign keys and the secondary indexes of tables that are to be filled: to build an index once is far cheaper than to keep
 * it row by row, and to check all references at once than one by one.
 * @returns statements that bring them back, in their order; adding a foreign key again checks every reference
 */
export async function dropIndexesAndForeignKeys(
  sql: postgres.Sql | postgres.TransactionSql,
  { tables, unique }: DropOptions,
): Promise<string[]> {
  const keys = await sql<{ drop: string; create: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "create"
    from pg_constraint
    where contype = 'f' and conparentid = 0 and conrelid = any(
      select quote_ident(name)::regclass from unnest(${[...tables]}::text[]) name)
    order by conrelid::regclass::text, conname`;
  // The index of a partitioned table, which PostgreSQL writes down as of the table alone, comes back for its partitions as well.
  const indexes = await sql<{ drop: string; create: string }[]>`
    select format('drop index %s', i.indexrelid::regclass) as "drop",
      replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as "create"
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where not c.relispartition and (${unique} or not i.indisunique)
      and i.indrelid = any(select quote_ident(name)::regclass from unnest(${[...tables]}::text[]) name)
      and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
    order by c.relname`;
  for (const each of [...keys, ...indexes]) await sql.unsafe(each.drop);
  return [...indexes, ...keys].map(({ create }) => create);
}
