import { describe, expect, test } from 'bun:test';
import { isParticle } from '#api/newsroom/name-cues.ts';
import { namesIn, readNames } from '#api/newsroom/name-readings.ts';
import { spellNames } from '#api/newsroom/name-spelling.ts';
import { NameBook, type NameEntry } from '#api/newsroom/names.ts';
import { checkRewrite, readRewrite } from '#api/newsroom/rewrite-check.ts';
import { translated } from '#content/locales.ts';
import { processorTime } from '#tests/kit/processor-time.ts';

const entry = (
  ko: string,
  en: string,
  more: Partial<Omit<NameEntry, 'forms' | 'hints'>> & { forms?: string[]; hints?: string[] } = {},
): NameEntry => {
  const { forms = [], hints = [], ...fields } = more;
  return {
    names: { ...translated(() => en), ko },
    hints: new Set(hints),
    isGroup: false,
    isKnownAlone: false,
    realName: undefined,
    starId: undefined,
    related: [],
    signs: [],
    ...fields,
    forms: new Set([ko, en, ...forms]),
  };
};

const group = { isGroup: true, isKnownAlone: true };
const padoban = entry('파도반', 'PADOBAN', {
  ...group,
  starId: 1,
  related: [2, 3, 8],
  forms: ['Pado Ban', 'PDB'],
});
const seori = entry('서리', 'SEORI', { starId: 2, related: [1], forms: ['파도반 서리', 'Seo-ri'] });
const yunseul = entry('윤슬', 'YUNSEUL', { starId: 3, related: [1] });
const mo = entry('모하진', 'MO HAJIN', { starId: 4, signs: ['물결액터스'], isKnownAlone: true });
const bi = entry('비', 'RAIN', { starId: 5, signs: ['레인컴퍼니'], isKnownAlone: true });
const idle = entry('아이들', 'i-dle', { ...group, starId: 6, forms: ['(여자)아이들'] });
const iu = entry('아이유', 'IU', { starId: 7, isKnownAlone: true });
const daon = entry('다온', 'Daon', {
  starId: 8,
  related: [1],
  realName: '김다온',
  hints: ['김다온', 'Kim Daon'],
});
const clearSky = entry('맑음', 'Clear Day', { ...group, starId: 9, related: [10, 11] });
const otherDaon = entry('다온', 'Daon', { starId: 10, related: [9], realName: '박다온' });
const haneul = entry('하늘', 'Haneul', { starId: 11, related: [9], realName: '원하늘' });
const wonyoung = entry('장원영', 'Jang Wonyoung', { starId: 12, related: [9], hints: ['원영', 'Wonyoung'] });
const boa = entry('보아', 'BoA', { starId: 13, isKnownAlone: true });
const otherBoa = entry('보아', 'Boa', { starId: 14, related: [1] });
const bangtan = entry('방탄소년단', 'BTS', group);
const everybody = [
  padoban,
  seori,
  yunseul,
  mo,
  bi,
  idle,
  iu,
  daon,
  clearSky,
  otherDaon,
  haneul,
  wonyoung,
  boa,
  otherBoa,
  bangtan,
];
const book = new NameBook(everybody);

const stars = (title: string, text = '') =>
  namesIn(book, title, text).map((mentioned) => mentioned.entry.names.en);
const ids = (title: string, text = '', known: number[] = []) =>
  namesIn(book, title, text, known)
    .map(({ entry }) => entry.starId ?? 0)
    .sort((a, b) => a - b);
const doubts = (title: string, text = '') =>
  readNames(book, title, text).doubts.map(({ name, starIds }) => [name, ...starIds]);

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

describe('of two with one name it is the one', () => {
  test.each([
    ['whose group stands before it', '파도반 다온, 새 노래 발표', [1, 8]],
    ['whose group stands before it with a role', '파도반 출신 가수 다온의 라디오', [1, 8]],
    ['whose group stands before its list', '맑음 하늘과 다온이 노래했다', [9, 10, 11]],
    ['whose group stands behind it', 'Daon of PADOBAN greets fans', [1, 8]],
    ['whose group stands behind its list', 'Haneul and Daon of Clear Day', [9, 10, 11]],
    ['whose group stands behind it in brackets', '다온(파도반 출신)의 무대', [1, 8]],
    ['whose group stands behind it without any word', 'Daon PADOBAN menyapa peminat', [1, 8]],
    ['whose real name it is', '맑음 공연, 김다온도 관람', [9]],
    ['whose family name stands before it', 'Clear Day and PADOBAN: Park Daon sings', [1, 9, 10]],
    ['who is spelled so', 'BoA sings for her fans', [13]],
  ])('%s', (_, text, expected) => expect(ids(text)).toEqual(expected));

  test('whom a person chose', () => {
    expect(ids('다온이 신곡을 냈다')).toEqual([]);
    expect(ids('다온이 신곡을 냈다', '', [10])).toEqual([10]);
  });
});

describe('who is meant stays in doubt', () => {
  test.each([
    ['by a role', '가수 다온이 새 노래를 냈다', ['다온', 8, 10]],
    ['in a headline of the field', '다온, 새 앨범 발표', ['다온', 8, 10]],
    ['by speech', 'Daon said hello', ['Daon', 8, 10]],
  ])('%s', (_, text, expected) => expect(doubts(text)).toEqual([expected]));

  test.each([
    ['of a word that is a name too', '하늘 아래 무대'],
    ['of somebody of another trade', '다온 의원의 노래'],
    ['of a member of another group', '방탄소년단 다온의 새 노래'],
  ])('but not %s', (_, text) => {
    expect(doubts(text)).toEqual([]);
    expect(ids(text)).toEqual(text.startsWith('방탄') ? [0] : []);
  });
});

describe('a name is written', () => {
  test.each([
    ['with hyphens', 'Jang Won-young greets fans', [12]],
    ['with spaces', 'Jang Won Young chào khán giả', [12]],
    ['by the given name beside its group', '맑음 원영의 화보', [9, 12]],
    ['by the given name in a list of its group', 'Wonyoung and Haneul of Clear Day sing', [9, 11, 12]],
    ['by the real name beside its group', '파도반 김다온', [1, 8]],
    ['with the particle that its last syllable asks for', '그룹 맑음의 하늘이 “반갑다”고 말했다', [9, 11]],
  ])('%s', (_, text, expected) => expect(ids(text)).toEqual(expected));

  test.each([
    ['by the given name alone', 'Wonyoung greets fans'],
    ['by the real name alone', '김다온 콘서트'],
    ['with a particle that it cannot have', '모하진는'],
    ['with small letters, if it is a word', 'a clear day for the festival'],
  ])('but not %s', (_, text) => expect(ids(text)).toEqual([]));
});

test('a text that is nothing but names takes time by its length', () => {
  const names = '파도반 다온·윤슬·서리, 다온 Daon of Clear Day, ';
  const workOf = (length: number) =>
    processorTime(() => void readNames(book, '', names.repeat(length / names.length)));
  const tenth = workOf(8_000);
  // Ten times as much; looking at all other names for each takes a hundred times.
  expect(workOf(80_000)).toBeLessThan(40 * tenth);
});

describe('what follows a Korean name without a space', () => {
  const after = (name: string, words: string) =>
    words.split(' ').map((each) => [name, each, isParticle(name, each)]);
  const all = (name: string, words: string, is: boolean) => words.split(' ').map((each) => [name, each, is]);

  test.each([
    ['하늘', '이 이가 이는 은 을 과 의 도 이랑 으로부터 입니다 씨는'],
    ['윤하', '가 는 를 와 의 도 랑 에게서 였다 입니다 라며 이자 표 님이'],
    ['BTS', '의 는 가 와 은'],
  ])('can be its particles: %s', (name, words) => expect(after(name, words)).toEqual(all(name, words, true)));

  test.each([
    ['하늘', '가 는 를 와 가람 색'],
    ['윤하', '은 을 과 선 색'],
    ['수지', '침'],
    ['가을', '비'],
  ])('can be another word: %s', (name, words) => expect(after(name, words)).toEqual(all(name, words, false)));
});

describe('a name in a rewrite', () => {
  const kimSarang = entry('김사랑', 'Kim Sarang', { isKnownAlone: true, hints: ['사랑', 'Sarang'] });
  const kangHaneul = entry('강하늘', 'Kang Ha-neul', { isKnownAlone: true, hints: ['하늘', 'Ha-neul'] });
  const jisoo = entry('지수', 'JISOO', { starId: 20 });
  const leeJisoo = entry('이지수', 'Lee Jisoo', { isKnownAlone: true, hints: ['지수', 'Jisoo'] });
  const leeJieun = entry('아이유', 'IU', {
    isKnownAlone: true,
    forms: ['IU'],
    hints: ['이지은', 'Lee Ji-eun'],
  });
  const rain = entry('비', 'RAIN', { isKnownAlone: true });
  const twice = entry('트와이스', 'TWICE', group);
  const april = entry('에이프릴', 'APRIL', group);
  const suga = entry('슈가', 'SUGA', { isKnownAlone: true });
  const names = { kimSarang, kangHaneul, jisoo, leeJisoo, leeJieun, rain, twice, april, suga };
  const spelled = (language: 'ko' | 'en', text: string, ...mentioned: NameEntry[]) =>
    spellNames(
      translated(() => text),
      new NameBook(Object.values(names)),
      mentioned.map((each) => ({ entry: each, count: 1, inTitle: true, score: 52 })),
    )[language];

  test.each([
    ['ko', '팬들의 사랑을 받는 김사랑과 강하늘이 푸른 하늘을 봤다', [kimSarang, kangHaneul]],
    ['ko', '지수와 배우 이지수가 만났다. 지수는 웃었다', [jisoo, leeJisoo]],
    ['en', 'Jisoo met Lee Jisoo', [jisoo, leeJisoo]],
    ['ko', '아이유(본명 이지은)는', [leeJieun]],
    ['en', 'IU, whose name is Lee Ji-eun', [leeJieun]],
    ['en', 'Rain fell', [rain]],
    ['en', 'A film such as Purple Rain, or Rain Man, or rain. Rain will fall', [rain]],
    ['en', 'They won twice. Twice they cried, and in April, too', [twice, april]],
    ['en', 'the face of Valentino’s Rain campaign, and of the Rain 2026 campaign', [rain]],
    ['ko', '소속사의 Rain 앨범', [rain]],
    ['en', 'The group Twice and Suga', []],
  ] as const)('stays where it may mean something or somebody else (%s): %s', (language, text, mentioned) =>
    expect(spelled(language, text, ...mentioned)).toBe(text),
  );

  test.each([
    ['en', 'Lee Ji Soo and Kim Sa-rang', 'Lee Jisoo and Kim Sarang', [leeJisoo, kimSarang]],
    // The given name of somebody whom the source does not name.
    ['en', 'Jisoo sings', 'JISOO sings', [jisoo]],
    ['ko', 'IU는 RAIN과', '아이유는 비와', [leeJieun, rain]],
    // A word that stands there as a name.
    ['ko', '그룹 Twice가', '그룹 트와이스가', [twice]],
    ['en', 'TWICE is back. Twice will release it', 'TWICE is back. TWICE will release it', [twice]],
    ['en', 'the group Twice, Suga and Rain', 'the group TWICE, SUGA and RAIN', [twice, suga, rain]],
    ['en', 'Twice’s album; Twice sẽ, Twice akan', 'TWICE’s album; TWICE sẽ, TWICE akan', [twice]],
  ] as const)('is written anew where it means one (%s): %s', (language, text, expected, mentioned) =>
    expect(spelled(language, text, ...mentioned)).toBe(expected),
  );

  test('that is a word is that of a group which is named nowhere else, where it has a capital letter', () => {
    const { rewrite, problems } = checkRewrite(
      { title: 'Twice to return', summary: ['It is the twice-named group.'], body: 'They sang twice.' },
      {
        language: 'en',
        sourceLanguage: 'ko',
        source: '트와이스',
        book: new NameBook([twice]),
        mentionedNames: [{ entry: twice, count: 1, inTitle: true, score: 52 }],
      },
    );
    expect(rewrite).toEqual({
      title: 'TWICE to return',
      summary: ['It is the twice-named group.'],
      body: 'They sang twice.',
    });
    expect(problems).toEqual([]);
  });

  test('is not put in the place of words that are nearly a name which is a word', () => {
    const given = { title: 'On a train', summary: ['A train in the rain.'], body: 'Rain and a train' };
    const { rewrite, problems } = checkRewrite(given, {
      language: 'en',
      sourceLanguage: 'ko',
      source: '비',
      book: new NameBook([rain]),
      mentionedNames: [{ entry: rain, count: 1, inTitle: true, score: 52 }],
    });
    expect(rewrite).toEqual(given);
    expect(problems.map(({ code }) => code)).toEqual(['names']);
  });
});

describe('a rewrite in Korean', () => {
  const monster = entry('베이비몬스터', 'BABYMONSTER', { ...group, forms: ['베몬'] });
  const seoul = entry('서울', 'SEOUL', group);
  const rewritten = (body: string) => {
    const entries = [bangtan, monster, seoul];
    const context = {
      language: 'ko' as const,
      sourceLanguage: 'en',
      source: '',
      book: new NameBook(entries),
      mentionedNames: entries.map((each) => ({ entry: each, count: 1, inTitle: false, score: 1 })),
    };
    return checkRewrite({ title: '제목', summary: ['요약'], body }, context).rewrite.body;
  };

  test.each([
    [
      'BTS는 BTS가 BTS를, BTS와 BTS로. BTS랑 BTS나',
      '방탄소년단은 방탄소년단이 방탄소년단을, 방탄소년단과 방탄소년단으로. 방탄소년단이랑 방탄소년단이나',
    ],
    [
      '베몬이 베몬은 베몬을 베몬과 베몬으로 베몬이랑',
      '베이비몬스터가 베이비몬스터는 베이비몬스터를 베이비몬스터와 베이비몬스터로 베이비몬스터랑',
    ],
    ['SEOUL으로 SEOUL와', '서울로 서울과'],
    [
      'BTS와의 BTS로서 BTS로부터 BTS라는 ‘BTS’를',
      '방탄소년단과의 방탄소년단으로서 방탄소년단으로부터 방탄소년단이라는 ‘방탄소년단’을',
    ],
    ['BTS(방탄소년단)는 방탄소년단 (BTS)를', '방탄소년단은 방탄소년단을'],
    ['BTS은 BTS', '방탄소년단은 방탄소년단'],
    ['BTS가', '방탄소년단이'],
    // Words that begin as a particle does, other particles, and what nobody wrote anew.
    [
      'BTS가족 BTS이름 BTS로드 BTS나라 BTS와이프 BTS 가',
      '방탄소년단가족 방탄소년단이름 방탄소년단로드 방탄소년단나라 방탄소년단와이프 방탄소년단 가',
    ],
    [
      'BTS의 BTS도 BTS에게 BTS야 방탄소년단는',
      '방탄소년단의 방탄소년단도 방탄소년단에게 방탄소년단야 방탄소년단는',
    ],
  ])('has behind a name that is written anew the particle that fits it: %s', (given, expected) =>
    expect(rewritten(given)).toBe(expected),
  );

  test('has titles in quotation marks, which Markdown would take for tags', () => {
    const read = (title: string) =>
      readRewrite({ title, summary: [title], body: `${title} `.repeat(20) }).title;
    expect(read('<SBS 인기가요>와 <Love wins all>')).toBe('‘SBS 인기가요’와 ‘Love wins all’');
    for (const text of ['<b>가</b>', '<img src=x>', '<script>', '<!-- a -->', '<3 가>', '<인기가요>'])
      expect(read(text)).toBe(text);
  });
});
