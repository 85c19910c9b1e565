/**
 * `bun run check-upgrade`: whether the release before goes on while this one's migrations come. It is taken out of git, built and filled with
 * its demo in a temporary folder; fans read and talk in it while its database is migrated, and then it is started anew on what came of that, as
 * a roll back does, and asked for every public address. None of it may be answered with a fault, or late.
 *
 *     bun run check-upgrade [ref]     of git; else the commit before the newest migration
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { isHelp } from '#api/command-help.ts';
import { languages } from '#content/locales.ts';
import { freePort, readSettings } from '#db/embedded/postmaster.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { root } from '#site/launch/root.ts';
import { publicAddresses } from '#tests/kit/addresses.ts';
import { environment } from '#tests/kit/environment.ts';
import { publicPages } from '#tests/kit/public-pages.ts';
import { runToEnd } from '#tests/kit/run-program.ts';
import { type LoadedFan, SiteLoad } from '#tests/kit/site-load.ts';
import { until } from '#tests/kit/until.ts';
import { filesOf } from '#tests/rules/sources.ts';

/** Milliseconds that nobody may wait for a table, whatever is migrated. */
const latest = 2_000;

const faults: string[] = [];
function told(what: string, isRight: boolean, details = ''): void {
  console.log(`  ${isRight ? 'ok' : 'NO'}  ${what}${details === '' ? '' : `: ${details}`}`);
  if (!isRight) faults.push(what);
}

async function output(...command: string[]): Promise<string> {
  const { code, output: said, errors } = await runToEnd(command);
  if (code !== 0) throw new Error(`${command.join(' ')}: ${errors}`);
  return said.trim();
}

/** The commit before the newest migration came; the present one where that is not committed yet. */
async function releaseBefore(): Promise<string> {
  const newest = filesOf('db/migrations/*.sql').at(-1)?.path ?? '';
  const came = await output('git', 'log', '--diff-filter=A', '--format=%H', '-1', '--', newest);
  return came === '' ? 'HEAD' : `${came}^`;
}

async function shell(command: string, cwd: string): Promise<void> {
  const child = Bun.spawn(['sh', '-ec', command], {
    cwd,
    env: environment({}),
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error(`${command}: ended with ${child.exitCode}`);
}

/** A release in a folder of its own, with its own PostgreSQL and its demo. */
async function startRelease(folder: string) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const dataDir = join(folder, '.data');
  const child = Bun.spawn([process.execPath, 'site/start.ts'], {
    cwd: folder,
    env: environment({ PORT: String(port), DATA_DIR: dataDir, NODE_ENV: 'production' }),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const said = new Response(child.stderr).text();
  const deadline = performance.now() + 300_000;
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill();
      throw new Error(`the release before did not start:\n${await said}`);
    }
    await Bun.sleep(100);
  }
  return {
    url,
    databaseUrl() {
      const home = dataDir;
      const [, , , databasePort] = readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8').split('\n');
      return `postgres://byeol:${readSettings(home).password}@127.0.0.1:${databasePort}/byeol`;
    },
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
      return said;
    },
  };
}

/** Somebody who has just registered and joined a channel. */
async function registerFan(url: string, star: number, n: number): Promise<LoadedFan> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return Object(await answer.json());
  };
  const password = `a long password ${crypto.randomUUID()}`;
  const names = { email: `fan${n}@mail.example`, username: `upgrade_fan${n}`, displayName: `Fan ${n}` };
  const { token, user } = await post('/api/auth/register', {
    ...names,
    password,
    confirmPassword: password,
    language: 'en',
  });
  await post(`/api/community/channels/${star}/join`, {}, { authorization: `Bearer ${token}` });
  return { id: Number(user.id), token: String(token) };
}

/** Reads from each table in turn until it is over. @returns ends it, and tells the longest that one took, in milliseconds */
async function readTables(databaseUrl: string) {
  const sql = postgres(databaseUrl, { max: 4 });
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`;
  let isOver = false;
  let longest = 0;
  const reader = async (first: number) => {
    for (let n = first; !isOver; n += 1) {
      const began = performance.now();
      // A table that a migration takes away is missed by the pages that use it.
      await sql.unsafe(`select from ${tables[n % tables.length]?.name} limit 1`).catch(() => {});
      longest = Math.max(longest, performance.now() - began);
      await Bun.sleep(1);
    }
  };
  const readers = Promise.all([0, 17, 34, 51].map(reader));
  return async () => {
    isOver = true;
    await readers;
    await sql.end();
    return Math.round(longest);
  };
}

/** Asks for each address once, several at a time. @returns how many were answered how */
async function askAll(url: string, addresses: readonly string[]) {
  const statuses = new Map<number, number>();
  const failed: string[] = [];
  const waiting = [...addresses];
  const asker = async () => {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      const answer = await fetch(url + address, { redirect: 'manual' });
      await answer.bytes();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500) failed.push(`${answer.status} ${address}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, asker));
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return { failed, counts };
}

/** Every GET of the API that needs nothing, and every page. */
async function addressesOf(url: string): Promise<string[]> {
  const { paths } = Object(await (await fetch(`${url}/api/openapi`)).json());
  const calls = Object.entries(Object(paths)).flatMap(([path, methods]) => {
    const { get } = Object(methods);
    if (get === undefined || path.endsWith('/stream')) return [];
    const query = (get.parameters ?? [])
      .filter((each: { in: string; required?: boolean }) => each.in === 'query' && each.required)
      .map(({ name }: { name: string }) => `${name}=${samples[name] ?? '1'}`)
      .join('&');
    return path.replace(/\{\w+\}/g, '1') + (query === '' ? '' : `?${query}`);
  });
  const pages = languages.flatMap((lang) => publicPages.map((page) => `/${lang}${page}`));
  return [...new Set([...publicAddresses(), ...pages, ...calls])];
}

const samples: Readonly<Record<string, string>> = {
  year: '2026',
  month: '11',
  startDate: '2026-11-01T00:00:00Z',
  endDate: '2026-12-01T00:00:00Z',
  q: 'pado',
  language: 'en',
};

const star = 1;
const help = `bun run check-upgrade [ref]
Tries an upgrade: takes the release before (a commit of git; without one that before the newest migration), migrates its database while fans
read and talk, and starts it anew on that.
`;
if (isHelp(process.argv)) {
  process.stdout.write(help);
  process.exit();
}
const [given] = process.argv.slice(2);
const wanted = given ?? (await releaseBefore());
// What is no commit, such as an option, goes into no command.
const ref = await output('git', 'rev-parse', '--verify', '--end-of-options', `${wanted}^{commit}`).catch(
  () => {
    console.error(`${wanted} is no commit of this repository: bun run check-upgrade [ref]`);
    process.exit(1);
  },
);
const folder = mkdtempSync(join(tmpdir(), 'byeol-upgrade-'));
let release: Awaited<ReturnType<typeof startRelease>> | undefined;
try {
  console.log(`  The release before: ${await output('git', 'log', '-1', '--format=%h %s', ref)}`);
  await shell(`git archive ${ref} | tar -x -C "${folder}"`, root);
  await shell(`"${process.execPath}" install --frozen-lockfile`, folder);
  release = await startRelease(folder);
  const { url } = release;
  const fans = await Promise.all([1, 2, 3, 4].map((n) => registerFan(url, star, n)));
  const load = new SiteLoad({
    url,
    paths: languages.flatMap((lang) =>
      ['', '/events', '/star/1', '/community/1'].map((page) => `/${lang}${page}`),
    ),
    askers: { fresh: 4, kept: 4 },
    pauses: { question: 5, message: 1_000 },
    star,
    fans,
    readers: 2,
  });
  const addresses = await addressesOf(url);
  await until(() => load.answered > 200, 60_000);
  // For the first time, so that each is rendered: before the migrations, while they run, or after them.
  const asking = askAll(url, addresses);
  await Bun.sleep(500);
  const endReading = await readTables(release.databaseUrl());
  const began = performance.now();
  await migrateDatabase(release.databaseUrl());
  const milliseconds = Math.round(performance.now() - began);
  const longest = await endReading();
  const during = await asking;
  const read = await load.end();
  told(
    `its database is migrated while fans read and talk`,
    load.failures.length === 0,
    `in ${milliseconds} ms; ${load.answered} answers, ${load.acknowledged.length} messages${load.failures.map((each) => `, ${each.join(': ')}`)}`,
  );
  told(
    'no message is lost',
    read.every((texts) => load.acknowledged.every((text) => texts.includes(text))),
  );
  told(
    'every address is answered meanwhile',
    during.failed.length === 0,
    during.failed.join(', ') || during.counts,
  );
  told('nobody waits for a table', longest < latest, `${longest} ms at most`);
  await release.stop();
  release = await startRelease(folder);
  const after = await askAll(release.url, addresses);
  told(
    'started anew on the migrated database it answers every address',
    after.failed.length === 0,
    after.failed.join(', ') || after.counts,
  );
  await registerFan(release.url, star, 5);
  const log = await release.stop();
  release = undefined;
  const errors = log.split('\n').filter((line) => /"level":"(?:error|fatal)"/.test(line));
  told('it logs no error', errors.length === 0, errors[0]);
} finally {
  await release?.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(faults.length === 0 ? '\n  The upgrade is right.' : `\n  Wrong: ${faults.join('; ')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
