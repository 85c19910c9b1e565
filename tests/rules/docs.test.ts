import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '#site/launch/root.ts';
import { allCode, filesOf, layers, type SourceFile } from './sources.ts';

const folders = [...layers, 'tests', 'docs'];
/** Written for people, with paths of the repository in backticks. */
const texts = (): SourceFile[] =>
  filesOf('*.md', 'docs/**/*.md', `{${[...layers, 'tests'].join()}}/**/README.md`);
const own = 'tests/rules/docs.test.ts';

describe('a § in a comment or a text', () => {
  const sources = [...allCode(), ...filesOf('{site,db}/**/*.{css,sql}'), ...texts()];
  const references = sources.filter(({ path }) => path !== own).flatMap(referencesIn);

  test('is found at all', () => {
    expect(references.length).toBeGreaterThan(300);
    expect(new Set(references.map(({ document }) => document))).toEqual(
      new Set(['product', 'quality', 'look', 'architecture']),
    );
  });

  test('leads to a heading of docs/', () => {
    expect(references.filter((reference) => !resolves(reference)).map(({ at }) => at)).toEqual([]);
  });

  for (const wrong of [
    '§10',
    '§2 Footer',
    '§9 Number of moons',
    '§7 `GET /api/moons`',
    '§3 moonCount',
    'quality §Safe 99',
    'quality §Sound',
    'look §12',
    'architecture §The cellar',
    'design §Ways',
    'specification §2',
  ]) {
    test(`would be noticed where it does not: ${wrong}`, () => {
      expect(referencesIn({ path: 'api/x.ts', text: `/** Moons (${wrong}). */` }).some(resolves)).toBe(false);
    });
  }

  test('may stand before the end of a line, or name a text of others', () => {
    const text =
      '/**\n * Rows (§2\n * Upcoming tab; quality §Safe\n * 13), as RFC 9110 §8.8.3 and the HTML standard §9.2.6 say.\n */';
    const references = referencesIn({ path: 'api/x.ts', text });
    expect(references.map(({ at }) => at)).toEqual([
      'api/x.ts:2 §2 Upcoming tab',
      'api/x.ts:3 quality §Safe 13',
    ]);
    expect(references.every(resolves)).toBe(true);
  });
});

describe('a path in backticks', () => {
  const files = repositoryFiles();
  const paths = texts().flatMap(pathsIn);

  test('is found at all', () => {
    expect(paths.length).toBeGreaterThan(150);
    expect(paths.map(({ path }) => path)).toContain('site/pages/[lang]/article/[id].astro');
  });

  test('exists', () => {
    expect(paths.filter(({ path }) => !exists(path, files)).map(({ at }) => at)).toEqual([]);
  });

  for (const wrong of ['api/moons/moons.ts', 'site/moons/', 'moons.ts', 'moons/model.ts', 'docs/moons.md']) {
    test(`would be noticed where there is nothing: ${wrong}`, () => {
      const [reference] = pathsIn({ path: 'README.md', text: `See \`${wrong}\`.` });
      expect(reference && exists(reference.path, files)).toBe(false);
    });
  }
});

test('a link between texts leads to a file, and to a heading of it', () => {
  const broken = texts().flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, file = '', anchor]) => {
        const target = file === '' ? path : join(dirname(path), file);
        const isThere = existsSync(join(root, target)) && (!anchor || hasAnchor(target, anchor));
        return isThere ? [] : [`${path} ${link}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

const hasAnchor = (path: string, anchor: string): boolean =>
  headingsOf(readFileSync(join(root, path), 'utf8')).some(({ slug }) => slug === anchor);

const documents = ['product', 'quality', 'look', 'architecture'] as const;
type Document = (typeof documents)[number];

interface Reference {
  /** Undefined for a text that is not in the repository. */
  document: Document | undefined;
  /** What stands behind the §. */
  words: string;
  at: string;
}

/** Standards have sections too; they are not ours to check. */
const foreign = /(?:RFC \d+|HTML standard)$/;
/** Texts that the repository does not have. */
const missingDocument = /\b(?:design|spec|specification)(?:\.md)?$/;

function referencesIn({ path, text }: SourceFile): Reference[] {
  const self = documents.find((name) => path === `docs/${name}.md`) ?? 'product';
  return [...text.matchAll(/§(?=[\dA-Z])/g)].flatMap(({ index }) => {
    const before = inOneLine(text.slice(Math.max(0, index - 40), index)).trimEnd();
    const words = inOneLine(text.slice(index + 1, index + 120));
    if (foreign.test(before) || isHeading(text, index)) return [];
    const documentName = before.match(/\b(\w+)(?:\.md)?$/)?.[1];
    const document = documents.find((name) => name === documentName);
    const section = words.match(/^[\w.]*\w(?: (?:\d+|[A-Z][\w/-]*(?: [\w/-]+)*|`[^`]+`))?/)?.[0] ?? words;
    const line = text.slice(0, index).split('\n').length;
    return {
      document: document ?? (missingDocument.test(before) ? undefined : self),
      words,
      at: `${path}:${line} ${document ? `${document} ` : ''}§${section}`,
    };
  });
}

/** A comment's lines as one: without the signs that begin them. */
const inOneLine = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ');

const isHeading = (text: string, index: number): boolean =>
  /^#+ $/.test(text.slice(text.lastIndexOf('\n', index) + 1, index));

interface Heading {
  level: number;
  name: string;
  slug: string;
  /** What stands under it, up to the next heading of its level. */
  text: string;
}

function headingsOf(text: string): Heading[] {
  const headings = [...withoutCode(text).matchAll(/^(#+) (.+)$/gm)];
  return headings.map(({ 0: line, 1: signs = '', 2: name = '', index }, place) => {
    const next = headings.slice(place + 1).find(([, others = '']) => others.length <= signs.length);
    const slug = name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    return { level: signs.length, name, slug, text: text.slice(index + line.length, next?.index) };
  });
}

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));

const read = new Map(
  documents.map((name) => [name, headingsOf(filesOf(`docs/${name}.md`)[0]?.text ?? '')] as const),
);

function resolves({ document, words }: Reference): boolean {
  const headings = document ? (read.get(document) ?? []) : [];
  const number = words.match(/^\d+(?:\.\d+)*/)?.[0];
  if (number === undefined) return hasHeading(headings, words);
  const section = headings.find(({ name }) =>
    new RegExp(`^§?${number.replaceAll('.', '\\.')}(?![.\\d]*\\d)`).test(name),
  );
  if (!section || document !== 'product') return section !== undefined;
  return hasName(section, number, words.slice(number.length));
}

/** `The page cache`, or with the number of a list's entry `Safe 12`. */
function hasHeading(headings: readonly Heading[], words: string): boolean {
  const heading = headings.find(({ name }) => begins(words, name));
  if (!heading) return false;
  const entry = words.slice(heading.name.length).match(/^ (\d+)\b/)?.[1];
  return entry === undefined || new RegExp(`^${entry}\\. `, 'm').test(heading.text);
}

/** What follows a number, as far as it is a name: of a heading, a row of a table, a call or a field. */
function hasName({ text }: Heading, number: string, rest: string): boolean {
  const code = rest.match(/^ `([^`]+)`|^ ([a-z]+[A-Z]\w*)/);
  if (code) return text.includes(code[1] ?? code[2] ?? rest);
  if (!/^ [A-Z]/.test(rest)) return true;
  const names = [...text.matchAll(/^(?:### §(\d+) (.+)|\| ([^|]+?) +\|)/gm)];
  return names.some(
    ([, of, heading, row = '']) => (!of || of === number) && begins(rest.trimStart(), heading ?? row),
  );
}

const begins = (words: string, name: string): boolean =>
  name !== '' && words.startsWith(name) && !/^[\w-]/.test(words.slice(name.length));

const extensions = /\.(?:ts|tsx|astro|mjs|css|sql|json|md|toml)$/;

/** What in backticks looks like a path of the repository; addresses begin with a slash, names with a blank have brackets. */
function pathsIn({ path: text, text: content }: SourceFile): { path: string; at: string }[] {
  const spans = [...withoutCode(content).matchAll(/`([^`\n]+)`/g)];
  return spans.flatMap(([, span = '']) =>
    span
      .split(' ')
      .filter((path) => /^[\w@.[\]-]+(?:\/[\w@.[\]-]+)*\/?$/.test(path))
      .filter((path) => extensions.test(path) || folders.some((folder) => path.startsWith(`${folder}/`)))
      .map((path) => ({ path, at: `${text} ${path}` })),
  );
}

/** Every file of the repository's own folders, and those beside them. */
function repositoryFiles(): string[] {
  const inside = folders.flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: root })].map((path) => path.replaceAll('\\', '/')),
  );
  return [...inside, ...readdirSync(root)];
}

/** From the project's folder when it begins with one of the layers, else as the end of some path. */
function exists(path: string, files: readonly string[]): boolean {
  const isWhole = folders.some((folder) => path.startsWith(`${folder}/`));
  if (path.endsWith('/'))
    return files.some((file) => (isWhole ? file.startsWith(path) : `/${file}`.includes(`/${path}`)));
  return files.some(
    (file) => file === path || file.startsWith(`${path}/`) || (!isWhole && file.endsWith(`/${path}`)),
  );
}
