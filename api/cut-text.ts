/** The beginning of a text, so many UTF-16 units at most, without half a character at its end: no `jsonb` takes one. */
export const cutText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
