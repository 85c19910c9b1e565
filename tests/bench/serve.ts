/**
 * One built server for the bench, on a database that is migrated and filled: `bun tests/bench/serve.ts <port> <url> [NAME=value …]`.
 * Pages are shared only where PAGE_STORE_MB says so: what a run before stored would not be rendered.
 */
import { getConfig } from '#api/config.ts';

const [, , port = '0', databaseUrl = '', ...settings] = Bun.argv;
const entry: typeof import('#site/server.ts') = await import(
  new URL('../../dist/server/entry.mjs', import.meta.url).href
);
const server = await entry.startServer({
  ...getConfig({
    PORT: port,
    NODE_ENV: 'production',
    DATA_DIR: '.data/bench',
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '0',
    SITE_URL: 'http://localhost:4411',
    PAGE_STORE_MB: '0',
    ...Object.fromEntries(settings.map((setting) => setting.split('=', 2))),
    // A line for each call would stand between the figures.
    LOG_LEVEL: 'warn',
  }),
  databaseUrl,
});
console.log('ready');
process.on('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});
// Memory is what is held, not what was thrown away.
process.on('SIGHUP', () => Bun.gc(true));
