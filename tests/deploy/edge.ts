/**
 * `bun run check-edge`: the site behind Varnish and nginx of Debian, with the files of `deploy/`. How much of a load they answer, how soon a
 * write shows, and that nothing personal is ever stored. Asks `apt-get install varnish nginx` of whoever runs it.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { freePort } from '#db/embedded/postmaster.ts';
import { routeNames } from '#site/routes.ts';
import { publicAddresses, sampleAddress } from '#tests/kit/addresses.ts';
import { leaveTestCluster } from '#tests/kit/cluster.ts';
import { publicPages } from '#tests/kit/public-pages.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { apiAddresses } from './api-addresses.ts';
import { replaceBehind } from './edge-upgrade.ts';
import { type AppPorts, faultOfNginx, type RunningEdge, startNginx, startVarnish } from './edges.ts';

const faults: string[] = [];
function told(what: string, isRight: boolean, details = ''): void {
  console.log(`  ${isRight ? 'ok' : 'NO'}  ${what}${details === '' ? '' : `: ${details}`}`);
  if (!isRight) faults.push(what);
}

interface Person {
  headers: Record<string, string>;
  /** What nobody else may be shown. */
  secrets: string[];
}

const guest = { 'x-forwarded-for': '203.0.113.7', 'accept-language': 'ko' };

/** An administrator who has just registered, through the edge, and whose names are said nowhere. */
async function register(edge: RunningEdge, server: TestServer): Promise<Person> {
  const mark = crypto.randomUUID().slice(0, 8);
  const [username, email] = [`hidden_${mark}`, `hidden-${mark}@mail.example`];
  const forwarded = { 'x-forwarded-for': '203.0.113.8', origin: server.url };
  const answer = await fetch(`${edge.url}/api/auth/register`, {
    method: 'POST',
    headers: { ...forwarded, 'content-type': 'application/json' },
    body: JSON.stringify({
      email,
      username,
      displayName: `Hidden ${mark}`,
      password: `a long password ${mark}`,
      confirmPassword: `a long password ${mark}`,
      language: 'ko',
    }),
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  if (answer.status !== 200 || cookies.length === 0)
    throw new Error(`nobody could register: ${answer.status}`);
  const { token } = Object(await answer.json());
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`update users set role = 'admin' where username = ${username}`;
  await sql.end();
  return {
    headers: { ...forwarded, cookie: cookies.join('; '), 'accept-language': 'ko' },
    secrets: [mark, String(token)],
  };
}

interface Answer {
  status: number;
  text: string;
  setCookies: string[];
  cache: string;
}

async function ask(address: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(address, { redirect: 'manual', headers });
  const head = [...answer.headers].map((each) => each.join(': ')).join('\n');
  return {
    status: answer.status,
    text: `${head}\n${await answer.text()}`,
    setCookies: answer.headers.getSetCookie(),
    cache: answer.headers.get('x-cache') ?? '',
  };
}

/** Everything is asked twice by somebody who is signed in and then by a guest, who is told nothing of them. */
async function checkNothingPersonal(name: string, edge: RunningEdge, server: TestServer): Promise<void> {
  const person = await register(edge, server);
  const pages = [
    ...new Set([
      ...routeNames.map((route) => sampleAddress(route)),
      ...publicAddresses(),
      '/nowhere',
      '/ko/x',
    ]),
  ];
  const calls = await apiAddresses(server.url);
  const leaks: string[] = [];
  const different: string[] = [];
  let personal = 0;
  const isTheirs = ({ text }: Answer) => person.secrets.some((secret) => text.includes(secret));
  const bearer = { 'x-forwarded-for': '203.0.113.8', authorization: `Bearer ${person.secrets[1]}` };
  for (const address of [...pages, ...calls]) {
    const theirs = [
      await ask(edge.url + address, person.headers),
      await ask(edge.url + address, person.headers),
      await ask(edge.url + address, bearer),
    ];
    const guests = [await ask(edge.url + address, guest), await ask(edge.url + address, guest)];
    const direct = await ask(server.url + address, guest);
    const again = await ask(edge.url + address, person.headers);
    // Their names, or a page that guests do not get.
    if (theirs.slice(0, 2).some((each) => isTheirs(each) || (each.status === 200 && direct.status !== 200)))
      personal += 1;
    if (guests.some((each) => isTheirs(each) || each.setCookies.length > 0)) leaks.push(address);
    // Whoever is signed in is not shown what a guest is shown.
    const isSame = isTheirs(again) === theirs.slice(0, 2).some(isTheirs);
    if (!isSame || guests.some(({ status }) => status !== direct.status)) different.push(address);
  }
  told(
    `nothing personal is stored by ${name}`,
    leaks.length === 0,
    leaks.length === 0
      ? `${pages.length} addresses of pages, ${calls.length} calls, seven times each`
      : leaks.join(' '),
  );
  told(`${name} shows everybody what the site would`, different.length === 0, different.join(' '));
  told(`a person is shown what is theirs through ${name}`, personal >= 20, `at ${personal} addresses`);
}

/** A channel's messages come as they are sent. */
async function checkStream(name: string, edge: RunningEdge): Promise<void> {
  const ending = new AbortController();
  const answer = await fetch(`${edge.url}/api/community/channels/1/stream`, {
    headers: guest,
    signal: ending.signal,
  });
  const first = await Promise.race([answer.body?.getReader().read(), Bun.sleep(3_000)]);
  told(`a stream is not held back by ${name}`, answer.status === 200 && first?.value !== undefined);
  ending.abort();
}

/** Seconds of readers at every kind of public page in every language, from nothing stored. */
async function checkHitRate(name: string, edge: RunningEdge, seconds: number): Promise<void> {
  const addresses = [
    ...languages.flatMap((lang) => publicPages.map((page) => `/${lang}${page}`)),
    ...['/api/articles?language=ko', '/api/articles/48', '/api/stars', '/favicon.svg', '/'],
  ].filter((address) => !/2147483647|\/search/.test(address));
  const counts = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  let failures = 0;
  let next = 0;
  const reader = async () => {
    while (performance.now() < end) {
      next += 1;
      const answer = await ask(edge.url + addresses[next % addresses.length], guest);
      if (answer.status !== 200) failures += 1;
      counts.set(answer.cache, (counts.get(answer.cache) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 32 }, reader));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const fetched = all - ['HIT', 'STALE', 'UPDATING'].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
  const rate = (all - fetched) / all;
  told(
    `${name} answers at least 0.99 of a load that begins with nothing stored`,
    rate >= 0.99 && failures === 0,
    `${rate.toFixed(4)} of ${all} requests in ${seconds} s to ${addresses.length} addresses, ${failures} failures`,
  );
}

/** An editor corrects an article, and readers wait for it. @returns milliseconds until it shows */
async function correct(
  server: TestServer,
  person: Person,
  readers: RunningEdge,
  limit: number,
): Promise<number | undefined> {
  const title = `Corrected ${crypto.randomUUID()}`;
  const page = `${readers.url}/en/article/48`;
  // It is stored there, and what is stored is shown.
  for (let asked = 0; asked < 3; asked += 1) await ask(page, guest);
  const answer = await fetch(`${server.url}/api/admin/articles/48`, {
    method: 'PUT',
    headers: { ...person.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      rewrites: { en: { title, summary: ['A sentence of the summary.'], content: 'What was written.' } },
      note: { ko: '고쳤어요.', en: 'Corrected.', ms: 'Dibetulkan.', vi: 'Đã sửa.' },
    }),
  });
  if (!answer.ok) throw new Error(`the article could not be corrected: ${await answer.text()}`);
  const writtenAt = performance.now();
  while (performance.now() - writtenAt < limit) {
    if ((await ask(page, guest)).text.includes(title)) return Math.round(performance.now() - writtenAt);
    await Bun.sleep(limit > 5_000 ? 250 : 10);
  }
  return undefined;
}

async function checkWrites(server: TestServer, varnish: RunningEdge, nginx: RunningEdge): Promise<void> {
  const person = await register(varnish, server);
  const shown: (number | undefined)[] = [];
  for (let round = 0; round < 5; round += 1) shown.push(await correct(server, person, varnish, 5_000));
  told(
    'a correction shows behind Varnish within 2 s',
    shown.every((milliseconds) => milliseconds !== undefined && milliseconds <= 2_000),
    `${shown.join(', ')} ms`,
  );
  const later = await correct(server, person, nginx, 90_000);
  told(
    'a correction shows behind nginx after the minute that a page lives',
    later !== undefined && later < 75_000,
    `${((later ?? 0) / 1000).toFixed(0)} s`,
  );
}

const purge = async ({ url }: RunningEdge, headers: Record<string, string>) =>
  (await fetch(url, { method: 'PURGE', headers })).status;
const own = () => ({ authorization: `Bearer ${token}` });

async function checkAccess(varnish: RunningEdge): Promise<void> {
  const statuses = [
    await purge(varnish, { 'cache-tag': '*' }),
    await purge(varnish, { authorization: 'Bearer', 'cache-tag': '*' }),
    await purge(varnish, { authorization: `Bearer ${token}x`, 'cache-tag': '*' }),
    await purge(varnish, { ...own(), 'cache-tag': 'feed) || obj.status ~ (.' }),
    await purge(varnish, { ...own(), 'cache-tag': 'article:2147483647' }),
  ];
  told(
    'Varnish forgets for whoever has the token alone',
    statuses.join() === '403,403,403,400,200',
    statuses.join(),
  );
}

/** An answer whose life is over for good after a minute: it has no `stale-while-revalidate`. */
const shortLived = (lang: string) => `/${lang}/events/month.json?month=2026-11&tz=Asia/Seoul`;

/** A page past its life is fetched first; when the site is away it is shown all the same, and what was never stored is refused. */
async function checkAway(
  edges: readonly (readonly [string, RunningEdge])[],
  loadedAt: number,
  end: () => Promise<unknown>,
): Promise<void> {
  // As long as the page lives.
  await Bun.sleep(Math.max(0, loadedAt + 61_000 - performance.now()));
  for (const [name, edge] of edges) {
    const { cache } = await ask(edge.url + shortLived('ko'), guest);
    told(`${name} fetches what is past its life`, /MISS|EXPIRED|REVALIDATED/.test(cache), cache);
  }
  await end();
  for (const [name, edge] of edges) {
    const addresses = [shortLived('en'), '/en/star/11?tab=photos', '/en/article/47?page=1'];
    const statuses: number[] = [];
    for (const address of addresses) statuses.push((await ask(edge.url + address, guest)).status);
    const [past, stale, unknown = 0] = statuses;
    told(
      `${name} shows what it has while the site is away`,
      past === 200 && stale === 200 && unknown >= 500,
      `${statuses.join(', ')}, the last of what it never had`,
    );
  }
}

/** A file has no tag. While the site is away only what is stored is answered. */
async function checkForgetting(varnish: RunningEdge): Promise<void> {
  const file = `${varnish.url}/favicon.svg`;
  const { status: before } = await fetch(file);
  await purge(varnish, { ...own(), 'cache-tag': '*' });
  const { status: after } = await fetch(file);
  told('Varnish forgets everything, files too', before === 200 && after >= 500, `${before}, then ${after}`);
}

const missing = ['varnishd', 'nginx'].filter((program) => !Bun.which(program));
if (missing.length > 0) {
  console.error(`${missing.join(' and ')} is not installed here: apt-get install -y varnish nginx`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'byeol-edge-'));
chmodSync(folder, 0o755);
const token = crypto.randomUUID();
const varnishPort = await freePort();
const [firstPort, secondPort] = [await freePort(), await freePort()];
const settings = {
  SITE_URL: `http://localhost:${firstPort}`,
  PURGE_URL: `varnish+http://127.0.0.1:${varnishPort}`,
  PURGE_TOKEN: token,
  TRUSTED_PROXIES: '127.0.0.1,::1',
  ADDRESS_LIMITS: '100',
  DATABASE_CONNECTIONS: '40',
  // As long as Varnish takes to see that an app leaves.
  DRAIN_SECONDS: '4',
};
const server = await startTestServer({ settings: { ...settings, PORT: String(firstPort) } });
const startSecond = () =>
  startTestServer({
    // The jobs of one do.
    settings: { ...settings, PORT: String(secondPort), JOBS: 'off' },
    databaseUrl: server.databaseUrl,
  });
let second = await startSecond();
const started: RunningEdge[] = [];
try {
  const fault = await faultOfNginx(folder);
  told('nginx takes its file', fault === undefined, fault);
  const ports: AppPorts = [firstPort, secondPort];
  const varnish = await startVarnish(folder, varnishPort, ports, token);
  started.push(varnish);
  const nginx = await startNginx(folder, ports);
  started.push(nginx);
  const edges = Object.entries({ Varnish: varnish, nginx });
  for (const [name, edge] of edges) await checkHitRate(name, edge, 8);
  for (const [, edge] of edges)
    for (const lang of ['ko', 'en']) await ask(edge.url + shortLived(lang), guest);
  const loadedAt = performance.now();
  for (const [name, edge] of edges) await checkNothingPersonal(name, edge, server);
  for (const [name, edge] of edges) await checkStream(name, edge);
  await checkAccess(varnish);
  const noticed = await replaceBehind(edges, async () => {
    await second.stop();
    await Bun.sleep(3_000);
    second = await startSecond();
  });
  for (const [name, { right, wrong }] of noticed)
    told(
      `an app was replaced behind ${name} and no fan noticed`,
      wrong.length === 0,
      [`${right} answers`, ...wrong].join(', '),
    );
  await checkWrites(server, varnish, nginx);
  const output = server.output();
  told(
    'the log has no secret',
    !output.includes(token),
    output.includes(token) ? '' : `${output.length} bytes`,
  );
  await checkAway(edges, loadedAt, async () => {
    await second.stop();
    await server.stop();
  });
  await checkForgetting(varnish);
} finally {
  await Promise.all(started.map((edge) => edge.stop()));
  await second.stop();
  await server.stop();
  await leaveTestCluster();
  rmSync(folder, { recursive: true, force: true });
}
console.log(faults.length === 0 ? '\n  The edge is right.' : `\n  Wrong: ${faults.join('; ')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
