import { assemble } from 'es-hangul';
import unhomoglyph from 'unhomoglyph';
import { normalized } from '#content/normalize.ts';
import { site } from '#content/site.ts';

/** Names that only an operator has (decision S1). */
const reserved = [
  site.wordmark,
  ...['admin', 'administrator', 'moderator', 'mod', 'mods', 'official', 'staff', 'support'],
  ...['관리자', '관리팀', '관리진', '운영자', '운영팀', '운영진', '공식', '고객센터'],
  ...['pentadbir', 'kakitangan', 'rasmi', 'sokongan'],
  ...['quản trị', 'quản trị viên', 'ban quản trị', 'chính thức', 'hỗ trợ'],
];

/** What an operator is called with the product's name; a fan may be `Team Haru`. */
const reservedWithProduct = [
  ...['team', 'editor', 'editors', 'newsroom', 'help'],
  ...['팀', '편집자', '편집부', '도우미'],
  ...['pasukan', 'pengurus', 'penyunting', 'bantuan'],
  ...['đội ngũ', 'biên tập viên', 'ban biên tập', 'trợ giúp'],
];

/** Passes for the sign of an account that was verified. */
const checkMark = /[\u2611\u2705\u2713\u2714\u{1f5f8}\u{1f5f9}]/u;

/** Letters of other alphabets, digits and signs that pass for a Latin letter at a glance. */
const confusables: Readonly<Record<string, string>> = {
  ...{
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '6': 'b',
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

/** Small capitals, which Unicode calls letters of their own. */
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢʍ'].map((sign, n) => [sign, 'abcdefghijklmnoprstuvwyzm'[n] ?? '']),
);

/** Latin capitals on dark ground or as flags: 🅰, 🅐, 🇦. */
const ornaments = [0x1f170, 0x1f150, 0x1f1e6].flatMap((first) =>
  Array.from(
    { length: 26 },
    (_, n) => [String.fromCodePoint(first + n), String.fromCharCode(97 + n)] as const,
  ),
);

const ornamental = new Map([...smallCapitals, ...ornaments, ['٠', 'o'], ['۰', 'o'], ['ⲙ', 'm']]);

/** Written out: single Hangul letters as syllables, ornamental and compatibility letters as what they are. */
function plainLetters(name: string): string {
  return [...normalized(syllablesOf(name), 'NFKC')].map((sign) => ornamental.get(sign) ?? sign).join('');
}

function syllablesOf(name: string): string {
  try {
    return name === '' ? '' : assemble([...name]);
  } catch {
    // Letters that make no syllable stay as they are.
    return name;
  }
}

/** Vowels of Hangul that a stroke tells from those they imitate. */
const strokes: Readonly<Record<string, string>> = { ᅣ: 'ᅡ', ᅧ: 'ᅥ', ᅭ: 'ᅩ', ᅲ: 'ᅮ' };

/** What is left of a name for the eye: one case, no marks, no ornament, twins as the letter they imitate. */
function skeleton(name: string): string {
  const letters = [...normalized(name.toLowerCase(), 'NFKD')]
    .filter((sign) => !/\p{M}/u.test(sign))
    .map((sign) => ornamental.get(sign) ?? confusables[sign] ?? strokes[sign] ?? sign)
    .join('');
  return normalized(letters)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/(.)\1+/gu, '$1');
}

/** In either case letters of other alphabets have other twins: Greek Ν is an N, its small ν a v. */
const skeletons = (name: string): string[] => [
  skeleton(name),
  skeleton(unhomoglyph(name)),
  skeleton(unhomoglyph(name.toLowerCase())),
];

/** “By team”, an ordinary word, which is taken for the product's name alone; `팀 별` is the product's team. */
const byTeam = /(?<![\p{L}\p{N}])팀별(?![\p{L}\p{N}])/gu;

const withoutDigitsAround = (name: string) => name.replace(/^[\d_\s.-]+|[\d_\s.-]+$/g, '');
const reservedSkeletons = new Set(reserved.map(skeleton));
const product = skeleton(site.wordmark);
const staffTitles = new Set([...reservedSkeletons].filter((each) => each !== product));
const productNames = [product, skeleton(site.nameInKorean)].join('|');
const productAround = new RegExp(`^(?:${productNames})+|(?:${productNames})+$`, 'g');
const titlesWithProduct = new Set(reservedWithProduct.map(skeleton));

/** A duty alone, with the product's names around it, addressed politely, or several: `byeolofficial`, `별관리자`, `운영자님`, `admins`. */
function namesStaff(word: string): boolean {
  const plain = word.replace(/(?:님|s)$/, '');
  const title = plain.replace(productAround, '');
  return staffTitles.has(title) || (title !== plain && titlesWithProduct.has(title));
}

/**
 * True for a reserved name, for what looks like one, and for a name in which a duty is a word of its own: `ADMIN`, `adm1n`,
 * `_admin_`, `admin2`, `0fficial`, `byeo1`, `Аdmin` with a Cyrillic А, `byeol_official`; and for one with a check mark.
 */
export function looksReserved(name: string): boolean {
  if (checkMark.test(name)) return true;
  const plain = plainLetters(name).replace(byTeam, '별');
  const wholeSkeletons = [plain, withoutDigitsAround(plain)].flatMap(skeletons);
  if (wholeSkeletons.some((each) => reservedSkeletons.has(each) || namesStaff(each))) return true;
  return plain.split(/[^\p{L}\p{N}]+/u).some((word) => skeletons(word).some(namesStaff));
}

/** Controls, surrogates, private use, what is no character, bidirectional overrides and marks that show nothing (decision S4). */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u061c\u00ad\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}]/u;

export const hasUnsafeCharacters = (text: string): boolean => unsafe.test(text);

/** Letters and signs that are drawn as nothing: fillers of Hangul and others, blank Braille, tags. */
const blank =
  /[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u180b-\u180f]/u;

/**
 * Scripts that people write every day, as Unicode recommends them for identifiers (UAX #31). Letters of others, such as Cherokee or Coptic, are
 * in names mostly for what they look like.
 */
const everydayScripts = [
  ...['Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...['Gujarati', 'Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao'],
  ...['Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
  ...['Common', 'Inherited'],
];
const rareLetter = new RegExp(
  `[^\\P{L}${everydayScripts.map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
);

/** True for a name with a letter of a script that few people write. */
export const hasRareLetters = (name: string): boolean => rareLetter.test(name);

/** More than four marks in a row, as Unicode advises for identifiers (UTS #39): they are drawn over the lines around the name. */
export const hasStackedMarks = (name: string): boolean => /\p{M}{5,}/u.test(normalized(name, 'NFD'));

/** True for a name that looks like less than it is: `관리자` with a filler behind it, or nothing at all. */
export const looksBlank = (name: string): boolean =>
  blank.test(name) || (name !== '' && !/[\p{L}\p{N}\p{P}\p{S}]/u.test(name));

/** NFC, one space between words, none around. */
export const normalizeText = (text: string): string =>
  normalized(text)
    .replace(/[ \t\u00a0\u3000]+/g, ' ')
    .trim();
