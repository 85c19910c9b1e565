import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { once } from 'node:events';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import webpush from 'web-push';
import { enqueue, stopJobs } from '#api/jobs/jobs.ts';
import { writeStory } from '#api/newsroom/jobs.ts';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { freePort } from '#db/embedded/postmaster.ts';
import { redact } from '#db/log-fields.ts';
import { hideSecrets, withoutSecrets } from '#db/secrets.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { bearer, sending } from '#tests/kit/call.ts';
import { logLines } from '#tests/kit/log-lines.ts';
import { makeFan, makeUpload } from '#tests/kit/make.ts';
import { makeStory } from '#tests/kit/newsroom.ts';
import { processorTime } from '#tests/kit/processor-time.ts';
import { runToEnd } from '#tests/kit/run-program.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(300_000);

/** Each in its own setting, and each used below by something that fails and says so with the secret in its words. */
const vapid = webpush.generateVAPIDKeys();
const secrets = {
  ai: 'ai-key-of-7-moons',
  backup: 'backup pass of 7 moons',
  bus: 'bus-pass-of-7-moons',
  metrics: 'metrics-token-of-7-moons',
  purge: 'purge-token-of-7-moons',
  smtp: 'smtp-pass-of-7"moons',
  store: 'store-secret-of-7-moons',
  vapid: vapid.privateKey,
  youtube: 'youtube-key-of-7-moons',
};

/** Refuses everything, and tells in the answer all that it was asked with. */
const rude = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const told = `${request.url} ${JSON.stringify([...request.headers])} ${await request.text()}`;
    return Response.json({ error: { message: `Not with this: ${told}`, type: 'refused' } }, { status: 403 });
  },
});
const mail = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authMethods: ['LOGIN'],
  allowInsecureAuth: true,
  logger: false,
  onAuth: ({ username, password }, _, done) => done(new Error(`no ${username} with ${password} here`)),
});
let server: TestServer;

beforeAll(async () => {
  await ensureBuilt();
  const listening = mail.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  const smtpPort = typeof address === 'object' && address ? address.port : 0;
  const origin = `http://127.0.0.1:${rude.port}`;
  server = await startTestServer({
    settings: {
      AI_API_KEY: secrets.ai,
      AI_BASE_URL: `${origin}/v1`,
      AI_MODEL: 'moon-1',
      BACKUP_PASSPHRASE: secrets.backup,
      METRICS_TOKEN: secrets.metrics,
      PURGE_TOKEN: secrets.purge,
      PURGE_URL: `varnish+${origin}`,
      SMTP_URL: `smtp://mailer:${encodeURIComponent(secrets.smtp)}@127.0.0.1:${smtpPort}`,
      STORAGE_URL: `s3://key:${secrets.store}@127.0.0.1:${await freePort()}/pictures?tls=off`,
      VAPID_PRIVATE_KEY: secrets.vapid,
      VAPID_PUBLIC_KEY: vapid.publicKey,
      YOUTUBE_API_KEY: secrets.youtube,
      YOUTUBE_BASE_URL: origin,
    },
  });
  openDatabase(server.databaseUrl);
}, 360_000);
afterAll(async () => {
  await stopJobs();
  await closeDatabase();
  await server?.stop();
  await rude.stop(true);
  await new Promise<void>((done) => mail.close(done));
});

test('no secret of the settings and none of a person is in the log, whatever fails and whoever quotes it', async () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { redirect: 'manual', ...init });
  const post = (path: string, body: object, headers: Record<string, string> = {}) => {
    const call = sending(body);
    return ask(path, { ...call, headers: { ...call.headers, ...headers } });
  };
  const says = (message: string) => logLines(server.output()).filter(({ msg }) => msg === message);
  const password = 'a-password-of-7-moons';
  const email = 'secret.fan@mail.example';

  // A letter whose mail server quotes the password with which it is asked.
  const registered = await post('/api/auth/register', {
    email,
    username: 'secret_fan',
    displayName: 'Secret Fan',
    password,
    confirmPassword: password,
    language: 'en',
  });
  const { token }: { token: string } = await registered.json();
  // Jobs of the site's own may fail before it.
  await until(() => JSON.stringify(says('a job failed')).includes('Mail not sent'), 60_000);

  // A link of a letter, a wrong password, a token in every place where one can stand.
  const linkToken = 'c0ffee'.repeat(11).slice(0, 64);
  await ask(`/login/reset?token=${linkToken}`);
  await post('/api/auth/reset', { token: linkToken, newPassword: password, confirmPassword: password });
  await post('/api/auth/login', { email, password: `${password}-not` });
  await ask('/profile', { headers: { cookie: `byeol_session=${token}` } });
  await ask(`/en?token=${token}`);
  await ask('/metrics', { headers: bearer(secrets.metrics) });
  await ask('/metrics', { headers: bearer(`${secrets.metrics}-not`) });

  // A model, a search of videos, a store and an edge that refuse with all that they were asked with.
  const editor = await makeFan({ role: 'editor' });
  await enqueue(writeStory, {
    storyId: await makeStory({ title: '파도반, 새 앨범', text: '파도반이 새 앨범을 공개했다. '.repeat(12) }),
  });
  await post('/api/articles/1/search-youtube', {}, bearer(editor.token));
  await post('/api/community/channels/1/join', {}, bearer(token));
  const uploaded = await makeUpload();
  await ask(`/media/${uploaded.key}/16x9-480.webp`);
  await connection()`select pg_notify('byeol_invalidate', 'article:1')`;

  // A statement that fails with the words of a person in it.
  const sql = connection();
  const [message] = await sql<{ id: number }[]>`select id::int from messages where channel_id = 1 limit 1`;
  await sql`alter table message_reports rename to reports_gone`;
  const reported = await post(
    `/api/community/channels/1/messages/${message?.id}/reports`,
    { reason: 'other', details: `${email} ${password}` },
    bearer(token),
  );
  await sql`alter table reports_gone rename to message_reports`;
  expect(reported.status).toBe(500);
  await until(() => server.output().includes('it is told later'), 60_000);
  // A machine that stalls has failures of its own beside them, which are searched as well.
  for (const failure of ['a call failed', 'the search for videos failed', 'the store of pictures is away'])
    await until(() => says(failure).some(({ level }) => level === 'error'), 60_000);

  const everything = server.output();
  const words = [
    password,
    email,
    token,
    linkToken,
    server.databaseUrl.split(':')[2]?.split('@')[0] ?? 'none',
  ];
  const found = [...Object.values(secrets), ...words].filter((secret) =>
    [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].some((form) =>
      everything.includes(form),
    ),
  );
  expect(found).toEqual([]);
});

test('a secret is hidden in every spelling in which a service may quote it', () => {
  const secret = 'pass/of "7" moons+Ü&\\sky';
  const json = (text: string) => JSON.stringify(text).slice(1, -1);
  const lowerHex = (text: string) => text.replace(/%../g, (byte) => byte.toLowerCase());
  const base64 = (before: string) => Buffer.from(`${before}${secret}:end`).toString('base64');
  const address = encodeURIComponent(secret);
  const spellings = [
    ...[
      secret,
      json(secret),
      json(json(secret)),
      json(json(json(secret))),
      json(secret).replaceAll('/', '\\/'),
    ],
    ...[address, lowerHex(address), encodeURIComponent(address), lowerHex(encodeURIComponent(address))],
    ...[
      String(new URLSearchParams([['', secret]])).slice(1),
      encodeURI(secret),
      json(secret).replace('Ü', '\\u00DC'),
    ],
    ...['', 'u', 'me', 'me:'].flatMap((before) => [
      ...[base64(before), base64(before).replaceAll('+', '-').replaceAll('/', '_')],
      ...[encodeURIComponent(base64(before)), json(base64(before)).replaceAll('/', '\\/')],
    ]),
  ];
  hideSecrets([secret]);
  try {
    // At most the signs at the ends are left, which hold bits of what stands around it.
    const told = spellings.map((spelling) => redact(`«${spelling}»`));
    expect(told.filter((line) => !line.includes('[secret]') || line.length > 30)).toEqual([]);
    expect(processorTime(() => withoutSecrets('\\'.repeat(10_000) + '%25'.repeat(10_000)))).toBeLessThan(500);
    expect(redact('passing of 7 moons, cGFzc2luZw==')).toBe('passing of 7 moons, cGFzc2luZw==');
  } finally {
    hideSecrets([]);
  }
});

test('a line of any length is made safe at once', () => {
  for (const part of ['a', 'a.', 'a://', 'x@a.']) {
    expect([part, processorTime(() => redact(part.repeat(40_000 / part.length))) < 1_000]).toEqual([
      part,
      true,
    ]);
  }
});

test('a start and a command that fail say so without the secrets of the settings', async () => {
  const closed = await freePort();
  const database = new URL(server.databaseUrl);
  const wrong = Object.assign(new URL(database), { password: 'database-pass-of-7-moons' });
  const start = ['site/start.ts'];
  const commands: [command: string[], settings: Record<string, string>][] = [
    [start, { DATABASE_URL: wrong.href }],
    [start, { DATABASE_URL: database.href, BUS_URL: `redis://:${secrets.bus}@127.0.0.1:${closed}` }],
    [
      ['site/command.ts', 'api/backup/run-backup.ts'],
      { DATABASE_URL: wrong.href, BACKUP_URL: server.folder, BACKUP_PASSPHRASE: secrets.backup },
    ],
  ];
  const said = await Promise.all(
    commands.map(async ([command, settings]) => {
      const folder = join(server.folder, crypto.randomUUID());
      const all = { ...settings, DATA_DIR: folder, PORT: String(await freePort()) };
      const { code, output, errors } = await runToEnd([process.execPath, ...command], all);
      expect([command, code]).toEqual([command, 1]);
      return output + errors;
    }),
  );
  const everything = said.join('\n');
  expect(everything).toContain('refuses the user or the password');
  expect(everything).toContain('check BUS_URL');
  expect(everything).not.toMatch(/of-7-moons|of 7 moons/);
  expect(everything).not.toContain(database.password);
});
