import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { settleBulkLoad } from '#db/bulk-load.ts';
import { prepareAccounts } from './accounts.ts';
import type { ReaderPlan, ReaderResult } from './chat-readers.ts';
import type { SendPlan, SendResult } from './chat-senders.ts';
import { begin, type Child, measure, memoryOf, processorOf, start, stop } from './processes.ts';
import { startSite } from './site.ts';
import { scrapeAll } from './site-metrics.ts';

interface ChatBench {
  ours: number;
  bare: number;
  pid: number;
  databaseUrl: string;
  seconds: number;
  say(name: string, value: string, aim: string): void;
}

const accounts = 1_000;
const rooms = 20;
const readers = 2_000;
const perSecond = 400;
/** Seconds of the same load before anything is counted: code that never ran yet would be measured otherwise, theirs as well as ours. */
const warmUp = 6;
/** Of the site of two processes. */
const sitePort = 4416;
const metricsPort = 4417;
const bigChannelMessages = 1_000_000;
const scriptPath = (file: string) => new URL(file, import.meta.url).pathname;

interface Rooms {
  /** Of the accounts that talk in them. */
  tokens: string[];
  /** Channels without other traffic: the first for the fan-out, the others for many rooms. */
  stars: number[];
  few: number;
  many: number;
}

/** Accounts with sessions and channels with 1,000 and 1,000,000 messages; made once per database. */
async function prepare(sql: postgres.Sql): Promise<Rooms> {
  await sql`set statement_timeout = 0`;
  const tokens = await prepareAccounts(sql, accounts);
  await sql`insert into stars (slug, name, category, fandom_color, initials, search_text)
    select 'bench-' || n, '벤치 ' || n, 'Idol', '#3355FF', 'ㅂㅊ', '벤치' from generate_series(0, ${rooms + 2}) n
    on conflict do nothing`;
  await sql`insert into channels (star_id) select id from stars where slug like 'bench-%' on conflict do nothing`;
  const channels = await sql<{ star: number; channel: number }[]>`
    select s.id as star, c.id as channel from stars s join channels c on c.star_id = s.id
    where s.slug like 'bench-%' order by length(s.slug), s.slug`;
  const [few, big] = channels.slice(-2);
  if (!few || !big) throw new Error('the channels of the bench are missing');
  const fans = sql`select id from users where username_key like 'bench\_%'`;
  await sql`insert into channel_members (channel_id, user_id)
    select c.id, u.id from channels c, (${fans}) u where c.id = any(${channels.map(({ channel }) => channel)})
    on conflict do nothing`;
  for (const [{ channel }, count] of [
    [few, 1_000],
    [big, bigChannelMessages],
  ] as const) {
    const [row] = await sql<
      { n: number }[]
    >`select count(*)::int as n from messages where channel_id = ${channel}`;
    if ((row?.n ?? 0) >= count) continue;
    await sql`insert into messages (channel_id, user_id, content)
      select ${channel}, u.id, 'message ' || n from generate_series(1, ${count}) n
      join (select id, row_number() over (order by id) - 1 as place from (${fans}) f) u on u.place = n % ${accounts}`;
    await settleBulkLoad(sql, ['messages']);
  }
  return { tokens, stars: channels.slice(0, -2).map(({ star }) => star), few: few.star, many: big.star };
}

const streamPath = (star: number) => `/api/community/channels/${star}/stream`;
/** Fifty readers to an address. */
const address = (n: number) => `10.66.${Math.floor(n / 50 / 250)}.${Math.floor(n / 50) % 250}`;

const openReaders = (plan: ReaderPlan) => begin<ReaderPlan, ReaderResult>('./chat-readers.ts', plan);

async function send(plan: SendPlan): Promise<SendResult> {
  const child = Bun.spawn([process.execPath, scriptPath('./chat-senders.ts')], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return JSON.parse(await new Response(child.stdout).text());
}

/** The figures of quality §Speed for chat. */
export async function benchChat(bench: ChatBench): Promise<void> {
  const sql = postgres(bench.databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const rooms = await prepare(sql);
    const bareResult = await fanOut(bench, rooms);
    await twoProcesses(bench, rooms, bareResult);
    await manyRooms(bench, rooms);
    await catchUp(bench, rooms.few);
    await pageCost(bench, rooms);
  } finally {
    await sql.end();
  }
}

/** Kilobytes that a process holds for each stream that `open` opens, after it opened some to warm up. */
async function memoryPerStream(
  pid: number,
  warmUp: () => Promise<void>,
  open: () => Promise<void>,
): Promise<number> {
  const heldMemory = async () => {
    for (let round = 0; round < 3; round += 1) {
      process.kill(pid, 'SIGHUP');
      await Bun.sleep(400);
    }
    return memoryOf(pid);
  };
  await warmUp();
  const memoryBefore = await heldMemory();
  await open();
  return ((await heldMemory()) - memoryBefore) / (readers / 1_024);
}

const streams = (path: string) => Array.from({ length: readers }, (_, n) => ({ path, address: address(n) }));
const lengthOf = (seconds: number) => Math.max(seconds * 2, 6);

async function warm(port: number, path: string, sending: () => Promise<unknown>): Promise<void> {
  const open = await openReaders({ port, streams: streams(path), probes: 1 });
  await sending();
  await open.finish();
}

/**
 * 2,000 readers of one channel, 400 messages a second: ours with database and bus, and the bare broadcast.
 * @returns what the bare one did
 */
async function fanOut(
  { ours, bare, pid, seconds, say }: ChatBench,
  { stars, tokens }: Rooms,
): Promise<ReaderResult> {
  const [star = 0] = stars;
  const length = lengthOf(seconds);

  let bareReaders: Awaited<ReturnType<typeof openReaders>> | undefined;
  const child: Child = await start('./chat-bare.ts', String(bare), String(perSecond), bareMessage());
  const broadcast = async (seconds: number) => {
    child.kill('SIGUSR2');
    await Bun.sleep(seconds * 1_000);
    child.kill('SIGUSR2');
    await Bun.sleep(500);
  };
  const bareMemory = await memoryPerStream(
    child.pid,
    () => warm(bare, '/', () => broadcast(warmUp)),
    async () => {
      bareReaders = await openReaders({ port: bare, streams: streams('/'), probes: 20 });
    },
  );
  const bareBefore = await processorOf(child.pid);
  await broadcast(length);
  const bareProcessor = (await processorOf(child.pid)) - bareBefore;
  const bareResult = await bareReaders?.finish();
  await stop(child);

  let ourReaders: Awaited<ReturnType<typeof openReaders>> | undefined;
  const ourMemory = await memoryPerStream(
    pid,
    () =>
      warm(ours, streamPath(star), () =>
        send({ port: ours, stars: [star], tokens, perSecond, seconds: warmUp }),
      ),
    async () => {
      ourReaders = await openReaders({ port: ours, streams: streams(streamPath(star)), probes: 20 });
    },
  );
  const cpuBefore = await processorOf(pid);
  const sendResult = await send({ port: ours, stars: [star], tokens, perSecond, seconds: length });
  await Bun.sleep(1_500);
  const processor = (await processorOf(pid)) - cpuBefore;
  const ourResult = await ourReaders?.finish(String(sendResult.stored));
  if (!ourResult || !bareResult) throw new Error('no figures');

  sayDelivery(`chat: ${readers} readers at ${perSecond}/s, p99`, ourResult, bareResult, say);
  const microseconds = (milliseconds: number, result: ReaderResult) =>
    (milliseconds * 1_000) / ((result.messages / result.probes) * readers);
  const [ourCost, bareCost] = [microseconds(processor, ourResult), microseconds(bareProcessor, bareResult)];
  say(
    '  processor time per message and reader',
    `${ourCost.toFixed(2)} µs (bare ${bareCost.toFixed(2)}): ${(ourCost / bareCost).toFixed(2)}`,
    'receiving and storing included',
  );
  sayLosses(ourResult, sendResult, say);
  say(
    '  memory per open stream',
    `${ourMemory.toFixed(1)} kB (bare ${bareMemory.toFixed(1)}): ${(ourMemory / bareMemory).toFixed(2)}`,
    'aim ≤ 2 of bare',
  );
  return bareResult;
}

/** The same readers and messages, spread over a site of two processes by the system, which hear of each other's by the bus. */
async function twoProcesses(
  { databaseUrl, seconds, say }: ChatBench,
  { stars: [star = 0], tokens }: Rooms,
  bareResult: ReaderResult,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-bench-'));
  const site = await startSite(sitePort, 2, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    TRUSTED_PROXIES: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'warn',
  });
  try {
    const plan = { port: sitePort, stars: [star], tokens, perSecond };
    const path = streamPath(star);
    await warm(sitePort, path, () => send({ ...plan, seconds: warmUp }));
    const open = await openReaders({ port: sitePort, streams: streams(path), probes: 20 });
    const held = (await scrapeAll(metricsPort, 2)).map(
      (text) => /^byeol_streams_open (\d+)/m.exec(text)?.[1] ?? '?',
    );
    const sendResult = await send({ ...plan, seconds: lengthOf(seconds) });
    const result = await open.finish(String(sendResult.stored));
    sayDelivery('chat: the same by two processes, p99', result, bareResult, say);
    say('  readers of each', held.join(', '), 'as the system gives them');
    sayLosses(result, sendResult, say);
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function sayDelivery(name: string, ours: ReaderResult, bare: ReaderResult, say: ChatBench['say']): void {
  say(
    name,
    `${ours.p99} ms (bare ${bare.p99}): ${(ours.p99 / Math.max(1, bare.p99)).toFixed(2)}`,
    'aim ≤ 2 of bare',
  );
  say('  p50', `${ours.p50} ms (bare ${bare.p50})`, '');
}

function sayLosses(ours: ReaderResult, sent: SendResult, say: ChatBench['say']): void {
  say(
    '  lost, and late by more than 1 s',
    `${sent.stored * ours.probes - ours.messages}, ${ours.late}`,
    'aim 0, 0',
  );
  say('  readers still open', `${ours.open} of ${readers}`, `aim ${readers}`);
  say('  answers to senders, p99', `${sent.p99.toFixed(0)} ms (${sent.stored} of ${sent.sent})`, '');
  reportFailures(sent, say);
}

/** As long as one of ours. */
function bareMessage(): string {
  const user = {
    id: 10_001,
    username: 'bench_1',
    displayName: null,
    profileImageUrl: null,
    isModerator: false,
    isDeleted: false,
  };
  const message = {
    id: 1_000_001,
    content: 't0 오늘 무대 정말 좋았어요, 다음 컴백도 기다릴게요!',
    createdAt: new Date().toISOString(),
    clientId: crypto.randomUUID(),
    user,
  };
  return `id: ${message.id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function reportFailures({ failures }: SendResult, say: ChatBench['say']): void {
  for (const [reason, count] of Object.entries(failures)) say('  not sent', String(count), reason);
}

/** 500 messages a second over 20 channels, five readers in each. */
async function manyRooms({ ours, seconds, say }: ChatBench, { stars, tokens }: Rooms): Promise<void> {
  const channels = stars.slice(1, rooms + 1);
  const streams = channels.flatMap((star, room) =>
    Array.from({ length: 5 }, (_, n) => ({ path: streamPath(star), address: `10.88.${room}.${n}` })),
  );
  const open = await openReaders({ port: ours, streams, probes: streams.length });
  const sendResult = await send({
    port: ours,
    stars: channels,
    tokens,
    perSecond: 500,
    seconds: Math.max(seconds * 2, 6),
  });
  // Of twenty channels each probe gets a twentieth.
  const result = await open.finish(String(sendResult.stored / rooms));
  say(`chat: 500/s over ${rooms} channels, stored`, `${sendResult.stored} of ${sendResult.sent}`, 'aim all');
  say(
    '  lost, and late by more than 1 s',
    `${sendResult.stored * 5 - result.messages}, ${result.late}`,
    'aim 0, 0',
  );
  say('  delivery p50, p99', `${result.p50}, ${result.p99} ms`, 'aim p99 ≤ 100 ms');
  say('  answers to senders, p99', `${sendResult.p99.toFixed(0)} ms`, '');
  reportFailures(sendResult, say);
}

/** A reader that missed 1,000 messages, until it has them all. */
async function catchUp({ ours, say }: ChatBench, star: number): Promise<void> {
  const origin = `http://127.0.0.1:${ours}/api/community/channels/${star}`;
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const startedAt = performance.now();
    const answer = await fetch(`${origin}/stream?after=0`, {
      headers: { 'x-forwarded-for': `10.99.0.${round}` },
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      // Together: a chunk may end within a line.
      text += decoder.decode(chunk, { stream: true });
      if (text.split('event: message\n').length > 1_000) break;
    }
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  say('chat: catching up 1,000 messages', `${times[3]?.toFixed(0)} ms`, '');
}

/** A page of messages where 1,000 are stored and where 1,000,000 are. */
async function pageCost({ ours, seconds, say }: ChatBench, { few, many: big }: Rooms): Promise<void> {
  const page = async (star: number) =>
    measure({
      port: ours,
      paths: [`/api/community/channels/${star}/messages?limit=50`],
      connections: 8,
      seconds,
    });
  const [small, large] = [await page(few), await page(big)];
  say(
    'chat: a page of 1,000,000 against 1,000',
    `${(large.p50 / small.p50).toFixed(2)} (${large.p50.toFixed(1)} / ${small.p50.toFixed(1)} ms)`,
    'aim about 1',
  );
}
