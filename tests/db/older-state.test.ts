import { expect, test } from 'bun:test';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { connection } from '#db/client.ts';
import { StartupError } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { useDatabase } from '#tests/kit/database.ts';

const own = useDatabase();

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

/** A folder of migrations, filled by `fill`, and an empty database for it; `remove` takes both away. */
async function otherState(fill: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-migrations-'));
  await mkdir(join(folder, 'meta'));
  await fill(folder);
  const url = `${own.url}_other`;
  await createDatabase(url);
  const remove = async () => {
    await rm(folder, { recursive: true });
    await connection().unsafe(`drop database "${new URL(url).pathname.slice(1)}" with (force)`);
  };
  return { folder, url, remove };
}

/** Adds a migration that makes a table. */
async function add(folder: string, tag: string, when: number): Promise<void> {
  const journal = Bun.file(join(folder, 'meta/_journal.json'));
  const { entries, ...header }: Journal = (await journal.exists()) ? await journal.json() : { entries: [] };
  const entry = { idx: entries.length, version: '7', when, tag, breakpoints: true };
  await Bun.write(join(folder, `${tag}.sql`), `create table "${tag}" (id integer);`);
  await journal.write(JSON.stringify({ ...header, entries: [...entries, entry] }));
}

test('a database of an older state is refused in one sentence that says what to do, and stays as it was', async () => {
  const older = await otherState((folder) => add(folder, 'before_the_first_release', 1_700_000_000_000));
  const sql = postgres(older.url, { max: 1 });
  const tables = () => sql`select tablename from pg_tables where schemaname = 'public'`;
  try {
    await migrateDatabase(older.url, { folder: older.folder });
    const { host, pathname } = new URL(older.url);
    const refusal = 'was made by an older state of Byeol, which this one cannot take over';
    await expect(migrateDatabase(older.url)).rejects.toEqual(
      new StartupError(
        `The database at ${host}${pathname} ${refusal}: set DATABASE_URL to an empty database.`,
      ),
    );
    await expect(migrateDatabase(older.url, { dataDir: '/srv/byeol' })).rejects.toEqual(
      new StartupError(
        `The database in DATA_DIR /srv/byeol ${refusal}: move that folder away and start again.`,
      ),
    );
    expect([...(await tables())]).toEqual([{ tablename: 'before_the_first_release' }]);
  } finally {
    await sql.end();
    await older.remove();
  }
}, 120_000);

test('a database of another program is refused and stays as it was, one with an extension in it is taken', async () => {
  const strange = await otherState(() => Promise.resolve());
  const sql = postgres(strange.url, { max: 1 });
  try {
    await sql`create extension pg_stat_statements`;
    await sql`create table stars (id int)`;
    const { host, pathname } = new URL(strange.url);
    await expect(migrateDatabase(strange.url)).rejects.toEqual(
      new StartupError(
        `The database at ${host}${pathname} is not empty and holds no Byeol (it has public.stars): set DATABASE_URL to an empty database.`,
      ),
    );
    expect([...(await sql`select tablename from pg_tables where schemaname = 'public'`)]).toEqual([
      { tablename: 'stars' },
    ]);
    await sql`drop table stars`;
    await migrateDatabase(strange.url);
  } finally {
    await sql.end();
    await strange.remove();
  }
}, 120_000);

test('a database that a later release added to is taken as it is', async () => {
  const later = await otherState(async (folder) => {
    await cp('db/migrations', folder, { recursive: true });
    await add(folder, 'of_a_later_release', Date.now());
  });
  try {
    await migrateDatabase(later.url, { folder: later.folder });
    await migrateDatabase(later.url);
  } finally {
    await later.remove();
  }
}, 120_000);

/** The database as it was before the migration of this number. */
const stateBefore = (number: string) =>
  otherState(async (folder) => {
    await cp('db/migrations', folder, { recursive: true });
    const journal = Bun.file(join(folder, 'meta/_journal.json'));
    const { entries, ...header }: Journal = await journal.json();
    const earlier = entries.filter(({ tag }) => tag < number);
    await journal.write(JSON.stringify({ ...header, entries: earlier }));
  });

test('colours that nobody told become drawn ones, others stay', async () => {
  const before = await stateBefore('0009');
  const sql = postgres(before.url, { max: 1 });
  try {
    await migrateDatabase(before.url, { folder: before.folder });
    await sql`insert into stars (slug, name, category, fandom_color, initials, search_text) values
      ('minji', '민지', 'Idol', '#FF4B1F', 'ㅁㅈ', ''), ('minji-2', '민지', 'Idol', '#ff4b1f', 'ㅁㅈ', ''),
      ('padoban', '파도반', 'Idol', '#00B3A4', 'ㅍㄷㅂ', '')`;
    await sql`insert into pictures (key, art, placeholder)
      values ('star-minji-hero', '{"name":"민지","fandomColor":"#FF4B1F","recipe":"portrait","seed":"x"}', '#000000')`;
    await migrateDatabase(before.url);
    const stars = await sql<{ colour: string; drawn: boolean }[]>`
      select fandom_color as colour, is_color_drawn as drawn from stars order by id`;
    expect(stars.map(({ drawn }) => drawn)).toEqual([true, true, false]);
    const colours = stars.map(({ colour }) => colour);
    expect([new Set(colours).size, colours.includes('#FF4B1F'), colours[2]]).toEqual([3, false, '#00B3A4']);
    const [hero] = await sql<{ colour: string; placeholder: string }[]>`
      select art ->> 'fandomColor' as colour, placeholder from pictures`;
    expect([hero?.colour, hero?.placeholder === '#000000']).toEqual([colours[0], false]);
  } finally {
    await sql.end();
    await before.remove();
  }
});

test('stars that were there before are found by their names', async () => {
  const before = await stateBefore('0010');
  const sql = postgres(before.url, { max: 1 });
  try {
    await migrateDatabase(before.url, { folder: before.folder });
    await sql`insert into stars (slug, name, category, fandom_color, initials, search_text) values
      ('minji', '민지', 'Idol', '#FF4B1F', 'ㅁㅈ', '민지 Minji ㅁㅈ'), ('padoban', '파도반', 'Idol', '#00B3A4', 'ㅍㄷㅂ', '파도반 ㅍㄷㅂ')`;
    await migrateDatabase(before.url);
    const find = (text: string) => sql`
      select slug from star_search join stars on stars.id = star_id
      where name_grams @> byeol_grams(byeol_fold(${text})) or initial_grams @> byeol_grams(${text})`;
    expect(
      [await find('민'), await find('NJ'), await find('ㄷㅂ')].map((rows) => rows.map(({ slug }) => slug)),
    ).toEqual([['minji'], ['minji'], ['padoban']]);
    const [kept] =
      await sql`select count(*)::int as all from star_search join stars using (search_key, initials)`;
    expect(kept?.all).toBe(2);
  } finally {
    await sql.end();
    await before.remove();
  }
}, 120_000);

test('an adopted anniversary that the plan took back is no decision of who approved it; what an editor rejected is', async () => {
  const before = await stateBefore('0023');
  const sql = postgres(before.url, { max: 1 });
  try {
    await migrateDatabase(before.url, { folder: before.folder });
    await sql`insert into stars (slug, name, category, fandom_color, initials, search_text)
      values ('minji', '민지', 'Idol', '#FF4B1F', 'ㅁㅈ', '')`;
    await sql`insert into event_categories (slug, event_type, color) values ('birthday', 'birthday', '#2f6bff') on conflict do nothing`;
    const decisions = [['approve'], ['approve', 'undo', 'reject'], ['reject', 'undo', 'approve'], []];
    for (const [year, actions] of decisions.entries()) {
      const [event] = await sql<{ id: number }[]>`
        insert into events (event_type, category_id, verification, start_time, precision, decided_at, decision_notes,
          anniversary_of, anniversary_fact, anniversary_year)
        select 'birthday', (select min(id) from event_categories), 'rejected', '2099-01-01T15:00Z', 'day', now(), 'fine',
          id, 'birthday', ${2090 + year} from stars returning id`;
      for (const action of actions)
        await sql`insert into audit_log (action, subject, subject_id) values (${`event.${action}`}, 'event', ${event?.id ?? 0})`;
    }
    await migrateDatabase(before.url);
    const rows = await sql<{ decided: boolean }[]>`
      select decided_at is not null or decision_notes is not null as decided from events order by id`;
    expect(rows.map(({ decided }) => decided)).toEqual([false, true, false, true]);
  } finally {
    await sql.end();
    await before.remove();
  }
}, 120_000);
