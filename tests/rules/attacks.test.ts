import { expect, test } from 'bun:test';
import { filesOf } from './sources.ts';

test('every line of quality §Safe is attacked by tests that tests/README.md names', () => {
  const quality = filesOf('docs/quality.md')[0]?.text ?? '';
  const safe = quality.slice(quality.indexOf('## Safe'), quality.indexOf('## Tests'));
  const lines = [...safe.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  const rows = [...(filesOf('tests/README.md')[0]?.text ?? '').matchAll(/^\| (\d+) +\| .+? \| (.+) \|$/gm)];
  expect(lines.length).toBeGreaterThanOrEqual(16);
  expect(rows.map(([, number]) => number)).toEqual(lines);
  const wrong = rows.flatMap(([, number, files = '']) => {
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const without = named.filter((path) => !/\btest\b/.test(filesOf(path)[0]?.text ?? ''));
    return named.length === 0 ? [`${number}: none`] : without.map((path) => `${number}: ${path}`);
  });
  expect(wrong).toEqual([]);
});
