import { describe, expect, test } from 'bun:test';
import ts from 'typescript';
import { allCode, type Source } from './sources.ts';

describe('the compiler is never silenced:', () => {
  const found = allCode().flatMap((source) =>
    scriptsOf(source).flatMap((script) => silences(source.path, script)),
  );

  for (const kind of ['any', 'double assertion', 'non-null assertion', 'comment'] as const) {
    test(`no ${kind}`, () => {
      expect(found.filter((silence) => silence.kind === kind).map(({ at }) => at)).toEqual([]);
    });
  }

  test('and this would be noticed', () => {
    const bad = 'let a: any = b!; const c = a as unknown as string; // @ts-ignore';
    expect(
      silences('x.ts', bad)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['any', 'comment', 'double assertion', 'non-null assertion']);
  });
});

interface Silence {
  kind: 'any' | 'double assertion' | 'non-null assertion' | 'comment';
  at: string;
}

/** The TypeScript of a file: of an Astro file its frontmatter and its scripts. */
function scriptsOf({ path, text }: Source): string[] {
  if (!path.endsWith('.astro')) return path.endsWith('.mjs') ? [] : [text];
  const frontmatter = text.match(/^---\n([\s\S]*?)\n---/)?.[1] ?? '';
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  return [frontmatter, ...scripts];
}

function silences(path: string, text: string): Silence[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Silence[] = [];
  const note = (kind: Silence['kind'], position: number) =>
    found.push({ kind, at: `${path}:${file.getLineAndCharacterOfPosition(position).line + 1}` });
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) note('any', node.getStart());
    if (ts.isNonNullExpression(node)) note('non-null assertion', node.getStart());
    if (ts.isAsExpression(node) && ts.isAsExpression(node.expression))
      note('double assertion', node.getStart());
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { index } of text.matchAll(/(?:\/\/|\/\*|<!--)\s*@ts-(?:ignore|expect-error|nocheck)/g)) {
    if (!path.endsWith('rules/types.test.ts')) note('comment', index);
  }
  return found;
}
