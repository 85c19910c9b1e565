import { expect, test } from 'bun:test';
import { fillPlaceholders } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { connection } from '#db/client.ts';
import { idsWithin, spanShape, spanValues } from '#db/queries/events/spans.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent } from '#tests/kit/make.ts';

useDatabase();

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

test('what is on now is found among twenty thousand events without reading those that are over', async () => {
  const sql = connection();
  const running = await makeEvent({ start: '2026-11-20T10:00:00Z', end: '2026-11-22T10:00:00Z' });
  await sql`insert into events (event_type, category_id, verification, start_time)
    select 'concert', (select category_id from events where id = ${running}), 'approved',
      timestamptz '2024-11-21 00:00Z' + n * interval '1 hour' from generate_series(1, 20000) n`;
  await sql`vacuum analyze events`;
  const from = new Date('2026-11-21T12:30:00Z');
  const span = { from, to: new Date('2026-11-21T15:00:00Z'), limit: 6 };
  const { sql: text, params } = new PgDialect({ casing: 'snake_case' }).sqlToQuery(
    idsWithin(spanShape(span, {})),
  );
  const values = fillPlaceholders(params, spanValues(span, {})) as (string | number)[];
  const rows = await sql.unsafe<{ id: number }[]>(text, values);
  // The long one, those that began at 11 and 12, and those of 13 and 14.
  expect(rows).toHaveLength(5);
  expect(rows[0]?.id).toBe(running);
  const [explained] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  const plan = explained?.['QUERY PLAN'][0].Plan;
  expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(100);
});
