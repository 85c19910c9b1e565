import type { EventType } from '#content/event-types.ts';
import { normalized } from '#content/normalize.ts';
import { hasTrigram } from '#db/queries/pattern.ts';
import { maxWords, type SearchWord } from '#db/queries/search/query.ts';
import { readStarSearch } from '../stars/search.ts';
import { eventTypesCalled, eventTypesNamed } from './event-type-words.ts';

const maxQueryLength = 100;
/** Control characters, bidirectional overrides and halves of a character (decision S4). */
const refused = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What stands around a word and is not of it: `밀물…`, `(high`, `water?`, `Tide♥`. A `%` is of its number. */
const edges = /^(?:(?![%‰％])[\p{P}\p{So}\p{Sk}~～])+|(?:(?![%‰％])[\p{P}\p{So}\p{Sk}~～]\ufe0f?)+$/gu;

/** What is wrong with a search text. `empty` is a state of the page, the others are a visitor's mistake. */
export type QueryProblem = 'empty' | 'tooLong' | 'control';

export interface SearchQuery {
  /** The text as it is shown again: NFC, trimmed, single spaces. */
  text: string;
  /** Its words; none when it has neither letter nor digit. */
  words: readonly SearchWord[];
  /** Types of events that all of it is the name of. */
  eventTypes: readonly EventType[];
}

/** Reads what a person searches for: 1 to 100 characters after trimming, without control characters. */
export function readQuery(value: string | null | undefined): SearchQuery | { problem: QueryProblem } {
  const text = normalized(value ?? '')
    .replace(/\s+/gu, ' ')
    .trim();
  if (text === '') return { problem: 'empty' };
  if (refused.test(text)) return { problem: 'control' };
  if ([...text].length > maxQueryLength) return { problem: 'tooLong' };
  const bare = text
    .toLowerCase()
    .split(' ')
    .map((part) => part.replace(edges, ''));
  const parts = [...new Set(bare)].filter((part) => /[\p{L}\p{N}]/u.test(part));
  return {
    text,
    eventTypes: eventTypesCalled(parts.join(' ')),
    words: parts.slice(0, maxWords).map((part, index, all) => toWord(part, index === all.length - 1)),
  };
}

/** Only the last word can be unfinished, and a single syllable is taken as it stands. Texts may have initials as a keyboard fuses them. */
function toWord(part: string, isLast: boolean): SearchWord {
  const { initials, spellings = [part] } = readStarSearch(part);
  const mayBeUnfinished = isLast && [...part].length > 1;
  const read = initials === undefined && !mayBeUnfinished ? spellings.slice(0, 1) : spellings;
  const used = [...new Set([...(initials === undefined ? [] : [initials]), ...read].flatMap(withQuotes))];
  return { spellings: used, initials, indexed: used.every(hasTrigram), eventTypes: eventTypesNamed(part) };
}

/** A spelling as it is, with the quotes of a keyboard and with those of print: texts have the one or the other. */
function withQuotes(spelling: string): string[] {
  const typed = spelling.replace(/[‘’ʼ`´]/g, "'").replace(/[“”]/g, '"');
  return [spelling, typed, typed.replaceAll("'", '’').replaceAll('"', '”')];
}
