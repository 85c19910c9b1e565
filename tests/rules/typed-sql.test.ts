import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import ts from 'typescript';
import { root } from '#site/launch/root.ts';
import { filesOf, type SourceFile } from './sources.ts';

/** What `byeol_store_messages` answers has names of its own (`db/functions/`), which no column has to follow. */
const readsFunction = 'db/queries/community/sending.ts';

const names = await namesOfSchema();
/** It reads what a function of the database answers, whose columns are called as those of tables. */
const readers = new Set(['db/queries/community/sending.ts']);

describe('statements name tables and columns by the schema:', () => {
  const sources = filesOf('db/{queries,seed}/**/*.ts', '{api,site}/**/*.{ts,tsx,astro}').filter(
    ({ path, text }) => /\b(?:sql|tx|client|execute|connection)\b/.test(text) && !readers.has(path),
  );

  test('there are some', () => {
    expect(names.has('fandom_color')).toBe(true);
    expect(names.has('stars')).toBe(true);
    expect(sources.flatMap(statementsOf).length).toBeGreaterThan(100);
  });

  test('none is written as text', () => {
    expect(sources.filter(({ path }) => path !== readsFunction).flatMap(textNames)).toEqual([]);
  });

  test('no row has a type that is only asserted', () => {
    expect(sources.flatMap(assertedRows)).toEqual([]);
  });

  for (const statement of [
    'select 1 from stars',
    'select s.slug from {} {}',
    'select s.fandom_color from {} {}',
    'select slug from {}',
    'select "slug" from {}',
    'insert into follows (user_id, star_id) values (1, 2)',
    'insert into {} ({}, created_at) values (1)',
    'update {} set name = 1',
    'update {} set {} = excluded.name',
    'delete from {} using stories where true',
    'select * from {} order by id',
    'select own.title from own',
  ]) {
    test(`this would be noticed: ${statement}`, () => {
      expect(textNames(sourceOf(statement))).not.toEqual([]);
    });
  }

  for (const statement of [
    "select {} from {} {} where {} = 'name'",
    'select given.name from jsonb_to_recordset({}::jsonb) as given(name text, "starId" int)',
    'with page as (select 1) select page.place from page for no key update',
    'select count(*)::int as name, position({} in {}), {}::text, {} at time zone {}',
    'select {} from {} order by {}',
    "select name, id from pgboss.job where state = 'active'",
  ]) {
    test(`this is as it should be: ${statement}`, () => {
      expect(textNames(sourceOf(statement))).toEqual([]);
    });
  }

  test('an asserted row would be noticed', () => {
    const text = 'const rows = await tx.execute<{ id: number }>(query); await execute(fields, write);';
    expect(assertedRows({ path: 'x.ts', text })).toEqual(['x.ts:1']);
  });
});

/** A file with a statement; `{}` stands for what is interpolated. */
const sourceOf = (statement: string): SourceFile => ({
  path: 'x.ts',
  text: `sql\`${statement.replaceAll('{}', '\u0024{x}')}\``,
});

/** What the schema calls its tables and columns in PostgreSQL. */
async function namesOfSchema(): Promise<ReadonlySet<string>> {
  const modules: Record<string, unknown>[] = await Promise.all(
    filesOf('db/schema/*.ts').map(({ path }) => import(join(root, path))),
  );
  const tables = modules.flatMap(Object.values).filter((value) => is(value, PgTable));
  return new Set(
    tables
      .map(getTableConfig)
      .flatMap(({ name, columns }) => [name, ...columns.map((column) => toSnakeCase(column.name))]),
  );
}

interface Statement {
  /** Without what is interpolated (`${}`) and without literals. */
  text: string;
  line: number;
}

/** The `sql` templates of a file, those within others on their own. */
function statementsOf({ path, text }: SourceFile): Statement[] {
  const file = parse(path, text);
  const statements: Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && isStatement(node.tag)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      statements.push({ text: withoutLiterals(staticText(node.template)), line });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return statements;
}

const parsed = new Map<string, ts.SourceFile>();

/** Of an Astro file its frontmatter, at the same lines. Three tests ask for each file. */
function parse(path: string, text: string): ts.SourceFile {
  const code = path.endsWith('.astro') ? (text.match(/^---(\n[\s\S]*?)\n---/)?.[1] ?? '') : text;
  const file =
    parsed.get(code) ?? ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  parsed.set(code, file);
  return file;
}

/** Drizzle's `sql` and postgres.js' `sql`, `connection()` and `$client`. */
const isStatement = (tag: ts.LeftHandSideExpression): boolean =>
  /(?:^|\.)(?:sql|tx|\$client)$|\bconnection\(\)$/.test(tag.getText());

function staticText(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.head.text + template.templateSpans.map(({ literal }) => `\${}${literal.text}`).join('');
}

const withoutLiterals = (text: string): string => text.replace(/'(?:[^']|'')*'/g, "''").replaceAll('"', ' ');

/** Words that are no names where they follow these. */
const phrases: Record<string, readonly string[]> = {
  key: ['no', 'primary'],
  zone: ['time'],
  precision: ['double'],
  time: ['at'],
};
const beforeTable = new Set(['from', 'join', 'into', 'update', 'using', 'table', 'only']);
/** What pg-boss and PostgreSQL itself keep is no part of our schema. */
const isOfOthers = (text: string): boolean => /\b(?:from|join|into|update)\s+(?:pgboss\.|pg_)/.test(text);

interface Token {
  word: string;
  /** Stands in the list of columns of something derived: `as given(name text, place int)`. */
  isDeclared: boolean;
}

/** Words and signs of a statement, and the names that it gives to what it derives. */
function tokensOf(text: string): { tokens: Token[]; derived: string[] } {
  const tokens = (text.toLowerCase().match(/\$\{\}|::|''|\w+|[^\s\w]/g) ?? []).map(
    (word): Token => ({ word, isDeclared: false }),
  );
  const word = (place: number): string => tokens[place]?.word ?? '';
  const derived: string[] = [];
  for (let place = 0; place < tokens.length; place += 1) {
    const isQuery = word(place + 1) === 'as' && ['(', 'materialized'].includes(word(place + 2));
    if (isQuery || word(place - 1) === 'as' || word(place - 1) === ')') derived.push(word(place));
    const isList = word(place) === '(' && (word(place - 2) === 'as' || word(place - 2) === ')');
    for (let next = place + 1; isList && next < tokens.length && word(next) !== ')'; next += 1) {
      if (['(', ','].includes(word(next - 1))) derived.push(word(next));
      const token = tokens[next];
      if (token) token.isDeclared = true;
    }
  }
  return { tokens, derived };
}

/** Where a file names a table or column of the schema by text. */
function textNames(source: SourceFile): string[] {
  const statements = statementsOf(source)
    .filter(({ text }) => !isOfOthers(text))
    .map(({ text, line }) => ({ line, ...tokensOf(text) }));
  const derived = new Set(statements.flatMap((statement) => statement.derived));
  return statements.flatMap(({ tokens, line }) =>
    tokens
      .filter(({ word, isDeclared }, place) => {
        if (isDeclared || !names.has(word) || derived.has(word)) return false;
        const before = tokens[place - 1]?.word ?? '';
        const after = tokens[place + 1]?.word ?? '';
        if (beforeTable.has(before)) return true;
        return !['as', '::'].includes(before) && after !== '(' && !phrases[word]?.includes(before);
      })
      .map(({ word }) => `${source.path}:${line} names ${word}`),
  );
}

/** Where a file says what rows a statement answers, instead of taking it from its columns. */
function assertedRows({ path, text }: SourceFile): string[] {
  const file = parse(path, text);
  const assertions: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      node.typeArguments &&
      /(?:^|\.)execute$/.test(node.expression.getText(file))
    )
      assertions.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return assertions;
}
