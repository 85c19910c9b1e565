import { Parser } from 'htmlparser2';
import { normalized } from '#content/normalize.ts';
import { escapeWords, type Tags } from './tags.ts';

/** Signs of one text that are looked at: an article with all its markup has fewer. */
const maxMarkupLength = 200_000;
/** Levels of elements down to which markup is read: the parser's work on a tag grows with them. */
export const maxDepth = 100;
const silentElements = new Set(
  'head title script style noscript template iframe object embed svg math form button nav aside figure'.split(
    ' ',
  ),
);
const blockElements =
  /^(?:p|div|li|h[1-6]|blockquote|section|article|tr|br|ul|ol|table|header|footer|dd|dt)$/;

/**
 * Markup as plain text: paragraphs by empty lines, no markup, and nothing of the elements that are named. What nests
 * deeper than `maxDepth`, and all behind it, is left out.
 * @param tags which tags are markup; without it all are, as in what a parser wrote
 */
export function markupText(html: string, silent: ReadonlySet<string>, tags?: Tags): string {
  const given = html.slice(0, maxMarkupLength);
  if (!/[<&]/.test(given)) return normalizeParagraphs(given);
  const markup = tags ? escapeWords(given, tags) : given;
  let text = '';
  let depth = 0;
  let silences = 0;
  // Markup is anybody's: it becomes no document, whose building and walking nesting makes slow.
  const parser = new Parser({
    onopentagname(name) {
      depth += 1;
      if (depth > maxDepth) parser.pause();
      if (silent.has(name)) silences += 1;
      else if (blockElements.test(name)) text += '\n\n';
    },
    onclosetag(name) {
      depth -= 1;
      if (silent.has(name)) silences -= 1;
      else if (blockElements.test(name)) text += '\n\n';
    },
    ontext(words) {
      if (silences === 0) text += words.replace(/\s+/g, ' ');
    },
  });
  parser.end(markup);
  return normalizeParagraphs(text);
}

/** Markup of a feed as plain text, no scripts, no pictures, nothing to press. */
export const plainText = (html: string): string => markupText(html, silentElements, 'html');

/** What a feed gives as text, in which some write `<b>` or `&amp;` all the same. */
export const plainWords = (text: string): string => markupText(text, silentElements, 'inline');

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** NFC, no control or direction-changing characters, at most one empty line between paragraphs. */
function normalizeParagraphs(text: string): string {
  return normalized(text)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (sign) => (/\s/.test(sign) ? sign : ''))
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n\n');
}

/** Markup as plain text in one line. */
export const oneLine = (html: string): string => inOneLine(plainText(html));

/** A headline that is given as text, in one line. */
export const headlineOf = (text: string): string => inOneLine(plainWords(text));
