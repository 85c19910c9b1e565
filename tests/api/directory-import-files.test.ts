import { describe, expect, test } from 'bun:test';
import kpopnet from 'kpopnet.json';
import Papa from 'papaparse';
import { readCsv, toCsv } from '#api/directory/csv.ts';
import { fromKpopnet } from '#api/directory/kpopnet.ts';
import type { StarDocument } from '#api/directory/model.ts';
import { type ImportFormat, maxFileBytes, readDirectoryFile } from '#api/directory/read-file.ts';
import { ApiError } from '#api/errors.ts';
import { processorTime } from '#tests/kit/processor-time.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const fileOf = (value: unknown) => bytesOf(typeof value === 'string' ? value : JSON.stringify(value));
const byeol = (...stars: unknown[]) => ({ format: 'byeol-directory', version: 1, stars });
const read = (value: unknown, format?: ImportFormat) => readDirectoryFile(fileOf(value), format).rows;

/** The sentence with which a file is refused. */
function refusalOf(bytes: Uint8Array, format?: ImportFormat): string {
  try {
    readDirectoryFile(bytes, format);
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'taken';
}

const han: StarDocument = {
  slug: 'han',
  externalIds: { wikidata: 'Q1', byeol: 'han-1' },
  category: 'Idol',
  fandomColor: '#12ABEF',
  words: {
    ko: { name: '한, "별"; 하나', agency: '＝SUM(A1)' },
    en: { name: '+(KR)ystal', biography: 'First line\nsecond, line', realName: "'=quoted" },
    vi: { name: '@Hàn', nationality: '-1+1' },
  },
  aliases: ['하나', "=cmd|' /C calc'!A0", 'two'],
  birthDate: '2001-02',
  debutDate: '2019-07-28',
  activity: 'hiatus',
  height: 171,
  mbti: 'INFP',
  members: [
    {
      star: 'wikidata:Q2',
      names: { ko: '둘' },
      isFormer: true,
      since: '2019',
      roles: { en: 'Leader; "dancer"' },
    },
  ],
  socialLinks: [{ platform: 'twitter', profileUrl: 'https://x.com/han', displayName: '@han' }],
  sources: { birthDate: { name: 'Interview', url: 'https://news.example/1' } },
};

describe('kpopnet.json becomes documents', () => {
  const documents = fromKpopnet(kpopnet);
  const named = (name: string) => documents.filter(({ words }) => words.ko?.name === name);

  test('of every group and every person, all of which the contract takes', () => {
    expect(documents).toHaveLength(182 + 835);
    const { format, rows } = readDirectoryFile(fileOf(kpopnet));
    expect(format).toBe('kpopnet');
    expect(rows.filter(({ reasons }) => reasons.length > 0)).toEqual([]);
    expect(rows.map(({ document }) => document ?? null)).toEqual(documents);
    expect(rows[0]?.source).toEqual({
      name: 'kpopnet',
      url: 'https://net.kpop.re/?id=TeGThP2Za2y7Tsw4Dfln',
    });
  });

  test('with names, dates as precise as they are known, and nothing that is not known', () => {
    expect(named('영파씨')[0]).toMatchObject({
      externalIds: { kpopnet: 'TeGThP2Za2y7Tsw4Dfln' },
      category: 'K-Pop Group',
      words: {
        ko: { name: '영파씨' },
        en: { name: 'Young Posse', agency: 'DSP Media, Beats Entertainment' },
      },
      debutDate: '2023-10-18',
      activity: 'active',
    });
    const dates = documents.flatMap(({ birthDate, debutDate, endDate }) => [birthDate, debutDate, endDate]);
    expect(dates.filter((date) => date?.includes('-00') || date === null)).toEqual([]);
    expect(dates).toContain('2016');
    expect(dates).toContain('2018-05');
  });

  test('without weights and without the pictures of others', () => {
    const text = JSON.stringify(documents);
    expect(text).not.toMatch(/weight|thumb|up\.kpop\.re/);
    expect(documents.filter(({ height }) => height !== undefined)).toHaveLength(732);
    expect(documents.filter(({ height }) => height && !Number.isInteger(height))).toEqual([]);
  });

  test('with members, former ones marked, and the group that a sub-unit is of', () => {
    const members = documents.flatMap(({ members: list = [] }) => list);
    expect(members).toHaveLength(983);
    expect(members.filter(({ isFormer }) => isFormer)).toHaveLength(456);
    const ids = new Set(documents.map(({ externalIds }) => `kpopnet:${externalIds?.kpopnet}`));
    expect(members.filter(({ star }) => !star || !ids.has(star))).toEqual([]);
    const parents = documents.flatMap(({ parent }) => parent ?? []);
    expect(parents).toHaveLength(24);
    expect(parents.filter((parent) => !ids.has(parent))).toEqual([]);
    expect(documents.filter(({ activity }) => activity === 'ended')).toHaveLength(64);
  });

  test('with roles in the words of every language', () => {
    const roles = documents.flatMap(({ members = [] }) => members.flatMap((member) => member.roles ?? []));
    expect(roles).toHaveLength(248);
    expect(roles.filter(({ ko, ms, vi }) => !ko || !ms || !vi)).toEqual([]);
    const unknown = fromKpopnet({
      idols: [],
      groups: kpopnet.groups.slice(0, 1).map((group) => ({
        ...group,
        members: [{ idol_id: 'x', current: true, roles: 'leader, constructor' }],
      })),
    });
    expect(unknown[0]?.members?.[0]?.roles).toEqual({ en: 'leader, constructor' });
  });

  test('the five who are called 민지 stay five', () => {
    expect(named('민지').map(({ birthDate }) => birthDate)).toEqual([
      '2006-09-26',
      '2004-05-07',
      '2001-01-16',
      '1999-03-31',
      '1994-01-18',
    ]);
  });
});

describe('CSV', () => {
  test('says of a star what it said before it was written', () => {
    const [row] = readCsv(toCsv([han]));
    expect(row).toEqual({ line: 2, name: '한, "별"; 하나', document: han, reasons: [] });
    const documents = fromKpopnet(kpopnet);
    expect(readCsv(toCsv(documents)).map(({ document }) => document ?? null)).toEqual(documents);
  });

  test('opens in Excel as UTF-8 and without a formula', () => {
    const csv = toCsv([han]);
    expect(csv).toStartWith('\uFEFFslug,externalIds.kpopnet,');
    for (const guarded of [`'+(KR)ystal`, `'@Hàn`, `'-1+1`, `''=quoted`, `'＝SUM(A1)`])
      expect(csv).toContain(guarded);
    const listed = toCsv([{ ...han, aliases: ["=cmd|' /C calc'!A0"] }]);
    expect(listed).toContain("'=cmd|' /C calc'!A0");
    // A spreadsheet that separates by semicolons or tabs begins a cell there, whatever quotes say.
    const hostile = {
      ...han,
      aliases: ['x;=1+1', 'ok', '=HYPERLINK("http://x")', '"=2', '@SUM(1)', "'=kept"],
    };
    const [read] = readCsv(toCsv([hostile]));
    expect(read?.document?.aliases).toEqual(hostile.aliases);
    for (const delimiter of [';', '\t'])
      expect(
        Papa.parse<string[]>(toCsv([hostile]), { delimiter })
          .data.flat()
          .filter((cell) => /^["' ]*[=+\-@]/.test(cell) && !cell.startsWith("'")),
      ).toEqual([]);
    const cells = [csv, listed].flatMap((text) => Papa.parse<string[]>(text).data.flat());
    expect(cells.filter((cell) => /^[=+\-@＝＋－＠\t\r\n]/.test(cell))).toEqual([]);
  });

  test('that says too much is told in a few words, and soon', () => {
    const [row] = readCsv(`category,words.en.name\nIdol,a${',x'.repeat(100_000)}`);
    expect(row?.reasons).toHaveLength(5);
    const file = `category,words.en.name\n${'\n'.repeat(30_000_000)}`;
    // Only so many lines are read: all of them would hold the process up for seconds.
    const time = processorTime(() => expect(() => readCsv(file)).toThrow('more than 25000 stars'));
    // Lines are counted as they are read: splitting such a file first takes as many seconds as it has 8 MB. On a slow machine it is
    // compared with splitting two fifths of it.
    const limit = time < 1_200 ? 1_200 : processorTime(() => void file.slice(0, 12_000_000).split('\n'));
    expect(time).toBeLessThan(limit);
  });

  const simple = [
    'category;words.ko.name;words.en.name;aliases;height',
    'Idol;"별; ""하나""";Byeol;"하나\r\n둘";171',
    ';;;;',
    'Actor;둘;Two;;',
  ].join('\r\n');

  test('is read with semicolons, quotes, lines in cells and empty rows, as Excel writes it', () => {
    const rows = readDirectoryFile(bytesOf(`\uFEFF${simple}\r\n`)).rows;
    expect(rows.map(({ line, name, reasons }) => ({ line, name, reasons }))).toEqual([
      { line: 2, name: '별; "하나"', reasons: [] },
      { line: 4, name: '둘', reasons: [] },
    ]);
    expect(rows[0]?.document).toEqual({
      category: 'Idol',
      words: { ko: { name: '별; "하나"' }, en: { name: 'Byeol' } },
      aliases: ['하나', '둘'],
      height: 171,
    });
    const tabs = read('category\twords.ko.name\nIdol\t별');
    expect(tabs[0]?.document).toEqual({ category: 'Idol', words: { ko: { name: '별' } } });
  });

  test('tells all that is wrong in a row at once, and is read behind Excel’s `sep=;`', () => {
    const file =
      'sep=;\r\ncategory;words.ko.name;height;birthDate;bloodType\r\nIdol;지민;160 cm;1995;O\r\nIdol;지민;999;1995.13.1;O형\r\n';
    const { rows } = readDirectoryFile(new TextEncoder().encode(file));
    expect(
      rows.map(({ line, document, reasons }) => [line, document?.height, reasons.map(({ field }) => field)]),
    ).toEqual([
      [3, 160, []],
      [4, undefined, ['height', 'birthDate', 'bloodType']],
    ]);
  });

  test('is read in Windows-949 and in the UTF-16 of Excel’s “Unicode text”', () => {
    // 별 and 똠, which only Windows-949 has, not EUC-KR.
    const korean = new Uint8Array([...bytesOf('category,words.ko.name\nIdol,'), 0xba, 0xb0, 0x8c, 0x63]);
    expect(readDirectoryFile(korean).rows[0]?.name).toBe('별똠');
    const utf16 = Buffer.from('\uFEFFcategory\twords.ko.name\nIdol\t별', 'utf16le');
    expect(readDirectoryFile(utf16).rows[0]?.name).toBe('별');
    expect(refusalOf(new Uint8Array([...bytesOf('category\n'), 0xff, 0xff]))).toStartWith('encoding: ');
  });

  test('tells which column or cell is wrong', () => {
    expect(refusalOf(bytesOf('category,birthday\nIdol,2001'))).toBe(
      'column: There is no column “birthday”. Its first row names fields, such as category, words.ko.name and words.en.name.',
    );
    expect(refusalOf(bytesOf('category,category\nIdol,Idol'))).toBe(
      'column_twice: The column “category” stands there twice.',
    );
    expect(refusalOf(bytesOf('hello there'))).toStartWith('header: ');
    expect(refusalOf(bytesOf('category,words.ko.name\nIdol,"별'))).toStartWith('quotes: Row 2 of the file');
    const reasonsOf = (row: string) =>
      read(`category,words.ko.name,birthDate,height,members\n${row}`)[0]?.reasons.map(
        ({ message }) => message,
      );
    expect(reasonsOf('Idol,별,2001-02-30,,')).toEqual([
      'The field “birthDate” is wrong: Must be a date such as 2001, 2001-02 or 2001-02-28.',
    ]);
    expect(reasonsOf('Idol,별,,tall,')).toEqual([expect.stringContaining('The field “height” is wrong')]);
    const codeOf = (height: string) =>
      read(`category,words.ko.name,height\nIdol,별,${height}`)[0]?.reasons.map(({ code, about }) => [
        code,
        about,
      ]);
    expect(codeOf('5')).toEqual([['range', '50–260']]);
    for (const height of ['170.5cm', '170.5', '"1,234"'])
      expect(codeOf(height)).toEqual([['number', '50–260']]);
    expect(reasonsOf('Idol,별,,,[{')).toEqual(['The cell of “members” has no JSON that can be taken.']);
    expect(reasonsOf('Idol,별,,,,more')).toEqual(['There is text in cell 6, which has no column.']);
    expect(reasonsOf('Singer,별,,,')).toEqual([
      'The field “category” is wrong: Must be one of: K-Pop Group, Solo Artist, Actor, Actress, Idol.',
    ]);
  });
});

describe('our own JSON', () => {
  test('is read star by star: a wrong one is told and keeps no other out', () => {
    const rows = read(
      byeol(
        han,
        { ...han, birthdate: '2001' },
        { category: 'Idol', words: {} },
        { words: { ko: { name: '셋' } } },
        { ...han, members: [{ names: { ko: '넷' }, since: '2001-13' }] },
        'text',
      ),
    );
    expect(
      rows.map(({ line, name, reasons }) => [line, name, ...reasons.map(({ message }) => message)]),
    ).toEqual([
      [1, '한, "별"; 하나'],
      [2, '한, "별"; 하나', 'There is no field “birthdate”.'],
      [3, '', 'It needs a Korean or an English name.'],
      [4, '셋', 'The field “category” is missing.'],
      [
        5,
        '한, "별"; 하나',
        'The field “members.0.since” is wrong: Must be a date such as 2001, 2001-02 or 2001-02-28.',
      ],
      [6, '', 'It is no object with the fields of a star.'],
    ]);
    expect(rows[0]?.document).toEqual(han);
  });

  test('is no other JSON, and no other version', () => {
    expect(refusalOf(fileOf([]))).toStartWith('not_byeol: ');
    expect(refusalOf(fileOf({ ...byeol(han), format: 'x' }))).toStartWith('not_byeol: ');
    expect(refusalOf(fileOf({ ...byeol(han), version: 2 }))).toStartWith('version: ');
    expect(refusalOf(fileOf({ ...byeol(han), toString: 1 }))).toStartWith('unknown_field: ');
    expect(refusalOf(fileOf(byeol()))).toBe('empty: The file has no stars.');
    expect(refusalOf(fileOf({ groups: [{}], idols: [] }))).toStartWith('not_kpopnet: ');
    expect(refusalOf(fileOf(byeol(han)), 'kpopnet')).toStartWith('not_kpopnet: ');
    expect(refusalOf(fileOf('{"format"'))).toBe('json: The file is not valid JSON.');
  });
});

describe('what attacks is refused in words', () => {
  const polluted = '{"format":"byeol-directory","version":1,"stars":[{"__proto__":{"isAdmin":true}}]}';

  test('prototype pollution', () => {
    expect(refusalOf(fileOf(polluted))).toBe(
      'malformed: The file has a field with a name that nothing may have.',
    );
    const rows = read(`category,words.ko.name,sources\nIdol,별,"{""__proto__"":{""name"":""x""}}"`);
    expect(rows[0]?.reasons.map(({ code }) => code)).toEqual(['json']);
    expect(refusalOf(bytesOf('category,words.__proto__.name\nIdol,x'))).toStartWith('column: ');
    expect(refusalOf(bytesOf('__proto__,constructor\nx,y'))).toStartWith('header: ');
    const named = read(byeol({ ...han, words: { constructor: { name: 'x' }, prototype: { name: 'y' } } }));
    expect(named[0]?.reasons.map(({ code }) => code)).toEqual(['unknown_field', 'unknown_field']);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('too much, too deep, no text', () => {
    expect(refusalOf(new Uint8Array(maxFileBytes + 1).fill(32))).toBe(
      'too_large: The file has more than 32 MB: split it.',
    );
    expect(refusalOf(bytesOf(`category\n${'Idol\n'.repeat(25_001)}`))).toBe(
      'too_many_stars: The file has more than 25000 stars: split it.',
    );
    expect(refusalOf(bytesOf(`${'['.repeat(1000)}${']'.repeat(1000)}`))).toBe(
      'malformed: The file is nested too deeply.',
    );
    const hollow = (list: string) =>
      bytesOf(`{"format":"byeol-directory","version":1,"stars":[{"words":{},"members":[${list}]}]}`);
    expect(refusalOf(hollow(Array(100_001).fill('{}').join()))).toBe(
      'malformed: The file has hardly more than brackets and commas.',
    );
    const fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`field${n}`, 1]));
    expect(refusalOf(fileOf(byeol(fields)))).toBe(
      'malformed: The file has an object of more than 1000 fields.',
    );
    const members = Array.from({ length: 30_000 }, () => ({}));
    const [crowded] = read(byeol({ ...han, members }));
    expect(crowded?.reasons.map(({ code, field }) => [code, field])).toContainEqual(['invalid', 'members']);
    expect(refusalOf(bytesOf(''))).toBe('empty: The file is empty.');
    expect(refusalOf(bytesOf('category\0'))).toBe('binary: The file is no text.');
    const picture = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0xff, 0xfe];
    expect(refusalOf(new Uint8Array(picture))).toBe('binary: The file is no text.');
  });
});
