import { describe, expect, test } from 'bun:test';
import { basename } from 'node:path';
import { allCode, filesOf, layers, type SourceFile } from './sources.ts';

const folder = 'docs/decisions';
const index = filesOf(`${folder}/README.md`)[0]?.text ?? '';
const records = filesOf(`${folder}/*.md`).filter(({ path }) => basename(path) !== 'README.md');
const documents = filesOf('*.md', 'docs/**/*.md', ...[...layers, 'tests'].map((layer) => `${layer}/**/*.md`));
const rules = filesOf(...layers.flatMap((layer) => [`${layer}/**/*.css`, `${layer}/**/*.sql`]));
/** This file shows what it looks for. */
const code = allCode().filter(({ path }) => !path.endsWith('rules/decisions.test.ts'));
const everything = [...documents, ...code, ...rules];

/** What a file says to people: a document whole, of code its comments, each on one line. */
function saidIn({ path, text }: SourceFile): string {
  if (path.endsWith('.md')) return text.replace(/^```[\s\S]*?^```/gm, '');
  const comment = path.endsWith('.sql')
    ? /(?:^[ \t]*--.*\n?)+/gm
    : /(?<=^|[\s{(])\/\*[\s\S]*?\*\/|(?:(?<=^|[\s;{}(,])\/\/.*\n?[ \t]*)+/gm;
  return [...text.matchAll(comment)]
    .map(([said]) => said.replace(/\n\s*(?:\*|\/\/|--)?\s*/g, ' '))
    .join('\n');
}

const idOf = ({ path }: SourceFile): string => basename(path).split('-')[0] ?? '';
const titleOf = ({ text }: SourceFile): string => text.split('\n')[0]?.replace(/^# /, '') ?? '';

/** The ids that a file names: alone in what it says to people, and after the word “decision” anywhere. */
function idsIn(source: SourceFile): string[] {
  const groups = new Set(records.map((record) => idOf(record)[0]));
  const alone = [...saidIn(source).matchAll(/(?<![\w#%&.\-/\\+])([A-Z])\d{1,2}(?![\w-])/g)].flatMap(
    ([id, group]) => (groups.has(group) ? [id] : []),
  );
  const cited = [...source.text.matchAll(/\b[Dd]ecisions? ((?:[A-Z]\d+(?:, | and |–)?)+)/g)];
  return [...new Set([...alone, ...cited.flatMap(([, ids = '']) => ids.match(/[A-Z]\d+/g) ?? [])])];
}

/** Errands, and pictures by their number: nobody who reads the code can look them up. */
const elsewhere = /\b[Ii]ssues? (?:[A-Z]|#?\d+)\b|\((?:look|PNG) \d+|\b[Mm]ock(?:up)?s?(?: screens?)? \d+/g;
const errandsIn = (source: SourceFile): string[] =>
  [...saidIn(source).matchAll(elsewhere)].map(([found]) => found);

const names = new Set(documents.map(({ path }) => basename(path)));
/** Documents that a file names and that are not here. */
const strangersIn = (source: SourceFile): string[] =>
  [...saidIn(source).matchAll(/(?<![\w.*}>-])[\w-]+\.md\b/g)].flatMap(([name]) =>
    names.has(name) ? [] : [name],
  );

const listed = (find: (source: SourceFile) => string[], sources: readonly SourceFile[]): string[] =>
  sources.flatMap((source) => find(source).map((found) => `${source.path}: ${found}`));

describe('decisions', () => {
  test('have one record each, whose file name and title have the same id', () => {
    expect(records.length).toBeGreaterThan(60);
    expect(new Set(records.map(idOf)).size).toBe(records.length);
    const odd = records.filter(
      (record) =>
        !/^[A-Z]\d+-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/.test(basename(record.path)) ||
        !titleOf(record).startsWith(`${idOf(record)}. `),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  test('say why, what, and what would reverse it', () => {
    const parts = ({ text }: SourceFile) =>
      [...text.matchAll(/^\*\*(.+?)\.\*\* \S/gm)].map(([, name]) => name).join();
    const headings = /^Context,Decision,(?:Not yet,)?What would reverse it$/;
    expect(records.filter((record) => !headings.test(parts(record))).map(({ path }) => path)).toEqual([]);
  });

  test('stand in the index by id and title, in the order of each letter', () => {
    const rows = [...index.matchAll(/^\| \[(\w+)\]\((.+?)\)\s*\| (.+?)\s*\|$/gm)].map(([, ...row]) =>
      row.join(' '),
    );
    const files = records.map((record) => {
      const id = idOf(record);
      return `${id} ${basename(record.path)} ${titleOf(record).slice(id.length + 2)}`;
    });
    expect([...rows].sort()).toEqual([...files].sort());
    const numbers = new Map<string, number[]>();
    for (const [letter = '', ...digits] of rows.map((row) => row.split(' ')[0] ?? ''))
      numbers.set(letter, [...(numbers.get(letter) ?? []), Number(digits.join(''))]);
    for (const [letter, own] of numbers)
      expect({ letter, own }).toEqual({ letter, own: own.map((_, place) => place + 1) });
  });

  test('are there wherever code or a document names one', () => {
    const recordIds = new Set(records.map(idOf));
    const citations = everything.flatMap((source) => idsIn(source).map((id) => ({ id, path: source.path })));
    expect(citations.filter(({ path }) => !path.startsWith('docs/')).length).toBeGreaterThan(200);
    expect(citations.filter(({ id }) => !recordIds.has(id))).toEqual([]);
  });
});

describe('nobody is sent to a place that is not here:', () => {
  test('no errand, no picture by its number', () => {
    expect(listed(errandsIn, everything)).toEqual([]);
  });

  test('no document that is not in the repository', () => {
    expect(listed(strangersIn, everything)).toEqual([]);
  });

  test('and all this would be noticed', () => {
    const text = `/** S99 and E1 (issue E), as in spec.md;
 * mock screen 10 (look 14). */
const path = 'M9 E8'; // L77, see decisions C1–C88 and Q4`;
    const bad = { path: 'x.ts', text };
    expect(idsIn(bad).sort()).toEqual(['C1', 'C88', 'E1', 'L77', 'Q4', 'S99']);
    expect(errandsIn(bad)).toEqual(['issue E', 'mock screen 10', '(look 14']);
    expect(strangersIn(bad)).toEqual(['spec.md']);
  });
});
