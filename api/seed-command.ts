import { parseArgs } from 'node:util';
import { isUnreachable } from '#db/database-errors.ts';
import { StartupError } from '#db/embedded.ts';
import { seedVolume } from '#db/seed/volume.ts';
import { openCommandDatabase } from './command-database.ts';
import { isHelp } from './command-help.ts';
import { ConfigError } from './config-error.ts';
import { invalidate } from './invalidation.ts';

/**
 * `bun run seed --scale 100000`: adds that many synthetic articles, and everything else in proportion, to the database of
 * DATABASE_URL or to the built-in one of DATA_DIR.
 */
const usage = 'Usage: bun run seed --scale <number of articles, 1 to 1000000>';
const help = `Adds that many synthetic articles, with stars, fans, events and messages in proportion, to the database of DATABASE_URL or to the built-in
one of DATA_DIR: to see how a large site behaves. They stay there: never on a site that people use.

${usage}
`;
const maxArticles = 1_000_000;

function readScale(args: string[]): number {
  try {
    const { values } = parseArgs({ args, options: { scale: { type: 'string' } } });
    const scale = values.scale ?? '';
    if (/^\d+$/.test(scale) && Number(scale) >= 1 && Number(scale) <= maxArticles) return Number(scale);
  } catch {
    // parseArgs throws for options that nobody knows; the usage answers that as well.
  }
  throw new StartupError(usage);
}

/** One line that shows what is under way, how far it is and how fast it goes; without a terminal, a line now and then. */
function reporter() {
  const startedAt = new Map<string, number>();
  const runningLines = new Map<string, string>();
  let lastPrintedAt = 0;
  return (message: string, done: number, total: number) => {
    const now = performance.now();
    const since = startedAt.get(message) ?? now;
    startedAt.set(message, since);
    const rate = now > since ? Math.round((done / (now - since)) * 1000) : 0;
    const number = (value: number) => value.toLocaleString('en-GB');
    const line = `${message} ${number(done)}/${number(total)}${rate > 0 ? ` (${number(rate)}/s)` : ''}`;
    runningLines.set(message, line);
    const finished = done >= total;
    if (finished) runningLines.delete(message);
    if (process.stdout.isTTY) {
      process.stdout.write(`\r\x1b[K${finished ? `${line}\n` : ''}${[...runningLines.values()].join(' · ')}`);
    } else if (finished || now - lastPrintedAt > 5_000) {
      lastPrintedAt = now;
      console.log(finished ? line : [...runningLines.values()].join(' · '));
    }
  };
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (isHelp(args)) {
    process.stdout.write(help);
    return 0;
  }
  const scale = readScale(args);
  const start = performance.now();
  const close = await openCommandDatabase();
  process.once('SIGINT', () => close().finally(() => process.exit(130)));
  process.once('SIGTERM', () => close().finally(() => process.exit(143)));
  try {
    await seedVolume(scale, reporter());
    await invalidate(['feed', 'stars', 'events', 'channels', 'sitemap']);
    console.log(`Done in ${Math.round((performance.now() - start) / 1000)} s.`);
    return 0;
  } finally {
    await close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof StartupError || error instanceof ConfigError) console.error(error.message);
  else if (isUnreachable(error))
    console.error('The connection to the database was lost: start the command again.');
  else throw error;
  process.exitCode = 1;
}
