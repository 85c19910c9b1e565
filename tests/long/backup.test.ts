import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import postgres from 'postgres';
import { accountLetter } from '#api/accounts/letters.ts';
import { config, getConfig, setConfig } from '#api/config.ts';
import { enqueue, stopJobs } from '#api/jobs/jobs.ts';
import { addUpload } from '#api/media/uploads.ts';
import { vapidKeys } from '#api/push/keys.ts';
import { languages } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { command, contentsOf, withEmptyDatabase } from '#tests/kit/backups.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFile } from '#tests/kit/pictures.ts';
import { publicPages } from '#tests/kit/public-pages.ts';
import { startStore, type TestStore } from '#tests/kit/s3.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

/** A site with all that a backup has, which runs, and its store. */
const own = useDatabase({ demo: true });
let store: TestStore;
let folder: string;
let site: TestServer;
let upload: string;

const settings = { JOBS: 'off', SITE_URL: 'http://byeol.example' };

beforeAll(async () => {
  await ensureBuilt();
  store = await startStore();
  folder = await mkdtemp(join(tmpdir(), 'byeol-backup-'));
  setConfig({ ...config(), storage: getConfig({ STORAGE_URL: store.url }).storage, dataDir: folder });
  ({ key: upload } = await addUpload(await makeFile('jpeg'), { actorId: null, credit: 'Han' }));
  await vapidKeys();
  await connection()`update stars set hero_key = ${upload}, avatar_key = ${upload} where id = 1`;
  // A number that was given and is nobody's any more must not be given again.
  await connection()`insert into users (username, username_key) values ('gone', 'gone')`;
  await connection()`delete from users where username = 'gone'`;
  const startAfter = new Date(Date.now() + 86_400_000);
  await enqueue(accountLetter, { kind: 'reset', emailKey: 'han@byeol.example' }, { startAfter, key: 'han' });
  await stopJobs();
  site = await startTestServer({
    databaseUrl: own.url,
    settings: { ...settings, STORAGE_URL: store.url },
  });
}, 360_000);

afterAll(async () => {
  await site.stop();
  await store.remove();
  await rm(folder, { recursive: true, force: true });
}, 300_000);

/** Jobs that wait, as pg-boss keeps them. */
async function jobsOf(url: string) {
  const sql = postgres(url, { max: 1 });
  const rows = await sql<{ job: string }[]>`
    select json_build_array(id, name, data, singleton_key, start_after, policy, retry_limit)::text as job
    from pgboss.job where state < 'completed' order by 1`;
  await sql.end();
  return rows.map(({ job }) => job);
}

const counting = (count: number, path: (id: number) => string) =>
  Array.from({ length: count }, (_, index) => path(index + 1));
/** Pages of every kind in every language, and of each thing. */
const addresses = [
  ...new Set([
    ...languages.flatMap((lang) => publicPages.map((path) => `/${lang}${path}`)),
    ...counting(48, (id) => `/en/article/${id}`),
    ...counting(48, (id) => `/vi/article/${id}`),
    ...counting(30, (id) => `/ms/star/${id}`),
  ]),
].slice(0, 200);

/** Pages by address, without the ages in them, which grow while one asks. */
async function pagesOf({ url }: TestServer) {
  const pages = new Map<string, string>();
  const waiting = addresses.values();
  const work = async () => {
    for (const path of waiting) {
      // A database that two sites ask at once may be late on a slow machine, and both say so.
      let answer = await fetch(url + path);
      for (let tries = 1; answer.status === 503 && tries < 5; tries += 1) {
        await answer.bytes();
        await Bun.sleep(2_000);
        answer = await fetch(url + path);
      }
      const text = (await answer.text()).replace(/(<time[^>]* data-(?:age|activity))[^>]*>[^<]*/g, '$1>');
      pages.set(path, `${answer.status} ${text}`);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return Object.fromEntries([...pages].sort());
}

test('a restore on an empty database gives the same site', async () => {
  expect(addresses).toHaveLength(200);
  const key = await generateX25519Identity();
  const recipient = await identityToRecipient(key);
  const identity = join(folder, 'identity.txt');
  await Bun.write(identity, `# public key: ${recipient}\n${key}\n`);
  const place = store.url.replace('?', '/backups/daily?');
  const made = await command('backup', ['--recipient', recipient], {
    DATABASE_URL: own.url,
    STORAGE_URL: store.url,
    BACKUP_URL: place,
    DATA_DIR: folder,
  });
  expect([made.code, made.errors]).toEqual([0, '']);
  expect(made.output).toMatch(
    /^Backup \d{8}T\d{9}Z-\w{6} in 127\.0\.0\.1:\d+\/pictures\/backups\/daily: \d+ tables with [\d,]+ rows, 1 picture \(1 sent\), \S+ MB\.\n$/,
  );

  await withEmptyDatabase(async (url) => {
    const other = await startStore();
    const restored = await command('restore', [place, '--identity', identity], {
      DATABASE_URL: url,
      STORAGE_URL: other.url,
      DATA_DIR: join(folder, 'restored'),
    });
    expect([restored.code, restored.errors]).toEqual([0, '']);
    expect(made.output + restored.output).not.toContain('S3RVER');
    expect(await contentsOf(url)).toEqual(await contentsOf(own.url));
    const jobs = await jobsOf(url);
    expect([jobs.length, jobs]).toEqual([1, await jobsOf(own.url)]);
    const keysOf = (data: string) => readFile(join(data, 'vapid.json'), 'utf8');
    expect(await keysOf(join(folder, 'restored'))).toBe(await keysOf(folder));

    const again = await startTestServer({
      databaseUrl: url,
      settings: { ...settings, STORAGE_URL: other.url },
    });
    const [pages, samePages] = await Promise.all([pagesOf(site), pagesOf(again)]);
    expect(samePages).toEqual(pages);
    const picture = `/media/${upload}/3x2-400.webp`;
    const [shown, shownAgain] = await Promise.all([site, again].map((each) => fetch(each.url + picture)));
    expect([shownAgain?.status, await shownAgain?.bytes()]).toEqual([200, await shown?.bytes()]);
    await again.stop();
    await other.remove();
  });
}, 360_000);
