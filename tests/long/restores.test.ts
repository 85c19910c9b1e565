import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'bun';
import postgres from 'postgres';
import { openPlace } from '#api/backup/open-place.ts';
import { sha256 } from '#api/backup/parts.ts';
import type { Place } from '#api/backup/place.ts';
import { reportTo } from '#api/backup/report.ts';
import { restore } from '#api/backup/restore.ts';
import { config, setConfig } from '#api/config.ts';
import { addUpload } from '#api/media/uploads.ts';
import { vapidKeys } from '#api/push/keys.ts';
import { readSnapshot } from '#db/backup/dump.ts';
import { loadSnapshot } from '#db/backup/load.ts';
import { withMigrationsUpTo } from '#db/backup/migrations.ts';
import { connection } from '#db/client.ts';
import { migrateDatabase } from '#db/migrate.ts';
import {
  backUpTo,
  command,
  contentsOf,
  openPlain,
  refusal,
  silent,
  startCommand,
  withEmptyDatabase,
  withFolder,
} from '#tests/kit/backups.ts';
import { cloneDatabase } from '#tests/kit/cluster.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { holdAt } from '#tests/kit/held-statement.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';
import { makeFile } from '#tests/kit/pictures.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(600_000);

/** A small site, and its backup. */
const own = useDatabase();
let target: string;
let place: Place;
let name: string;
/** DATA_DIR of what is restored. */
let dataDir: string;

beforeAll(async () => {
  target = await mkdtemp(join(tmpdir(), 'byeol-backups-'));
  place = openPlace(join(target, 'backups'));
  setConfig({ ...config(), dataDir: join(target, 'data') });
  await makeArticle({ stars: [await makeStar()] });
  await makeFan();
  await addUpload(await makeFile('jpeg'), { actorId: null });
  await vapidKeys();
  ({ name } = await backUpTo(place, own.url));
  dataDir = join(target, 'restored');
  setConfig({ ...config(), dataDir });
});
afterAll(() => rm(target, { recursive: true, force: true }));

/** The file of a table, below the place. */
async function partOf(table: string): Promise<string> {
  const files = await readdir(join(target, 'backups', name, 'tables'));
  return `${name}/tables/${files.find((each) => each.includes(`-${table}.`))}`;
}

const existingTables = async (url: string) => {
  const sql = postgres(url, { max: 1 });
  const rows = await sql`select from pg_tables where schemaname = 'public'`;
  await sql.end();
  return rows.length;
};

test('what is missing, altered or newer is refused before anything is written', () =>
  withEmptyDatabase(async (url) => {
    const root = join(target, 'backups');
    const table = await partOf('stars');
    const picture = `pictures/open/${(await readdir(join(root, 'pictures/open')))[0]}`;
    const manifest = `${name}/manifest.json`;

    const refusalAfter = async (path: string, alter: (path: string) => Promise<unknown>) => {
      const bytes = await readFile(join(root, path));
      await alter(join(root, path));
      const sentence = await refusal(openPlain(place).then((backup) => restore(url, backup, silent)));
      await rm(join(root, path), { force: true });
      await writeFile(join(root, path), bytes);
      expect([await existingTables(url), await readdir(target)]).toEqual([
        0,
        expect.not.arrayContaining(['restored']),
      ]);
      return sentence.replaceAll(root, 'PLACE').replaceAll(name, 'NAME');
    };
    const flip = async (path: string) => {
      const bytes = await readFile(path);
      bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
      await writeFile(path, bytes);
    };
    const edit = (change: (manifest: Record<string, unknown>) => unknown) => async (path: string) => {
      const said: Record<string, unknown> = JSON.parse(await readFile(path, 'utf8'));
      change(said);
      await writeFile(path, JSON.stringify(said));
    };
    const tableName = table.replace(name, 'NAME');
    expect(await refusalAfter(table, flip)).toBe(`The backup in PLACE is damaged: ${tableName} was altered.`);
    expect(await refusalAfter(table, rm)).toBe(`The backup in PLACE is torn: ${tableName} is missing.`);
    // Neither waited for, nor read as far as it goes.
    const instead = (make: (path: string) => Promise<unknown>) => async (path: string) => {
      await rm(path);
      await make(path);
    };
    const noFile = (path: string) => `PLACE/${path} is no file: neither links nor pipes are read.`;
    expect(
      await refusalAfter(
        table,
        instead((path) => $`mkfifo ${path}`),
      ),
    ).toBe(noFile(tableName));
    expect(
      await refusalAfter(
        picture,
        instead((path) => symlink('/dev/zero', path)),
      ),
    ).toBe(noFile(picture));
    expect(await refusalAfter(picture, (path) => truncate(path, 8_000_000_000))).toBe(
      `The backup in PLACE is damaged: ${picture} was altered.`,
    );
    expect(await refusalAfter(picture, flip)).toBe(`The backup in PLACE is damaged: ${picture} was altered.`);
    expect(await refusalAfter(`${name}/pictures.json`, flip)).toContain('NAME/pictures.json was altered');

    const damaged = 'The backup NAME is damaged: its manifest cannot be read.';
    const leadsOut = { file: '../../../etc/passwd', bytes: 1, sha256: '0'.repeat(64) };
    expect(await refusalAfter(manifest, (path) => writeFile(path, '{'))).toBe(damaged);
    expect(
      await refusalAfter(
        manifest,
        edit((said) => Object.assign(said, { vapid: leadsOut })),
      ),
    ).toBe(damaged);
    expect(
      await refusalAfter(
        manifest,
        edit((said) => Object.assign(said, { version: 2 })),
      ),
    ).toBe('The backup NAME was made by a newer release (format 2): restore it with that one.');
    const obeyed = edit((said) => Object.assign(said, { release: '\x1b]0;owned\x07' }));
    expect(await refusalAfter(manifest, obeyed)).toBe(damaged);
    const bound = "FOR VALUES FROM (lo_export(1, '/tmp/out')) TO (MAXVALUE)";
    const calls = edit((said) =>
      Object.assign(Object(said.tables)[0], { partitions: [{ name: 'a', bound }] }),
    );
    expect(await refusalAfter(manifest, calls)).toBe(damaged);
    const key = '../../../../tmp/out';
    const list = JSON.stringify([{ key, file: 'open/a.jpg', bytes: 1, sha256: '0'.repeat(64) }]);
    await place.write(`${name}/hostile.json`, Buffer.from(list));
    const hostile = { file: 'hostile.json', bytes: list.length, sha256: sha256(Buffer.from(list)) };
    const writes = edit((said) => Object.assign(said, { pictures: { count: 1, list: hostile } }));
    expect(await refusalAfter(manifest, writes)).toBe(
      'The backup NAME is damaged: its list of pictures cannot be read.',
    );
    const future = { hash: 'f'.repeat(64), createdAt: Date.now() * 2 };
    const newer = edit((said) => Object.assign(said, { migrations: [...Object(said.migrations), future] }));
    expect(await refusalAfter(manifest, newer)).toBe(
      'The backup NAME was made by a newer release (0.1.0) with migrations that this one does not have: restore it with that one.',
    );
    const replaced = edit((said) => Object.assign(Object(said.migrations)[0], { hash: 'f'.repeat(64) }));
    expect(await refusalAfter(manifest, replaced)).toContain('is of an older state of Byeol');
    expect(await refusal(openPlain(place).then((backup) => restore(own.url, backup, silent)))).toBe(
      'The database is in use: stop the site and whatever else is connected to it.',
    );
  }));

test('what was cut can be run again, and what is filled is not filled twice', () =>
  withEmptyDatabase(async (url) => {
    // Ctrl-C comes while tables are filled: the statement that would fill this one does not arrive.
    const line = await holdAt(url, 'copy "users"');
    const cut = startCommand('restore', [join(target, 'backups')], {
      DATABASE_URL: line.url,
      DATA_DIR: dataDir,
    });
    await line.held;
    cut.kill('SIGINT');
    const stopped = await cut.end;
    line.close();
    expect(stopped).toEqual({ code: 130, output: '', errors: 'Stopped: start the command again.\n' });

    const backup = await openPlain(place);
    const users = backup.manifest.tables.filter((table) => table.name === 'users');
    const manifest = { ...backup.manifest, tables: [...backup.manifest.tables, ...users] };
    await place.write(`${name}/manifest.json`, Buffer.from(JSON.stringify(manifest)));
    // The row, which the server tells as well, is somebody's.
    expect(
      await command('restore', [join(target, 'backups')], { DATABASE_URL: url, DATA_DIR: dataDir }),
    ).toEqual({
      code: 1,
      output: '',
      errors: 'The database refuses: duplicate key value violates unique constraint "users_pkey" (23505).\n',
    });
    const [first, ...others] = backup.manifest.tables;
    const obeyed = { ...first, columns: ['\x1b[2J\x1b]0;owned\x07'] };
    await place.write(
      `${name}/manifest.json`,
      Buffer.from(JSON.stringify({ ...backup.manifest, tables: [obeyed, ...others] })),
    );
    const told = await command('restore', [join(target, 'backups')], {
      DATABASE_URL: url,
      DATA_DIR: dataDir,
    });
    expect(told).toEqual({
      code: 1,
      output: '',
      errors: expect.stringContaining('column "\\u{1b}[2J\\u{1b}]0;owned\\u{7}" of relation'),
    });
    await place.write(`${name}/manifest.json`, Buffer.from(JSON.stringify(backup.manifest)));
    let reads = 0;
    // Altered after the checksums were found right: the last moment at which it can go wrong.
    const failing: Place = {
      ...place,
      read: async (path, most) =>
        path.includes('-users.') && ++reads > 1 ? Uint8Array.of(0) : place.read(path, most),
    };
    expect(await refusal(restore(url, { ...backup, place: failing }, silent))).toEndWith('was altered.');
    const otherKeys = { publicKey: `B${'o'.repeat(86)}`, privateKey: 'p'.repeat(43) };
    await writeFile(join(dataDir, 'vapid.json'), JSON.stringify(otherKeys));
    // Right by its checksum, which whoever made the backup wrote.
    const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    await place.write('pictures/open/page.jpg', page);
    const picture = {
      key: `upload-${'f'.repeat(24)}`,
      file: 'open/page.jpg',
      bytes: page.length,
      sha256: sha256(page),
    };
    const stranger = { name: '\x1b[2Jnotes', columns: ['id'], partitions: [], rows: 0, parts: [] };
    const hostile = {
      ...backup,
      manifest: { ...backup.manifest, tables: [...backup.manifest.tables, stranger] },
      pictures: [...backup.pictures, picture],
    };
    const notes: string[] = [];
    // Without its steps: a machine that is slow tells them as well.
    await restore(url, hostile, { ...reportTo({ write: (text) => notes.push(text) }), step: () => {} });
    const kept = join(dataDir, 'vapid-Booooooooooo.json');
    expect([notes, JSON.parse(await readFile(kept, 'utf8'))]).toEqual([
      [
        `Left out, because they are no pictures as the site keeps them: ${picture.key}.\n`,
        `DATA_DIR had other keys of web push: they are in ${kept} now.\n`,
        'Left out, because no migration made them: the tables \\u{1b}[2Jnotes.\n',
      ],
      otherKeys,
    ]);
    expect(await readdir(join(dataDir, 'uploads'))).toEqual(backup.pictures.map(({ key }) => key));
    expect(await readFile(join(dataDir, 'vapid.json'))).toEqual(
      await readFile(join(target, 'data/vapid.json')),
    );
    const site = await contentsOf(own.url);
    expect(await contentsOf(url)).toEqual(site);
    expect(await refusal(restore(url, backup, silent))).toBe(
      'The database is not empty: a backup is restored into an empty one, and nothing is written over.',
    );
    expect(await contentsOf(url)).toEqual(site);
  }));

test('what was cut while it made the tables can be run again', () =>
  withEmptyDatabase(async (url) => {
    await withMigrationsUpTo('db/migrations', 4, (folder) => migrateDatabase(url, { folder }));
    await restore(url, await openPlain(place), silent);
    // Partitions that are made anew have other names of their constraints.
    const [{ constraints: _, ...site }, { constraints: __, ...source }] = await Promise.all([
      contentsOf(url),
      contentsOf(own.url),
    ]);
    expect(site).toEqual(source);
  }));

test('the backup of an older release is brought up to this one, without tables that are not the site’s', () =>
  withFolder((folder) =>
    withEmptyDatabase(async (older) => {
      await withMigrationsUpTo('db/migrations', 5, (migrations) =>
        migrateDatabase(older, { folder: migrations }),
      );
      const sql = postgres(older, { max: 1 });
      await sql`create table notes_of_ours (id int)`;
      await sql`insert into stars (slug, name, category, fandom_color, initials, search_text)
        values ('old', '옛별', 'Idol', '#3355FF', 'ㅇ', '옛별')`;
      await sql.end();
      await backUpTo(openPlace(folder), older);
      const backup = await openPlain(openPlace(folder));
      await withEmptyDatabase(async (url) => {
        const notes: string[] = [];
        await restore(url, backup, { ...silent, note: (text) => notes.push(text) });
        expect(notes).toEqual(['Left out, because no migration made them: the tables notes_of_ours.']);
        const [site, newest] = await Promise.all([contentsOf(url), contentsOf(own.url)]);
        expect([site.constraints, site.indexes, site.triggers]).toEqual([
          newest.constraints,
          newest.indexes,
          newest.triggers,
        ]);
        expect([site.migrations, site.rows['public.stars']]).toEqual([
          newest.migrations,
          expect.stringMatching(/^1 /),
        ]);
      });
      // A fresh database of this release has columns already that the older rows should be migrated to.
      const fresh = await cloneDatabase('empty');
      expect(await refusal(restore(fresh.url, backup, silent))).toMatch(
        /^The database was set up by another release than the backup \S+ is of: make a new, empty one/,
      );
      await fresh.drop();
    }),
  ));

test('partitions come along, whatever those of the new database are', async () => {
  const [from, to] = [await cloneDatabase('empty'), await cloneDatabase('empty')];
  const [source, copy] = [from, to].map(({ url }) => postgres(url, { max: 1, onnotice: () => {} }));
  if (!source || !copy) throw new Error('two databases');
  for (const sql of [source, copy])
    await sql`create table daily (day date not null, n int, primary key (day)) partition by range (day)`;
  await source`create table daily_1 partition of daily for values from ('2025-01-01') to ('2026-01-01')`;
  // An index that is no constraint, too: it comes back for every partition, or for none.
  for (const sql of [source, copy]) await sql`create index daily_n on daily (n)`;
  await source`insert into daily select '2025-03-01'::date + n, n from generate_series(1, 3) n`;
  await copy`create table daily_1 partition of daily for values from ('2026-01-01') to ('2027-01-01')`;
  await copy`create table daily_2 partition of daily default`;
  await readSnapshot(from.url, (snapshot) => loadSnapshot(to.url, { ...snapshot, also: async () => {} }));
  expect(await contentsOf(to.url)).toEqual(await contentsOf(from.url));
  const parts = await copy<{ bound: string }[]>`
    select pg_get_expr(relpartbound, oid) as bound from pg_class
    where relkind = 'r' and oid in (select inhrelid from pg_inherits where inhparent = 'daily'::regclass)`;
  expect([...parts]).toEqual([{ bound: "FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')" }]);
  await Promise.all([source.end(), copy.end()]);
  await Promise.all([from.drop(), to.drop()]);
});

test('a table that a migration is rewriting is waited for, and read as it left it', async () => {
  const migration = postgres(own.url, { max: 1 });
  let slugs: Promise<string> | undefined;
  await migration.begin(async (tx) => {
    await tx`alter table stars add column rewritten uuid default gen_random_uuid()`;
    slugs = readSnapshot(own.url, async ({ rowsOf }) => {
      let text = '';
      for await (const rows of rowsOf({ name: 'stars', columns: ['slug'], partitions: [] }))
        text += new TextDecoder().decode(rows);
      return text;
    });
    await until(async () => {
      const waiting = await connection()`
        select from pg_stat_activity
        where application_name = 'byeol-backup' and wait_event_type = 'Lock' and datname = current_database()`;
      return waiting.length > 0;
    });
  });
  const [star] = await connection()<{ slug: string }[]>`select slug from stars`;
  expect(await slugs).toBe(`${star?.slug}\n`);
  await migration`alter table stars drop column rewritten`;
  await migration.end();
});
