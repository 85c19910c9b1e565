import { expect, test } from 'bun:test';
import { allCode } from './sources.ts';

/** Who may see the environment: the settings, and programs of their own, which hand it on or set it. */
const readers = new Set([
  'api/config.ts',
  'site/start.ts',
  'site/worker.ts',
  'site/launch/bun.mjs',
  'site/launch/preinstall.mjs',
  'site/launch/prepare.ts',
  'site/launch/child.ts',
  'tests/kit/environment.ts',
  'tests/rules/environment.test.ts',
]);

test('the environment is read in one place, and by named programs', () => {
  const reading = allCode().filter(({ text }) =>
    /process\.env|Bun\.env|import\.meta\.env\.(?!DEV\b|PROD\b|SSR\b)/.test(text),
  );
  expect(reading.map(({ path }) => path)).toContain('api/config.ts');
  const strangers = reading.filter(({ path }) => !readers.has(path)).map(({ path }) => path);
  expect(
    strangers.filter((path) => !path.startsWith('tests/api/') && !path.startsWith('tests/bench/')),
  ).toEqual([]);
});
