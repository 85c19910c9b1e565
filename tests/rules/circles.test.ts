import { describe, expect, test } from 'bun:test';
import { allCode, importsOf, type SourceFile, targetOf } from './sources.ts';

/**
 * Files that import each other cannot be read, moved or tested one without the other, and what they give each other may not be
 * there yet when the first of them runs. A type that is only named ties them together as well.
 */
describe('imports', () => {
  test('lead in no circle', () => {
    const code = allCode();
    expect(code.length).toBeGreaterThan(500);
    expect(circlesAmong(code)).toEqual([]);
  });

  test('that lead in a circle are found, of every kind', () => {
    const kinds: Record<string, string> = {
      value: `import { b } from './b.ts';`,
      type: `import type { B } from './b.ts';`,
      'type among values': `import { b, type B } from './b.ts';`,
      'over several lines': `import {\n  b,\n} from './b.ts';`,
      'for its effect': `import './b.ts';`,
      dynamic: `const b = () => import('./b.ts');`,
      'passed on': `export { b } from './b.ts';`,
      'by its layer': `import { b } from '#api/b.ts';`,
    };
    for (const [kind, text] of Object.entries(kinds)) {
      const back = { path: 'api/b.ts', text: `import type { A } from './a.ts';` };
      expect(circlesAmong([{ path: 'api/a.ts', text }, back]), kind).toEqual([
        'api/a.ts → api/b.ts → api/a.ts',
      ]);
    }
  });

  test('that lead in a circle are named without the way to it', () => {
    expect(
      circlesAmong([
        { path: 'site/Page.astro', text: `---\nimport { list } from './list.tsx';\n---` },
        { path: 'site/line.ts', text: `import type { List } from './list.tsx';` },
        { path: 'site/list.tsx', text: `import { room } from './room.ts';` },
        { path: 'site/room.ts', text: `import { line } from './line.ts';\nimport { t } from 'elysia';` },
      ]),
    ).toEqual(['site/list.tsx → site/room.ts → site/line.ts → site/list.tsx']);
  });

  test('of one file by two are no circle', () => {
    expect(
      circlesAmong([
        { path: 'db/a.ts', text: `import './b.ts';\nimport './c.ts';` },
        { path: 'db/b.ts', text: `import './c.ts';` },
        { path: 'db/c.ts', text: '' },
      ]),
    ).toEqual([]);
  });
});

/** Circles as `a → b → a`: every import that leads back to a file on the way to it. */
function circlesAmong(sources: readonly SourceFile[]): string[] {
  const targets = new Map(
    sources.map((source) => [
      source.path,
      new Set(importsOf(source).map(({ specifier }) => targetOf(source, specifier))),
    ]),
  );
  const circles: string[] = [];
  const visited = new Set<string>();
  function follow(path: string, way: readonly string[]): void {
    const place = way.indexOf(path);
    if (place >= 0) circles.push([...way.slice(place), path].join(' → '));
    if (visited.has(path)) return;
    visited.add(path);
    for (const target of targets.get(path) ?? []) if (target) follow(target, [...way, path]);
  }
  for (const path of targets.keys()) follow(path, []);
  return circles;
}
