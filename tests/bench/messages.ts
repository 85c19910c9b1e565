/**
 * `bun run bench --only messages [--messages 20000000]`: what readers, senders and the keeping of messages cost with 1,000, 1,000,000 and
 * twenty million of them in a database of its own in `.data/bench`, which is filled anew each time (decision D13).
 */
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { forgetOlder, messageSeries } from '#db/partitions/by-id.ts';
import { exportAccount } from '#db/queries/accounts/own-data.ts';
import { listEventsOf, listMessagesOf } from '#db/queries/community/messages.ts';
import { storeMessages } from '#db/queries/community/sending.ts';
import { plansOf } from '#tests/kit/plans.ts';
import { numberOption } from './arguments.ts';
import { fillTo, makeRooms, type Room } from './messages/fill.ts';
import { median } from './processes.ts';

const dataDir = '.data/bench';
const database = 'bench_messages';
const samples = 200;
/** Messages of one call, as a process gathers them under load. */
const batch = 20;
const rates = { account: { count: 1_000_000, seconds: 60 }, calls: { count: 1_000_000, seconds: 60 } };

/** Prints a table for each size. */
export async function benchMessages(): Promise<void> {
  const most = numberOption('messages', 20_000_000);
  const cluster = await startEmbedded(dataDir);
  try {
    const url = cluster.url(database);
    openDatabase(cluster.url('postgres'));
    await connection().unsafe(`drop database if exists ${database} with (force)`);
    await closeDatabase();
    await createDatabase(url);
    await migrateDatabase(url, { dataDir });
    openDatabase(url);
    const room = await makeRooms();
    for (const count of new Set([1_000, 1_000_000, most].filter((size) => size <= most))) {
      const began = performance.now();
      await fillTo(count, most);
      await tell(count, performance.now() - began);
      for (const { name, ask } of questionsOf(room, count)) await measure(name, ask);
    }
    await dropMonth(room);
  } finally {
    await closeDatabase();
    await cluster.stop();
  }
}

async function tell(count: number, milliseconds: number): Promise<void> {
  const [row] = await connection()<{ parts: number; size: string }[]>`
    select count(*)::int as parts, pg_size_pretty(sum(pg_total_relation_size(inhrelid))) as size
    from pg_inherits where inhparent = 'messages'::regclass`;
  console.log(
    `\n${count.toLocaleString('en')} messages in ${row?.parts} parts, ${row?.size}, filled in ${(milliseconds / 1000).toFixed(0)} s`,
  );
  console.log(`${''.padEnd(44)} median     p99   rows read   pages of 8 kB`);
}

interface Question {
  name: string;
  ask(n: number): Promise<unknown>;
}

function questionsOf({ busyStar, quietStar, emptyStar, author, senders }: Room, count: number): Question[] {
  const limit = 50;
  const middle = Math.floor(count / 2);
  return [
    { name: 'the newest fifty of a busy channel', ask: () => listMessagesOf(busyStar, { limit }) },
    { name: 'the newest fifty of a quiet channel', ask: () => listMessagesOf(quietStar, { limit }) },
    { name: 'a channel in which nobody ever wrote', ask: () => listMessagesOf(emptyStar, { limit }) },
    { name: 'fifty in the middle', ask: (n) => listMessagesOf(busyStar, { limit, before: middle + n }) },
    {
      name: 'what a stream of a busy channel missed',
      ask: (n) => listEventsOf(busyStar, { limit: 100, after: count - 200 - n }),
    },
    { name: `${batch} messages sent`, ask: (n) => storeMessages(sendingsOf(busyStar, senders, n), rates) },
    { name: 'all that is stored about an author', ask: () => exportAccount(author) },
  ];
}

const sendingsOf = (starId: number, senders: readonly number[], n: number) =>
  senders
    .slice((n * batch) % (senders.length - batch))
    .slice(0, batch)
    .map((userId) => ({ starId, userId, clientId: crypto.randomUUID(), content: `message ${n}` }));

async function measure(name: string, ask: Question['ask']): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < samples + 20; n += 1) {
    const began = performance.now();
    await ask(n);
    // The first pay for the plan, and for pages that nobody read yet.
    if (n >= 20) times.push(performance.now() - began);
  }
  const plans = await plansOf(() => ask(samples));
  const sum = (of: (plan: (typeof plans)[number]) => number) =>
    plans.reduce((all, plan) => all + of(plan), 0);
  const late = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  const isFunction = plans.some(({ rowsRead }) => rowsRead === 0);
  const rows = isFunction ? '–' : String(sum(({ rowsRead }) => rowsRead));
  console.log(
    `${name.padEnd(42)} ${median(times).toFixed(2).padStart(5)} ms ${late.toFixed(1).padStart(5)} ms ${rows.padStart(8)} ${String(sum(({ pages }) => pages)).padStart(12)}`,
  );
}

/** The oldest part goes while others send: how long that takes, and the longest that one of them waits. */
async function dropMonth({ busyStar, senders }: Room): Promise<void> {
  const [oldest] = await connection()<{ days: number; rows: number }[]>`
    select extract(epoch from now() - created_at)::int / 86400 as days, (select count(*)::int from messages_first) as rows
    from messages_first order by id desc limit 1`;
  let isDropping = true;
  let longest = 0;
  const sending = (async () => {
    for (let n = 0; isDropping; n += 1) {
      const began = performance.now();
      await storeMessages(sendingsOf(busyStar, senders, n), rates);
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  const began = performance.now();
  await forgetOlder(messageSeries, (oldest?.days ?? 0) - 1);
  const took = performance.now() - began;
  isDropping = false;
  await sending;
  console.log(
    `\nthe oldest part dropped (${(oldest?.rows ?? 0).toLocaleString('en')} messages) in ${took.toFixed(0)} ms; the longest that a sender waited meanwhile: ${longest.toFixed(0)} ms`,
  );
}
