import { expect, setDefaultTimeout, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { askImpatiently, closeDatabase, connection, database, openDatabase, unprepared } from '#db/client.ts';
import { hasCode } from '#db/database-errors.ts';
import { call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle } from '#tests/kit/make.ts';

setDefaultTimeout(120_000);

const own = useDatabase();

/** On a slow machine even such a statement may take longer than the second that an impatient one has. */
async function askInTime(text: string): Promise<Iterable<unknown>> {
  for (;;) {
    try {
      return await askImpatiently(text, []);
    } catch (error) {
      if (!hasCode(error, (code) => code === '57014')) throw error;
    }
  }
}

test('how a database has values written is nothing to us', async () => {
  const article = await makeArticle({ rewrites: { en: 'Title' } });
  const { json: before } = await call(`/api/articles/${article}`);
  const foreign = {
    datestyle: 'German',
    intervalstyle: 'iso_8601',
    bytea_output: 'escape',
    extra_float_digits: '-10',
    standard_conforming_strings: 'off',
  };
  const [name] = new URL(own.url).pathname.split('/').slice(1);
  for (const [setting, value] of Object.entries(foreign))
    await connection().unsafe(`alter database "${name}" set ${setting} = '${value}'`);
  await closeDatabase();
  openDatabase(own.url);

  const written = `select current_setting('datestyle') as dates, '\\x00ff'::bytea::text as bytes, '1 day'::interval::text as length,
    (1::float8 / 3)::text as third, 'a\\b' as text`;
  const right = {
    dates: 'ISO, MDY',
    bytes: '\\x00ff',
    length: '1 day',
    third: '0.3333333333333333',
    text: 'a\\b',
  };
  for (const db of [database(), unprepared()])
    expect([...(await db.execute(sql.raw(written)))]).toEqual([right]);
  expect([...(await askInTime(written))]).toEqual([right]);
  expect((await call(`/api/articles/${article}`)).json).toEqual(before);
});
