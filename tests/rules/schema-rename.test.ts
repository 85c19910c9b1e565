import { expect, test } from 'bun:test';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { bunx, runProgram } from '#site/launch/child.ts';
import { root } from '#site/launch/root.ts';
import { filesOf, type SourceFile } from './sources.ts';

/** A few columns of different tables, and the file of the schema that has them. */
const columns = new Map([
  ['fandomColor', 'db/schema/stars.ts'],
  ['amendedAt', 'db/schema/articles.ts'],
  ['startTime', 'db/schema/events.ts'],
  ['nextTryAt', 'db/schema/newsroom.ts'],
  ['passwordHash', 'db/schema/accounts.ts'],
  ['lastActivityAt', 'db/schema/community.ts'],
  ['dueAt', 'db/schema/reminders.ts'],
]);

const naming = (name: string): RegExp => new RegExp(`\\b${name}\\b`, 'g');
const queries = filesOf('db/queries/**/*.ts');

/**
 * The properties that a file reads, of whatever: `s.fandomColor`, `{ fandomColor } = stars`; but not from the `fields`
 * of what a statement derives, which have names of their own.
 */
function propertiesRead({ path, text }: SourceFile): Set<string> {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && !node.expression.getText(file).endsWith('.fields'))
      names.add(node.name.text);
    if (ts.isBindingElement(node)) names.add((node.propertyName ?? node.name).getText(file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Renames the columns in a copy of the schema that only the compiler sees. @returns what it says of each of these queries */
async function errorsAfterRenaming(sources: readonly SourceFile[]): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'byeol-renamed-'));
  try {
    for (const part of ['content', 'db', 'package.json'])
      await cp(join(root, part), join(folder, part), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [name, file] of columns) {
      const schema = await readFile(join(folder, file), 'utf8');
      await writeFile(join(folder, file), schema.replace(naming(name), `renamed_${name}`));
    }
    const config = {
      extends: 'astro/tsconfigs/strictest',
      // What is no part of the schema need not be known: reading it would take most of the time.
      compilerOptions: { noEmit: true, skipLibCheck: true, types: [], lib: ['ESNext'] },
      files: sources.map(({ path }) => path),
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { output } = await runProgram(bunx('tsc', '-p', folder, '--pretty', 'false', '--singleThreaded'));
    // An error begins with its file; what explains it stands below, further in.
    const errors = output.split(/\n(?=\S)/);
    return new Map(
      sources.map(({ path }) => [path, errors.filter((error) => error.includes(`${path}(`)).join('\n')]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a column that is renamed in the schema alone breaks every query that reads it', async () => {
  const readBy = queries.map((query) => [query, propertiesRead(query)] as const);
  const readers = [...columns.keys()].map(
    (name) => [name, readBy.flatMap(([query, names]) => (names.has(name) ? [query] : []))] as const,
  );
  const errors = await errorsAfterRenaming([...new Set(readers.flatMap(([, sources]) => sources))]);
  const silent = readers.flatMap(([name, sources]) =>
    sources
      .filter(({ path }) => !naming(name).test(errors.get(path) ?? ''))
      .map(({ path }) => `${path} reads ${name}`),
  );
  expect(silent).toEqual([]);
  expect(errors.size).toBeGreaterThan(5);
}, 300_000);
