import { expect, test } from 'bun:test';
import { join } from 'node:path';
import ts from 'typescript';
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
 * Whether a file reads a property of that name, of whatever: `s.fandomColor`, `{ fandomColor } = stars`; but not from the `fields`
 * of what a statement derives, which have names of their own.
 */
function reads({ path, text }: SourceFile, name: string): boolean {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isRead = (node: ts.Node): boolean =>
    (ts.isPropertyAccessExpression(node) &&
      node.name.text === name &&
      !node.expression.getText(file).endsWith('.fields')) ||
    (ts.isBindingElement(node) && (node.propertyName ?? node.name).getText(file) === name) ||
    (ts.forEachChild(node, (child) => isRead(child) || undefined) ?? false);
  return isRead(file);
}

/** Renames the columns in a copy of the schema that only the compiler sees. @returns what it says of each of these queries */
function errorsAfterRenaming(sources: readonly SourceFile[]): Map<string, string> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  // What is no part of the schema need not be known: reading it would take most of the time.
  Object.assign(options, { noEmit: true, skipLibCheck: true, types: [], lib: ['lib.esnext.d.ts'] });
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (path) =>
    [...columns]
      .filter(([, file]) => path === join(root, file))
      .reduce((text, [name]) => text?.replace(naming(name), `renamed_${name}`), readFile(path));
  const program = ts.createProgram({
    rootNames: sources.map(({ path }) => join(root, path)),
    options,
    host,
  });
  return new Map(
    sources.map(({ path }) => [
      path,
      program
        .getSemanticDiagnostics(program.getSourceFile(join(root, path)))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
        .join('\n'),
    ]),
  );
}

test('a column that is renamed in the schema alone breaks every query that reads it', () => {
  const readers = [...columns.keys()].map(
    (name) => [name, queries.filter((query) => reads(query, name))] as const,
  );
  const errors = errorsAfterRenaming([...new Set(readers.flatMap(([, sources]) => sources))]);
  const silent = readers.flatMap(([name, sources]) =>
    sources
      .filter(({ path }) => !naming(name).test(errors.get(path) ?? ''))
      .map(({ path }) => `${path} reads ${name}`),
  );
  expect(silent).toEqual([]);
  expect(errors.size).toBeGreaterThan(5);
}, 120_000);
