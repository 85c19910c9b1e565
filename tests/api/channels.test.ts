import { describe, expect, test } from 'bun:test';
import type { ChannelAnswer, ChannelList } from '#api/community/model.ts';
import { connection } from '#db/client.ts';
import type { ApiCall } from '#site/lib/http/api-call.ts';
import { answerOf, bearer, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel, makeFan, makeStar } from '#tests/kit/make.ts';

useDatabase();

const browser = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
};
const root = '/api/community/channels';
const visit = async (starId: number, headers: Record<string, string> = browser, method = 'GET') => {
  const answer = await call(`${root}/${starId}`, { headers, method });
  return { ...answer, body: answer.json as ChannelAnswer };
};
const list = (
  query: ApiCall<'get', '/api/community/channels'>['query'] = {},
  headers: Record<string, string> = {},
) => answerOf(typedCall('get', '/api/community/channels', { query, headers }));
const names = ({ channels }: ChannelList) => channels.map(({ star }) => star.name);
const channelsOf = async (starId: number) => {
  const [row] = await connection()<
    { n: number }[]
  >`select count(*)::int as n from channels where star_id = ${starId}`;
  return row?.n;
};

describe('the first visit', () => {
  test('makes the channel, and exactly one of many visitors at once sees that it is new', async () => {
    const star = await makeStar();
    const answers = await Promise.all(Array.from({ length: 40 }, () => visit(star)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.isNewlyCreated)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.channel.id)).size).toBe(1);
    expect((await visit(star)).body.isNewlyCreated).toBe(false);
  });

  for (const [who, headers, method] of [
    [
      'a crawler',
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    ],
    ['Naver', { 'user-agent': 'Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/spd)' }],
    ['a link preview', { 'user-agent': 'facebookexternalhit/1.1;kakaotalk-scrap/1.0' }],
    ['a prefetch', { ...browser, 'sec-purpose': 'prefetch;prerender' }],
    ['an old prefetch', { ...browser, purpose: 'prefetch' }],
    ['HEAD', browser, 'HEAD'],
  ] as const) {
    test(`by ${who} makes nothing`, async () => {
      const star = await makeStar();
      expect((await visit(star, headers, method)).status).toBe(404);
      expect(await channelsOf(star)).toBe(0);
      expect((await visit(star)).body.isNewlyCreated).toBe(true);
    });
  }

  test('of a star that is none, or of no id, finds nothing', async () => {
    for (const id of ['999999', '0', '-1', 'abc', '1e3', '2147483648', '1%20']) {
      expect((await call(`${root}/${id}`, { headers: browser })).status).toBe(404);
    }
  });
});

describe('a channel', () => {
  test('answers as the contract says', async () => {
    const star = await makeChannel({ name: '윤슬', names: { ms: 'Yunseul' } });
    const { json } = await call(`${root}/${star}?language=ms`);
    expect(json).toEqual({
      channel: {
        id: expect.any(Number),
        starId: star,
        star: {
          id: star,
          name: 'Yunseul',
          category: 'Idol',
          imageUrl: expect.stringMatching(/^\/media\/star-.*-mark\.svg$/),
          fandomColor: '#3355FF',
          slug: expect.any(String),
        },
        memberCount: 0,
        activeUsers: 0,
        lastActivityAt: null,
        description: null,
        isMember: false,
        slowModeSeconds: 0,
      },
      isNewlyCreated: false,
      viewer: null,
    });
  });

  test('is private as soon as somebody asks with a session', async () => {
    const star = await makeChannel();
    const fan = await makeFan();
    expect((await visit(star)).headers.get('cache-control')).toContain('public');
    const own = await visit(star, bearer(fan.token));
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    expect(own.body.viewer).toEqual({
      userId: fan.id,
      isMember: false,
      canModerate: false,
      mutedUntil: null,
      nextMessageAt: null,
    });
  });
});

describe('joining', () => {
  test('twenty times at once counts once, and so does leaving', async () => {
    const star = await makeChannel();
    const fan = await makeFan();
    const knock = (method: string, path = 'join') =>
      call(`${root}/${star}/${path}`, { method, headers: bearer(fan.token) });
    const joined = await Promise.all(Array.from({ length: 20 }, () => knock('POST')));
    expect(joined.every(({ status }) => status === 200)).toBe(true);
    expect((await visit(star, bearer(fan.token))).body.channel).toMatchObject({
      memberCount: 1,
      isMember: true,
    });
    expect((await list({}, bearer(fan.token))).channels.find(({ starId }) => starId === star)?.isMember).toBe(
      true,
    );
    await Promise.all([knock('DELETE'), knock('POST', 'leave'), knock('DELETE')]);
    expect((await visit(star, bearer(fan.token))).body.channel).toMatchObject({
      memberCount: 0,
      isMember: false,
    });
  });

  test('an unopened channel opens it', async () => {
    const star = await makeStar();
    const fan = await makeFan();
    const { status, answer } = await typedCall('post', '/api/community/channels/:starId/join', {
      params: { starId: star },
      headers: bearer(fan.token),
    });
    expect([status, answer]).toEqual([200, { isMember: true, memberCount: 1, isNewlyCreated: true }]);
  });

  test('needs a session and a star', async () => {
    const star = await makeChannel();
    const fan = await makeFan();
    expect((await call(`${root}/${star}/join`, { method: 'POST' })).status).toBe(401);
    const nowhere = await call(`${root}/999999/join`, { method: 'POST', headers: bearer(fan.token) });
    expect(nowhere.status).toBe(404);
    const foreign = await call(`${root}/${star}/join`, {
      method: 'POST',
      headers: { cookie: `byeol_session=${fan.token}`, origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });
});

describe('the list', () => {
  test('is sorted by members, by the last message or by name, and paged', async () => {
    await connection()`delete from stars`;
    const fans = await Promise.all([makeFan(), makeFan()]);
    const ids = fans.map(({ id }) => id);
    await makeChannel({ name: '나무', names: { en: 'Namu' }, members: ids });
    const quiet = await makeChannel({ name: '가람', names: { en: 'Garam' } });
    const late = await makeChannel({ name: '다온', names: { en: 'daon' }, members: ids.slice(0, 1) });
    await connection()`update channels set last_activity_at = now() where star_id = ${late}`;
    await connection()`update channels set last_activity_at = now() - interval '1 day' where star_id = ${quiet}`;
    expect(names(await list())).toEqual(['나무', '다온', '가람']);
    expect(names(await list({ sort: 'latest' }))).toEqual(['다온', '가람', '나무']);
    expect(names(await list({ sort: 'name' }))).toEqual(['가람', '나무', '다온']);
    expect(names(await list({ sort: 'name', language: 'en' }))).toEqual(['daon', 'Garam', 'Namu']);
    const second = await list({ sort: 'name', limit: 2, page: 2 });
    expect(names(second)).toEqual(['다온']);
    expect(second).toMatchObject({
      total: 3,
      pagination: { page: 2, totalPages: 2, total: 3, hasPrevious: true, hasNext: false },
    });
  });

  test('is searched by initial consonants, romanised, in part, and without marks', async () => {
    await connection()`delete from stars`;
    await makeChannel({
      name: '파도반',
      initials: 'ㅍㄷㅂ',
      names: { en: 'PADOBAN', vi: 'Sóng Đêm' },
      aliases: ['Pado Ban'],
    });
    await makeChannel({ name: '한여름', initials: 'ㅎㅇㄹ', aliases: ['Han Yeoreum'] });
    for (const text of [
      'ㅍㄷ',
      '파도',
      '파돕',
      'padoban',
      'PADO',
      'ban pado',
      'song dem',
      'Sóng',
      'padob an',
    ]) {
      expect(names(await list({ search: text }))).toEqual(['파도반']);
    }
    expect((await list({ search: '%' })).total).toBe(0);
    expect((await list({ search: 'nobody' })).total).toBe(0);
    expect((await list({ search: '  ' })).total).toBe(2);
  });

  for (const query of [
    '?page=0',
    '?page=-1',
    '?page=1e3',
    '?limit=101',
    '?limit=0',
    '?sort=members',
    '?language=ja',
    `?search=${'가'.repeat(101)}`,
    '?search=%07',
    '?page=1&page=2',
    '?page=100000&limit=100',
  ]) {
    test(`refuses ${query.slice(0, 30)}`, async () => {
      expect((await call(`${root}${query}`)).status).toBe(400);
    });
  }
});
