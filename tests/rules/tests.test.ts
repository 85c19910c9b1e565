import { expect, test } from 'bun:test';
import { allCode, filesOf } from './sources.ts';

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

test('the language is never a state of the process', () => {
  const files = allCode().filter(({ path }) => !path.startsWith('tests/rules/'));
  expect(files.filter(({ text }) => /changeLanguage\s*\(/.test(text)).map(({ path }) => path)).toEqual([]);
});
