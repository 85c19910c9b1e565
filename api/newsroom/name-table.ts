import type { Lang, Translated } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import table from '#content/stars.json';
import type { StarNames } from '#db/queries/newsroom/star-names.ts';
import { everydayWords } from './everyday-words.ts';
import { fold, hangul, isKoreanFullName } from './name-forms.ts';

/** A row of the fixed name table (§3, decision P2): a group or a person of whom stories tell, with the year of birth where that is known. */
export interface TableRow {
  kind: string;
  names: Translated;
  aliases: readonly string[];
  born?: number;
}

export const tableRows: readonly TableRow[] = table;

/** What the table says of a star. */
export interface KnownFromTable {
  row: TableRow;
  /** More than the name says that the star is it: otherwise the row tells spellings of the star's own names, and nothing that they are not. */
  isProven: boolean;
}

/**
 * Which row is which star's: by its Korean name, else by another one. The same name alone makes nobody the same: of another kind, born in another
 * year or with another real name a star is somebody else, whose row stays a person of its own. Whose row of several it is cannot be known, unless
 * more than the name says so.
 */
export function rowsByStar(stars: readonly StarNames[]): {
  known: ReadonlyMap<StarNames, KnownFromTable>;
  /** Those that are nobody's here. */
  others: TableRow[];
} {
  const known = new Map<StarNames, KnownFromTable>();
  /** Gives rows to the stars that they may be. @returns those that fit nobody */
  const giveOut = (rows: readonly TableRow[], starsLike: (row: TableRow) => readonly StarNames[]) =>
    rows.filter((row) => {
      const fitting = starsLike(row).filter((star) => isSpelledSo(star, row) && !isSomebodyElse(star, row));
      const proven = fitting.filter((star) => isProven(star, row));
      const likely = proven.length > 0 ? proven : fitting;
      const exact = likely.filter((star) => Object.values(star.names).includes(row.names.en));
      const [only, another] = exact.length > 0 ? exact : likely;
      if (only && !another && !known.get(only)?.isProven)
        known.set(only, { row, isProven: proven.length > 0 });
      return fitting.length === 0;
    });
  const byKorean = starsBy(stars, (star) =>
    [star.names.ko ?? star.name, star.name, ...star.realNames].map(fold),
  );
  const left = giveOut(tableRows, (row) => byKorean.get(fold(row.names.ko)) ?? []);
  const byAnyName = starsBy(stars, (star) => namesOf(star).map(plain));
  const others = giveOut(left, (row) => {
    const alike = new Set(formsOf(row).flatMap((form) => byAnyName.get(plain(form)) ?? []));
    return [...alike].filter((star) => !known.has(star) && isCalledLike(star, row));
  });
  return { known, others };
}

function starsBy(
  stars: readonly StarNames[],
  keysOf: (star: StarNames) => readonly string[],
): ReadonlyMap<string, readonly StarNames[]> {
  const found = new Map<string, StarNames[]>();
  for (const star of stars)
    for (const key of new Set(keysOf(star))) {
      const same = found.get(key);
      if (same) same.push(star);
      else found.set(key, [star]);
    }
  return found;
}

/**
 * What the table calls a star in a language: nothing where a star that may be somebody else has a name of its own, which it would lose.
 */
export const nameFromTable = (
  known: KnownFromTable | undefined,
  star: StarNames,
  language: Lang,
): string | undefined =>
  known && (known.isProven || latinNamesOf(star).length === 0) ? known.row.names[language] : undefined;

/** Forms that the table knows of a star. */
export function formsFromTable(known: KnownFromTable | undefined, star: StarNames): string[] {
  if (!known) return [];
  const forms = formsOf(known.row);
  return known.isProven ? forms : forms.filter((form) => isOwnForm(star, form));
}

const formsOf = ({ names, aliases }: TableRow): string[] => [...Object.values(names), ...aliases];

/**
 * Whether a star that has not the row's Korean name has another one of it. A group goes by any, a person by the English one alone, and only
 * where no Korean name is known: aliases of people are real names and given names, which others have too.
 */
function isCalledLike(star: StarNames, row: TableRow): boolean {
  const own = namesOf(star);
  if (!star.isGroup && own.some((name) => hangul.test(name))) return false;
  return (star.isGroup ? formsOf(row) : [row.names.en]).some((form) =>
    own.some((name) => isSameName(name, form)),
  );
}

/** Names that differ by signs at most, and are neither a letter nor an everyday word in other letters. */
const isSameName = (name: string, form: string): boolean =>
  plain(name) === plain(form) &&
  plain(form).length > 1 &&
  (name === form || (plain(form).length > 2 && !everydayWords.has(fold(form))));

const isSomebodyElse = (star: StarNames, row: TableRow): boolean =>
  star.isGroup !== (row.kind === 'group') || isBornElsewhen(star, row) || hasOtherRealName(star, row);

const isBornElsewhen = ({ birthYear }: StarNames, { born }: TableRow): boolean =>
  birthYear !== null && born !== undefined && birthYear !== born;

/** The row tells the real name in Korean, and the star another one. */
function hasOtherRealName(star: StarNames, { names, aliases }: TableRow): boolean {
  const own = star.realNames.filter(isKoreanFullName);
  const told = aliases.filter((alias) => alias !== names.ko && isKoreanFullName(alias));
  return own.length > 0 && told.length > 0 && !told.some((name) => own.includes(name));
}

function isProven(star: StarNames, row: TableRow): boolean {
  // Two groups do not debut under one name; people do all the time.
  if (star.isGroup) return latinNamesOf(star).length > 0;
  if (row.born !== undefined && row.born === star.birthYear) return true;
  const forms = new Set([row.names.ko, ...row.aliases].map(fold));
  return [...star.realNames, ...star.aliases].some(
    (form) => forms.has(fold(form)) && (isKoreanFullName(form) || !isSpellingOfName(star, form)),
  );
}

const namesOf = (star: StarNames): string[] => [star.name, ...Object.values(star.names)];

const latinNamesOf = (star: StarNames): string[] => namesOf(star).filter((form) => !hangul.test(form));

const isSpellingOfName = (star: StarNames, form: string): boolean =>
  namesOf(star).some((name) => plain(name) === plain(form));

/** The star is called so itself, or with or without its family name. */
const isOwnForm = (star: StarNames, form: string): boolean =>
  [...namesOf(star), ...star.aliases, ...star.realNames].some(
    (own) => isSpelling(plain(own), plain(form)) || isSpelling(plain(form), plain(own)),
  );

/** Nothing that the star is called in Latin letters speaks against the row. */
function isSpelledSo(star: StarNames, row: TableRow): boolean {
  const latin = [...namesOf(star), ...star.aliases, ...star.realNames]
    .filter((form) => !hangul.test(form))
    .map(plain);
  return latin.length === 0 || formsOf(row).some((form) => latin.some((own) => isSpelling(own, plain(form))));
}

/** The same name, or the one without its family name. */
const isSpelling = (one: string, other: string): boolean =>
  other !== '' && (one === other || (other.length > 3 && one.endsWith(other)));

/** Without what spellings differ by. */
const plain = (text: string): string => normalized(fold(text), 'NFD').replace(/[^\p{L}\p{N}]/gu, '');
