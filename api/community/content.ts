import { normalized } from '#content/normalize.ts';
import { limits } from '#content/site.ts';
import { hasUnsafeCharacters } from '../accounts/names.ts';
import { BadInput } from '../errors.ts';

/** What comes along with copied text and shows nothing: zero width spaces, soft hyphens, word joiners, byte order marks. */
const copiedAlong = /[\u00ad\u200b\u2060\ufeff]/g;

/** Something that can be seen: not only spaces, joiners, selectors and fillers. */
const visible = /[^\p{Z}\p{C}\p{M}\u115f\u1160\u3164\uffa0\u2800]/u;

/** What hides words or piles marks over other lines: tags outside of a flag, more than eight marks on one letter. */
const hidden = /(?<![\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0000}-\u{e007f}]|\p{M}{9,}/u;

/**
 * A message as it is stored (§5, decisions S4, S6): NFC, trimmed, line ends as `\n`, at most two empty lines in a row, without
 * what a copied text carries unseen.
 * @throws BadInput `empty`, `too_long` (1 to 500 characters, counted in code points) or `characters`
 */
export function readContent(text: string): string {
  const content = normalized(text.replace(copiedAlong, ''))
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/\n{4,}/g, '\n\n\n')
    .trim();
  if (!visible.test(content)) throw new BadInput('content', 'Write something first.', 'empty');
  if (hasUnsafeCharacters(content.replaceAll('\n', '')) || hidden.test(content)) {
    throw new BadInput('content', 'Has characters that cannot be shown.', 'characters');
  }
  if ([...content].length > limits.messageLength) {
    throw new BadInput('content', `Must have at most ${limits.messageLength} characters.`, 'too_long');
  }
  return content;
}
