import { tokenize } from 'linkifyjs';

/** A piece of a message: words, or an address of the web. */
export type Piece = string | { href: string; text: string };

/** Finds the web addresses in a text. Only http and https become links; the text stays as it was written. */
export function findLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let words = '';
  for (const token of tokenize(text)) {
    const href = token.t === 'url' ? safeHref(token.toHref('https')) : undefined;
    if (!href) {
      words += token.v;
      continue;
    }
    if (words) pieces.push(words);
    words = '';
    pieces.push({ href, text: token.v });
  }
  return words ? [...pieces, words] : pieces;
}

/** The address when a browser may go there: no other scheme, no name and password that pose as a host. */
function safeHref(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' ? href : undefined;
}
