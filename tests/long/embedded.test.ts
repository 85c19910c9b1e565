import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { processesOf } from '#db/embedded/postmaster.ts';
import { isAlive, signalAll } from '#db/embedded/processes.ts';
import { type EmbeddedPostgres, ensureWritable, startEmbedded } from '#db/embedded.ts';
import { contention } from '#tests/kit/contention.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(120_000);

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
  expect(performance.now() - began).toBeLessThan(8_000 * contention());
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
      await until(() => look().leaders.some((pid) => !leaders.includes(pid)), 20_000);
    }
    expect(look().leaders).not.toContain(first);
    await expectToStop(cluster);
  });
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
