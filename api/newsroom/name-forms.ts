import { everydayWords } from './everyday-words.ts';

/**
 * How much a form says by itself: `sure` is nobody and nothing else; `short` is a given name or an abbreviation, which others may have too;
 * `word` is also an everyday word; `hint` (a real name, a given name without its family's) needs the star's group beside it.
 */
export type Weight = 'sure' | 'short' | 'word' | 'hint';

export const hangul = /[가-힣ㄱ-ㅎㅏ-ㅣ]/;
export const letter = /[\p{L}\p{N}]/u;

/** Small letters, one kind of apostrophe and hyphen; the length stays, so that places in the text do. */
export function fold(text: string): string {
  const low = text.toLowerCase();
  return (low.length === text.length ? low : text)
    .replace(/[’‘`´]/g, "'")
    .replace(/[‐‑–]/g, '-')
    .replace(/\u00a0/g, ' ');
}

/** Capital letters, digits or signs where a plain word has none: `ITZY`, `BoA`, `aespa`, `fromis_9`. */
const isStyled = (form: string): boolean =>
  /\p{Lu}/u.test(form.slice(1)) || /[^\p{L}\s'’.-]/u.test(form) || /^\p{Ll}/u.test(form);

/** How much a form of a star says as it is written here; undefined: so written it is no name. */
export function weightOf(
  form: string,
  written: string,
  { isGroup, isKnownAlone }: { isGroup: boolean; isKnownAlone: boolean },
): Weight | undefined {
  if (hangul.test(form)) {
    const { length } = form.replace(/\s/g, '');
    if (everydayWords.has(form) || length === 1) return 'word';
    // A long given name, such as 다니엘, is one all the same.
    return length > 2 && (isKnownAlone || isFullName(form)) ? 'sure' : 'short';
  }
  const letters = form.replace(/[^\p{L}\p{N}]/gu, '').length;
  const isExact =
    fold(form) === fold(written) && written.replace(/[’‘]/g, "'") === form.replace(/[’‘]/g, "'");
  if (letters === 1) return isExact ? 'word' : undefined;
  if (letters === 2 && !isExact) return undefined;
  const isCapital = /^[^\p{L}]*\p{Lu}/u.test(written);
  if (everydayWords.has(fold(form))) {
    if (isExact && isStyled(form)) return isGroup ? 'sure' : 'short';
    return isCapital ? 'word' : undefined;
  }
  if (/\s/.test(form)) {
    const isPhrase = fold(form)
      .split(/\s+/)
      .every((word) => everydayWords.has(word));
    return isCapital || isExact || !isPhrase ? 'sure' : 'word';
  }
  if (isExact && isStyled(form) && letters > 2) return 'sure';
  if (isGroup) return isExact || letters > 5 ? 'sure' : 'short';
  return isCapital && (isExact || letters > 3) ? 'short' : 'hint';
}

/** Family names of three quarters of all Koreans and of everybody in the field, as they are spelled in Latin letters. */
const surnames: Readonly<Record<string, string>> = {
  강: 'kang gang',
  고: 'ko go koh',
  공: 'kong gong',
  곽: 'kwak gwak',
  구: 'koo goo gu ku',
  권: 'kwon gwon',
  금: 'keum geum',
  기: 'ki gi',
  김: 'kim gim',
  나: 'na ra',
  남: 'nam',
  노: 'noh roh no',
  류: 'ryu yoo ryoo',
  마: 'ma',
  문: 'moon mun',
  민: 'min',
  박: 'park pak bak',
  방: 'bang',
  배: 'bae pae',
  백: 'baek paik',
  범: 'beom',
  변: 'byun byeon',
  서: 'seo suh',
  설: 'seol sul',
  성: 'sung seong',
  소: 'so',
  손: 'son sohn',
  송: 'song',
  신: 'shin sin',
  심: 'shim sim',
  안: 'an ahn',
  양: 'yang',
  엄: 'um uhm eom',
  염: 'yeom',
  오: 'oh o',
  우: 'woo u',
  원: 'won',
  위: 'wi',
  유: 'yoo yu you',
  윤: 'yoon yun youn',
  이: 'lee yi rhee',
  임: 'im lim yim',
  장: 'jang chang',
  전: 'jeon jun chun',
  정: 'jung jeong chung',
  조: 'cho jo',
  주: 'joo ju chu',
  지: 'ji jee',
  진: 'jin',
  차: 'cha',
  채: 'chae',
  천: 'chun cheon',
  최: 'choi choe',
  추: 'choo chu',
  편: 'pyun',
  하: 'ha',
  한: 'han',
  허: 'huh heo hur',
  현: 'hyun',
  홍: 'hong',
  황: 'hwang',
};
const spellingsOf = new Map(Object.entries(surnames).map(([surname, text]) => [surname, text.split(' ')]));
/** Those that are no words or given names, so that one before a name is its family name. */
const clearSpellings = new Set(
  [...spellingsOf.values()]
    .flat()
    .filter(
      (each) =>
        !/^(?:ha|ma|na|no|so|go|o|u|ra|an|sin|sung|song|you|won|min|bang|gang|ju|ji|jin|ki|gi|gu|ku|su|in|im|um|wi|han|son|jun|chun|moon|hyun|nam|chu|hur)$/.test(
          each,
        ),
    ),
);

/** A Korean name of three or four syllables that begins with a family name, such as `박지민`. */
export const isKoreanFullName = (form: string): boolean =>
  /^[가-힣]{3,4}$/.test(form) && spellingsOf.has(form.charAt(0));

const isFullName = (form: string): boolean =>
  form.includes(' ') || (form.length <= 4 && spellingsOf.has(form.charAt(0)));

/** Whether a word in Latin letters is a Korean family name (and hardly anything else). */
export const isSurname = (word: string): boolean => clearSpellings.has(fold(word));

/** Whether a word in Latin letters spells the family name of a Korean name. */
export const spellsSurname = (word: string, koreanName: string): boolean =>
  spellingsOf.get(koreanName.charAt(0))?.includes(fold(word)) ?? false;

/** `장원영` → `원영`, `Jang Wonyoung` → `Wonyoung`: what a star with a full name is called for short. */
export function givenNames(korean: string, latin: string): string[] {
  if (!/^[가-힣]{3}$/.test(korean) || !spellingsOf.has(korean.charAt(0))) return [];
  const [surname = '', ...given] = latin.split(' ');
  const isFull = given.length > 0 && spellsSurname(surname, korean);
  return [korean.slice(1), ...(isFull ? [given.join(' ')] : [])];
}
