import { combineCharacter, disassemble, disassembleCompleteCharacter } from 'es-hangul';

/** How a search for a star is read: initial consonants, or a name in any script with an unfinished last syllable. */
interface StarSearch {
  initials?: string;
  spellings?: string[];
}

/**
 * Reads a cleaned search text (`readSearch`). Only consonants `ㄱ`–`ㅎ` are initials; keyboards fuse some that follow each other, such as ㅂ
 * and ㅅ to ㅄ, which begins no syllable. Otherwise the text itself, and when
 * it ends in a syllable with a final consonant, also the spelling in which that consonant begins the next syllable: on
 * the way to 파도반 an input method shows 파돕.
 */
export function readStarSearch(text: string): StarSearch {
  const joined = text.replaceAll(' ', '');
  if (/^[ㄱ-ㅎ]+$/.test(joined)) return { initials: disassemble(joined) };
  const unfinished = withOpenEnd(text);
  return { spellings: unfinished === undefined ? [text] : [text, unfinished] };
}

function withOpenEnd(text: string): string | undefined {
  const syllable = disassembleCompleteCharacter(text.slice(-1));
  const moves = syllable?.jongseong.at(-1);
  if (!syllable || !moves) return undefined;
  const stays = syllable.jongseong.slice(0, -1);
  return text.slice(0, -1) + combineCharacter(syllable.choseong, syllable.jungseong, stays) + moves;
}
