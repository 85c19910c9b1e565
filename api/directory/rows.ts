import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler, type ValueError } from '@sinclair/typebox/compiler';
import type { FactSource } from '#content/fact-source.ts';
import { starLists } from '#db/queries/directory/document.ts';
import { ApiError, BadInput, faultsIn, readAll, refuseFaults } from '../errors.ts';
import { isObject } from '../input.ts';
import { faultOf, rangeOf, rangeSentence } from '../validation-fault.ts';
import { StarDocument } from './model.ts';
import { listReaders } from './read-document.ts';
import type { FileRefusal } from './refusals.ts';
import { refuseFaultyStar } from './star-rules.ts';

/** A file that cannot be read at all. */
export class RefusedFile extends ApiError {
  readonly status = 400;
  /** @param about what in it is wrong, as the file calls it */
  constructor(code: FileRefusal, message: string, about?: string) {
    super(code, message, 'file', {}, about === undefined ? {} : { about });
  }
}

/** Why a row is refused: a word for programs, a sentence for people, and which field or what else it is about. */
export interface Reason {
  code: string;
  message: string;
  field?: string;
  /** What the file calls it: another row, somebody who is named. */
  about?: string;
}

/** One star of a file. Without a document it cannot be read, and `reasons` say why. */
export interface ReadRow {
  /** Where it stands in the file, from 1: the n-th star, or the line of a CSV file. */
  line: number;
  /** What people call it; empty when the file does not tell. */
  name: string;
  document?: StarDocument;
  /** Where its facts are from, where the file as a whole says so. */
  source?: FactSource;
  reasons: Reason[];
}

export const maxRows = 25_000;

/** The contract with nothing beside it: a field that is misspelt is told instead of lost. */
export const strictStarDocument = strict(StarDocument);
const checker = TypeCompiler.Compile(strictStarDocument);

/** What a file says of one star, checked by the contract. */
export function readRow(line: number, value: unknown, source?: FactSource): ReadRow {
  const name = nameIn(value);
  const misshapen = checker.Check(value) ? [] : shapeProblems(value);
  const hasWords = !misshapen.some(({ field }) => !field || startOf(field) === 'words');
  const unnamed = name === '' && hasWords ? [nameless] : [];
  const reasons = [...misshapen, ...unnamed, ...rulesProblems(withoutFields(value, misshapen))];
  if (reasons.length > 0) return { line, name, reasons: reasons.slice(0, mostReasons) };
  const document = value as StarDocument;
  return { line, name, document, reasons, ...(source && { source }) };
}

const startOf = (field: string): string => field.split('.')[0] ?? '';

/** What is left to be read by the rules once the fields that have not their shape are told. */
function withoutFields(value: unknown, reasons: readonly Reason[]): Partial<StarDocument> {
  const misshapen = new Set(reasons.map(({ field = '' }) => startOf(field)));
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => !misshapen.has(name)));
}

export const nameless: Reason = {
  code: 'nameless',
  field: 'words',
  message: 'It needs a Korean or an English name.',
};

/** @throws RefusedFile when there are too many, or none */
export function boundRows<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length === 0) throw new RefusedFile('empty', 'The file has no stars.');
  if (rows.length > maxRows) throw tooManyStars();
  return rows;
}

export const tooManyStars = () =>
  new RefusedFile('too_many_stars', `The file has more than ${maxRows} stars: split it.`);

/** The first name in a document of which nothing is known yet. */
function nameIn(value: unknown): string {
  const words = isObject(value) ? value.words : undefined;
  if (!isObject(words)) return '';
  for (const language of ['ko', 'en', ...Object.keys(words)]) {
    const own = Object.hasOwn(words, language) ? words[language] : undefined;
    if (isObject(own) && typeof own.name === 'string' && own.name.trim() !== '') return own.name.trim();
  }
  return '';
}

/** Reasons that are told of a row. */
export const mostReasons = 5;
/** What is wrong with a row is sought among so many faults: one list may have thousands. */
const mostFaults = 200;

function shapeProblems(value: unknown): Reason[] {
  const byField = new Map<string, Reason>();
  let faults = 0;
  for (const problem of checker.Errors(value)) {
    const field = fieldOf(problem.path);
    if (!byField.has(field)) byField.set(field, { ...reasonOf(problem), field });
    faults += 1;
    if (byField.size === mostReasons || faults === mostFaults) break;
  }
  return [...byField.values()];
}

function reasonOf(error: ValueError): Reason {
  const { message, path, schema } = faultOf(error);
  const field = fieldOf(path);
  if (field === '') return { code: 'no_object', message: 'It is no object with the fields of a star.' };
  if (message === 'Unexpected property')
    return { code: 'unknown_field', message: `There is no field “${field}”.` };
  if (message === 'Expected required property')
    return { code: 'required', message: `The field “${field}” is missing.` };
  const own: unknown = schema.error;
  const range = rangeOf(schema);
  if (range)
    return {
      code: Number.isInteger(error.value) ? 'range' : 'number',
      message: `The field “${field}” is wrong: ${rangeSentence(range)}`,
      about: range.join('–'),
    };
  const choices = typeof own === 'string' && /^Must be one of: (.+)\.$/.exec(own)?.[1];
  if (choices) return { code: 'choice', message: `The field “${field}” is wrong: ${own}`, about: choices };
  return {
    code: 'invalid',
    message: `The field “${field}” is wrong: ${typeof own === 'string' ? own : `${message}.`}`,
  };
}

/** `/words/ko/name` is `words.ko.name`. A name that a stranger made up is cut. */
const fieldOf = (path: string) => path.slice(1).replaceAll('/', '.').slice(0, 80);

/** What the rules of the directory say against a document by itself. */
function rulesProblems(document: Partial<StarDocument>): Reason[] {
  const lists = starLists.map((list) => {
    const read = listReaders[list] as (item: unknown, at: string) => object;
    const items = document[list]?.map(
      (item, place) => [`${place}`, () => read(item, `${list}.${place}.`)] as const,
    );
    return [list, () => readAll(Object.fromEntries(items ?? []))] as const;
  });
  const names = document.members?.map(({ names: own }, place) => {
    const field = `members.${place}.names`;
    return [
      `${place}`,
      () =>
        refuseFaults(Object.keys(own).length === 0 ? [new BadInput(field, 'Needs a name.', 'required')] : []),
    ] as const;
  });
  return refusalsOf(() =>
    readAll({
      own: () => refuseFaultyStar(document, false),
      ...Object.fromEntries(lists),
      names: () => readAll(Object.fromEntries(names ?? [])),
    }),
  );
}

/** What a rule refuses, as reasons. */
export function refusalsOf(read: () => void): Reason[] {
  try {
    read();
    return [];
  } catch (error) {
    return faultsIn(error).map(reasonFor);
  }
}

/** The refusal of a rule as a reason. */
export const reasonFor = ({ code, message, field }: ApiError): Reason => ({
  code,
  message: field === undefined ? message : `The field “${field}” is wrong: ${message}`,
  ...(field !== undefined && { field }),
});

function strict<Schema extends TSchema>(schema: Schema): Schema {
  return closeObjects(schema) as Schema;
}

function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (!isObject(value)) return value;
  const entries = Reflect.ownKeys(value).map((key) => [key, closeObjects(Reflect.get(value, key))]);
  const copy = Object.fromEntries(entries);
  return value.type === 'object' && isObject(value.properties)
    ? { ...copy, additionalProperties: false }
    : copy;
}
