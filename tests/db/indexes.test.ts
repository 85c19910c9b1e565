import { expect, test } from 'bun:test';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';

useDatabase();

test('an index that goes down fits ORDER BY … DESC: Drizzle would write NULLS LAST, which PostgreSQL then cannot walk', async () => {
  const wrong = await connection()`
    select c.relname as index, a.attname as column
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    cross join lateral unnest(i.indkey::int[], i.indoption::int[]) as part(column_number, options)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.column_number
    where part.options & 1 = 1 and part.options & 2 = 0 and a.attnotnull`;
  expect([...wrong]).toEqual([]);
});
