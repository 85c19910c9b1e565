/**
 * `bun run check-pooler`: the site behind PgBouncer of Debian in transaction pooling, with `deploy/pgbouncer.ini`. What needs a session
 * works, few connections do for many readers, and a pooler that is away is honest. Asks `apt-get install pgbouncer` of whoever runs it.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { freePort } from '#db/embedded/postmaster.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { root } from '#site/launch/root.ts';
import { refusal } from '#tests/kit/backups.ts';
import { sending } from '#tests/kit/call.ts';
import { cloneDatabase, leaveTestCluster } from '#tests/kit/cluster.ts';
import { startFlakyProxy } from '#tests/kit/flaky-proxy.ts';
import { makeChannel, makeFan } from '#tests/kit/make.ts';
import { publicPages } from '#tests/kit/public-pages.ts';
import { startTestServer } from '#tests/kit/server.ts';
import { SiteLoad } from '#tests/kit/site-load.ts';
import { until } from '#tests/kit/until.ts';

const poolSize = 6;

const faults: string[] = [];
function told(what: string, isRight: boolean, details = ''): void {
  console.log(`  ${isRight ? 'ok' : 'NO'}  ${what}${details === '' ? '' : `: ${details}`}`);
  if (!isRight) faults.push(what);
}

/** PgBouncer at a free port, in front of a database. */
async function startPooler(folder: string, database: URL) {
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"${database.username}" "${database.password}"\n`);
  const name = database.pathname.slice(1);
  const text = readFileSync(join(root, 'deploy/pgbouncer.ini'), 'utf8')
    .replace(
      'byeol = host=127.0.0.1 port=5432 dbname=byeol',
      `${name} = host=127.0.0.1 port=${database.port}`,
    )
    .replace('6432', String(port))
    .replace('/etc/pgbouncer/userlist.txt', users)
    .replace('default_pool_size = 20', `default_pool_size = ${poolSize}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${text}\nunix_socket_dir =\n`);
  chmodSync(folder, 0o755);
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const start = () => Bun.spawn(['pgbouncer', '-q', ...user, file], { stdout: 'ignore', stderr: 'inherit' });
  let child = start();
  return {
    url: Object.assign(new URL(database.href), { port: String(port) }).href,
    signal: (name: NodeJS.Signals) => child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    start() {
      child = start();
    },
  };
}

if (!Bun.which('pgbouncer')) {
  console.error('pgbouncer is not installed here: apt-get install -y pgbouncer');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'byeol-pooler-'));
const database = await cloneDatabase('demo');
// Whatever it has set for whoever asks it.
const foreign = postgres(database.url, { max: 1 });
for (const each of [
  "datestyle = 'German'",
  "bytea_output = 'escape'",
  "intervalstyle = 'iso_8601'",
  "default_transaction_isolation = 'serializable'",
])
  await foreign.unsafe(`alter database "${new URL(database.url).pathname.slice(1)}" set ${each}`);
await foreign.end();
openDatabase(database.url, 2);
const fans = await Promise.all(Array.from({ length: 8 }, () => makeFan()));
const star = await makeChannel({ members: fans.map(({ id }) => id) });
await closeDatabase();
/** PostgreSQL is shared with others: what is killed is the way to it. */
const line = await startFlakyProxy(database.url);
const directUrl = Object.assign(new URL(database.url), { port: new URL(line.url).port });
const pooler = await startPooler(folder, directUrl);
const server = await startTestServer({
  databaseUrl: pooler.url,
  settings: { DATABASE_DIRECT_URL: directUrl.href, PROCESSES: '2' },
}).catch(async (error: unknown) => {
  await pooler.kill();
  throw error;
});
const direct = postgres(database.url, { max: 1, onnotice: () => {} });
const statusOf = async (path: string) => (await fetch(server.url + path)).status;
const timed = async (path: string) => {
  const began = performance.now();
  return { status: await statusOf(path), took: Math.round(performance.now() - began) };
};

try {
  const pages = [...publicPages.map((page) => `/vi${page}`), '/api/articles', '/api/search?q=pado', '/login'];
  const statuses = await Promise.all(pages.map(statusOf));
  const wrong = pages.filter((_, n) => ![200, 404].includes(statuses[n] ?? 0));
  told(`${pages.length} pages and calls are answered`, wrong.length === 0, wrong.join(' '));

  const pooled = postgres(pooler.url, { max: 1, prepare: false });
  const [limits] = await pooled`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('bytea_output') as bytes, current_setting('intervalstyle') as lengths,
    current_setting('transaction_isolation') as isolation`;
  await pooled.end();
  told(
    'its connections have the time-outs and the isolation, and write values as ours do',
    JSON.stringify(limits) ===
      '{"statement":"15s","lock":"5s","idle":"30s","bytes":"hex","lengths":"postgres","isolation":"read committed"}',
  );
  const refused = await refusal(migrateDatabase(pooler.url));
  told('no start takes it for the database', refused.startsWith('DATABASE_URL leads to a pooler'), refused);

  const load = new SiteLoad({
    url: server.url,
    paths: ['/ko/article/2000000', '/api/articles?limit=5', '/en/search?q=pado', '/ko/community'],
    askers: { fresh: 6, kept: 10 },
    pauses: { question: 5, message: 550 },
    star,
    fans,
    readers: 3,
  });
  let connections = 0;
  for (let second = 0; second < 8; second += 1) {
    await Bun.sleep(1_000);
    const [row] = await direct<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where application_name = 'byeol' and datname = current_database()`;
    connections = Math.max(connections, row?.n ?? 0);
  }
  const readTexts = await load.end();
  const failures = load.failures.filter(([outcome]) => !['404', '429'].includes(outcome));
  const asked = [...load.outcomes.values()].reduce((sum, count) => sum + count, 0);
  told(
    'a load costs nobody an answer',
    failures.length === 0 && asked > 500,
    `${asked} requests, ${JSON.stringify(failures)}`,
  );
  told(`on ${poolSize} connections at most`, connections > 0 && connections <= poolSize, String(connections));
  const messages = load.acknowledged.toSorted().join();
  told(
    'every message is read once, over LISTEN and NOTIFY',
    load.acknowledged.length > 30 && readTexts.every((texts) => texts.toSorted().join() === messages),
    `${load.acknowledged.length} messages`,
  );

  const password = 'not a common one';
  const account = { email: 'new@fans.example', username: 'newcomer', displayName: 'New', language: 'en' };
  const answer = await fetch(
    `${server.url}/api/auth/register`,
    sending({ ...account, password, confirmPassword: password }),
  );
  const isSent = until(() => server.output().includes('a letter is in the outbox'), 15_000);
  told(
    'jobs run',
    answer.status === 200 &&
      (await isSent.then(
        () => true,
        () => false,
      )),
  );

  const others = postgres(pooler.url, { max: poolSize, prepare: false, onnotice: () => {} });
  const busy = Promise.all(Array.from({ length: poolSize }, () => others`select pg_sleep(4)`));
  await until(async () => {
    const sleeping = await direct`select from pg_stat_activity
      where state = 'active' and query like 'select pg_sleep%' and datname = current_database()`;
    return sleeping.length === poolSize;
  });
  const late = await timed('/api/articles?limit=7');
  told(
    'who comes while all of its connections are taken waits for one',
    late.status === 200 && late.took > 2_000 && !server.output().includes('the database does not answer'),
    `${late.status} after ${late.took} ms`,
  );
  await busy;
  await others.end();

  for (const [what, end, begin] of [
    ['a pooler that hangs', () => pooler.signal('SIGSTOP'), () => pooler.signal('SIGCONT')],
    ['a pooler that is killed', () => pooler.kill(), () => pooler.start()],
    ['a PostgreSQL that is killed behind it', () => line.cut(), () => line.mend()],
  ] as const) {
    await end();
    const { status, took } = await timed('/ko/article/2000001');
    told(`${what} is a 503 within 3 s`, status === 503 && took < 3_000, `${status} after ${took} ms`);
    await begin();
    const began = performance.now();
    await until(async () => (await timed('/ko/article/2000001')).status === 404, 10_000);
    told('and all is well when it is back', true, `after ${Math.round(performance.now() - began)} ms`);
  }
} finally {
  await server.stop();
  await pooler.kill();
  await line.close();
  await direct.end();
  await database.drop();
  await leaveTestCluster();
  rmSync(folder, { recursive: true, force: true });
}
console.log(faults.length === 0 ? '\n  The pooler is right.' : `\n  Wrong: ${faults.join('; ')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
