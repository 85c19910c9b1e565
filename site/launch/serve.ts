import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { site } from '#content/site.ts';
import { StartupError } from '#db/embedded.ts';
import type { RunningServer } from '../server.ts';
import type { Greeting } from './accounts.ts';
import { ensureBuilt } from './build.ts';
import { openStore, settleIn } from './database.ts';
import { root } from './root.ts';
import type { Shutdown } from './shutdown.ts';
import { say } from './terminal.ts';

/** Everything of a start that needs the installed packages: database, build, demo world, server. */
export async function serve(config: Config, shutdown: Shutdown): Promise<void> {
  const store = await openStore(config, shutdown);
  await ensureBuilt((stop) => shutdown.later(stop));
  const greeting = await settleIn(config, store);
  if (shutdown.began) return;
  const server = await startBuiltServer({ ...config, databaseUrl: store.url });
  shutdown.later(() => server.stop());
  say(welcome(server.url.replace(/\/$/, ''), greeting));
}

async function startBuiltServer(config: Config): Promise<RunningServer> {
  const built: { startServer(settings: Config): Promise<RunningServer> } = await import(
    join(root, 'dist/server/entry.mjs')
  );
  try {
    return await built.startServer(config);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new StartupError(`Port ${config.port} is already in use: stop the other program or set PORT.`);
    }
    throw error;
  }
}

function welcome(url: string, { fan, admin }: Greeting): string {
  const rows: [string, string, string][] = [];
  if (fan) rows.push(['Demo fan', fan.email, fan.password]);
  if (admin?.password) rows.push(['Admin', admin.email, `${admin.password}  (shown only this once)`]);
  else if (admin) rows.push(['Admin', admin.email, '(password set before; `bun run admin` sets a new one)']);
  const width = Math.max(0, ...rows.map(([, email]) => email.length));
  return [
    '',
    `  ${site.name} is running at ${url}`,
    '',
    ...rows.map(([who, email, secret]) => `  ${who.padEnd(10)} ${email.padEnd(width)}  ${secret}`),
    ...(rows.length > 0 ? [''] : []),
    '  Ctrl-C stops it.',
    '',
  ].join('\n');
}
