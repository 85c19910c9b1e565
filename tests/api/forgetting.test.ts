import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forget, forgettingJob, kept } from '#api/accounts/forgetting.ts';
import { deleteAccount } from '#api/accounts/own-data.ts';
import { config, setConfig } from '#api/config.ts';
import { allJobs } from '#api/jobs/all.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel, makeFan } from '#tests/kit/make.ts';

useDatabase();
setDefaultTimeout(120_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'byeol-forgetting-'));
  setConfig({ ...config(), dataDir: folder });
});
afterAll(() => rm(folder, { recursive: true }));

test('what was kept for its time is gone with the next run of the job, and what was not stays', async () => {
  const sql = connection();
  const fan = await makeFan();
  const star = await makeChannel({ members: [fan.id] });
  const [channel] = await sql<{ id: number }[]>`select id from channels where star_id = ${star}`;
  const room = channel?.id ?? 0;
  const message = async (content: string, deletedDaysAgo?: number) => {
    const [row] = await sql<{ id: number }[]>`
      insert into messages (channel_id, user_id, content, deleted_at, deleted_event_id)
      values (${room}, ${fan.id}, ${content}, now() - make_interval(days => ${deletedDaysAgo ?? null}::int),
        ${deletedDaysAgo ?? null}) returning id::int`;
    return row?.id ?? 0;
  };
  const [standing, old, fresh] = [
    await message('standing'),
    await message('old words', kept.deletedWordsDays + 1),
    await message('fresh words', kept.deletedWordsDays - 1),
  ];
  /** Two of each: `old` is past its time by a little, `young` is not yet. */
  const ages = ['old', 'young'].map((name) => ({ name, sign: name === 'old' ? 1 : -1 }));
  const others = [await makeFan(), await makeFan()];
  for (const [place, { name, sign }] of ages.entries()) {
    const minutes = (all: number) => all + sign;
    const ago = (all: number) => sql`now() - make_interval(mins => ${minutes(all)}::int)`;
    await sql`insert into sessions (id, user_id, expires_at) values (${name}, ${fan.id}, ${ago(0)})`;
    await sql`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
      values (${fan.id}, ${name}, ${`https://push.example/${name}`}, 'key', 'secret')`;
    await sql`insert into account_tokens (hash, user_id, kind, email_key, expires_at)
      values (${name}, ${fan.id}, 'reset', 'x@byeol.example', ${ago(0)})`;
    await sql`insert into rate_limits (key, window_start) values (${name}, ${ago(kept.limitHours * 60)})`;
    await sql`insert into idempotency_keys (user_id, key, request, created_at)
      values (${fan.id}, ${name}, 'x', ${ago(kept.keyHours * 60)})`;
    await sql`insert into channel_mutes (channel_id, user_id, until, reason)
      values (${room}, ${others[place]?.id ?? 0}, ${ago(0)}, ${name})`;
    await sql`insert into message_reports (message_id, reporter_id, reason, details, status, decided_at)
      values (${standing}, ${others[place]?.id ?? 0}, 'spam', ${name}, 'dismissed', ${ago(kept.reportDays * 1440)})`;
    await sql`insert into directory_imports (file_name, format, rows, counts, created_at)
      values (${name}, 'csv', '[]', '{}', ${ago(kept.importDays * 1440)})`;
    const letter = join(folder, 'outbox', `${name}.eml`);
    await mkdir(join(folder, 'outbox'), { recursive: true });
    await Bun.write(letter, 'Dear fan');
    const seconds = Date.now() / 1000 - minutes(kept.letterDays * 1440) * 60;
    await utimes(letter, seconds, seconds);
  }
  await sql`insert into message_reports (message_id, reporter_id, reason, details, created_at)
    values (${fresh}, ${fan.id}, 'spam', 'open', now() - interval '2 years')`;

  await forget();

  const left = async (rows: Promise<readonly { name: string }[]>) => (await rows).map(({ name }) => name);
  expect({
    sessions: await left(sql`select id as name from sessions where id in ('old', 'young')`),
    browsers: await left(sql`select session_id as name from push_subscriptions`),
    tokens: await left(sql`select hash as name from account_tokens`),
    limits: await left(sql`select key as name from rate_limits where key in ('old', 'young')`),
    keys: await left(sql`select key as name from idempotency_keys`),
    mutes: await left(sql`select reason as name from channel_mutes`),
    reports: await left(sql`select details as name from message_reports order by id`),
    imports: await left(sql`select file_name as name from directory_imports`),
    letters: (await readdir(join(folder, 'outbox'))).map((name) => name.replace('.eml', '')),
  }).toEqual({
    sessions: ['young'],
    browsers: ['young'],
    tokens: ['young'],
    limits: ['young'],
    keys: ['young'],
    mutes: ['young'],
    reports: ['young', 'open'],
    imports: ['young'],
    letters: ['young'],
  });
  const words = await sql<
    { id: number; content: string }[]
  >`select id::int, content from messages order by id`;
  expect(words.map(({ id, content }) => [id, content])).toEqual([
    [standing, 'standing'],
    [old, '…'],
    [fresh, 'fresh words'],
  ]);
});

test('what cannot be forgotten keeps nothing else from being forgotten', async () => {
  const sql = connection();
  await sql`insert into rate_limits (key, window_start) values ('of before', now() - interval '1 month')`;
  await sql`alter table account_tokens rename to account_tokens_away`;
  try {
    await expect(forget()).rejects.toThrow(/account_tokens/);
  } finally {
    await sql`alter table account_tokens_away rename to account_tokens`;
  }
  expect(await sql`select from rate_limits where key = 'of before'`).toHaveLength(0);
});

test('what a call that was under way wrote for an account that had ended goes with the next run', async () => {
  const sql = connection();
  const [gone, staying] = [await makeFan(), await makeFan()];
  const star = await makeChannel();
  await sql`update users set deleted_at = now() - interval '1 hour' where id = ${gone.id}`;
  for (const { id } of [gone, staying]) {
    await sql`insert into follows (user_id, star_id) values (${id}, ${star})`;
    await sql`insert into channel_members (user_id, channel_id) select ${id}, id from channels where star_id = ${star}`;
  }
  await sql`insert into user_blocks (user_id, blocked_id) values (${staying.id}, ${gone.id})`;
  await forget();
  const [channel] = await sql<{ members: number; followers: string }[]>`
    select member_count as members, (select string_agg(user_id::text, ' ') from follows where star_id = ${star}) as followers
    from channels where star_id = ${star}`;
  expect(channel).toEqual({ members: 1, followers: String(staying.id) });
  expect(await sql`select from user_blocks`).toHaveLength(0);
});

test('the job is one of those that run, every hour', () => {
  expect(allJobs).toContain(forgettingJob);
  expect(forgettingJob.cron).toMatch(/^\d+ \* \* \* \*$/);
});

test('the letters of an account go with it, on every machine with the next run of the job', async () => {
  const [leaving, gone, staying] = [await makeFan(), await makeFan(), await makeFan()];
  const outbox = join(folder, 'outbox');
  const letters = [leaving, gone, staying].flatMap(({ id }) => [
    `reset-${id}.${id}.eml`,
    `verify.${id}.eml.7.part`,
  ]);
  await mkdir(outbox, { recursive: true });
  for (const name of letters) await Bun.write(join(outbox, name), 'Dear fan');
  const left = async () => (await readdir(outbox)).filter((name) => letters.includes(name)).sort();

  const { id, token } = leaving;
  const password = 'the password of who leaves';
  await connection()`update users set password_hash = ${await Bun.password.hash(password)} where id = ${id}`;
  const visitor = { id, username: '', role: 'user', language: 'ko', sessionId: token } as const;
  await deleteAccount(visitor, password);
  expect(await left()).toEqual(letters.slice(2).sort());
  await connection()`update users set deleted_at = now() where id = ${gone.id}`;
  await forget();
  expect(await left()).toEqual(letters.slice(4).sort());
});
