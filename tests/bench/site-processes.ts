/**
 * `bun run bench --only processes [--count 3]`: processes behind one port, restarted one after another and killed under a load of new
 * and of kept connections, over LISTEN/NOTIFY and over Valkey or Redis: what is cut off, lost or doubled.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { makeArticle, makeChannel, makeFan } from '#tests/kit/make.ts';
import { SiteLoad } from '#tests/kit/site-load.ts';
import { until } from '#tests/kit/until.ts';
import { startBus } from '#tests/kit/valkey.ts';
import { numberOption } from './arguments.ts';
import { startSite } from './site.ts';

const port = 4416;
const url = `http://localhost:${port}`;
const rounds = 3;
const talkers = 24;
const articles = 200;

const say = (name: string, value: string, aim: string) =>
  console.log(`${name.padEnd(44)} ${value.padStart(26)}   ${aim}`);

/** The figures of processes behind one port. */
export async function benchProcesses(): Promise<void> {
  const count = numberOption('count', 3);
  const folder = await mkdtemp(join(tmpdir(), 'byeol-bench-'));
  const cluster = await startEmbedded(folder);
  const bus = await startBus();
  try {
    for (const [carrier, settings] of [
      ['LISTEN/NOTIFY', {}],
      [bus.program.split('/').at(-1) ?? 'the bus', { BUS_URL: bus.url }],
    ] as const) {
      const databaseUrl = cluster.url(`processes_${carrier === 'LISTEN/NOTIFY' ? 'notify' : 'bus'}`);
      await createDatabase(databaseUrl);
      await migrateDatabase(databaseUrl);
      openDatabase(databaseUrl, 4);
      console.log(`\n${count} processes over ${carrier}`);
      await restartsAndKills(count, { ...settings, DATABASE_URL: databaseUrl, DATA_DIR: folder });
      await closeDatabase();
    }
  } finally {
    await bus.kill();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function restartsAndKills(count: number, settings: Record<string, string>): Promise<void> {
  const paths = ['/ko', '/api/stars', '/en/events'];
  for (let n = 0; n < articles; n += 1)
    paths.push(`/ko/article/${await makeArticle({ rewrites: { ko: '제목' } })}`);
  const fans = await Promise.all(Array.from({ length: talkers }, () => makeFan()));
  const star = await makeChannel({ members: fans.map(({ id }) => id) });
  const site = await startSite(port, count, settings);
  const load = new SiteLoad({
    url,
    paths,
    askers: { fresh: 24, kept: 12 },
    pauses: { question: 1, message: 600 },
    star,
    fans,
    readers: 6,
  });
  await until(() => load.answered > 2_000, 30_000);
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1) await site.restart();
  const seconds = (performance.now() - began) / 1_000;
  const restarts = `${load.failures.map(([outcome, times]) => `${times} × ${outcome}`).join(', ') || 0}`;
  say(`of ${load.answered} requests in ${rounds} restarts`, `${restarts} cut`, 'aim 0');
  say('  a restart takes', `${(seconds / rounds).toFixed(1)} s`, '');
  const cutBefore = sumOf(load.failures);
  for (let round = 0; round < rounds; round += 1) await site.killOne();
  say(
    `of all until ${rounds} were killed`,
    `${sumOf(load.failures) - cutBefore} cut`,
    'what they were answering',
  );
  const read = await load.end();
  const stored = await connection()<{ content: string }[]>`
    select m.content from messages m join channels c on c.id = m.channel_id where c.star_id = ${star} order by m.id`;
  const texts = stored.map(({ content }) => content);
  const acknowledged = new Set(load.acknowledged);
  say(
    `of ${acknowledged.size} messages lost`,
    String([...acknowledged].filter((text) => !texts.includes(text)).length),
    'aim 0',
  );
  say('  stored twice', String(texts.length - new Set(texts).size), 'aim 0');
  say(
    '  readers who saw another order or count',
    String(read.filter((each) => each.join() !== texts.join()).length),
    'aim 0',
  );
  const stoppedAt = performance.now();
  const code = await site.stop();
  say(
    'all stopped after',
    `${((performance.now() - stoppedAt) / 1_000).toFixed(1)} s, code ${code}`,
    'aim ≤ 20 s, code 0',
  );
}

const sumOf = (failures: readonly [string, number][]) => failures.reduce((sum, [, times]) => sum + times, 0);
