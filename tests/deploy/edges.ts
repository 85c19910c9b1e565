import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#db/embedded/postmaster.ts';
import { root } from '#site/launch/root.ts';
import { environment } from '#tests/kit/environment.ts';
import { runToEnd } from '#tests/kit/run-program.ts';

/** A proxy in front of the site, of the files in `deploy/`. */
export interface RunningEdge {
  url: string;
  stop(): Promise<void>;
}

const fileOf = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

/** A file of `deploy/` with what this machine has in the place of what it names. @throws when it does not name it */
function withPlaces(name: string, places: Readonly<Record<string, string>>): string {
  let text = fileOf(name);
  for (const [named, own] of Object.entries(places)) {
    if (!text.includes(named)) throw new Error(`deploy/${name} does not name ${named}`);
    text = text.replaceAll(named, own);
  }
  return text;
}

async function run(command: string[], port: number, env: Record<string, string>): Promise<RunningEdge> {
  const child = Bun.spawn(command, { env: environment(env), stdout: 'pipe', stderr: 'pipe' });
  const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + 20_000;
  while ((await fetch(`${url}/healthz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill();
      throw new Error(`${command[0]} did not start:\n${(await said).join('')}`);
    }
    await Bun.sleep(100);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

/** The ports of the two apps that the files name. */
export type AppPorts = readonly [number, number];

/** Varnish at this port, in front of a site on loopback. */
export async function startVarnish(
  folder: string,
  port: number,
  [first, second]: AppPorts,
  token: string,
): Promise<RunningEdge> {
  const file = join(folder, 'byeol.vcl');
  writeFileSync(file, withPlaces('varnish.vcl', { '"4321"': `"${first}"`, '"4322"': `"${second}"` }));
  const own = ['-j', 'none', '-n', join(folder, 'varnish'), '-F', '-a', `127.0.0.1:${port}`];
  return run(['varnishd', ...own, '-f', file, '-s', 'malloc,128m', '-p', 'http_gzip_support=off'], port, {
    PURGE_TOKEN: token,
  });
}

/**
 * What nginx says of its file as it is, at the places that it names.
 * @returns undefined: it takes it
 */
export async function faultOfNginx(folder: string): Promise<string | undefined> {
  const file = join(folder, 'delivered.conf');
  const delivered = join(root, 'deploy/nginx.conf');
  writeFileSync(file, `pid ${join(folder, 'nginx.pid')}; events {} http { include ${delivered}; }`);
  const { code, errors } = await runToEnd(['nginx', '-t', '-e', 'stderr', '-c', file]);
  return code === 0 ? undefined : errors.trim();
}

/** nginx in front of a site on loopback. */
export async function startNginx(folder: string, [first, second]: AppPorts): Promise<RunningEdge> {
  const port = await freePort();
  const own = join(folder, 'nginx');
  mkdirSync(own);
  const server = withPlaces('nginx.conf', {
    '127.0.0.1:4321': `127.0.0.1:${first}`,
    '127.0.0.1:4322': `127.0.0.1:${second}`,
    'listen 8080': `listen 127.0.0.1:${port}`,
    '127.0.0.1:8081': `127.0.0.1:${await freePort()}`,
    '/var/lib/nginx/byeol': join(own, 'cache'),
  });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(own, name)};`,
  );
  const file = join(own, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${join(own, 'pid')}; error_log stderr; events {} http { access_log off; ${paths.join(' ')} ${server} }`,
  );
  return run(['nginx', '-e', 'stderr', '-p', own, '-c', file], port, {});
}

/** Caddy in front of apps on loopback, without TLS. */
export async function startCaddy(folder: string, ports: AppPorts): Promise<RunningEdge> {
  const port = await freePort();
  const command = ['caddy', 'run', '--config', join(root, 'deploy/Caddyfile'), '--adapter', 'caddyfile'];
  return run(command, port, {
    SITE_HOST: `http://127.0.0.1:${port}`,
    UPSTREAMS: ports.map((each) => `127.0.0.1:${each}`).join(' '),
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
}
