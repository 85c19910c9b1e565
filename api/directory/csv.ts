import type { TSchema } from '@sinclair/typebox';
import Papa from 'papaparse';
import { languages } from '#content/locales.ts';
import { externalSources } from '#db/schema/directory.ts';
import { isObject } from '../input.ts';
import { checkTree } from '../plugins/bounds.ts';
import { StarDocument } from './model.ts';
import {
  boundRows,
  maxRows,
  mostReasons,
  type ReadRow,
  type Reason,
  RefusedFile,
  readRow,
  tooManyStars,
} from './rows.ts';

/**
 * A directory as a table: one row per star, one column per field of its document, called by the field's path. An empty cell says
 * nothing, aliases stand one per line of their cell, and lists of things stand as JSON.
 */

type CellKind = 'text' | 'integer' | 'lines' | 'json';

const wordFields = ['name', 'agency', 'realName', 'nationality', 'fandomName', 'biography'] as const;

/** The columns in the order in which they are written, with what stands in their cells. */
export const csvColumns: ReadonlyMap<string, CellKind> = new Map(
  Object.entries(StarDocument.properties).flatMap(([field, schema]: [string, TSchema]) => {
    if (field === 'externalIds')
      return externalSources.map((source): [string, CellKind] => [`externalIds.${source}`, 'text']);
    if (field === 'words')
      return languages.flatMap((language) =>
        wordFields.map((name): [string, CellKind] => [`words.${language}.${name}`, 'text']),
      );
    return [[field, cellKindOf(schema)] as [string, CellKind]];
  }),
);

/**
 * A spreadsheet takes such text for a formula; `'` in front makes it text. Looked for at the start of a cell, and behind every line
 * break, semicolon and tab in it: a spreadsheet that separates by these begins a cell of its own there, whatever quotes say. What
 * begins with `'` before such a sign gets one more.
 */
const formula = /(^|[\r\n;\t])(["' ]*[=+\-@＝＋－＠])/g;
const guardedFormula = /(^|[\r\n;\t])'(["' ]*[=+\-@＝＋－＠])/g;
const guarded = (cell: string) => cell.replace(formula, "$1'$2");
const unguarded = (cell: string) => cell.replace(guardedFormula, '$1$2');

/** A directory as CSV that Excel opens as it is meant: in UTF-8 with its mark, and without formulas. */
export function toCsv(documents: readonly StarDocument[]): string {
  const columns = [...csvColumns];
  const rows = documents.map((document) =>
    columns.map(([column, kind]) => guarded(cellOf(valueAt(document, column), kind))),
  );
  const csv = Papa.unparse({ fields: columns.map(([column]) => column), data: rows });
  return `\uFEFF${csv}\r\n`;
}

/** Rows that are read, empty ones included: a file of line breaks alone would keep the process for seconds. */
const mostLines = 4 * maxRows;
/** The first row has the names of columns, and is sought in so many signs. */
const mostHeaderLength = 100_000;
/** Without it, a file that has no quotation mark is split into all of its lines before any are counted. */
const rowByRow = { fastMode: false } as const;

/** The rows of a CSV file, separated by commas, semicolons or tabs; Excel's `sep=;` may stand before them. @throws RefusedFile */
export function readCsv(file: string): ReadRow[] {
  const [hint, said] = /^sep=([,;\t])[^\S\r\n]*(?:\r\n|\r|\n)/.exec(file) ?? [];
  const text = file.slice(hint?.length ?? 0);
  const { data, errors } = Papa.parse<string[]>(text, {
    ...rowByRow,
    delimiter: said ?? delimiterOf(text.slice(0, mostHeaderLength)),
    preview: mostLines,
  });
  const linesBefore = hint === undefined ? 0 : 1;
  const [error] = errors;
  if (error)
    throw new RefusedFile(
      'quotes',
      `Row ${(error.row ?? 0) + 1 + linesBefore} of the file has a quotation mark that is not closed, or text behind one that is.`,
      String((error.row ?? 0) + 1 + linesBefore),
    );
  if (data.length >= mostLines) throw tooManyStars();
  const [header = [], ...rows] = data;
  const columns = readHeader(header);
  const numbered = rows.map((cells, index) => ({ cells, line: index + 2 + linesBefore }));
  return boundRows(numbered.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))).map(
    ({ cells, line }) => readCells(line, cells, columns),
  );
}

const delimiters = [',', ';', '\t'];

/** The sign that makes most columns that we know of the first row. */
function delimiterOf(text: string): string {
  const known = (delimiter: string) => {
    const { data } = Papa.parse<string[]>(text, { ...rowByRow, delimiter, preview: 1 });
    return (data[0] ?? []).filter((column) => csvColumns.has(column.trim())).length;
  };
  return delimiters.reduce((best, each) => (known(each) > known(best) ? each : best));
}

/** @throws RefusedFile */
function readHeader(header: readonly string[]): string[] {
  const columns = header.map((column) => column.trim());
  const example = 'Its first row names fields, such as category, words.ko.name and words.en.name.';
  if (!columns.some((column) => csvColumns.has(column)))
    throw new RefusedFile('header', `The file has no column of a directory. ${example}`);
  for (const [index, column] of columns.entries()) {
    if (!csvColumns.has(column) && column !== '')
      throw new RefusedFile(
        'column',
        `There is no column “${column.slice(0, 60)}”. ${example}`,
        column.slice(0, 60),
      );
    if (column !== '' && columns.indexOf(column) < index)
      throw new RefusedFile('column_twice', `The column “${column}” stands there twice.`, column);
  }
  return columns;
}

function readCells(line: number, cells: readonly string[], columns: readonly string[]): ReadRow {
  const document: Record<string, unknown> = { words: {} };
  const reasons: Reason[] = [];
  for (const [index, cell] of cells.entries()) {
    if (reasons.length === mostReasons) break;
    const column = columns[index] ?? '';
    const kind = csvColumns.get(column);
    const value = unguarded(cell).trim();
    if (value === '') continue;
    if (kind === undefined) {
      reasons.push({
        code: 'cells',
        message: `There is text in cell ${index + 1}, which has no column.`,
        about: String(index + 1),
      });
      continue;
    }
    const read = readCell(value, kind, column);
    if (read === undefined)
      reasons.push({
        code: 'json',
        field: column,
        message: `The cell of “${column}” has no JSON that can be taken.`,
      });
    else setAt(document, column.split('.'), read);
  }
  const row = readRow(line, document);
  return reasons.length > 0
    ? { line, name: row.name, reasons: [...reasons, ...row.reasons].slice(0, mostReasons) }
    : row;
}

/** Of a list in a cell; the contract allows fewer. */
const mostEntries = 2_000;
/** In signs, with its unit. */
const longestNumber = 30;

function readCell(text: string, kind: CellKind, column: string): unknown {
  if (kind === 'integer') {
    if (text.length > longestNumber) return text;
    const number = column === 'height' ? text.replace(/\s*cm$/i, '') : text;
    return /^\d{1,15}$/.test(number) ? Number(number) : text;
  }
  if (kind === 'lines') return text.split(/\r?\n|\r/, mostEntries).flatMap((each) => each.trim() || []);
  return kind === 'json' ? parsed(text) : text;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    checkTree(value, 'The cell');
    return value;
  } catch {
    return undefined;
  }
}

/** Paths are those of our own columns: no stranger chooses where something is written. */
function setAt(
  target: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next = isObject(inner) ? inner : {};
  target[name] = next;
  setAt(next, rest, value);
}

const valueAt = (document: StarDocument, column: string): unknown =>
  column.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document);

function cellOf(value: unknown, kind: CellKind): string {
  if (value === undefined || value === null) return '';
  if (kind === 'json') return JSON.stringify(value);
  return Array.isArray(value) ? value.join('\n') : String(value);
}

function cellKindOf(schema: TSchema): CellKind {
  const inner: TSchema = schema.anyOf?.find((each: TSchema) => each.type !== 'null') ?? schema;
  if (inner.type === 'array') return inner.items.type === 'string' ? 'lines' : 'json';
  if (inner.type === 'object') return 'json';
  return inner.type === 'integer' ? 'integer' : 'text';
}
