import { describe, expect, test } from 'bun:test';
import { planAnniversaries } from '#api/directory/anniversaries.ts';
import { calendarOfEvent } from '#api/events/calendars.ts';
import { readNames } from '#api/newsroom/name-readings.ts';
import { loadNames } from '#api/newsroom/names.ts';
import { readStarProfile } from '#api/stars/stars.ts';
import { type Lang, languages } from '#content/locales.ts';
import { connection, database } from '#db/client.ts';
import type { StarCategory } from '#db/schema/stars.ts';
import { starData } from '#site/lib/pages/structured-data.ts';
import { answerOf, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';

useDatabase();

/** Every name that readers of a language meet of a star, by where it stands. */
async function namesShown(id: number, language: Lang) {
  const query = { language };
  const params = { id };
  const profile = await answerOf(typedCall('get', '/api/stars/:id/profile', { params, query }));
  const list = await answerOf(typedCall('get', '/api/stars', { query: { ...query, starIds: `[${id}]` } }));
  const [entry] = await connection()<{ text: string }[]>`select name as text from stars where id = ${id}`;
  const q = entry?.text ?? '';
  const { suggestions } = await answerOf(
    typedCall('get', '/api/search/suggestions', { query: { ...query, q } }),
  );
  const found = await answerOf(typedCall('get', '/api/search', { query: { ...query, q } }));
  const { channels } = await answerOf(typedCall('get', '/api/community/channels', { query }));
  const page = await readStarProfile(id, language);
  const data: { name?: string } = page ? starData(language, page) : {};
  const book = await loadNames();
  return {
    profile: profile.name,
    list: list[0]?.name,
    suggestion: suggestions.find((star) => star.id === id)?.name,
    search: found.stars.find((star) => star.id === id)?.name,
    channel: channels.find(({ star }) => star.id === id)?.star.name,
    structuredData: data.name,
    rewrite: book.entries.find(({ starId }) => starId === id)?.names[language],
  };
}

const everywhere = (name: string) => ({
  profile: name,
  list: name,
  suggestion: name,
  search: name,
  channel: name,
  structuredData: name,
  rewrite: name,
});

async function makeStarWithChannel(name: string, names: Record<string, string>): Promise<number> {
  const id = await makeStar({ name, names });
  await connection()`insert into channels (star_id) values (${id})`;
  return id;
}

describe('a star without a name in the reader’s language', () => {
  test('is called by its English name everywhere, and by its Korean one only without that', async () => {
    const both = await makeStarWithChannel('소나기', { ko: '소나기', en: 'Sonagi' });
    const koreanAlone = await makeStarWithChannel('이슬비', { ko: '이슬비' });
    const own = await makeStarWithChannel('진눈깨비', { ko: '진눈깨비', en: 'Jinnun', vi: 'Mưa Tuyết' });
    expect(await namesShown(both, 'ko')).toEqual(everywhere('소나기'));
    expect(await namesShown(own, 'vi')).toEqual(everywhere('Mưa Tuyết'));
    for (const language of ['en', 'ms', 'vi'] as const) {
      expect([language, await namesShown(both, language)]).toEqual([language, everywhere('Sonagi')]);
      expect([language, await namesShown(koreanAlone, language)]).toEqual([language, everywhere('이슬비')]);
    }
  });

  test('is called so with its events, in calendar files, as a member and as a group', async () => {
    const id = await makeStarWithChannel('여우비', { ko: '여우비', en: 'Yeowoobi' });
    const group = await makeStarWithChannel('비구름', { ko: '비구름', en: 'Rain Cloud' });
    const sql = connection();
    await sql`insert into star_members (group_id, position, member_id, names) values
      (${group}, 0, ${id}, ${JSON.stringify({ ko: '여우비', en: 'Yeowoobi' })}),
      (${group}, 1, null, ${JSON.stringify({ ko: '는개', en: 'Neun-gae' })})`;
    await sql`update stars set search_text = search_text || ' 는개' where id = ${group}`;
    const event = await makeEvent({ star: id, titles: { en: 'Show' } });
    const shown = await answerOf(
      typedCall('get', '/api/events/:id', { params: { id: event }, query: { language: 'vi' } }),
    );
    expect([shown.primaryStar?.name, ...shown.eventStars.map(({ star }) => star.name)]).toEqual([
      'Yeowoobi',
      'Yeowoobi',
    ]);
    expect(await calendarOfEvent('ms', event)).toContain('Yeowoobi');
    const profileOf = (star: number) =>
      answerOf(
        typedCall('get', '/api/stars/:id/profile', { params: { id: star }, query: { language: 'ms' } }),
      );
    expect((await profileOf(group)).members.map(({ name }) => name)).toEqual(['Yeowoobi', 'Neun-gae']);
    expect((await profileOf(id)).groups.map(({ name }) => name)).toEqual(['Rain Cloud']);
    const { suggestions } = await answerOf(
      typedCall('get', '/api/search/suggestions', { query: { q: '는개', language: 'vi' } }),
    );
    expect(suggestions.map(({ name, member }) => [name, member])).toEqual([['Rain Cloud', 'Neun-gae']]);
  });

  test('has birthdays under the same name', async () => {
    const id = await makeStar({ name: '보슬비', names: { ko: '보슬비', en: 'Boseulbi' } });
    await connection()`insert into star_profiles (star_id, birth_date) values (${id}, '2000-12-24')`;
    await database().transaction((tx) => planAnniversaries(tx, [id], new Date('2026-11-23T00:00:00Z')));
    const titles = await connection()<{ language: Lang; title: string }[]>`
      select language, title from event_translations join events on id = event_id
      where anniversary_of = ${id} and anniversary_year = 2026`;
    expect(Object.fromEntries(titles.map((row) => [row.language, row.title.includes('Boseulbi')]))).toEqual(
      Object.fromEntries(languages.map((language) => [language, language !== 'ko'])),
    );
  });

  test('is told apart from others that are shown under the same name', async () => {
    const korean = await makeStar({ name: '가랑비', names: { ko: '가랑비', en: 'Drizzle' } });
    const other = await makeStar({ name: '안개비', names: { ko: '안개비', en: 'Drizzle' } });
    await connection()`insert into star_profiles (star_id, birth_date) values (${korean}, '2001'), (${other}, '2002')`;
    const { json } = await call(`/api/stars?language=ms&starIds=[${korean},${other}]`);
    expect(json).toMatchObject([
      { name: 'Drizzle', distinction: '2001' },
      { name: 'Drizzle', distinction: '2002' },
    ]);
  });
});

describe('a star that is called like somebody of the fixed table', () => {
  const entryOf = async (id: number) => (await loadNames()).entries.find(({ starId }) => starId === id);
  const famous = async (korean: string) =>
    (await loadNames()).entries.filter(({ starId, names }) => starId === undefined && names.ko === korean);
  const makeKnown = async (
    names: { ko: string; en?: string },
    {
      born,
      realName,
      category = 'Idol' as const,
    }: { born?: string; realName?: string; category?: StarCategory } = {},
  ) => {
    const id = await makeStar({ name: names.ko, names, category });
    const sql = connection();
    if (born) await sql`insert into star_profiles (star_id, birth_date) values (${id}, ${born})`;
    if (realName)
      await sql`update star_translations set real_name = ${realName} where star_id = ${id} and language = 'ko'`;
    return id;
  };

  test('is somebody else where kind, year of birth or real name say so: it gets no name, and the famous one stays', async () => {
    const others = [
      await makeKnown({ ko: '아이유', en: 'IU' }, { born: '2004-05' }),
      await makeKnown({ ko: '아이유', en: 'IU' }, { realName: '박아람' }),
      await makeKnown({ ko: '아이유', en: 'IU' }, { category: 'K-Pop Group' }),
    ];
    for (const id of others) {
      const entry = await entryOf(id);
      expect([...(entry?.forms ?? [])]).toEqual(['아이유', 'IU']);
    }
    expect((await famous('아이유')).map(({ forms }) => forms.has('이지은'))).toEqual([true]);
  });

  test('is it where more than the name says so, and is called there as the table has it', async () => {
    const born = await makeKnown({ ko: '최예나', en: 'Choi Yena' }, { born: '1999-09-29' });
    expect((await entryOf(born))?.names).toMatchObject({ en: 'Choi Yena', ms: 'YENA', vi: 'YENA' });
    const real = await makeKnown({ ko: '지드래곤', en: 'G-Dragon' }, { realName: '권지용' });
    expect((await entryOf(real))?.forms.has('GD')).toBe(true);
    expect([await famous('최예나'), await famous('지드래곤')]).toEqual([[], []]);
  });

  test('that may be it keeps its own name, and gets spellings of that alone', async () => {
    const id = await makeKnown({ ko: '마동석', en: 'Ma Dongseok' });
    const entry = await entryOf(id);
    expect(entry?.names).toMatchObject({ ms: 'Ma Dongseok', vi: 'Ma Dongseok' });
    expect([entry?.forms.has('Ma Dong-seok'), entry?.forms.has('Don Lee')]).toEqual([true, false]);
    const koreanAlone = await makeKnown({ ko: '이효리' });
    expect((await entryOf(koreanAlone))?.names).toMatchObject({ en: 'Lee Hyori', vi: 'Lee Hyori' });
  });

  test('under another of its names is a group all the same, and a person where nothing but that name is known', async () => {
    const group = 'K-Pop Group' as const;
    const about = async (title: string, text: string) =>
      readNames(await loadNames(), title, text).names.map(({ entry: { starId } }) => starId);
    const idle = await makeKnown({ ko: '(여자)아이들', en: '(G)I-DLE' }, { category: group });
    const akmu = await makeKnown({ ko: 'AKMU', en: 'AKMU' }, { category: group });
    const fx = await makeKnown({ ko: 'f(x)', en: 'f(x)' }, { category: group });
    expect([await famous('아이들'), await famous('악뮤'), await famous('에프엑스')]).toEqual([[], [], []]);
    expect([
      await about('그룹 (여자)아이들이 새 앨범을 낸다', ''),
      await about('AKMU(악뮤)가 무대에 선다', '악동뮤지션은 인사했다.'),
      await about('f(x)의 새 노래', '에프엑스가 왔다.'),
    ]).toEqual([[idle], [akmu], [fx]]);
    await makeKnown({ ko: 'KIM BUM SOO', en: 'Kim Bum-Soo' });
    expect(await famous('김범수')).toEqual([]);
    // A real name of the famous one, a Korean name besides, another kind.
    await makeKnown({ ko: '이채린', en: 'Lee Chaerin' });
    await makeKnown({ ko: '산다린', en: 'Sandara Park' });
    await makeKnown({ ko: '클레이지', en: 'NELL' });
    const stay = await Promise.all(['씨엘', '산다라박', '넬'].map(famous));
    expect(stay.map((entries) => entries.length)).toEqual([1, 1, 1]);
  });
});
