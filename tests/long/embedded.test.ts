import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { findPostmaster, processesOf } from '#db/embedded/postmaster.ts';
import { isAlive, signalAll } from '#db/embedded/processes.ts';
import { type EmbeddedPostgres, ensureWritable, startEmbedded } from '#db/embedded.ts';
import { contention } from '#tests/kit/contention.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(300_000);

let home = '';
/** All that ran at some time, also what was killed. */
const seenPids = new Set<number>();

async function start(): Promise<EmbeddedPostgres> {
  home = await mkdtemp(join(tmpdir(), 'byeol-embedded-'));
  const cluster = await startEmbedded(home);
  look();
  return cluster;
}

function look() {
  const processes = processesOf(join(home, 'postgres'));
  for (const pid of processes.all) seenPids.add(pid);
  return processes;
}

const running = () => [...seenPids, ...look().all].filter((pid) => isAlive(pid));

async function expectToStop(cluster: EmbeddedPostgres): Promise<void> {
  const began = performance.now();
  await cluster.stop();
  expect(running()).toEqual([]);
  // What the server itself takes to stop comes before it, and together they have 20 s.
  expect(performance.now() - began).toBeLessThan(12_000 * contention());
}

/** Also when the machine goes: that cannot be tried here, so its settings are asked (quality §Safe 1). */
async function expectToKeepWhatItAcknowledged(cluster: EmbeddedPostgres): Promise<void> {
  const sql = postgres(cluster.url('postgres'), { max: 1 });
  const settings = await sql`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('full_page_writes') as pages`;
  await sql.end();
  expect([...settings]).toEqual([{ fsync: 'on', commit: 'on', pages: 'on' }]);
}

afterEach(async () => {
  signalAll(running(), 'SIGKILL');
  seenPids.clear();
  await rm(home, { recursive: true, force: true });
});

test('a PostgreSQL is recognised by the folder that its command names, however that is spelt, and not by where it works', async () => {
  home = await mkdtemp(join(tmpdir(), 'byeol-embedded-'));
  const [folder, link, another] = ['postgres', 'link', 'another'].map((name) => join(home, name));
  if (!folder || !link || !another) throw new Error('there are three');
  for (const made of [folder, another]) await mkdir(made);
  await symlink(folder, link);
  const stand = Bun.spawn(['sleep', '1000'], { argv0: `postgres -D ${folder} -c port=1`, cwd: another });
  try {
    for (const place of [folder, link, another])
      await writeFile(join(place, 'postmaster.pid'), `${stand.pid}\n`);
    await until(() => processesOf(folder).leaders.includes(stand.pid));
    expect([folder, link, another].map((place) => findPostmaster(place)?.pid)).toEqual([
      stand.pid,
      stand.pid,
      undefined,
    ]);
  } finally {
    stand.kill('SIGKILL');
    await stand.exited;
  }
});

describe('the built-in PostgreSQL stops with what started it', () => {
  test('when somebody has stopped its first process', async () => {
    const cluster = await start();
    await expectToKeepWhatItAcknowledged(cluster);
    signalAll(look().leaders, 'SIGSTOP');
    await expectToStop(cluster);
  });

  test('when somebody has stopped all of its processes', async () => {
    const cluster = await start();
    signalAll(look().all, 'SIGSTOP');
    await expectToStop(cluster);
  });

  for (const [what, text] of [
    ['half written', ''],
    ['missing', undefined],
  ] as const) {
    test(`when its note is ${what}`, async () => {
      const cluster = await start();
      const note = join(home, 'postgres', 'postmaster.pid');
      if (text === undefined) await rm(note);
      else await writeFile(note, text);
      await expectToStop(cluster);
    });
  }

  test('when its first process was killed and the rest neither goes on nor ends', async () => {
    const cluster = await start();
    const { leaders, all } = look();
    signalAll(all, 'SIGSTOP');
    signalAll(leaders, 'SIGKILL');
    await until(() => !leaders.some((pid) => isAlive(pid)));
    // Another one is started meanwhile, which waits for those.
    await Bun.sleep(1_000);
    await expectToStop(cluster);
  });

  test('when it was stopped, went on, was killed twice and is just being started again', async () => {
    const cluster = await start();
    signalAll(look().all, 'SIGSTOP');
    signalAll(look().all, 'SIGCONT');
    const [first] = look().leaders;
    for (let time = 0; time < 2; time += 1) {
      const { leaders } = look();
      signalAll(leaders, 'SIGKILL');
      await until(() => look().leaders.some((pid) => !leaders.includes(pid)), 60_000);
    }
    expect(look().leaders).not.toContain(first);
    await expectToStop(cluster);
  });
});

test('a stale note whose id is another PostgreSQL’s by now leads neither to that nor to its end', async () => {
  const first = await start();
  const folder = join(home, 'postgres');
  const [, ...lines] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  await first.stop();
  const foreign = Bun.spawn(['sleep', '1000'], { argv0: 'postgres' });
  await writeFile(join(folder, 'postmaster.pid'), [foreign.pid, ...lines].join('\n'));
  expect(findPostmaster(folder)).toBeUndefined();
  const again = await startEmbedded(home);
  const sql = postgres(again.url('postgres'), { max: 1 });
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  await sql.end();
  await expectToStop(again);
  expect(isAlive(foreign.pid)).toBe(true);
  foreign.kill();
});

/** The folder of a cluster that ran and was stopped. */
const stopped = async () => {
  await (await start()).stop();
  return join(home, 'postgres');
};

describe('a cluster that holds data is never made anew', () => {
  const refused = (path: string) =>
    `${join(home, path)} is missing or damaged: restore it from a backup of DATA_DIR.`;
  const refusal = () =>
    startEmbedded(home).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : error),
    );
  test('when a file of it, its disk or its settings are away, and goes on when they are back', async () => {
    const folder = await stopped();
    await rename(join(folder, 'PG_VERSION'), join(home, 'kept'));
    expect(await refusal()).toBe(refused('postgres/PG_VERSION'));
    await rename(join(home, 'kept'), join(folder, 'PG_VERSION'));

    await rename(folder, join(home, 'elsewhere'));
    expect(await refusal()).toBe(refused('postgres/PG_VERSION'));
    await mkdir(folder);
    expect(await refusal()).toBe(refused('postgres/PG_VERSION'));
    await rm(folder, { recursive: true });
    await rename(join(home, 'elsewhere'), folder);

    const settings = join(home, 'postgres.json');
    const text = await readFile(settings, 'utf8');
    await writeFile(settings, text.slice(0, 10));
    expect(await refusal()).toBe(refused('postgres.json'));
    await writeFile(settings, text);
    await expectToStop(await startEmbedded(home));
  });
});

test('a cluster that a first start left half made is made anew', async () => {
  const folder = await stopped();
  await rm(join(folder, 'postmaster.opts'));
  await writeFile(join(home, 'postgres.json'), '{"port":0,"pass');
  await expectToStop(await startEmbedded(home));
});

test('a cluster that does not come up again is tried with growing pauses, and comes back when it can', async () => {
  const cluster = await start();
  const version = join(home, 'postgres/PG_VERSION');
  await rename(version, join(home, 'kept'));
  signalAll(look().leaders, 'SIGKILL');
  const countTries = async () =>
    (await readFile(join(home, 'postgres.log'), 'utf8')).match(/is not a valid data directory/g)?.length ?? 0;
  await Bun.sleep(8_000);
  expect(await countTries()).toBeLessThan(8);
  await until(async () => (await countTries()) > 0);
  await rename(join(home, 'kept'), version);
  await until(() => findPostmaster(join(home, 'postgres'))?.ready ?? false, 60_000);
  await expectToStop(cluster);
});

test('a folder whose disk is full is named with its setting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-full-'));
  await symlink('/dev/full', join(folder, `.write-${process.pid}`));
  expect(() => ensureWritable(folder)).toThrow(
    `The disk of DATA_DIR ${folder} is full: make room there, or choose another folder.`,
  );
  expect(await readdir(folder)).toEqual([]);
  ensureWritable(folder);
  await rm(folder, { recursive: true });
});
