import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { normalized } from '#content/normalize.ts';
import { plainName } from '#content/plain-name.ts';
import { starSearch } from '../../schema/star-search.ts';
import { literal } from '../../sql.ts';
import { contains, escaped, hasTrigram, once } from '../pattern.ts';
import { isNoneHidden } from '../stars/badge.ts';
import type { SearchWord } from './query.ts';

/**
 * How stars are found by their names. The statements are made once for any words: an index is only asked for what it knows, and
 * only once too few of the stars most written about have the words, so that it never answers with a large part of all.
 */

/**
 * By which index: `trigrams`, or for what is too short for them, and for initial consonants, `pairs` of letters; `letters` where these
 * are all that is searched for, so that no name has to be looked at.
 */
export type NameIndex = 'trigrams' | 'pairs' | 'letters';

/**
 * How many rows are looked at in the order of a list, before an index is asked for all that is found: then either a page is among them,
 * or few of all are found.
 */
export const walkedFor = (limit: number): SQL => literal(Math.min(20 * limit, 600));

/** Values of a statement that has these conditions. */
export type NameValues = Record<
  'name' | 'text' | 'all' | 'last' | 'first' | 'second' | 'joined' | 'initials',
  string
>;

export interface NameSearch {
  index: NameIndex;
  values: NameValues;
}

/** Spellings that are as long as their letters in an index. */
const isPair = (spelling: string) => [...normalized(spelling, 'NFKD')].length <= 2;

const longest = (texts: readonly string[]): number => Math.min(...texts.map((text) => text.length));

/** As what stars are found by also has it: without signs, unless there is nothing else. */
export const plain = (text: string): string => plainName(text) || text;

/** The words of a search as they are compared with names; spellings that differ by signs are one. */
export const wordsOfNames = (words: readonly SearchWord[]): SearchWord[] =>
  words.map(({ spellings, ...word }) => ({ ...word, spellings: [...new Set(spellings.map(plain))] }));

/**
 * Reads a search for the stars that have every word in their names, by whatever signs it is written with.
 * @param name all of it; with other spaces it may be a name, too
 */
export function readNames(searched: readonly SearchWord[], name: string): NameSearch {
  const words = wordsOfNames(searched);
  const text = plain(name);
  const last = words.at(-1);
  // The longest word is the rarest.
  const lookedUp = words
    .filter(({ spellings }) => spellings.every(hasTrigram))
    .sort((a, b) => longest(b.spellings) - longest(a.spellings))[0];
  const { spellings } = lookedUp ?? last ?? { spellings: [] };
  const [first = '', second = ''] = spellings;
  const joined = text.replaceAll(' ', '');
  const initials = words.length === 1 ? (last?.initials ?? '') : '';
  const isLetters = words.length === 1 && [initials, ...spellings].every(isPair);
  const index = lookedUp && initials === '' ? 'trigrams' : isLetters ? 'letters' : 'pairs';
  return {
    index,
    values: {
      name,
      text,
      all: JSON.stringify(words.slice(0, -1).flatMap((word) => word.spellings.slice(0, 1))),
      last: JSON.stringify(last?.spellings ?? []),
      first,
      second,
      joined: [...joined].length > 3 && hasTrigram(joined) ? joined : '',
      initials,
    },
  };
}

const value = (name: keyof NameValues): SQL => sql`${sql.placeholder(name)}::text`;

const patternsOf = (name: 'all' | 'last'): SQL =>
  sql`(${once(sql`coalesce(array_agg(${contains(sql`given.spelling`)}), '{}') from json_array_elements_text(${value(name)}::json) as given(spelling)`)})::text[]`;

const folded = once(sql`byeol_fold(${value('text')})`);
/** Null where there is nothing to look for, which no star has. */
const gramsOf = (name: 'first' | 'second' | 'initials'): SQL => {
  const letters = name === 'initials' ? value(name) : sql`byeol_fold(${value(name)})`;
  return once(sql`nullif(byeol_grams(${letters}), '{}')`);
};
/** Of one search, null where it is none for initials: then nothing is like it. */
const initialsPattern = once(
  sql`case when ${value('initials')} <> '' then '%' || ${value('initials')} || '%' end`,
);
/** A pattern of what is not always there; null, which nothing is like, where it is not. */
const patternOf = (name: 'first' | 'second' | 'joined'): SQL =>
  once(sql`case when ${value(name)} <> '' then ${contains(value(name))} end`);
const joinedPattern = patternOf('joined');

/** What is looked at of a star. */
export interface NamesOfStar {
  searchKey: SQLWrapper;
  initials: SQLWrapper;
}

const hasWords = ({ searchKey }: NamesOfStar): SQL =>
  sql`(${searchKey} like all (${patternsOf('all')}) and ${searchKey} like any (${patternsOf('last')}))`;

const isJoined = ({ searchKey }: NamesOfStar): SQL =>
  sql`replace(${searchKey}, ' ', '') like ${joinedPattern}`;

/** True for a star that has every word in its names, also when the spaces differ, or whose initial consonants they are. */
export const isNamed = (star: NamesOfStar): SQL =>
  sql`(${hasWords(star)} or ${isJoined(star)} or ${star.initials} like ${initialsPattern})`;

/** What stars are found by, as these statements name it. */
export const k = alias(starSearch, 'k');

const hasGrams = sql`(${k.nameGrams} @> ${gramsOf('first')} or ${k.nameGrams} @> ${gramsOf('second')} or ${k.initialGrams} @> ${gramsOf('initials')})`;
const isLookedUp = sql`(${k.searchKey} like ${patternOf('first')} or ${k.searchKey} like ${patternOf('second')})`;

const lookUp: Record<NameIndex, SQL> = {
  trigrams: sql`(${isLookedUp} and ${hasWords(k)}) or ${isJoined(k)}`,
  pairs: sql`${hasGrams} and ${isNamed(k)}`,
  letters: hasGrams,
};

/** The same stars by an index: selects their ids as `star`, of those only that readers see unless `all` are asked for. */
export const idsOfNamed = (index: NameIndex, { all = false } = {}): SQL => sql`
  select ${k.starId} as star from ${starSearch} ${k} where (${lookUp[index]}) ${all ? sql`` : sql`and ${isNoneHidden(k.starId)}`}`;

/** So many that a page of them is sooner met in the order of a list than sorted out of all. */
const many = literal(500);

/** Common table expressions: `found` has the ids of all that are found as `star`, `tally` their number, `hits`, and whether they are `many`. */
export const findNamed = (index: NameIndex, options: { all?: boolean } = {}): SQL => sql`
  found as materialized (${idsOfNamed(index, options)}),
  tally as materialized (select count(*)::int as hits, count(*) > ${many} as many from found)`;
export const areMany = sql`(select many from tally)`;
export const hitCount = sql<number>`(select hits from tally)`;

const startOf = once(escaped(value('text')));

/** True for a star that has the whole search as words of a name; as the beginning of a word. Both by the trigram index. */
export const hasWhole = ({ searchKey }: NamesOfStar): SQL =>
  sql`(${searchKey} like ${once(sql`${startOf}`)} or ${searchKey} like ${once(sql`${startOf} || ' %'`)}
    or ${searchKey} like ${once(sql`'% ' || ${startOf}`)} or ${searchKey} like ${once(sql`'% ' || ${startOf} || ' %'`)})`;
export const hasStart = ({ searchKey }: NamesOfStar): SQL =>
  sql`(${searchKey} like ${once(sql`${startOf} || '%'`)} or ${searchKey} like ${once(sql`'% ' || ${startOf} || '%'`)})`;

/** How well the names fit the whole search: 1 a word of a name, 2 the start of a word, 3 the rest; 0, a name, is asked apart. */
export const rankOf = ({ searchKey }: NamesOfStar): SQL<number> => sql`case
  when strpos(' ' || ${searchKey} || ' ', ' ' || ${folded} || ' ') > 0 then 1
  when strpos(' ' || ${searchKey}, ' ' || ${folded}) > 0 then 2 else 3 end`;

/** The whole search as a name is written. */
export const wholeName = once(sql`lower(${value('name')})`);
