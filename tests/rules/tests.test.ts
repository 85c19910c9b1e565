import { expect, test } from 'bun:test';
import { filesOf } from './sources.ts';

test('no test is skipped, singled out, left to be written or tried again', () => {
  const files = filesOf('tests/**/*.ts', 'playwright.config.ts').filter(
    ({ path }) => !path.endsWith('rules/tests.test.ts'),
  );
  expect(files.length).toBeGreaterThan(10);
  const evasive = files
    .filter(({ text }) =>
      /\b(?:test|it|describe)\.(?:skip|only|todo|fixme|fail|if|skipIf)\b|\bretries: [1-9]/.test(text),
    )
    .map(({ path }) => path);
  expect(evasive).toEqual([]);
});
