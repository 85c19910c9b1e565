import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { cardPart } from '#api/articles/articles.ts';
import { searchTextJob } from '#api/directory/search-text-job.ts';
import { StarProfile } from '#api/stars/model.ts';
import { readStarSearch } from '#api/stars/search.ts';
import { readStarArticles, readStarProfile } from '#api/stars/stars.ts';
import { connection } from '#db/client.ts';
import { listStarsForEditors } from '#db/queries/admin/stars.ts';
import { answerOf, bearer, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeFan, makePicture, makeStar, makeUpload } from '#tests/kit/make.ts';
import { countBefore, untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase();

async function namesFound(search: string, more = ''): Promise<string[]> {
  const { json } = await call(`/api/stars?search=${encodeURIComponent(search)}&limit=100${more}`);
  return Array.isArray(json) ? json.map((star: { name: string }) => star.name).sort() : [];
}

describe('the list of stars', () => {
  test('is a bare array with most written about first, counted only when asked', async () => {
    const quiet = await makeStar({ name: '조용' });
    const loud = await makeStar({ name: '시끌' });
    await makeArticle({ stars: [loud] });
    const all = await answerOf(typedCall('get', '/api/stars', { query: { limit: 100 } }));
    const ids = all.map(({ id }) => id);
    expect(ids.indexOf(loud)).toBeLessThan(ids.indexOf(quiet));
    expect(all.every((star) => !('articleCount' in star))).toBe(true);
    const stars = await answerOf(typedCall('get', '/api/stars', { query: { withCount: 'true' } }));
    expect(stars.find(({ id }) => id === loud)).toMatchObject({ articleCount: 1 });
  });

  test('comes in pages with the total in a header', async () => {
    for (let n = 0; n < 5; n++) await makeStar({ category: 'Actress' });
    const first = await call('/api/stars?category=Actress&limit=2');
    const third = await call('/api/stars?category=Actress&limit=2&page=3');
    const beyond = await call('/api/stars?category=Actress&limit=2&page=9');
    expect(first.headers.get('x-total-count')).toBe('5');
    expect(
      [first.json, third.json, beyond.json].map((page) => (Array.isArray(page) ? page.length : -1)),
    ).toEqual([2, 1, 0]);
    expect(beyond.headers.get('x-total-count')).toBe('5');
    expect((await call('/api/stars?category=actress')).json).toMatchObject({ field: 'category' });
  });

  test('names stars in the language asked for, else in English', async () => {
    const id = await makeStar({ name: '달그림', names: { en: 'DALGRIM' } });
    const nameIn = async (language: 'en' | 'vi') =>
      (await answerOf(typedCall('get', '/api/stars', { query: { language, limit: 100 } }))).find(
        (star) => star.id === id,
      )?.name;
    expect([await nameIn('en'), await nameIn('vi')]).toEqual(['DALGRIM', 'DALGRIM']);
  });
});

describe('searching for a star', () => {
  test('finds names in every language, aliases, unfinished Hangul and initial consonants', async () => {
    await makeStar({
      name: '파도반',
      initials: 'ㅍㄷㅂ',
      names: { ko: '파도반', en: 'PADOBAN', vi: 'Sóng Biển' },
      aliases: ['Pado Ban'],
    });
    for (const search of [
      '파도반',
      '도반',
      'padoban',
      'PADO',
      'pado ban',
      'song bien',
      'Sóng',
      '파',
      '팓',
      '파도',
      '파돕',
      '파도바',
      '파도ㅂ',
      'ㅍㄷㅂ',
      'ㄷㅂ',
      'ㅍ ㄷ',
    ]) {
      expect([search, await namesFound(search)]).toEqual([search, ['파도반']]);
    }
    for (const search of ['파두', 'ㅂㄷㅍ', 'padoz']) expect(await namesFound(search)).toEqual([]);
  });

  test('finds several words in whichever order, the last of them unfinished', async () => {
    await makeStar({ name: '장원별', names: { ko: '장원별', en: 'Jang Wonbyeol' } });
    await makeStar({ name: '장한별', names: { ko: '장한별', en: 'Jang Hanbyeol' } });
    for (const search of ['Wonbyeol Jang', 'jang wonby', 'wonbyeol - jang', '원별 jang', 'jang 장원벼'])
      expect([search, await namesFound(search)]).toEqual([search, ['장원별']]);
    expect(await namesFound('jang jang')).toEqual(['장원별', '장한별']);
    expect(await namesFound('wonbyeol hanbyeol')).toEqual([]);
  });

  test('finds initial consonants that the keyboard made one of', async () => {
    await makeStar({ name: '별솔지', initials: 'ㅂㅅㅈ' });
    for (const search of ['ㅄㅈ', 'ㅄ', 'ㅂㅅㅈ']) {
      expect([search, await namesFound(search)]).toEqual([search, ['별솔지']]);
      for (const [path, list] of [
        ['search/suggestions?q', 'suggestions'],
        ['search?type=stars&q', 'stars'],
      ] as const) {
        const { json } = await call(`/api/${path}=${encodeURIComponent(search)}`);
        expect([search, list, Reflect.get(Object(json), list)]).toMatchObject([
          search,
          list,
          [{ name: '별솔지' }],
        ]);
      }
    }
  });

  test('takes the signs of LIKE and of regular expressions as they are', async () => {
    await makeStar({ name: '100%', aliases: ['a_b', 'c\\d'] });
    expect(await namesFound('%')).toEqual(['100%']);
    expect(await namesFound('100%')).toEqual(['100%']);
    expect(await namesFound('％')).toEqual(['100%']);
    expect(await namesFound('a_b')).toEqual(['100%']);
    expect(await namesFound('aXb')).toEqual([]);
    expect(await namesFound('\\')).toEqual(['100%']);
    expect(await namesFound('.*')).toEqual([]);
    expect(await namesFound("'; drop table stars; --")).toEqual([]);
    expect((await call('/api/stars')).status).toBe(200);
  });

  /** A name as it is written, and as people type it. */
  const typedFor: [names: { ko: string; en: string }, typed: string[]][] = [
    [
      { ko: '(여자)아이들', en: '(G)I-DLE' },
      ['GIDLE', 'gidle', 'g idle', 'G-IDLE', '(g)i-dle', '여자아이들', '여자 아이들'],
    ],
    [{ ko: '아이오아이', en: 'I.O.I' }, ['IOI', 'i.o.i']],
    [{ ko: '에스이에스', en: 'S.E.S.' }, ['SES', 'S.E.S']],
    [{ ko: '에프엑스', en: 'f(x)' }, ['fx', 'f(x)', 'f(x']],
    [{ ko: '트리플에스', en: 'tripleS' }, ['triple s', 'triples', 'Triple-S']],
    [{ ko: '소녀시대', en: 'Girls’ Generation' }, ['Girls Generation', "girls' generation", 'girls’ gen']],
    [{ ko: '시티 누르할리자', en: "Dato' Sri Siti Nurhaliza" }, ['Dato Sri', 'Datoʼ Sri Siti', 'dato’ sri']],
  ];

  test('finds a name without its signs, and by others, wherever stars are searched for', async () => {
    for (const [names] of typedFor) await makeStar({ name: names.ko, names });
    for (const [{ ko }, typed] of typedFor)
      for (const text of typed) {
        const { suggestions } = await answerOf(
          typedCall('get', '/api/search/suggestions', { query: { q: text } }),
        );
        const found = await answerOf(typedCall('get', '/api/search', { query: { q: text, type: 'stars' } }));
        const listed = await listStarsForEditors({
          language: 'ko',
          limit: 20,
          offset: 0,
          ...readStarSearch(text),
        });
        expect([
          text,
          await namesFound(text),
          suggestions.map(({ name }) => name),
          found.stars.map(({ name }) => name),
          listed.stars.map(({ name }) => name),
        ]).toEqual([text, [ko], [ko], [ko], [ko]]);
      }
  });

  test('finds stars so that were written before, once a job has seen them', async () => {
    const sql = connection();
    const id = await makeStar({ name: '옛이름', names: { en: 'O.L.D.N' } });
    const plain = await makeStar({ name: '그대로' });
    await sql`update stars set search_text = '옛이름 O.L.D.N' where id = ${id}`;
    const rowOf = async (star: number) =>
      (await sql`select xmin, search_text from stars where id = ${star}`)[0];
    const untouched = await rowOf(plain);
    expect(await namesFound('oldn')).toEqual([]);
    const run = { id: '', signal: new AbortController().signal };
    await searchTextJob.handle({}, run);
    expect([await namesFound('oldn'), await namesFound('O.L.D.N')]).toEqual([['옛이름'], ['옛이름']]);
    const filled = await rowOf(id);
    await searchTextJob.handle({}, run);
    expect([await rowOf(id), await rowOf(plain)]).toEqual([filled, untouched]);
  });

  test('finds stars by all of their initials that were written when six were kept, once a job has seen them', async () => {
    const sql = connection();
    const id = await makeStar({ name: '옛날이야기소년단', initials: 'ㅇㄴㅇㅇㄱㅅ' });
    const six = await makeStar({ name: '여섯글자이름', initials: 'ㅇㅅㄱㅈㅇㄹ' });
    await sql`update stars set search_text = 'Old ㅇㄴㅇㅇㄱㅅ O.L.D' where id = ${id}`;
    const rowOf = async (star: number) =>
      (await sql`select xmin, initials, search_text from stars where id = ${star}`)[0];
    const untouched = await rowOf(six);
    const all = 'ㅇㄴㅇㅇㄱㅅㄴㄷ';
    expect(await namesFound(all)).toEqual([]);
    await searchTextJob.handle({}, { id: '', signal: new AbortController().signal });
    expect(await rowOf(id)).toMatchObject({
      initials: all,
      search_text: `Old ${all} O.L.D \n Old ${all} OLD`,
    });
    expect(await rowOf(six)).toEqual(untouched);
    expect([await namesFound(all), await namesFound('ㅅㄴㄷ')]).toEqual([
      ['옛날이야기소년단'],
      ['옛날이야기소년단'],
    ]);
  });

  test('has the star first that is called just so, then those most written about', async () => {
    const loud = await makeStar({ name: '봄비단' });
    const called = await makeStar({ name: '봄비', names: { ko: '봄비', en: 'Bombi' } });
    const other = await makeStar({ name: '봄비야' });
    await connection()`update stars set article_count = 1000 - id where id in (${loud}, ${other})`;
    const page = async (query: string) => {
      const { json, headers } = await call(`/api/stars?${query}`);
      const rows = Array.isArray(json) ? json.map(({ id }: { id: number }) => id) : [];
      return [...rows, headers.get('x-total-count')];
    };
    for (const search of [encodeURIComponent('봄비'), 'bombi'])
      expect((await page(`search=${search}`))[0]).toBe(called);
    const search = encodeURIComponent('봄비');
    expect(await page(`search=${search}`)).toEqual([called, loud, other, '3']);
    expect(await page(`search=${search}&limit=1&page=2`)).toEqual([loud, '3']);
  });

  test('of nothing but spaces is no search', async () => {
    expect((await namesFound('   ')).length).toBeGreaterThan(1);
  });

  test('is limited to 600 a minute and address, and only searching is', async () => {
    const from = '198.51.100.7';
    await untilWindowHas(4, 60);
    await countBefore(`search:address:${from}`, 598);
    const answers = await Promise.all(Array.from({ length: 7 }, () => call('/api/stars?search=x', { from })));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    const refused = await call('/api/stars?search=x', { from });
    expect(refused.json).toMatchObject({ code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call('/api/stars', { from })).status).toBe(200);
    expect((await call('/api/stars?search=x', { from: '198.51.100.8' })).status).toBe(200);
  });
});

describe('a profile', () => {
  test('holds everything of the contract in its order', async () => {
    const id = await makeStar({
      name: '온도차',
      names: { ko: '온도차', en: 'ONDOCHA' },
      biographies: { ko: '소개' },
    });
    const other = await makeStar({ name: '온새', names: { en: 'ONSAE' } });
    const sql = connection();
    await sql`insert into star_profiles (star_id, debut_date, height) values (${id}, '2020-12-01', 170)`;
    for (const [name, official, followers] of [
      ['a', false, 900],
      ['b', true, 5],
      ['c', true, 50],
      ['d', true, null],
    ] as const) {
      await sql`insert into social_links (star_id, platform, profile_url, display_name, is_official, follower_count)
        values (${id}, 'youtube', ${`https://youtube.com/${name}`}, ${name}, ${official}, ${followers})`;
    }
    await sql`insert into star_members (group_id, position, member_id, names)
      values (${id}, 0, ${other}, ${JSON.stringify({ ko: '온새', en: 'ONSAE' })}), (${id}, 1, null, ${JSON.stringify({ ko: '미온', en: 'MION' })})`;
    await sql`update star_members set is_former = true, since = '2020', until = '2023-05' where member_id = ${other}`;
    await sql`update star_profiles set activity = 'ended', end_date = '2024' where star_id = ${id}`;
    const { status, json } = await call(`/api/stars/${id}/profile?language=en`);
    expect(status).toBe(200);
    if (!Value.Check(StarProfile, json)) throw new Error('not a profile');
    expect(json).toMatchObject({ name: 'ONDOCHA', isFollowing: false, followerCount: 0 });
    expect(json.profile).toMatchObject({
      debutDate: '2020-12-01',
      activity: 'ended',
      endDate: '2024',
      height: 170,
      biographyKo: '소개',
      biographyEn: null,
    });
    expect(json.socialMedia.map((link) => link.displayName)).toEqual(['c', 'b', 'd', 'a']);
    expect(json.members).toEqual([
      {
        name: 'MION',
        role: null,
        starId: null,
        since: null,
        until: null,
        isFormer: false,
        periods: [{ since: null, until: null }],
        source: null,
      },
      {
        name: 'ONSAE',
        role: null,
        starId: other,
        since: '2020',
        until: '2023-05',
        isFormer: true,
        periods: [{ since: '2020', until: '2023-05' }],
        source: null,
      },
    ]);
    const member = await answerOf(
      typedCall('get', '/api/stars/:id/profile', {
        params: { id: other },
        query: { language: 'en' },
      }),
    );
    expect(member.groups).toMatchObject([{ name: 'ONDOCHA', isFormer: true }]);
    expect(member.profile).toMatchObject({ activity: 'active', endDate: null });
  });

  test('tells where its facts are from, and whose its pictures are', async () => {
    const id = await makeStar({ name: '이슬비' });
    const { key } = await makeUpload();
    const sql = connection();
    const source = { name: 'Wikidata', url: 'https://www.wikidata.org/wiki/Q1' };
    await sql`insert into star_facts (star_id, field, source) values
      (${id}, 'birthDate', ${JSON.stringify(source)}), (${id}, 'height', null)`;
    await sql`insert into timeline_events (star_id, date, type, picture_key, source)
      values (${id}, '2020', 'debut', ${key}, ${JSON.stringify(source)}), (${id}, '2019', 'personal', null, null)`;
    await sql`update stars set avatar_key = ${key} where id = ${id}`;
    const { sources, milestones } = await answerOf(
      typedCall('get', '/api/stars/:id/profile', { params: { id } }),
    );
    const credit = { name: 'Kim', licence: 'CC BY 4.0', url: 'https://photos.example/1' };
    expect(sources).toEqual([{ field: 'birthDate', source }]);
    expect(milestones.map((each) => [each.source, each.credit])).toEqual([
      [source, credit],
      [null, null],
    ]);
    expect(await readStarProfile(id, 'ko')).toMatchObject({ avatarCredit: credit, heroCredit: null });
    await sql`update stars set hero_key = ${key} where id = ${id}`;
    expect(await readStarProfile(id, 'ko')).toMatchObject({ avatarCredit: null, heroCredit: credit });
  });

  test('tells a fan who follows, privately, and everybody else the same public thing', async () => {
    const star = await makeStar();
    const fan = await makeFan();
    const other = await makeFan();
    await connection()`insert into follows (user_id, star_id) values (${fan.id}, ${star})`;
    const path = `/api/stars/${star}/profile`;
    const answer = await call(path, { headers: bearer(fan.token) });
    expect(answer.json).toMatchObject({ isFollowing: true, followerCount: 1 });
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
      'private, no-store',
      null,
    ]);
    expect((await call(path, { headers: bearer(other.token) })).json).toMatchObject({ isFollowing: false });
    const anonymous = await call(path);
    expect(anonymous.json).toMatchObject({ isFollowing: false, followerCount: 1 });
    expect(anonymous.headers.get('vary')).toBe('Authorization, Cookie');
    expect(anonymous.headers.get('cache-control')).toStartWith('public');
  });

  test('of nobody is 404, like the parts of it', async () => {
    for (const part of ['profile', 'photos', 'timeline', 'articles']) {
      const { status, json } = await call(`/api/stars/2147483647/${part}`);
      expect([part, status, json]).toEqual([part, 404, { error: 'Star not found.', code: 'not_found' }]);
    }
  });
});

describe('photos and timeline', () => {
  test('photos are grouped by category in the order of the filters, on our origin', async () => {
    const id = await makeStar();
    const sql = connection();
    for (const [position, category, aspect] of [
      [1, 'casual', '3:4'],
      [2, 'profile', '3:2'],
      [3, 'casual', '1:1'],
    ] as const) {
      await sql`insert into photos (star_id, category, position, picture_key)
        values (${id}, ${category}, ${position}, ${await makePicture(aspect)})`;
    }
    const all = await answerOf(typedCall('get', '/api/stars/:id/photos', { params: { id } }));
    expect(all.categories.map(({ category, photos }) => [category, photos.length])).toEqual([
      ['profile', 1],
      ['casual', 2],
    ]);
    expect(all).toMatchObject({ starId: id, totalPhotos: 3 });
    for (const photo of all.categories.flatMap(({ photos }) => photos)) {
      expect(photo.photoUrl).toMatch(/^\/media\/picture-\d+\/\dx\d-1200\.webp$/);
      expect(photo.thumbnailUrl).toMatch(/^\/media\/picture-\d+\/\dx\d-480\.webp$/);
    }
    const casual = await answerOf(
      typedCall('get', '/api/stars/:id/photos', {
        params: { id },
        query: { category: 'casual' },
      }),
    );
    expect(casual.totalPhotos).toBe(2);
    expect((await call(`/api/stars/${id}/photos?category=all`)).status).toBe(400);
  });

  test('the timeline is newest first, by type, with words in the language or English', async () => {
    const id = await makeStar();
    const sql = connection();
    for (const [date, type, title] of [
      ['2020-01-01', 'debut', 'First'],
      ['2022-01-01', 'award', 'Won'],
    ] as const) {
      const [row] = await sql<{ id: number }[]>`insert into timeline_events (star_id, date, type)
        values (${id}, ${date}, ${type}) returning id`;
      await sql`insert into timeline_translations (timeline_event_id, language, title) values (${row?.id ?? 0}, 'en', ${title})`;
    }
    const all = await answerOf(
      typedCall('get', '/api/stars/:id/timeline', {
        params: { id },
        query: { language: 'ms' },
      }),
    );
    expect(all.events.map(({ title, date }) => [title, date])).toEqual([
      ['Won', '2022-01-01'],
      ['First', '2020-01-01'],
    ]);
    const debut = await answerOf(
      typedCall('get', '/api/stars/:id/timeline', {
        params: { id },
        query: { category: 'debut' },
      }),
    );
    expect(debut.events).toHaveLength(1);
  });
});

describe('what the page of a star reads', () => {
  test('is what the call answers, by the same names', async () => {
    const id = await makeStar({ names: { en: 'ONE' }, biographies: { en: 'About', ko: '소개' } });
    const query = { language: 'ms' } as const;
    const data = await answerOf(typedCall('get', '/api/stars/:id/profile', { params: { id }, query }));
    expect(await readStarProfile(id, 'ms')).toMatchObject(data);
  });

  test('is ready to show, with the biography of L1', async () => {
    const id = await makeStar({
      name: '첫눈',
      names: { ko: '첫눈', en: 'FIRST SNOW' },
      biographies: { ko: '소개', en: 'About' },
    });
    await makeArticle({ stars: [id], rewrites: { en: 'News' } });
    expect(await readStarProfile(id, 'ms')).toMatchObject({
      name: 'FIRST SNOW',
      biography: { language: 'en', text: 'About' },
      articleCount: 1,
    });
    expect((await readStarArticles(cardPart, id, 'ms')).map(({ title }) => title)).toEqual(['News']);
    expect(await readStarProfile(2147483647, 'ko')).toBeUndefined();
    expect(await readStarArticles(cardPart, 2147483647, 'ko')).toEqual([]);
  });
});
