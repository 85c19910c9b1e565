import { describe, expect, test } from 'bun:test';
import { inlineScriptFiles } from '#site/lib/pages/compile-inline-scripts.ts';
import { inlineScripts } from '#site/lib/pages/inline-scripts.ts';
import { filesOf } from '#tests/rules/sources.ts';

describe('a script that stands in pages', () => {
  const compiled = Object.entries(inlineScripts);

  test('has a file of its own, and every such file stands in one', () => {
    const files = filesOf('site/**/*.inline.ts').map(({ path }) => path);
    expect(
      Object.values(inlineScriptFiles)
        .map((file) => file.replace(/^.*\/(?=site\/)/, ''))
        .sort(),
    ).toEqual(files);
  });

  test.each(compiled)(
    '%s can be read by a browser, holds nothing that only its file knows, and ends no element',
    (_, { source }) => {
      expect(() => new Function(source)).not.toThrow();
      expect(source).not.toMatch(/__[A-Z]|<\/|<!--|\n.*\n|\bexport\b/);
      expect(source).not.toBe('');
    },
  );

  test.each(compiled)('%s is named by the policy as what it is', (_, { source, hash }) => {
    expect(hash).toBe(`sha256-${new Bun.CryptoHasher('sha256').update(source).digest('base64')}`);
  });

  test('before the paint is as short as a head may hold it, and asks for the theme first', () => {
    const { source } = inlineScripts.beforePaint;
    expect(source.length).toBeLessThan(1_000);
    expect(source.indexOf('byeol:theme')).toBeGreaterThan(0);
    expect(source.indexOf('byeol:theme')).toBeLessThan(source.indexOf('byeol:preferences'));
  });
});
