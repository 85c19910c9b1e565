import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { EventType } from '#content/event-types.ts';
import type { Lang } from '#content/locales.ts';
import { contains } from '../pattern.ts';

/** More words than anybody types; what follows could not narrow the search down. */
export const maxWords = 8;

/** One word of a search. It is found where any of its spellings is. */
export interface SearchWord {
  spellings: readonly string[];
  /** Set when the word is only initial consonants (초성). */
  initials?: string | undefined;
  /** The trigram index can look all of its spellings up. */
  indexed: boolean;
  /** Types of events that it names; an event of a star that was named beside it need not say them. */
  eventTypes?: readonly EventType[];
}

/** A page of the hits of one kind: `total` counts up to `maxHits`, `more` tells that there are others beyond. */
export interface Hits<Row> {
  rows: Row[];
  total: number;
  more: boolean;
}

/** Hits of a kind that can be reached and counted. Beyond it another word helps more than another page. */
export const maxHits = 100;

/** Stars with all words whose articles and events count as hits, and stars with some of them whose articles are read for the rest. */
export const maxMatchedStars = 20;
export const starsInPart = 5;

/** A star that has some of the words, and the words that remain to be found in the text. */
export interface StarInPart {
  id: number;
  words: readonly SearchWord[];
}

export interface HitQuery {
  language: Lang;
  words: readonly SearchWord[];
  /** Stars that have all words: whatever is about them is a hit. */
  starIds: readonly number[];
  starsInPart: readonly StarInPart[];
  limit: number;
  offset: number;
}

/** True where a folded text contains every word, or what else a word may be found by. */
export function hasAllWords(
  text: SQLWrapper,
  words: readonly SearchWord[],
  orElse: (word: SearchWord) => readonly SQL[] = () => [],
): SQL {
  const each = words.map(
    (word) =>
      sql`(${sql.join(
        [...word.spellings.map((spelling) => sql`${text} like ${contains(spelling)}`), ...orElse(word)],
        sql` or `,
      )})`,
  );
  return each.length > 0 ? sql.join(each, sql` and `) : sql`true`;
}

/** The statements count one hit more than can be reached, to know whether there are others. */
export const toHits = <Row>(total: number, rows: Row[]): Hits<Row> => ({
  rows,
  total: Math.min(total, maxHits),
  more: total > maxHits,
});
