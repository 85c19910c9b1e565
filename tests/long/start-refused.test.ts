import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { withoutPassword as shown } from '#db/database-errors.ts';
import { findPostmaster, freePort } from '#db/embedded/postmaster.ts';
import { startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { refuseAnotherDatabase } from '#db/same-database.ts';
import { root } from '#site/launch/root.ts';
import { refusal, withEmptyDatabase } from '#tests/kit/backups.ts';
import { testCluster } from '#tests/kit/cluster.ts';
import { environment } from '#tests/kit/environment.ts';
import { copyProject, type ProjectCopy } from '#tests/kit/project-copy.ts';

let copy: ProjectCopy;

beforeAll(async () => {
  copy = await copyProject();
}, 300_000);

afterEach(() => copy.endAll(), 120_000);
afterAll(() => copy.remove(), 120_000);

describe('bun start refuses in one sentence', () => {
  test('a port that another program has', async () => {
    const otherServer = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
    expect(await copy.refusal({ PORT: String(otherServer.port) })).toBe(
      `Port ${otherServer.port} is already in use: stop the other program or set PORT.`,
    );
    await otherServer.stop(true);
  }, 300_000);

  test('one port for the site and its figures', async () => {
    const port = String(await freePort());
    expect(await copy.refusal({ PORT: port, METRICS_PORT: port })).toBe(
      `METRICS_PORT must be another port than PORT, which is ${port} too.`,
    );
  }, 300_000);

  test('a port that is none', async () => {
    expect(await copy.refusal({ PORT: '70000' })).toBe(
      'PORT must be a whole number from 0 to 65535, not "70000".',
    );
  }, 300_000);

  test('an argument that it does not know', async () => {
    const refused = copy.start({}, ['site/start.ts', '--port', '8080']);
    expect(await refused.ended).toBe(1);
    expect(refused.output().trim()).toBe(
      'The start takes --processes N and nothing else, not "--port 8080"; all others are settings, such as PORT=8080.',
    );
  }, 300_000);

  test('a database that cannot be reached', async () => {
    const nobody = await freePort();
    expect(await copy.refusal({ DATABASE_URL: `postgres://byeol:secret@127.0.0.1:${nobody}/byeol` })).toBe(
      `The database at 127.0.0.1:${nobody}/byeol cannot be reached: check DATABASE_URL.`,
    );
  }, 300_000);

  test('a database whose server has no TLS, which the address asks for', async () => {
    const builtIn = await startEmbedded(join(copy.folder, 'plain'));
    await createDatabase(builtIn.url());
    const { host, pathname } = new URL(builtIn.url());
    expect(await copy.refusal({ DATABASE_URL: `${builtIn.url()}?sslmode=require` })).toBe(
      `The server of ${host}${pathname} refuses TLS, which DATABASE_URL asks for: switch it on there, or take ssl and sslmode out of DATABASE_URL.`,
    );
    await builtIn.stop();
  }, 300_000);

  test('a pooler that leads to another database, before either is touched', async () => {
    const pooled = (await testCluster()).url('byeol_template');
    await withEmptyDatabase(async (direct) => {
      const settings = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct };
      expect(await copy.refusal(settings)).toBe(
        `DATABASE_DIRECT_URL (${shown(direct)}) leads to another database than DATABASE_URL (${shown(pooled)}): both must lead to the same one.`,
      );
      const sql = postgres(direct, { max: 1 });
      expect((await sql`select from pg_namespace where nspname = 'drizzle'`).length).toBe(0);
      await sql.end();
      const nobody = Object.assign(new URL(pooled), { port: await freePort() }).href;
      expect(await refusal(refuseAnotherDatabase(direct, nobody))).toBe(
        `The database at ${shown(nobody)} cannot be reached: check DATABASE_URL.`,
      );
      // The same by another name.
      await refuseAnotherDatabase(direct, direct.replace('127.0.0.1', 'localhost'));
      expect(await copy.refusal({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: nobody })).toBe(
        `The database at ${shown(nobody)} cannot be reached: check DATABASE_DIRECT_URL.`,
      );
    });
  }, 300_000);

  test('a database address that is none', async () => {
    expect(await copy.refusal({ DATABASE_URL: 'mysql://somewhere' })).toMatch(
      /^DATABASE_URL must be an address that starts/,
    );
  }, 300_000);

  test('an address of the database by a name that is no setting', async () => {
    const address = 'postgres://byeol:secret@127.0.0.1:1/byeol';
    expect(await copy.refusal({ DATABSE_URL: address, SITE_URL: 'https://fans.example' })).toBe(
      'DATABSE_URL is no setting, and has the address of a database: call it DATABASE_URL, or unset it.',
    );
  }, 300_000);

  test('what the server does not know of a database address', async () => {
    const url = (await testCluster()).url('byeol_template');
    const refused = 'refuses what stands behind the question mark of DATABASE_URL, and says';
    expect(await copy.refusal({ DATABASE_URL: `${url}?statement_timout=5` })).toBe(
      `The server of ${shown(url)} ${refused} "unrecognized configuration parameter "statement_timout"": correct it or take it out there.`,
    );
    expect(await copy.refusal({ DATABASE_URL: `${url}?statement_timeout=five` })).toStartWith(
      `The server of ${shown(url)} ${refused} "invalid value for parameter "statement_timeout"`,
    );
  }, 300_000);

  test('a folder that cannot be written', async () => {
    await writeFile(join(copy.folder, 'file'), '');
    const unwritable = join(copy.folder, 'file', 'data');
    expect(await copy.refusal({ DATA_DIR: unwritable })).toBe(
      `DATA_DIR ${unwritable} cannot be written: choose another folder or change its owner.`,
    );
  }, 300_000);

  test('a data folder that lost a part', async () => {
    const damaged = join(copy.folder, 'damaged');
    await mkdir(join(damaged, 'postgres'), { recursive: true });
    await writeFile(join(damaged, 'postgres/postmaster.opts'), '');
    expect(await copy.refusal({ DATA_DIR: damaged })).toMatch(
      /^\/.*damaged\/.* is missing or damaged: restore it from a backup of DATA_DIR\.$/,
    );
  }, 300_000);

  test('keys of web push that cannot be read', async () => {
    const folder = join(copy.folder, 'keys');
    await mkdir(folder);
    await writeFile(join(folder, 'vapid.json'), '');
    expect(await copy.refusal({ DATA_DIR: folder })).toStartWith(
      `${folder}/vapid.json has no keys of web push that can be read: `,
    );
  }, 300_000);

  test('a built-in database of an older state', async () => {
    const older = join(copy.folder, 'older');
    const builtIn = await startEmbedded(older);
    await createDatabase(builtIn.url());
    await migrateDatabase(builtIn.url());
    const sql = postgres(builtIn.url(), { max: 1 });
    await sql`update drizzle.__drizzle_migrations set hash = 'of another migration' where id = 1`;
    await sql.end();
    await builtIn.stop();
    expect(await copy.refusal({ DATA_DIR: older })).toBe(
      `The database in DATA_DIR ${older} was made by an older state of Byeol, which this one cannot take over: move that folder away and start again.`,
    );
    expect(findPostmaster(join(older, 'postgres'))).toBeUndefined();
  }, 300_000);

  test('an address that is not of this machine', async () => {
    expect(await copy.refusal({ HOST: '192.0.2.1' })).toMatch(
      /^HOST 192\.0\.2\.1 is not an address of this machine/,
    );
  }, 300_000);
});

test('pnpm and yarn start install on a fresh clone, though their own installing is refused', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'byeol-clone-'));
  for (const name of [
    'package.json',
    'bun.lock',
    'bunfig.toml',
    'tsconfig.json',
    'content',
    'db',
    'api',
    'site',
  ])
    await cp(join(root, name), join(clone, name), { recursive: true });
  const command = Bun.spawn(['bun', 'run', 'site/command.ts', 'api/accounts/admin-command.ts'], {
    cwd: clone,
    env: environment({ npm_config_user_agent: 'pnpm/11.0.0 npm/? node/v20.20.2 linux x64' }),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  expect(await new Response(command.stderr).text()).toContain('Say whose: bun run admin');
  await rm(clone, { recursive: true });
}, 300_000);
