import { site } from '#content/site.ts';

/** Names that only an operator has (decision S1). */
const reserved = ['admin', 'administrator', 'moderator', 'official', site.wordmark, '관리자', '운영자'];

/** Letters of other alphabets, digits and signs that pass for a Latin letter at a glance. */
const twins: Readonly<Record<string, string>> = {
  ...{
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '8': 'b',
    '9': 'g',
    '@': 'a',
    $: 's',
    '|': 'i',
    '!': 'i',
    l: 'i',
  },
  ...{
    а: 'a',
    ԁ: 'd',
    е: 'e',
    ё: 'e',
    і: 'i',
    ї: 'i',
    ј: 'j',
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'n',
    р: 'p',
    с: 'c',
    т: 't',
    у: 'y',
    х: 'x',
    ь: 'b',
  },
  ...{
    α: 'a',
    β: 'b',
    ε: 'e',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    σ: 'o',
    τ: 't',
    υ: 'u',
    ӏ: 'i',
    ı: 'i',
    ɑ: 'a',
  },
};

/** What is left of a name for the eye: one case, no marks, no ornament, twins as the letter they imitate. */
function skeleton(name: string): string {
  const letters = [...name.normalize('NFKC').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((letter) => twins[letter] ?? letter)
    .join('');
  return letters
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/(.)\1+/gu, '$1');
}

const withoutDigitsAround = (name: string) => name.replace(/^[\d_\s.-]+|[\d_\s.-]+$/g, '');
const reservedSkeletons = new Set(reserved.map(skeleton));

/**
 * True for a reserved name and for what looks like one: `ADMIN`, `adm1n`, `_admin_`, `admin2`, `0fficial`, `byeo1`,
 * `Аdmin` with a Cyrillic А.
 */
export function looksReserved(name: string): boolean {
  return [name, withoutDigitsAround(name.normalize('NFKC'))].some((each) =>
    reservedSkeletons.has(skeleton(each)),
  );
}

/** Controls, surrogates, private use, bidirectional overrides and marks that show nothing (decision S4). */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Co}\u061c\u00ad\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;

export const hasUnsafeCharacters = (text: string): boolean => unsafe.test(text);

/** Letters and signs that are drawn as nothing: fillers of Hangul and others, blank Braille, tags. */
const blank = /[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;

/** True for a name that looks like less than it is: `관리자` with a filler behind it, or nothing at all. */
export const hidesSomething = (name: string): boolean =>
  blank.test(name) || (name !== '' && !/[\p{L}\p{N}\p{P}\p{S}]/u.test(name));

/** NFC, one space between words, none around. */
export const tidied = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[ \t\u00a0\u3000]+/g, ' ')
    .trim();
