import type { Config } from '#api/config.ts';
import { StartupError } from '#db/embedded.ts';
import { bunx, run } from './child.ts';
import { openStore, settleIn } from './database.ts';
import type { Shutdown } from './shutdown.ts';
import { say } from './terminal.ts';
import { accountLines } from './welcome.ts';

/** Opens the database as `bun start` does and runs `astro dev` until it or we are ended. */
export async function develop(config: Config, shutdown: Shutdown): Promise<void> {
  const store = await openStore(config, shutdown);
  const greeting = await settleIn(config, store);
  for (const line of accountLines(greeting)) say(line);
  const astro = run(bunx('astro', 'dev', '--port', String(config.port), '--host', config.host), {
    env: { ASTRO_TELEMETRY_DISABLED: '1', DATABASE_URL: store.url },
    shown: true,
    onStart: (stop) =>
      shutdown.later(async () => {
        stop();
        await astro;
      }),
  });
  const { code } = await astro;
  if (!shutdown.began) throw new StartupError(`The development server ended with code ${code}.`);
}
