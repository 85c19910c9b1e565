import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { config, setConfig } from '#api/config.ts';
import { readItem } from '#api/directory/wikidata.ts';
import type { Offer } from '#api/directory/wikidata-model.ts';
import { connection } from '#db/client.ts';
import type { ApiResponse } from '#site/lib/http/api-call.ts';
import { answerOf, bearer, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { countBefore, untilWindowHas } from '#tests/kit/rate-windows.ts';
import { until } from '#tests/kit/until.ts';
import {
  lagged,
  link,
  noValue,
  says,
  startWikimedia,
  text,
  throttled,
  time,
  unknownValue,
  type Wikimedia,
} from '#tests/kit/wikimedia.ts';

useDatabase();
let wiki: Wikimedia;
let editor: { id: number; token: string };

beforeEach(async () => {
  wiki = startWikimedia();
  editor = await makeFan({ role: 'editor' });
  setConfig({ ...config(), wikidataBaseUrl: wiki.url, commonsBaseUrl: wiki.url, fetchAllow: [wiki.host] });
});
afterEach(() => wiki.stop());

const headers = () => bearer(editor.token);
const search = (q: string) =>
  typedCall('get', '/api/admin/wikidata', { query: { q, language: 'en' }, headers: headers() });
const look = (item: string) =>
  typedCall('get', '/api/admin/wikidata/:item', { params: { item }, headers: headers() });
const found = (item: string) => answerOf(look(item));

/** The values that are offered for a field. */
const valuesOf = ({ offers }: { offers: Offer[] }, field: string) =>
  offers.filter((offer) => offer.field === field).map(({ value }) => value);

/** What an item that says just this is offered as, for a field. */
async function offered(field: string, ...statements: Record<string, unknown>[]) {
  const property = String(Reflect.get(Object(statements[0]?.mainsnak), 'property'));
  wiki.items.Q1 = { labels: { en: 'Padoban' }, claims: { [property]: statements } };
  return valuesOf(await found('Q1'), field);
}

describe('who may look up', () => {
  test('are editors, no fan and no guest', async () => {
    const fan = await makeFan();
    for (const path of ['/api/admin/wikidata?q=x', '/api/admin/wikidata/Q1']) {
      expect((await call(path)).status).toBe(401);
      expect((await call(path, { headers: bearer(fan.token) })).status).toBe(403);
    }
    expect(wiki.asked).toEqual([]);
    expect((await search('x')).status).toBe(200);
  });

  test('find both calls in the OpenAPI document', async () => {
    const { paths } = (await call('/api/openapi')).json as {
      paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
    };
    const named = (path: string) => paths[path]?.get?.parameters?.map(({ name }) => name);
    expect(named('/api/admin/wikidata')).toContain('q');
    expect(named('/api/admin/wikidata/{item}')).toContain('item');
  });

  test('may ask sixty times a minute', async () => {
    await untilWindowHas(3, 60);
    // Two less, in this minute and in the next one: sixty take a slow machine more than a minute.
    await countBefore(`wikidata:account:${editor.id}`, 58);
    for (let n = 0; n < 2; n += 1) expect((await search('x')).status).toBe(200);
    const { status, error } = await search('x');
    expect([status, error?.code]).toEqual([429, 'rate_limited']);
  });
});

describe('a search', () => {
  beforeEach(() => {
    wiki.items = {
      Q7: { labels: { ko: '파도반', en: 'Padoban' }, descriptions: { en: 'band from Gangneung' } },
      Q8: { labels: { mul: 'Padobarn' } },
      Q9: { labels: { en: 'Simya Bus' } },
    };
  });

  test('finds items by their names, and says which star has them', async () => {
    const star = await makeStar();
    await connection()`insert into star_external_ids (source, external_id, star_id) values ('wikidata', 'Q7', ${star})`;
    expect((await answerOf(search('padob'))).matches).toEqual([
      {
        id: 'Q7',
        label: 'Padoban',
        description: 'band from Gangneung',
        url: `${wiki.url}/wiki/Q7`,
        starId: star,
      },
      { id: 'Q8', label: 'Padobarn', description: null, url: `${wiki.url}/wiki/Q8`, starId: null },
    ]);
    expect((await answerOf(search('파도'))).matches.map(({ id }) => id)).toEqual(['Q7']);
    expect(wiki.asked.at(-1)?.query.get('language')).toBe('ko');
    expect((await answerOf(search('nobody'))).matches).toEqual([]);
  });

  test.each([
    'Q7',
    ' q7 ',
    'https://www.wikidata.org/wiki/Q7',
    'https://m.wikidata.org/wiki/Q7?uselang=ko#P31',
  ])('takes %p for the item itself', async (q) => {
    expect((await answerOf(search(q))).matches).toMatchObject([
      { id: 'Q7', description: 'band from Gangneung' },
    ]);
    expect(wiki.asked.map(({ query }) => query.get('action'))).toEqual(['wbgetentities']);
  });

  test('finds nothing under a number that nobody has', async () => {
    expect((await answerOf(search('Q404'))).matches).toEqual([]);
  });

  test('wants a text', async () => {
    for (const q of ['', '  ', 'x'.repeat(201)]) {
      const { status, error } = await search(q);
      expect([status, error?.field]).toEqual([400, 'q']);
    }
    expect(wiki.asked).toEqual([]);
  });
});

describe('names of an item', () => {
  test('are offered in our languages, its aliases one by one, each with its source', async () => {
    wiki.items.Q7 = {
      labels: { ko: '파도반', en: 'Padoban', ja: 'パドバン', mul: 'PADOBAN' },
      aliases: { ko: ['파도'], en: ['PDB', 'Wave Class'], fr: ['Vague'], mul: ['PDB'] },
    };
    const item = await found('Q7');
    expect(item.offers[0]).toEqual({
      field: 'externalIds.wikidata',
      value: 'Q7',
      property: null,
      source: { name: 'Wikidata', url: `${wiki.url}/wiki/Q7`, readOn: new Date().toISOString().slice(0, 10) },
    });
    expect(valuesOf(item, 'words.ko.name')).toEqual(['파도반']);
    expect(valuesOf(item, 'words.en.name')).toEqual(['Padoban']);
    expect(valuesOf(item, 'words.ms.name')).toEqual(['PADOBAN']);
    expect(valuesOf(item, 'words.vi.name')).toEqual(['PADOBAN']);
    expect(valuesOf(item, 'aliases')).toEqual(['파도', 'PDB', 'Wave Class']);
  });

  test('are not offered when they could not be shown', async () => {
    wiki.items.Q7 = { labels: { ko: '파\u202e도반', en: ' ', ms: 'x'.repeat(500), vi: 'Pa Đô Ban' } };
    const { offers, label } = await found('Q7');
    expect(offers.map(({ field }) => field)).toEqual(['externalIds.wikidata', 'words.vi.name']);
    expect(label).toBe('Q7');
  });

  test('of the record label and the country are those of today, in each language', async () => {
    wiki.items.Q1 = {
      labels: { en: 'Padoban' },
      claims: {
        P264: [
          says(link('P264', 'Q20'), [time('P580', '2018'), time('P582', '2021-03')]),
          says(link('P264', 'Q21'), [time('P580', '2021-04')]),
          says(link('P264', 'Q22'), [unknownValue('P582')]),
        ],
        P27: [says(link('P27', 'Q884'))],
      },
    };
    wiki.items.Q20 = { labels: { en: 'Old Records' } };
    wiki.items.Q21 = { labels: { ko: '문라이트하버', en: 'Moonlight Harbor' } };
    wiki.items.Q22 = { labels: { en: 'Left Records' } };
    wiki.items.Q884 = { labels: { ko: '대한민국', en: 'South Korea', ms: 'Korea Selatan', vi: 'Hàn Quốc' } };
    const item = await found('Q1');
    expect(valuesOf(item, 'words.en.agency')).toEqual(['Moonlight Harbor']);
    expect(valuesOf(item, 'words.ko.agency')).toEqual(['문라이트하버']);
    expect(valuesOf(item, 'words.ms.agency')).toEqual([]);
    expect(['ko', 'en', 'ms', 'vi'].flatMap((lang) => valuesOf(item, `words.${lang}.nationality`))).toEqual([
      '대한민국',
      'South Korea',
      'Korea Selatan',
      'Hàn Quốc',
    ]);
    const agency = item.offers.find(({ field }) => field === 'words.en.agency');
    expect([agency?.property, agency?.source.url]).toEqual(['P264', `${wiki.url}/wiki/Q1#P264`]);
  });
});

describe('dates', () => {
  test('are as precise as they are known', async () => {
    expect(await offered('birthDate', says(time('P569', '1999')))).toEqual(['1999']);
    expect(await offered('birthDate', says(time('P569', '1999-03')))).toEqual(['1999-03']);
    expect(await offered('birthDate', says(time('P569', '2000-02-29')))).toEqual(['2000-02-29']);
    // Wikidata keeps whatever day was typed beside the precision.
    expect(await offered('birthDate', says(time('P569', '1999-03-31', { precision: 9 })))).toEqual(['1999']);
    expect(await offered('birthDate', says(time('P569', '1999-03-31', { precision: 10 })))).toEqual([
      '1999-03',
    ]);
  });

  test('of which less is known than the year, or that do not exist, are none', async () => {
    for (const wrong of [
      time('P569', '1990', { precision: 8 }),
      time('P569', '1900', { precision: 7 }),
      time('P569', '1999-02-30'),
      time('P569', '1999-00-00', { precision: 11 }),
      time('P569', '1650-01-01'),
      time('P569', '1999-03-31', { calendar: 'Q1985786' }),
    ])
      expect(await offered('birthDate', says(wrong))).toEqual([]);
  });

  test('that are unknown, or that there are none of, are none, and hide what counts less', async () => {
    expect(await offered('birthDate', says(unknownValue('P569')))).toEqual([]);
    expect(
      await offered('birthDate', says(noValue('P569'), [], 'preferred'), says(time('P569', '1999'))),
    ).toEqual([]);
  });

  test('count by their rank: the preferred ones win, deprecated ones never do', async () => {
    const [normal, other] = [says(time('P569', '1998')), says(time('P569', '1997'))];
    const preferred = says(time('P569', '1999'), [], 'preferred');
    const deprecated = says(time('P569', '1996'), [], 'deprecated');
    expect(await offered('birthDate', normal, preferred, deprecated)).toEqual(['1999']);
    expect(await offered('birthDate', deprecated)).toEqual([]);
    expect(await offered('birthDate', normal, deprecated, other)).toEqual(['1998', '1997']);
  });

  test('of a debut are when the work began, and when the group was founded, once when they are the same', async () => {
    const claims = (founded: string) => ({
      P571: [says(time('P571', founded))],
      P2031: [says(time('P2031', '2018-06-08'))],
    });
    wiki.items.Q1 = { labels: { en: 'Padoban' }, claims: claims('2017') };
    wiki.items.Q2 = { labels: { en: 'Padoban' }, claims: claims('2018-06-08') };
    expect(valuesOf(await found('Q1'), 'debutDate')).toEqual(['2018-06-08', '2017']);
    expect(valuesOf(await found('Q2'), 'debutDate')).toEqual(['2018-06-08']);
  });
});

describe('members', () => {
  const member = (id: string, ...qualifiers: Record<string, unknown>[]) => says(link('P527', id), qualifiers);
  const periods = async (...statements: Record<string, unknown>[]) =>
    (await offered('members', ...statements)).map((value) => {
      const { names, since, until, isFormer } = Object(value);
      return [names.en, since, until, isFormer];
    });

  beforeEach(() => {
    for (const [id, name] of [
      ['Q11', 'Yunseul'],
      ['Q12', 'Neoul'],
      ['Q13', 'Haemu'],
      ['Q14', 'Daon'],
      ['Q15', 'Seori'],
    ] as const)
      wiki.items[id] = { labels: { en: name } };
  });

  test('are offered one by one with their names and periods', async () => {
    wiki.items.Q11 = { labels: { ko: '윤슬', en: 'Yunseul' } };
    expect(await offered('members', member('Q11', time('P580', '2018-06')))).toEqual([
      {
        star: null,
        names: { ko: '윤슬', en: 'Yunseul' },
        since: '2018-06',
        until: null,
        isFormer: false,
        source: {
          name: 'Wikidata',
          url: `${wiki.url}/wiki/Q1#P527`,
          readOn: new Date().toISOString().slice(0, 10),
        },
      },
    ]);
  });

  test('name their profile when they are stars here, and their own item in any case', async () => {
    const star = await makeStar();
    await connection()`insert into star_external_ids (source, external_id, star_id) values ('wikidata', 'Q11', ${star})`;
    expect(await offered('members', member('Q11'), member('Q12'))).toMatchObject([
      { star: 'wikidata:Q11', names: { en: 'Yunseul' } },
      { star: null, names: { en: 'Neoul' } },
    ]);
    expect((await found('Q1')).offers.flatMap(({ item }) => item ?? [])).toEqual(['Q11', 'Q12']);
    await connection()`delete from star_external_ids where external_id = 'Q11'`;
  });

  test('have left when their period has ended, known when or not', async () => {
    expect(
      await periods(
        member('Q11', time('P580', '2018'), time('P582', '2020-05-01')),
        member('Q12', unknownValue('P582')),
        member('Q13', time('P580', '2018'), noValue('P582')),
        member('Q14', time('P580', '2018'), time('P582', '2019'), time('P580', '2022')),
        member('Q15', time('P582', '2099-01-01')),
      ),
    ).toEqual([
      ['Yunseul', '2018', '2020-05-01', true],
      ['Neoul', null, null, true],
      ['Haemu', '2018', null, false],
      ['Daon', '2018', null, false],
      ['Seori', null, '2099-01-01', false],
    ]);
  });

  test('that left are kept beside those that are preferred for being current; others are not', async () => {
    expect(
      await periods(
        says(link('P527', 'Q11'), [], 'preferred'),
        member('Q12', time('P582', '2020')),
        member('Q13'),
        says(link('P527', 'Q14'), [time('P582', '2020')], 'deprecated'),
      ),
    ).toEqual([
      ['Yunseul', null, null, false],
      ['Neoul', null, '2020', true],
    ]);
  });

  test('without any name are left out', async () => {
    wiki.items.Q11 = { labels: { ja: '潤瑟' } };
    expect(await periods(member('Q11'), member('Q404'))).toEqual([]);
  });

  test('of many groups, and groups of many, are asked for fifty at a time', async () => {
    for (let n = 100; n < 220; n += 1) wiki.items[`Q${n}`] = { labels: { en: `Member ${n}` } };
    const many = Array.from({ length: 120 }, (_, n) => member(`Q${n + 100}`));
    expect(await offered('members', ...many)).toHaveLength(120);
    expect(wiki.asked.map(({ query }) => query.get('ids')?.split('|').length)).toEqual([1, 50, 50, 20]);
  });

  test('are offered to their groups too, when it is the person that is looked up', async () => {
    const group = await makeStar({ name: '파도반' });
    await connection()`insert into star_external_ids (source, external_id, star_id) values ('wikidata', 'Q70', ${group})`;
    wiki.items.Q70 = { labels: { ko: '파도반', en: 'Padoban' } };
    wiki.items.Q11 = {
      labels: { ko: '윤슬' },
      claims: { P463: [says(link('P463', 'Q70'), [time('P580', '2018'), time('P582', '2022')])] },
    };
    expect((await found('Q11')).offers.filter(({ field }) => field === 'members')).toMatchObject([
      {
        of: { star: 'wikidata:Q70', starId: group, name: 'Padoban' },
        item: 'Q11',
        value: { star: null, names: { ko: '윤슬' }, since: '2018', until: '2022', isFormer: true },
      },
    ]);
  });
});

describe('accounts', () => {
  const accounts = async (property: string, ...ids: string[]) =>
    (await offered('socialLinks', ...ids.map((id) => says(text(property, id))))).map((value) => {
      const { platform, profileUrl, displayName, platformUserId } = Object(value);
      return [platform, profileUrl, displayName, platformUserId ?? null].join(' ');
    });

  test('have the address and the name of their platform', async () => {
    const channel = 'UCabcdefghijklmnopqrstuv';
    const artist = '3Nrfpe0tUJi4K4DXYWgMUX';
    expect(await accounts('P2002', 'padoban_twt')).toEqual([
      'twitter https://x.com/padoban_twt @padoban_twt ',
    ]);
    expect(await accounts('P2003', '@padoban.official')).toEqual([
      'instagram https://www.instagram.com/padoban.official/ @padoban.official ',
    ]);
    expect(await accounts('P2397', channel)).toEqual([
      `youtube https://www.youtube.com/channel/${channel} Padoban ${channel}`,
    ]);
    expect(await accounts('P1902', artist)).toEqual([
      `spotify https://open.spotify.com/artist/${artist} Padoban ${artist}`,
    ]);
    expect(await accounts('P7085', 'padoban')).toEqual(['tiktok https://www.tiktok.com/@padoban @padoban ']);
    expect(await accounts('P2013', 'padoban.kr')).toEqual([
      'facebook https://www.facebook.com/padoban.kr @padoban.kr ',
    ]);
    expect(await accounts('P856', 'https://www.padoban.example/')).toEqual([
      'website https://www.padoban.example/ padoban.example ',
    ]);
  });

  test('whose id is none of the platform are left out', async () => {
    for (const id of ['../evil', 'a b', 'x?y=z', 'javascript:alert(1)', '', 'x'.repeat(99)])
      expect([id, await accounts('P2002', id), await accounts('P2003', id)]).toEqual([id, [], []]);
    for (const url of [
      'javascript:alert(1)',
      'https://me:secret@site.example/',
      'data:text/html,x',
      'padoban',
    ])
      expect([url, await accounts('P856', url)]).toEqual([url, []]);
  });

  test('that were given up are left out', async () => {
    expect(
      await offered(
        'socialLinks',
        says(text('P2002', 'before'), [time('P582', '2020')]),
        says(text('P2002', 'now'), [time('P580', '2020')]),
      ),
    ).toMatchObject([{ profileUrl: 'https://x.com/now', isOfficial: true }]);
  });
});

describe('a picture', () => {
  const free = {
    Artist: '<a href="//commons.wikimedia.org/wiki/User:Sori"><b>Sori</b> Kim</a><script>alert(1)</script>',
    License: 'cc-by-sa-4.0',
    LicenseShortName: 'CC BY-SA 4.0',
    LicenseUrl: 'https://creativecommons.org/licenses/by-sa/4.0',
  };
  const picture = async (extmetadata: Record<string, string>, info: Record<string, unknown> = {}) => {
    wiki.files['Padoban 2024.jpg'] = { extmetadata, info };
    wiki.items.Q1 = { labels: { en: 'Padoban' }, claims: { P18: [says(text('P18', 'Padoban 2024.jpg'))] } };
    const item = await found('Q1');
    return [valuesOf(item, 'avatar')[0], item.withheld[0]?.code];
  };

  test('is offered with its author and its licence, from Commons', async () => {
    expect(await picture(free)).toEqual([
      {
        file: 'Padoban 2024.jpg',
        url: 'https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Padoban%202024.jpg/1920px-Padoban%202024.jpg',
        page: `${wiki.url}/wiki/File:Padoban%202024.jpg`,
        author: 'Sori Kim',
        credit: 'Sori Kim',
        licence: 'CC BY-SA 4.0',
        licenceUrl: 'https://creativecommons.org/licenses/by-sa/4.0',
      },
      undefined,
    ]);
    expect(await picture({ ...free, Attribution: 'Photo: Sori Kim' })).toMatchObject([
      { author: 'Sori Kim', credit: 'Photo: Sori Kim' },
      undefined,
    ]);
  });

  test.each([
    ['cc0', 'CC0'],
    ['pd', 'Public domain'],
    ['cc-by-2.0', 'CC BY 2.0'],
    ['cc-by-sa-3.0-de', 'CC BY-SA 3.0 de'],
    ['kogl1', 'KOGL Type 1'],
  ])('under %s is free', async (License, LicenseShortName) => {
    expect(await picture({ Artist: 'Sori Kim', License, LicenseShortName })).toMatchObject([
      { licence: LicenseShortName },
      undefined,
    ]);
  });

  test.each([
    ['cc-by-nc-2.0', 'CC BY-NC 2.0'],
    ['cc-by-nd-4.0', 'CC BY-ND 4.0'],
    ['cc-by-nc-sa-4.0', 'CC BY-NC-SA 4.0'],
    ['fair use', 'Fair use'],
    ['kogl4', 'KOGL Type 4'],
    ['', ''],
  ])('under %p is not offered, and why is said', async (License, LicenseShortName) => {
    expect(await picture({ Artist: 'Sori Kim', License, LicenseShortName })).toEqual([undefined, 'not_free']);
  });

  test('that is marked as not free, has nobody to name, or no address is not offered', async () => {
    expect(await picture({ ...free, NonFree: 'true' })).toEqual([undefined, 'not_free']);
    expect(await picture({ ...free, Artist: '<script>x</script>' })).toEqual([undefined, 'no_credit']);
    expect(await picture(free, { url: 'file:///etc/passwd', thumburl: 'javascript:alert(1)' })).toEqual([
      undefined,
      'missing',
    ]);
  });

  test('that Commons does not have, or cannot say, leaves the rest as it is', async () => {
    wiki.items.Q1 = { labels: { en: 'Padoban' }, claims: { P18: [says(text('P18', 'Gone.jpg'))] } };
    expect((await found('Q1')).withheld).toEqual([
      { field: 'avatar', property: 'P18', code: 'missing', error: 'Commons has no picture of this name.' },
    ]);
    setConfig({ ...config(), commonsBaseUrl: 'http://127.0.0.1:9' });
    const { offers, withheld } = await found('Q1');
    expect(valuesOf({ offers }, 'words.en.name')).toEqual(['Padoban']);
    expect(withheld[0]?.code).toBe('unavailable');
  });
});

describe('an item', () => {
  test('that was merged is read where it is now', async () => {
    wiki.items.Q7 = { labels: { en: 'Padoban' } };
    wiki.merged.Q6 = 'Q7';
    expect(await found('Q6')).toMatchObject({ id: 'Q7', redirectedFrom: 'Q6', url: `${wiki.url}/wiki/Q7` });
    expect(await found('q7')).toMatchObject({ id: 'Q7', redirectedFrom: null });
    expect((await answerOf(search('Q6'))).matches).toMatchObject([{ id: 'Q7' }]);
  });

  test('is named where a member was merged', async () => {
    wiki.items.Q12 = { labels: { en: 'Neoul' } };
    wiki.merged.Q11 = 'Q12';
    expect(await offered('members', says(link('P527', 'Q11')))).toMatchObject([{ names: { en: 'Neoul' } }]);
  });

  test.each(['Q404', 'P569', 'Q0', 'Q', 'Q99999999999', '7', 'Q7|Q8'])(
    'that is none, as %p, is a 404',
    async (id) => {
      expect((await look(id)).status).toBe(404);
    },
  );

  test('changes nothing here by being looked up', async () => {
    wiki.items.Q7 = { labels: { en: 'Padoban' } };
    const rows =
      () => connection()`select (select count(*) from stars) as stars, (select count(*) from star_offers) as offers,
      (select count(*) from star_external_ids) as ids, (select count(*) from audit_log) as log`;
    const before = await rows();
    await found('Q7');
    expect(await rows()).toEqual(before);
  });
});

describe('Wikidata is asked politely', () => {
  beforeEach(() => {
    wiki.items.Q7 = { labels: { en: 'Padoban' } };
  });
  const refusal = async (answer: Promise<ApiResponse<unknown>>) => {
    const { status, error, headers: answerHeaders } = await answer;
    return [status, error?.code, Number(answerHeaders.get('retry-after'))];
  };

  test('by who says how to be reached, and with maxlag', async () => {
    await found('Q7');
    const { siteUrl, mailFrom } = config();
    expect(wiki.asked[0]?.agent).toMatch(/^\w+Bot\/1\.0 \(/);
    expect(wiki.asked[0]?.agent).toContain(`${siteUrl}/en/about; ${mailFrom}`);
    expect(wiki.asked[0]?.query.get('maxlag')).toBe('5');
  });

  test('one request at a time, however many editors look up', async () => {
    wiki.delay = 20;
    const answers = await Promise.all(Array.from({ length: 12 }, () => look('Q7')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([wiki.asked.length, wiki.mostAtOnce]).toEqual([12, 1]);
  });

  test('and by no more than wait in front of a form', async () => {
    // The first is answered once all have come, however long they take.
    const { promise: haveCome, resolve: answerThem } = Promise.withResolvers<void>();
    wiki.instead = [({ url }) => haveCome.then(() => fetch(url))];
    const refused: string[] = [];
    const asking = Array.from({ length: 30 }, async () => {
      const { error } = await look('Q7');
      if (error) refused.push(error.code);
    });
    await until(() => refused.length >= 10);
    answerThem();
    await Promise.all(asking);
    expect([refused.length, new Set(refused)]).toEqual([10, new Set(['busy'])]);
  });

  test.each([
    ['429', () => throttled(1)],
    ['maxlag', () => lagged(1)],
    ['503', () => new Response('', { status: 503, headers: { 'retry-after': '1' } })],
  ])('a pause that it asks for by %s is given once, then it answers', async (_, pause) => {
    wiki.instead = [pause];
    expect((await found('Q7')).id).toBe('Q7');
    const [first, second] = wiki.asked;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
  });

  test('and is told when it asks for another', async () => {
    wiki.instead = [() => throttled(1), () => throttled(30)];
    expect(await refusal(look('Q7'))).toEqual([503, 'throttled', 30]);
    expect(wiki.asked).toHaveLength(2);
  });

  test('a pause longer than anybody waits is told at once, and is given to everybody', async () => {
    wiki.instead = [() => throttled(3_600)];
    const { status, error, headers: answerHeaders } = await look('Q7');
    expect([status, error?.error]).toEqual([503, 'Wikidata asks for a pause of 3600 s. Try again then.']);
    expect(answerHeaders.get('retry-after')).toBe('3600');
    expect((await refusal(look('Q7')))[1]).toBe('throttled');
    expect((await refusal(search('padoban')))[1]).toBe('throttled');
    expect(wiki.asked).toHaveLength(1);
  });

  test('waits the longer the more often nothing is said of how long', async () => {
    wiki.instead = [() => throttled(), () => throttled()];
    expect(await refusal(look('Q7'))).toEqual([503, 'throttled', 10]);
  }, 300_000);
});

describe('a hostile answer', () => {
  const json = (body: unknown) => () => Response.json(body);
  const raw = (body: string) => () => new Response(body, { headers: { 'content-type': 'application/json' } });

  test.each([
    ['is no JSON', raw('<!doctype html><title>Proxy</title>'), 'unreadable'],
    ['is cut off', raw('{"entities":{"Q7":'), 'unreadable'],
    ['is a number', raw('7'), 'unreadable'],
    [
      'is an error',
      json({ error: { code: 'internal_api_error', info: '/srv/x.php: secret' } }),
      'unreadable',
    ],
    ['is huge', raw(`{"pad":"${'x'.repeat(9 * 1024 * 1024)}"}`), 'unreadable'],
    ['has another status', () => new Response('{}', { status: 500 }), 'unreachable'],
  ])('that %s is said in words, without what it said', async (_, answer, code) => {
    wiki.instead = [answer];
    const { status, error } = await look('Q7');
    expect([status, error?.code]).toEqual([503, code]);
    expect(error?.error).toMatch(/^[A-Z][\w ]+ .*\.$/);
    expect(error?.error).not.toMatch(/srv|doctype/);
  });

  test('of wrong types offers nothing', async () => {
    for (const entity of [
      { labels: 'x', aliases: 7, claims: [], descriptions: null },
      {
        labels: { en: 'x', ko: { value: { a: 1 } } },
        aliases: { en: [null, { value: 3 }] },
        claims: { P569: 'x' },
      },
      {
        claims: {
          P569: [null, 3, { mainsnak: null, rank: 'normal' }, { rank: 'normal' }],
          P18: [{}],
          P527: {},
        },
      },
      {
        claims: {
          P569: [
            says({ snaktype: 'value', datavalue: { type: 'time', value: { time: [], precision: '11' } } }),
          ],
        },
      },
      {
        claims: {
          P527: [
            says({ snaktype: 'value', datavalue: { type: 'wikibase-entityid', value: { id: 'Q1|Q2' } } }),
          ],
        },
      },
      {
        claims: {
          P2002: [says({ snaktype: 'value', datavalue: { type: 'string', value: { toString: 'x' } } })],
        },
      },
    ]) {
      wiki.instead = [json({ entities: { Q7: { ...entity, id: 'Q7', type: 'item' } } })];
      expect((await found('Q7')).offers.map(({ field }) => field)).toEqual(['externalIds.wikidata']);
    }
    for (const body of [[], {}, { entities: [] }, { entities: null }, { entities: { Q7: null } }]) {
      wiki.instead = [json(body)];
      expect((await look('Q7')).status).toBe(404);
    }
    wiki.instead = [json({ search: 'all' })];
    expect((await answerOf(search('x'))).matches).toEqual([]);
    wiki.instead = [
      json({ search: [null, { id: 'P1' }, { id: 7 }, { id: 'Q7', label: [], description: {} }] }),
    ];
    expect((await answerOf(search('x'))).matches).toMatchObject([
      { id: 'Q7', label: 'Q7', description: null },
    ]);
  });

  test('that would change what every object has changes nothing', async () => {
    wiki.instead = [
      raw(
        '{"entities":{"__proto__":{"id":"Q7","labels":{"en":{"value":"polluted"}}},"Q7":{"id":"Q7","__proto__":{"labels":{"en":{"value":"polluted"}}}}}}',
      ),
    ];
    expect((await found('Q7')).label).toBe('Q7');
    expect(Reflect.get({}, 'labels')).toBeUndefined();
  });

  test('that never ends is given up', async () => {
    wiki.instead = [() => new Promise<Response>(() => {})];
    const begin = performance.now();
    await expect(readItem('Q7', 'en', 300)).rejects.toMatchObject({ status: 503, code: 'unreachable' });
    // Without a time of its own it would be ten seconds.
    expect(performance.now() - begin).toBeLessThan(9_000);
  });

  test('that leads inside is not followed', async () => {
    const inside = startWikimedia();
    wiki.instead = [
      () => Response.redirect(`${inside.url}/w/api.php?format=json`),
      () => Response.redirect('http://[::1]:5432/'),
    ];
    for (let n = 0; n < 2; n += 1) {
      const { status, error } = await look('Q7');
      expect([status, error?.code]).toEqual([503, 'unreachable']);
    }
    expect(inside.asked).toEqual([]);
    await inside.stop();
  });

  test('cannot come from an address that FETCH_ALLOW does not name', async () => {
    setConfig({ ...config(), fetchAllow: [] });
    expect((await look('Q7')).error).toMatchObject({
      code: 'unreachable',
      error: 'Wikidata cannot be reached: The host 127.0.0.1 is not public.',
    });
    expect(wiki.asked).toEqual([]);
  });
});
