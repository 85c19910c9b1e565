import { readId, readSearch } from '#api/input.ts';

/** A query parameter as a page reads it. */
export interface Parameter<Value> {
  /** It may stand in an address several times, which is a list; of others the first one counts. */
  isList: boolean;
  /**
   * Its value; a list's parts are joined by commas. A missing one is null: it is what the page shows without it. Undefined is
   * what the page refuses.
   */
  read(text: string | null): Value;
}

/**
 * A text as its page reads it, written in the one way that there is; null where the page is the same without it. What the page
 * refuses stays as it is.
 */
export function canonicalText({ read }: Parameter<unknown>, text: string): string | null {
  const value = read(text);
  const missing = read(null);
  if (value === missing || (Array.isArray(value) && Array.isArray(missing) && `${value}` === `${missing}`))
    return null;
  return value === undefined ? text : `${value}`;
}

/** By any reader of `api/input.ts`. */
export const parameter = <Value>(read: (text: string | null) => Value): Parameter<Value> => ({
  isList: false,
  read,
});

export const list = <Value>(read: (text: string | null) => Value): Parameter<Value> => ({
  isList: true,
  read,
});

/** As it stands in the address. */
export const text = parameter((value) => value);

/** The same; an empty one is none. */
/** A name of the site's own making, none of which is longer: a page says it again in many links. */
export const filledText = parameter((value) => (value && value.length <= 100 ? value : null));

/** Null when it is missing, undefined when it is none that `read` knows. */
export const optional = <Value>(read: (text: string) => Value | undefined) =>
  parameter((value) => (value === null ? null : read(value)));

/** It is there, whatever it says. */
export const flag = parameter((value) => value !== null);

/** One of these words, or else the page's default. */
export const oneOf = <const Word extends string, const Default>(words: readonly Word[], fallback: Default) =>
  parameter((value) => words.find((word) => word === value) ?? fallback);

/** One of these words, or nothing. */
export const maybeOneOf = <const Word extends string>(words: readonly Word[]) => oneOf(words, undefined);

/** Of lists for editors: nonsense is the first page, and nobody leafs on for ever. */
export const editorsPage = parameter((value) => Math.min(readId(value) ?? 1, 10_000));

/** What editors search for, cut to what a name or title has. */
export const editorsSearch = parameter((value) => {
  const search = readSearch(value);
  return search && [...search].slice(0, 100).join('');
});
