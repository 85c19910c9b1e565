import { expect, test } from 'bun:test';
import { normalized } from '#content/normalize.ts';
import { filesOf } from './sources.ts';

test('the server normalizes what others wrote in one place, which bounds its marks', () => {
  const elsewhere = filesOf('content/*.ts', 'db/**/*.ts', 'api/**/*.ts', 'site/lib/**/*.ts').filter(
    ({ path, text }) =>
      path !== 'content/normalize.ts' && /\.normalize\(/.test(text.replace(/path\.normalize\(/g, '')),
  );
  expect(elsewhere.map(({ path }) => path)).toEqual([]);
});

test('text is normalized as it was, but for more marks than any writing has', () => {
  const words = ['Việt Nam', '한글', 'e\u0301\u0316', 'が', 'が', 'ﾊﾞ', 'ก็', 'क्षि', '👩🏽‍❤️‍👨🏾'];
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
    for (const word of words) expect(normalized(word, form)).toBe(word.normalize(form));
  expect(normalized(`a${'\u0316'.repeat(30)}b`)).toBe(`a${'\u0316'.repeat(30)}b`);
  expect(normalized(`a${'\u0316'.repeat(31)}b`)).toBe(`a${'\u0316'.repeat(30)}b`);
});
