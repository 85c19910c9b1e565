import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { SearchAnswer, SearchSuggestions } from '#api/search/model.ts';
import { bearer, call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase({ demo: true });

async function ask(query: Record<string, string>): Promise<SearchAnswer> {
  const { status, json } = await call(`/api/search?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  if (!Value.Check(SearchAnswer, json)) throw new Error('not an answer of the contract');
  return json;
}

describe('GET /api/search', () => {
  test('finds the demo’s star with its stories, events and channel, named in the language asked for', async () => {
    const korean = await ask({ q: 'ㅍㄷㅂ' });
    expect(korean.stars[0]).toMatchObject({ name: '파도반', imageUrl: '/media/star-padoban-mark.svg' });
    expect(korean.articles[0]).toMatchObject({ language: 'ko', aiAssisted: true });
    expect(korean.articles[0]?.imageUrl).toMatch(/^\/media\/article-\d+\/3x2-800\.webp$/);
    expect(korean.events.length).toBeGreaterThan(0);
    expect(korean.channels[0]).toMatchObject({ star: { name: '파도반' } });
    const english = await ask({ q: 'padoban', language: 'en' });
    expect(english.stars[0]).toMatchObject({ name: 'PADOBAN' });
    expect(english.articles[0]).toMatchObject({ language: 'en' });
  });

  test('finds Vietnamese without its marks', async () => {
    const { articles } = await ask({ q: 'buoi dien', language: 'vi' });
    expect(articles.length).toBeGreaterThan(0);
    expect(articles[0]?.language).toBe('vi');
  });

  test('answers one kind when asked, and counts the others', async () => {
    const only = await ask({ q: '파도반', type: 'articles', limit: '2' });
    expect([only.stars, only.events, only.channels]).toEqual([[], [], []]);
    expect(only.articles).toHaveLength(2);
    expect(only.counts.stars.total).toBeGreaterThan(0);
    const next = await ask({ q: '파도반', type: 'articles', limit: '2', page: '2' });
    expect(next.articles.map(({ id }) => id)).not.toContain(only.articles[0]?.id ?? 0);
    expect(next.counts).toEqual(only.counts);
    const beyond = await ask({ q: '파도반', page: '50' });
    expect([beyond.articles, beyond.counts]).toEqual([[], only.counts]);
  });

  test('with nothing found is empty lists and zeros', async () => {
    const { counts, ...answer } = await ask({ q: 'zzzzqqqq' });
    expect(Object.values(counts)).toEqual(Array(4).fill({ total: 0, more: false }));
    expect(answer).toMatchObject({ query: 'zzzzqqqq', page: 1, limit: 20, articles: [], stars: [] });
    expect(answer.similarStars).toEqual([]);
  });

  test('for a name with a wrong letter has stars of nearly that name, and none for what was found', async () => {
    for (const [q, name] of [
      ['padovan', 'PADOBAN'],
      ['paodban', 'PADOBAN'],
      ['파도빈', 'PADOBAN'],
      ['바도반', 'PADOBAN'],
    ] as const) {
      const { counts, similarStars } = await ask({ q, language: 'en' });
      expect([q, counts.stars.total, similarStars[0]?.name]).toEqual([q, 0, name]);
      expect(similarStars.length).toBeLessThanOrEqual(3);
    }
    expect((await ask({ q: 'padoban' })).similarStars).toEqual([]);
    expect((await ask({ q: 'a%_\\d' })).similarStars).toEqual([]);
  });

  test('finds a star’s events by what their type is called in any language', async () => {
    const star = await makeStar({ name: '은하버스', names: { en: 'Galaxy Bus' } });
    const concert = await makeEvent({ star, titles: { ko: '첫 번째 밤', en: 'The First Night' } });
    const guest = await makeEvent({ stars: [star], titles: { en: 'The Second Night' } });
    const meeting = await makeEvent({ star, eventType: 'fan_meeting', titles: { en: 'Tea with us' } });
    const found = async (q: string) => (await ask({ q })).events.map(({ id }) => id).sort();
    for (const q of ['hòa nhạc galaxy bus', 'galaxy bus hoa nhac', '은하버스 콘서트', 'konsert galaxy bus'])
      expect([q, await found(q)]).toEqual([q, [concert, guest].sort()]);
    expect(await found('galaxy bus first concert')).toEqual([concert]);
    expect(await found('galaxy bus jumpa peminat')).toEqual([meeting]);
    expect(await found('galaxy bus birthday')).toEqual([]);
    // What a type is called finds its events alone, too: what comes first.
    for (const q of ['hòa nhạc', 'hoa nhac', '콘서트', 'Concert', 'konsert']) {
      const { events } = await ask({ q, limit: '100' });
      expect([q, ...[concert, guest].map((id) => events.some((event) => event.id === id))]).toEqual([
        q,
        true,
        true,
      ]);
      const { eventType } = events[0] ?? {};
      expect([q, eventType, events[0]?.status === 'completed']).toEqual([q, 'concert', false]);
    }
    expect((await ask({ q: '팬 미팅' })).events.map(({ id }) => id)).toContain(meeting);
  });

  test('refuses what cannot be searched for, and says which parameter', async () => {
    for (const [query, field, code] of [
      ['', 'q', 'required'],
      ['?q=%20%20', 'q', 'required'],
      [`?q=${'a'.repeat(101)}`, 'q', 'invalid'],
      [`?q=${'a'.repeat(5000)}`, 'q', 'invalid'],
      ['?q=a%07b', 'q', 'invalid'],
      ['?q=a%E2%80%AEb', 'q', 'invalid'],
      ['?q=a&language=ja', 'language', 'invalid'],
      ['?q=a&type=people', 'type', 'invalid'],
      ['?q=a&limit=101', 'limit', 'invalid'],
      ['?q=a&limit=0', 'limit', 'invalid'],
      ['?q=a&page=1e3', 'page', 'invalid'],
      ['?q=a&page=0', 'page', 'invalid'],
    ] as const) {
      const { status, json } = await call(`/api/search${query}`);
      expect([query, status, json]).toEqual([query, 400, expect.objectContaining({ field, code })]);
    }
    expect((await call('/api/search?q=%00')).status).toBe(400);
    expect((await call('/api/search?q=%ff')).status).toBe(400);
    expect((await call('/api/search?q=a', { method: 'POST' })).status).toBe(405);
  });

  test('reads what is all marks as quickly as other words', async () => {
    const marks = `a${'\u0301'.repeat(15_000)}${'\u0316'.repeat(15_000)}`;
    const before = process.cpuUsage();
    for (const path of ['/api/search?q=', '/api/search/suggestions?q=', '/api/community/channels?search='])
      await call(`${path}${marks}`);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1.5);
  });

  test('is limited to 60 a minute and account, of guests to 600 a minute and address', async () => {
    const from = '198.51.100.61';
    const [one, two] = [await makeFan(), await makeFan()];
    await untilWindowHas(6, 60);
    const ask = (headers: Record<string, string> = {}) => call('/api/search?q=zzzz', { from, headers });
    const refusedOf = async (count: number, headers?: Record<string, string>) => {
      const answers = await Promise.all(Array.from({ length: count }, () => ask(headers)));
      return answers.filter(({ status }) => status === 429);
    };
    for (const refused of [await refusedOf(603), await refusedOf(63, bearer(one.token))]) {
      expect(refused).toHaveLength(3);
      for (const { json, headers } of refused) {
        expect(json).toMatchObject({ code: 'rate_limited' });
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    expect((await ask(bearer(two.token))).status).toBe(200);
  }, 300_000);

  test('is public and answers 304 when nothing changed', async () => {
    const first = await call('/api/search?q=padoban');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect((await call('/api/search?q=padoban', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

describe('GET /api/search/suggestions', () => {
  const suggestions = async (q: string, language = 'ko') => {
    const { status, json } = await call(`/api/search/suggestions?${new URLSearchParams({ q, language })}`);
    expect(status).toBe(200);
    if (!Value.Check(SearchSuggestions, json)) throw new Error('not an answer of the contract');
    return json.suggestions;
  };
  const first = async (q: string, language?: string) => (await suggestions(q, language))[0];

  test('goes on from initial consonants, an unfinished syllable, romanised letters and unmarked Vietnamese', async () => {
    for (const typed of ['ㅍ', 'ㅍㄷㅂ', '파돕', '파도', 'pado', 'PADOBAN'])
      expect([typed, (await first(typed))?.name]).toEqual([typed, '파도반']);
    for (const typed of ['simyabeoseu', 'simya beoseu', 'simmyabeoseu'])
      expect([typed, (await first(typed))?.name]).toEqual([typed, '심야버스']);
    expect((await first('padoban', 'vi'))?.name).toBe('PADOBAN');
    expect((await first('파도반', 'ms'))?.imageUrl).toBe('/media/star-padoban-mark.svg');
  });

  test('finds a group by a member, who is named, and says which group a member is in', async () => {
    for (const [typed, language, group, member] of [
      ['눈썹', 'ko', '첫눈클럽', '눈썹달'],
      ['ㄱㄸ', 'ko', '풀벌레', '귀뚜'],
      ['윤슬', 'ko', '파도반', '윤슬'],
    ] as const) {
      const suggestion = (await suggestions(typed, language)).find(({ name }) => name === group);
      expect([typed, suggestion?.member]).toEqual([typed, member]);
    }
    expect(await first('윤슬')).toMatchObject({ name: '윤슬', member: null, groups: ['파도반'] });
    expect(await first('파도반')).toMatchObject({ member: null, groups: [] });
  });

  test('is short, kept for a minute by the browser, and limited by itself', async () => {
    expect((await suggestions('a')).length).toBeLessThanOrEqual(8);
    const { headers } = await call('/api/search/suggestions?q=pado');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect((await call('/api/search/suggestions?q=')).status).toBe(400);
    expect((await call('/api/search/suggestions?q=a%07b')).status).toBe(400);
    expect(await suggestions('!!')).toEqual([]);
    expect(await suggestions('zzzzqqqq')).toEqual([]);
  });
});
