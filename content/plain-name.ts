/**
 * Signs of names that people leave out when they type: `(G)I-DLE`, `I.O.I`, `f(x)`, `Girls' Generation`, `Dal★Shabet`. ASCII and Latin-1, general
 * punctuation, arrows to symbols, and those of East Asia, full-width ones too.
 */
const signs =
  /[!-/:-@[-`{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02b9-\u02bf\u2010-\u2027\u2030-\u205e\u2190-\u2bff\u3001-\u3003\u3008-\u301f\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/g;

/** A name without its signs. Its words stay apart, those that a sign stood between become one. */
export const plainName = (name: string): string => name.replace(signs, '').replace(/\s+/g, ' ').trim();

/** Between what a star is called and the same without signs: no name has it, so it tells which texts have the second half. */
export const divider = '\n';

/** What a star is found by: each term once, and where signs are in them all of it without these. */
export const searchTextOf = (terms: readonly string[]): string =>
  withPlainNames([...new Set(terms.filter(Boolean))].join(' '));

/** The same for a text of terms that may have been written without its second half. */
export function withPlainNames(text: string): string {
  if (text.includes(divider)) return text;
  const plain = plainName(text);
  return plain === text ? text : `${text} ${divider} ${plain}`;
}
