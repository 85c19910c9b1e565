import { expect, test } from 'bun:test';
import { runToEnd } from '#tests/kit/run-program.ts';

const commands = {
  bench: ['tests/bench/run.ts'],
  'check-upgrade': ['tests/deploy/upgrade.ts'],
  start: ['site/start.ts'],
  dev: ['site/dev.ts'],
  build: ['site/launch/build-command.ts'],
  purge: ['api/edge/purge-command.ts'],
  worker: ['site/worker.ts'],
  seed: ['api/seed-command.ts'],
  pictures: ['api/media/make-pictures.ts'],
  admin: ['api/accounts/admin-command.ts'],
} as const;
const names = Object.keys(commands) as (keyof typeof commands)[];

/** Where nothing can be started or written: a command that does more than talk fails. */
const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', DATA_DIR: '/dev/null/data' };

const run = (name: keyof typeof commands, ...words: string[]) =>
  runToEnd([process.execPath, ...commands[name], ...words], { ...nowhere, NODE_ENV: 'test' });

test.each(names)(
  'bun run %s --help says what it does, and an argument that it does not know is refused in a sentence',
  async (name) => {
    const [helped, refused] = await Promise.all([run(name, '--help'), run(name, '--nonsense')]);
    expect([helped.code, helped.errors]).toEqual([0, '']);
    expect(helped.output).toMatch(/^[^\n]+\n/);
    expect(helped.output).toContain(`bun run ${name}`);
    expect([refused.code, refused.output]).toEqual([1, '']);
    expect(refused.errors.trim().split('\n')).toEqual([expect.stringMatching(/bun run|--help|PORT=8080/)]);
  },
  120_000,
);
