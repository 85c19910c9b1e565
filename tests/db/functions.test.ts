import { expect, test } from 'bun:test';
import { basename } from 'node:path';
import type { TransactionSql } from 'postgres';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { filesOf } from '#tests/rules/sources.ts';

useDatabase();

const files = filesOf('db/functions/*.sql');

interface Defined {
  name: string;
  definition: string;
  /** Written by the transaction that asks. */
  isNew: boolean;
}

/** Every function and trigger of ours, as PostgreSQL writes it down; those that came with an extension are not ours. */
const definitions = (sql: TransactionSql) => sql<Defined[]>`
  select p.proname as name, pg_get_functiondef(p.oid) as definition, p.xmin = pg_current_xact_id()::xid as "isNew"
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and not exists (
    select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select t.tgname || ' on ' || t.tgrelid::regclass, pg_get_triggerdef(t.oid), t.xmin = pg_current_xact_id()::xid
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  order by 1, 2`;

const byName = (defined: readonly Defined[]) => defined.map(({ name, definition }) => [name, definition]);

test('a migrated database has the functions and triggers of db/functions, each as its file says, and no others', async () => {
  await connection().begin(async (sql) => {
    const migrated = await definitions(sql);
    for (const { text } of files) await sql.unsafe(text);
    const fromFiles = await definitions(sql);
    expect(byName(fromFiles)).toEqual(byName(migrated));
    // What the files did not write again is in none of them.
    expect(fromFiles.filter(({ isNew }) => !isNew).map(({ name }) => name)).toEqual([]);
    expect(fromFiles.length).toBeGreaterThan(35);
  });
});

test('a file of db/functions is named as its function and says why it exists', async () => {
  const functions = await connection()<{ name: string }[]>`
    select distinct p.proname as name from pg_proc p join pg_language l on l.oid = p.prolang and l.lanname in ('sql', 'plpgsql')
    where p.pronamespace = 'public'::regnamespace`;
  expect(files.map(({ path }) => basename(path, '.sql'))).toEqual(functions.map(({ name }) => name).sort());
  for (const { path, text } of files) {
    const head = new RegExp(`^(?:-- .*\\n)+CREATE OR REPLACE FUNCTION ${basename(path, '.sql')}\\(`);
    expect(text, path).toMatch(head);
  }
});
