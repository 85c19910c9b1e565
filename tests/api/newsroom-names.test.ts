import { describe, expect, test } from 'bun:test';
import { NameBook, type NameEntry, namesIn } from '#api/newsroom/names.ts';
import { translated } from '#content/locales.ts';

const entry = (
  ko: string,
  en: string,
  more: Partial<Omit<NameEntry, 'forms'>> & { forms?: string[] } = {},
): NameEntry => {
  const { forms = [], ...fields } = more;
  return {
    names: { ...translated(() => en), ko },
    starId: undefined,
    related: [],
    signs: [],
    ...fields,
    forms: new Set([ko, en, ...forms]),
  };
};

const padoban = entry('파도반', 'PADOBAN', { starId: 1, related: [2, 3], forms: ['Pado Ban', 'PDB'] });
const seori = entry('서리', 'SEORI', { starId: 2, related: [1], forms: ['파도반 서리', 'Seo-ri'] });
const yunseul = entry('윤슬', 'YUNSEUL', { starId: 3, related: [1] });
const mo = entry('모하진', 'MO HAJIN', { starId: 4, signs: ['물결액터스'] });
const bi = entry('비', 'RAIN', { starId: 5, signs: ['레인컴퍼니'] });
const idle = entry('아이들', 'i-dle', { starId: 6, forms: ['(여자)아이들'] });
const iu = entry('아이유', 'IU', { starId: 7, related: [] });
const book = new NameBook([padoban, seori, yunseul, mo, bi, idle, iu]);

const stars = (title: string, text = '') =>
  namesIn(book, title, text).map((mentioned) => mentioned.entry.names.en);

describe('a name is found', () => {
  test.each([
    ['by its Korean form with a particle', '파도반이 돌아온다', ['PADOBAN']],
    ['by its Latin form before a particle', 'PADOBAN의 새 노래', ['PADOBAN']],
    ['by an alias in small letters of more than five', '새 노래를 낸 pado ban', ['PADOBAN']],
    ['in brackets', '(파도반)', ['PADOBAN']],
    ['in quotes', '‘모하진’ 주연', ['MO HAJIN']],
  ])('%s', (_, text, expected) => expect(stars(text)).toEqual(expected));

  test('as the longest one', () => {
    expect(book.find('파도반 서리가 왔다').map(({ form }) => form)).toEqual(['파도반 서리']);
    expect(stars('파도반 서리가 왔다')).toEqual(['SEORI']);
  });

  test('with the headline’s names first, then the most frequent', () => {
    expect(stars('모하진 인터뷰', '파도반, 파도반, 파도반과 아이유')).toEqual(['MO HAJIN', 'PADOBAN', 'IU']);
  });
});

describe('a name is not found', () => {
  test.each([
    ['inside another Korean word', '모하진격의 큰파도반도'],
    ['inside another Latin word', 'PADOBANDIT and XPADOBAN'],
    ['when it is a short everyday word', '비가 내리고 서리가 내린 아침'],
    ['when it is an everyday word of the table', '아이들이 뛰어논다'],
    ['when short letters have another case', 'iu is not her'],
  ])('%s', (_, text) => expect(stars(text)).toEqual([]));
});

describe('a short name counts with a second sign:', () => {
  test.each([
    ['its group', '서리, 파도반 새 앨범 총괄', ['SEORI', 'PADOBAN']],
    ['another member', '서리와 윤슬의 대화', ['SEORI', 'YUNSEUL']],
    ['another script', '비(RAIN) 컴백', ['RAIN']],
    ['its agency', '비, 레인컴퍼니와 재계약', ['RAIN']],
    ['its full form', '(여자)아이들 컴백, 아이들은 웃었다', ['i-dle']],
  ])('%s', (_, text, expected) => expect(stars(text).sort()).toEqual([...expected].sort()));
});
