import { expect, test } from 'bun:test';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { connection } from '#db/client.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { useDatabase } from '#tests/kit/database.ts';

const own = useDatabase();
const migrations = 'db/migrations';

/** A database as it was before the two lists of stars became one; `drop` removes it. */
async function formerDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const url = `${own.url}_former`;
  const folder = await mkdtemp(join(tmpdir(), 'byeol-former-'));
  await cp(migrations, folder, { recursive: true });
  const journal = Bun.file(join(folder, 'meta/_journal.json'));
  const { entries, ...rest }: { entries: { idx: number }[] } = await journal.json();
  await journal.write(JSON.stringify({ ...rest, entries: entries.filter(({ idx }) => idx < 20) }));
  await createDatabase(url);
  await migrateDatabase(url, folder);
  await rm(folder, { recursive: true });
  const drop = async () => {
    await connection().unsafe(`drop database "${new URL(url).pathname.slice(1)}" with (force)`);
  };
  return { url, drop };
}

test('nobody loses a star when favourites and follows become one list, and each follower counts once', async () => {
  const former = await formerDatabase();
  const sql = postgres(former.url, { max: 1, onnotice: () => {} });
  try {
    await sql`insert into users (username, username_key) values ('both', 'both'), ('chooser', 'chooser')`;
    await sql`insert into stars (slug, name, category, fandom_color, initials, search_text)
      select 's' || n, '별' || n, 'Idol', '#3355FF', 'ㅂ', '별' from generate_series(1, 3) n`;
    await sql`insert into follows (user_id, star_id, created_at) values (1, 1, '2026-01-01'), (1, 2, '2026-01-02')`;
    await sql`insert into favourites (user_id, star_id, created_at)
      values (1, 2, '2026-02-01'), (1, 3, '2026-02-02'), (2, 3, '2026-01-05')`;
    await migrateDatabase(former.url);
    const follows = await sql`select user_id, star_id from follows order by user_id, created_at`;
    expect([...follows]).toEqual([
      { user_id: 1, star_id: 1 },
      { user_id: 1, star_id: 2 },
      { user_id: 1, star_id: 3 },
      { user_id: 2, star_id: 3 },
    ]);
    const counts = async () =>
      (await sql<{ n: number }[]>`select follower_count as n from stars order by id`).map(({ n }) => n);
    expect(await counts()).toEqual([1, 1, 2]);
    // A process of the release before writes by the old name: it is the same list.
    await sql`insert into favourites (user_id, star_id) values (2, 1) on conflict do nothing`;
    await sql`delete from favourites where user_id = 1 and star_id = 3`;
    expect(await counts()).toEqual([2, 1, 1]);
    const [table] = await sql`select relkind from pg_class where relname = 'favourites'`;
    expect(table).toEqual({ relkind: 'v' });
  } finally {
    await sql.end();
    await former.drop();
  }
}, 30_000);
