import { expect, test } from 'bun:test';
import { sourceLanguage } from '#site/i18n/source-language.ts';

test('words of a source are called Korean when they are, and nothing when nobody knows', () => {
  expect(sourceLanguage('무대뒤뉴스')).toBe('ko');
  expect(sourceLanguage("'Tide' by 밀물, first listening")).toBe('ko');
  expect(sourceLanguage('Backstage Daily')).toBeUndefined();
});
