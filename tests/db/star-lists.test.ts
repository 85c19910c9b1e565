import { beforeAll, describe, expect, test } from 'bun:test';
import { readQuery } from '#api/search/query.ts';
import { readStarSearch } from '#api/stars/search.ts';
import type { Lang } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { listStarsForEditors } from '#db/queries/admin/stars.ts';
import { channelSorts, listChannels } from '#db/queries/community/channel-list.ts';
import { findStarsByName } from '#db/queries/directory/choose.ts';
import { findStars } from '#db/queries/search/stars.ts';
import { findSuggestions } from '#db/queries/search/suggestions.ts';
import { listStars } from '#db/queries/stars/list.ts';
import { fillDirectory } from '#tests/bench/stars/directory.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeStar } from '#tests/kit/make.ts';
import { plansOf } from '#tests/kit/plans.ts';

useDatabase();

const count = 3000;
beforeAll(() => fillDirectory(count), 300_000);

const language = 'en';
const page = { language, limit: 20, offset: 0 } as const;

function wordsOf(text: string) {
  const query = readQuery(text);
  if ('problem' in query) throw new Error(`${text}: ${query.problem}`);
  return query;
}

const wordsOfSearch = (text: string) => ({ text, words: wordsOf(text).words });

/** Common and rare, of one letter and of many, in every script, as initials, with other spaces, and what nobody is called. */
const texts = [
  '민지',
  '민',
  '이',
  'a',
  'ki',
  'min',
  'kim',
  'Kim Minji',
  'ㄱㅁ',
  'ㄱ',
  'ㅎㅎㅎ',
  'qz',
  '드림문',
  'DREAMMOON',
  '파',
  'zzz',
];

/** The same by looking at every star: what is found, and how well it fits. */
async function lookAtAll(text: string) {
  const { words } = wordsOf(text);
  const spellings = words.map((word) => word.spellings.map((each) => each.toLowerCase()));
  const initials = words.length === 1 ? (words[0]?.initials ?? null) : null;
  const joined = text.replaceAll(' ', '');
  return connection()<{ id: number; rank: number }[]>`
    select s.id, case
        when lower(${text}) in (select lower(t.name) from star_translations t where t.star_id = s.id) then 0
        when strpos(' ' || search_key || ' ', ' ' || byeol_fold(${text}) || ' ') > 0 then 1
        when strpos(' ' || search_key, ' ' || byeol_fold(${text})) > 0 then 2 else 3 end as rank
    from stars s
    where hidden_at is null and (
      (select bool_and((select bool_or(strpos(search_key, byeol_fold(spelling)) > 0) from json_array_elements_text(word) spelling))
        from json_array_elements(${JSON.stringify(spellings)}::text::json) word)
      or (length(${joined}::text) > 3 and strpos(replace(search_key, ' ', ''), byeol_fold(${joined})) > 0)
      or strpos(initials, ${initials}::text) > 0)
    order by rank, article_count desc, s.id`;
}

describe('found by an index as by looking at every star,', () => {
  for (const text of texts) {
    test(`${text}: the same stars in the same order`, async () => {
      const all = (await lookAtAll(text)).map(({ id }) => id);
      const { words } = wordsOf(text);
      const { stars } = await findStars(language, text, words);
      const whole = stars.filter(({ missing }) => missing.length === 0).map(({ id }) => id);
      expect(whole).toEqual(all.slice(0, 101));
      if (words[0]?.initials === undefined) {
        const suggested = await findSuggestions(language, text, words, 8);
        expect(suggested.map(({ id }) => id)).toEqual(all.slice(0, 8));
      }
      const channels = await Promise.all(
        channelSorts.map((sort) => listChannels({ ...page, sort, search: { text, words } })),
      );
      expect(channels.map(({ total }) => total)).toEqual(channelSorts.map(() => all.length));
    });
  }

  test('a page of My Stars, of a search and of editors, however deep, those called so first, and how many there are', async () => {
    for (const text of ['민지', 'a', '이', 'ㄱ', 'ㄱㅁ', 'qz']) {
      const search = readStarSearch(text);
      const pattern = search.initials ?? text;
      const column = search.initials === undefined ? 'search_key' : 'initials';
      const all = await connection().unsafe<{ id: number; isHidden: boolean }[]>(
        `select id, hidden_at is not null as "isHidden" from stars
         where strpos(${column}, ${search.initials === undefined ? 'byeol_fold($1)' : '$1'}) > 0
         order by exists (select from star_translations where star_id = id and lower(name) = lower($2)) desc, article_count desc, id`,
        [pattern, text],
      );
      const shown = all.filter(({ isHidden }) => !isHidden).map(({ id }) => id);
      for (const offset of [0, 40, 400]) {
        const found = await listStars({ ...page, offset, ...search });
        expect([text, offset, found.total, found.stars.map(({ id }) => id)]).toEqual([
          text,
          offset,
          shown.length,
          shown.slice(offset, offset + 20),
        ]);
      }
      const listed = await listStarsForEditors({ ...page, ...search });
      expect(listed.total).toBe(all.length);
      expect(listed.stars.map(({ id }) => id)).toEqual(all.slice(0, 20).map(({ id }) => id));
    }
  });

  test('a star is found by the name that it has now', async () => {
    const id = await makeStar({ name: '옛이름' });
    const find = async (text: string) =>
      (await listStars({ ...page, ...readStarSearch(text) })).stars.map((star) => star.id);
    expect(await find('옛이')).toEqual([id]);
    await connection()`update stars set name = '새벽녘', search_text = '새벽녘', initials = 'ㅅㅂㄴ' where id = ${id}`;
    expect(await find('옛이')).toEqual([]);
    expect([await find('벽녘'), await find('ㅅㅂㄴ')]).toEqual([[id], [id]]);
    await connection()`delete from stars where id = ${id}`;
  });
});

describe('of a directory of thousands', () => {
  /** Rows that a list reads besides those that are only counted; `most` of them are enough for what it shows. */
  const lists: Record<string, { ask: () => Promise<unknown>; most: number; counted?: number }> = {
    'My Stars': { ask: () => listStars(page), most: 400, counted: count },
    'My Stars, a name': { ask: () => listStars({ ...page, ...readStarSearch('민지') }), most: 800 },
    'My Stars, initials': { ask: () => listStars({ ...page, ...readStarSearch('ㅎㅎ') }), most: 800 },
    'My Stars, a letter that few have': {
      ask: () => listStars({ ...page, ...readStarSearch('q') }),
      most: 800,
    },
    'suggestions, a name': {
      ask: () => findSuggestions(language, '민지', wordsOf('민지').words, 8),
      most: 900,
    },
    'suggestions, initials': {
      ask: () => findSuggestions(language, 'ㄱㅁ', wordsOf('ㄱㅁ').words, 8),
      most: 900,
    },
    'suggestions, a letter that many have': {
      ask: () => findSuggestions(language, 'a', wordsOf('a').words, 8),
      most: 1400,
    },
    'a search, a name': { ask: () => findStars(language, '민지', wordsOf('민지').words), most: 1500 },
    'a search, what nobody is called': {
      ask: () => findStars(language, 'qzqz', wordsOf('qzqz').words),
      most: 800,
    },
    'channels by members': {
      ask: () => listChannels({ ...page, sort: 'popular' }),
      most: 400,
      counted: count,
    },
    'channels by activity': {
      ask: () => listChannels({ ...page, sort: 'latest' }),
      most: 400,
      counted: count,
    },
    'channels by name': { ask: () => listChannels({ ...page, sort: 'name' }), most: 500, counted: 3 * count },
    'editors’ stars': { ask: () => listStarsForEditors(page), most: 400, counted: count },
    'editors’ stars, hidden': { ask: () => listStarsForEditors({ ...page, hidden: true }), most: 600 },
    'a star to choose': {
      ask: () => findStarsByName('민지', readStarSearch('민지'), language, 20),
      most: 900,
    },
  };
  for (const [name, { ask, most, counted = 0 }] of Object.entries(lists)) {
    test(`${name}: reads about as many rows as it shows`, async () => {
      const plans = await plansOf(ask);
      expect(plans).toHaveLength(1);
      expect(plans.every(({ isPrepared }) => isPrepared)).toBe(true);
      expect(plans[0]?.rowsRead).toBeLessThan(most + counted);
    });
  }
});

describe('channels by name stand in the order of the names that are shown,', () => {
  /** How many rows are read for a page, in parts of all stars: most are numbers of names, from indexes alone. */
  async function holdsOrder(lang: Lang, most: number): Promise<void> {
    const rows = await connection()<{ id: number }[]>`
      select s.id from stars s join channels c on c.star_id = s.id
      left join star_translations own on own.star_id = s.id and own.language = ${lang}
      left join star_translations english on english.star_id = s.id and english.language = 'en'
      where s.hidden_at is null order by byeol_fold(coalesce(own.name, english.name, s.name)), c.id`;
    const ids = rows.map(({ id }) => id);
    for (const offset of [0, 1000, ids.length - 10]) {
      const { channels, total } = await listChannels({ ...page, language: lang, sort: 'name', offset });
      expect([lang, offset, total, channels.map(({ star }) => star.id)]).toEqual([
        lang,
        offset,
        ids.length,
        ids.slice(offset, offset + 20),
      ]);
    }
    const found = await listChannels({ ...page, language: lang, sort: 'name', search: wordsOfSearch('a') });
    const names = JSON.stringify(found.channels.map(({ star }) => star.name));
    const [keys] = await connection()<{ shown: string[]; sorted: string[] }[]>`
      select array_agg(byeol_fold(name) order by place) as shown, array_agg(byeol_fold(name) order by byeol_fold(name)) as sorted
      from json_array_elements_text(${names}::text::json) with ordinality as each(name, place)`;
    expect([keys?.shown.length, keys?.shown]).toEqual([20, keys?.sorted]);
    const [plan] = await plansOf(() => listChannels({ ...page, language: lang, sort: 'name' }));
    expect(plan?.rowsRead).toBeLessThan(most * count);
  }

  test('where all, most or few have one in the language: then by the English, and by the raw one where there is neither', async () => {
    const sql = connection();
    await sql`delete from star_translations where language = 'ms' and star_id % 20 = 0`;
    await sql`delete from star_translations where language = 'vi' and star_id % 3 > 0`;
    await sql`analyze star_translations`;
    await holdsOrder('en', 4);
    await holdsOrder('ms', 6);
    await holdsOrder('vi', 5);
    await sql`delete from star_translations where language = 'en' and star_id % 30 < 2`;
    await sql`analyze star_translations`;
    await holdsOrder('en', 7);
    await holdsOrder('ms', 12);
    await holdsOrder('vi', 12);
    await sql`delete from star_translations where language = 'en' and star_id % 5 > 0`;
    await sql`analyze star_translations`;
    await holdsOrder('en', 7);
    await holdsOrder('ms', 12);
    await holdsOrder('vi', 12);
    await sql`delete from star_translations where language in ('ms', 'vi')`;
    await sql`analyze star_translations`;
    await holdsOrder('ms', 12);
  }, 300_000);
});
