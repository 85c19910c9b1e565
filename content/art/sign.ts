import { CONSONANTS, type Consonant } from './glyphs.ts';

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const SYLLABLES_PER_CONSONANT = 588;
/** More would be too small to read in any picture. */
export const LONGEST_SIGN = 6;
/** A name with nothing to draw becomes a plain star. */
const PLAIN_STAR: readonly Consonant[] = ['ㅇ'];

const LATIN: Readonly<Record<string, Consonant>> = {
  A: 'ㅇ',
  B: 'ㅂ',
  C: 'ㅊ',
  D: 'ㄷ',
  E: 'ㅇ',
  F: 'ㅍ',
  G: 'ㄱ',
  H: 'ㅎ',
  I: 'ㅇ',
  J: 'ㅈ',
  K: 'ㅋ',
  L: 'ㄹ',
  M: 'ㅁ',
  N: 'ㄴ',
  O: 'ㅇ',
  P: 'ㅍ',
  Q: 'ㅋ',
  R: 'ㄹ',
  S: 'ㅅ',
  T: 'ㅌ',
  U: 'ㅇ',
  V: 'ㅂ',
  W: 'ㅇ',
  X: 'ㅋ',
  Y: 'ㅇ',
  Z: 'ㅈ',
};

/** One syllable of a Latin name: its consonants up to a vowel, or consonants that end the word. */
const LATIN_SYLLABLE = /([BCDFGHJKLMNPQRSTVXZ]*)([AEIOUWY]+)|^([BCDFGHJKLMNPQRSTVXZ]+)$/g;
const LATIN_PAIRS = [
  'CH',
  'SH',
  'TH',
  'PH',
  'KH',
  'GH',
  'BR',
  'CR',
  'DR',
  'FR',
  'GR',
  'KR',
  'PR',
  'TR',
  'BL',
  'CL',
  'FL',
  'GL',
  'PL',
  'SL',
  'ST',
  'SP',
  'SK',
];

/** The initial consonants of a name as they are drawn, at least one and at most six: `파도반` → ㅍㄷㅂ (look.md §6.1). */
export const initials = (name: string): readonly Consonant[] => allInitials(name).slice(0, LONGEST_SIGN);

/**
 * All initial consonants of a name, at least one: by them it is searched for. Hangul counts when there is any; otherwise the syllables
 * of the Latin letters (`PADOBAN` → ㅍㄷㅂ).
 */
export function allInitials(name: string): readonly Consonant[] {
  const text = name.normalize('NFC');
  const hangul = [...text].flatMap(initialOf);
  const consonants = hangul.length > 0 ? hangul : latinInitials(text);
  return consonants.length > 0 ? consonants : PLAIN_STAR;
}

function initialOf(character: string): Consonant[] {
  const code = character.codePointAt(0) ?? 0;
  const consonant =
    code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE
      ? CONSONANTS[Math.floor((code - FIRST_SYLLABLE) / SYLLABLES_PER_CONSONANT)]
      : CONSONANTS.find((each) => each === character);
  return consonant ? [consonant] : [];
}

function latinInitials(text: string): Consonant[] {
  const words = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .match(/[A-Z]+/g);
  return (words ?? []).flatMap((word) => {
    const syllables = [...word.matchAll(LATIN_SYLLABLE)];
    return syllables.flatMap(([, onset = '', vowel = '', alone = ''], index) => {
      const letters = index === 0 ? onset || vowel || alone : withoutCoda(onset) || vowel;
      const consonant = LATIN[letters.charAt(0)];
      return consonant ? [consonant] : [];
    });
  });
}

/** Between two vowels the first of two consonants closes the syllable before, unless both sound as one. */
function withoutCoda(consonants: string): string {
  if (consonants.length < 2) return consonants;
  const pair = consonants.slice(-2);
  return LATIN_PAIRS.includes(pair) ? pair : consonants.slice(-1);
}
