import { describe, expect, test } from 'bun:test';
import { readQuery } from '#api/search/query.ts';
import { type SearchPage, search } from '#api/search/search.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeStar } from '#tests/kit/make.ts';

useDatabase();

const now = new Date('2026-11-21T12:00:00Z');

async function find(text: string, options: Partial<SearchPage> = {}) {
  const query = readQuery(text);
  if ('problem' in query) throw new Error(`${text}: ${query.problem}`);
  const sizes = { articles: 100, stars: 100, events: 100, channels: 100 };
  return search(query, { language: 'en', page: 1, sizes, now, ...options });
}

const articlesFound = async (text: string) => (await find(text)).articles.rows.map(({ id }) => id);
const starsFound = async (text: string) => (await find(text)).stars.rows.map(({ id }) => id);
const eventsFound = async (text: string) => (await find(text)).events.rows.map(({ id }) => id);

async function summarise(article: number, language: string, summary: string): Promise<void> {
  await connection()`update article_rewrites set summary = ${summary}
    where article_id = ${article} and language = ${language}`;
}

interface EventWish {
  titles: Record<string, string>;
  hours: number;
  star?: number;
  linked?: number;
  verification?: string;
}

async function makeEvent({
  titles,
  hours,
  star,
  linked,
  verification = 'approved',
}: EventWish): Promise<number> {
  const sql = connection();
  await sql`insert into event_categories (slug, event_type, color) values ('concert', 'concert', '#2f6bff')
    on conflict do nothing`;
  const start = new Date(now.getTime() + hours * 3_600_000).toISOString();
  const [row] = await sql<{ id: number }[]>`
    insert into events (event_type, category_id, verification, start_time, primary_star_id)
    select 'concert', id, ${verification}, ${start}, ${star ?? null} from event_categories where slug = 'concert'
    returning id`;
  const id = row?.id ?? 0;
  for (const [language, title] of Object.entries(titles)) {
    await sql`insert into event_translations (event_id, language, title, venue)
      values (${id}, ${language}, ${title}, 'Hanbit Dome')`;
  }
  if (linked) await sql`insert into event_stars (event_id, star_id) values (${id}, ${linked})`;
  return id;
}

describe('a star is found', () => {
  test('by its name in any language, aliases, parts, unfinished syllables and initial consonants', async () => {
    const id = await makeStar({
      name: '파도반',
      initials: 'ㅍㄷㅂ',
      names: { ko: '파도반', en: 'PADOBAN', ms: 'PADOBAN', vi: 'Sóng Đêm' },
      aliases: ['Pado Ban', 'ㅍㄷㅂ'],
    });
    for (const text of [
      '파도반',
      '파도',
      '도반',
      '파돕',
      '파도ㅂ',
      'ㅍㄷㅂ',
      'ㄷㅂ',
      'padoban',
      'PADO',
      'sóng đêm',
    ]) {
      expect([text, await starsFound(text)]).toEqual([text, [id]]);
    }
    for (const text of ['song dem', 'pado ban', 'padob an', '파도  반']) {
      expect([text, await starsFound(text)]).toEqual([text, [id]]);
    }
    for (const text of ['파두', 'ㅂㄷㅍ', 'padoz', '파도 없음']) expect(await starsFound(text)).toEqual([]);
  });

  test('first when it has the very name, then when a word of it begins so', async () => {
    const loud = await makeStar({ name: '윤슬밴드', aliases: ['윤슬'], names: { en: 'YUNSEUL BAND' } });
    const exact = await makeStar({ name: '윤슬', names: { en: 'YUNSEUL' } });
    const inside = await makeStar({ name: '새윤슬', names: { en: 'SAEYUNSEUL' } });
    for (let n = 0; n < 3; n++) await makeArticle({ stars: [loud, inside] });
    expect(await starsFound('윤슬')).toEqual([exact, loud, inside]);
    expect(await starsFound('yunseul')).toEqual([exact, loud, inside]);
  });

  test('with its channel, once somebody opened it', async () => {
    const star = await makeStar({ name: '달그림', names: { en: 'DALGRIM' } });
    expect((await find('달그림')).channels).toEqual({ rows: [], total: 0, more: false });
    await connection()`insert into channels (star_id, member_count, last_activity_at)
      values (${star}, 7, '2026-11-20T00:00:00Z')`;
    expect((await find('달그림')).channels.rows).toMatchObject([
      {
        star: { id: star, name: 'DALGRIM' },
        memberCount: 7,
        lastActivityAt: new Date('2026-11-20T00:00:00Z'),
      },
    ]);
  });
});

describe('an article is found', () => {
  test('by words of title and summary in any language, and shown in the one asked for or its fallback', async () => {
    const id = await makeArticle({ rewrites: { ko: '한밤의 기차', vi: 'Chuyến tàu lúc nửa đêm' } });
    for (const text of ['기차', '한밤', '한바', 'chuyến tàu', 'chuyen tau', 'NUA DEM']) {
      expect([text, await articlesFound(text)]).toEqual([text, [id]]);
    }
    const inEnglish = (await find('기차')).articles.rows[0];
    expect(inEnglish).toMatchObject({ language: 'ko', title: '원제' });
    const inKorean = (await find('chuyen tau', { language: 'ko' })).articles.rows[0];
    expect(inKorean).toMatchObject({ language: 'ko', title: '한밤의 기차' });
  });

  test('only when it has every word, in whatever order', async () => {
    const both = await makeArticle({ rewrites: { en: 'Lighthouse and ferry' } });
    await makeArticle({ rewrites: { en: 'Lighthouse alone' } });
    expect(await articlesFound('ferry lighthouse')).toEqual([both]);
  });

  test('with the word in its title before its summary, each part newest first', async () => {
    const inSummary = await makeArticle({ rewrites: { en: 'Nothing to see' }, minutesAgo: 1 });
    await summarise(inSummary, 'en', 'About a marigold.');
    const older = await makeArticle({ rewrites: { en: 'Marigold, old' }, minutesAgo: 50 });
    const newer = await makeArticle({ rewrites: { en: 'Marigold, new' }, minutesAgo: 20 });
    expect(await articlesFound('marigold')).toEqual([newer, older, inSummary]);
  });

  test('by the star it is about, also where its words name another language’s', async () => {
    const star = await makeStar({ name: '하루치', names: { en: 'HARUCHI' }, aliases: ['Haru Chi'] });
    const about = await makeArticle({ stars: [star], rewrites: { en: 'A song a day' }, minutesAgo: 5 });
    const other = await makeArticle({ stars: [star], rewrites: { en: 'A thousand and one' }, minutesAgo: 9 });
    expect(await articlesFound('하루치')).toEqual([about, other]);
    expect(await articlesFound('haruchi thousand')).toEqual([other]);
    expect(await articlesFound('하루치 thousand')).toEqual([other]);
    expect(await articlesFound('하루치 nothing')).toEqual([]);
  });

  test('never after it was withdrawn', async () => {
    const star = await makeStar({ name: '철회' });
    await makeArticle({ stars: [star], rewrites: { en: 'Withdrawn heron' }, withdrawn: true });
    expect(await articlesFound('heron')).toEqual([]);
    expect(await articlesFound('철회')).toEqual([]);
  });

  test('by its words, whatever quotes and punctuation stand in the text and around what was typed', async () => {
    const printed = await makeArticle({
      rewrites: { en: '“This time” is PADOBAN’s high water', ko: '‘밀물’의 밤' },
    });
    const typed = await makeArticle({ rewrites: { en: "Not SEORI's first" } });
    const inside = await makeArticle({ rewrites: { en: 'C.O.M.E and AC/DC meet (G)I-DLE and P!nk' } });
    for (const text of [
      '밀물',
      "'밀물'",
      '"밀물"',
      '“밀물”',
      '「밀물」',
      '밀물…',
      '밀물~',
      '‘밀물’의',
      "'밀물'의",
    ]) {
      expect([text, await articlesFound(text)]).toEqual([text, [printed]]);
    }
    for (const text of [
      "PADOBAN's",
      'padoban’s',
      '"This time',
      'high water?',
      'high, water',
      '(high water)',
    ]) {
      expect([text, await articlesFound(text)]).toEqual([text, [printed]]);
    }
    for (const text of ["SEORI's", 'seori’s', 'seori‘s', 'Seori, first!']) {
      expect([text, await articlesFound(text)]).toEqual([text, [typed]]);
    }
    for (const text of ['C.O.M.E', 'C.O.M.E.', '(G)I-DLE', 'AC/DC', 'P!nk', '“P!nk”']) {
      expect([text, await articlesFound(text)]).toEqual([text, [inside]]);
    }
    expect(readQuery('“concert”?')).toMatchObject({ eventTypes: ['concert'] });
    const named = await makeStar({ name: '소녀', names: { en: 'Girls’ Generation' } });
    for (const text of ["girls' generation", 'generation girls’', "girl's", '“Girls”']) {
      expect([text, await starsFound(text)]).toEqual([text, [named]]);
    }
  });

  test('as it was typed: the signs of LIKE mean themselves', async () => {
    const percent = await makeArticle({ rewrites: { en: 'Sold 100% of it' } });
    await makeArticle({ rewrites: { en: 'Sold 1000 of it' } });
    const line = await makeArticle({ rewrites: { en: 'The snake_case tour' } });
    await makeArticle({ rewrites: { en: 'The snakeXcase tour' } });
    expect(await articlesFound('100%')).toEqual([percent]);
    expect(await articlesFound('100％')).toEqual([percent]);
    expect(await articlesFound('snake_case')).toEqual([line]);
    for (const text of ['%', '_', '\\', '!!!', '—']) expect((await find(text)).articles.total).toBe(0);
    expect(await articlesFound("sold'; drop table stars; --")).toEqual([]);
  });
});

describe('a common word', () => {
  /** As many articles as it takes to leave the index; the newest have the highest ids. */
  async function fill(word: string, count: number): Promise<number[]> {
    const sql = connection();
    const rows = await sql<{ id: number }[]>`
      insert into articles (entertainment_category, outlet, original_url, original_title, original_content,
        original_published_at, published_at)
      select 'Idol', 'o', ${`https://common.example/${word}/`} || n, 't', 'c', now(),
        now() - (${count} - n) * interval '1 minute' from generate_series(1, ${count}::int) n returning id`;
    const ids = rows.map(({ id }) => id);
    await sql`insert into article_rewrites (article_id, language, title, summary, content, content_html)
      select id, 'en', ${word} || ' n' || id || 'z', 's', 'c', 'c' from unnest(${ids}::int[]) id`;
    return ids;
  }

  test('is counted up to a hundred, reachable in pages that do not overlap, newest first', async () => {
    const ids = await fill('everyday', 2500);
    const sizes = { articles: 40, stars: 0, events: 0, channels: 0 };
    const pages = await Promise.all([1, 2, 3, 4].map((page) => find('everyday', { page, sizes })));
    const foundIds = pages.flatMap(({ articles }) => articles.rows.map(({ id }) => id));
    expect(foundIds).toEqual(ids.toReversed().slice(0, 100));
    expect(pages.map(({ articles: { total, more } }) => [total, more])).toEqual(Array(4).fill([100, true]));
    expect(await articlesFound(`everyday n${ids[0]}z`)).toEqual([ids[0] ?? 0]);
  });

  test('that is common only among old articles is found behind the newer ones', async () => {
    const old = await fill('bygone', 2200);
    await fill('newer', 2100);
    expect(await articlesFound('bygone')).toEqual(old.toReversed().slice(0, 100));
  });

  test('that is rare today and was told five thousand times before shows the newest of those', async () => {
    const old = await fill('forgotten', 5200);
    // Thousands of stories later.
    await connection()`select setval(pg_get_serial_sequence('articles', 'id'), ${(old.at(-1) ?? 0) + 20_000}::int)`;
    const comeback = await makeArticle({ rewrites: { en: 'Forgotten no more' }, minutesAgo: 0 });
    expect(await articlesFound('forgotten')).toEqual([comeback, ...old.toReversed().slice(0, 99)]);
  });

  test('of two letters, which no index knows, is looked for in the newest articles', async () => {
    const id = await makeArticle({ rewrites: { en: 'Ox' }, minutesAgo: 0 });
    expect(await articlesFound('ox')).toEqual([id]);
  });
});

describe('an event is found', () => {
  test('by title, venue and star; what comes first, the nearest first, then what is over', async () => {
    const star = await makeStar({ name: '심야버스', names: { en: 'SIMYA BUS' } });
    const soon = await makeEvent({ titles: { ko: '막차 공연', en: 'Last Bus, night one' }, hours: 5, star });
    const later = await makeEvent({ titles: { en: 'Last Bus, night two' }, hours: 30, linked: star });
    const past = await makeEvent({ titles: { en: 'Last Bus, rehearsal' }, hours: -50 });
    const longPast = await makeEvent({ titles: { en: 'Last Bus, auditions' }, hours: -500 });
    expect(await eventsFound('last bus')).toEqual([soon, later, past, longPast]);
    expect(await eventsFound('막차')).toEqual([soon]);
    expect(await eventsFound('심야버스')).toEqual([soon, later]);
    expect(await eventsFound('심야버스 two')).toEqual([later]);
    expect(await eventsFound('rehearsal hanbit')).toEqual([past]);
    expect((await find('막차')).events.rows[0]).toMatchObject({
      title: 'Last Bus, night one',
      status: 'upcoming',
    });
  });

  test('never before it was approved', async () => {
    const star = await makeStar({ name: '미확인' });
    await makeEvent({ titles: { en: 'Rumoured' }, hours: 5, star, verification: 'pending' });
    await makeEvent({ titles: { en: 'Rumoured too' }, hours: 5, linked: star, verification: 'rejected' });
    expect([await eventsFound('rumoured'), await eventsFound('미확인')]).toEqual([[], []]);
  });
});

describe('a search text', () => {
  test('is 1 to 100 characters without control or direction marks, NFC, single spaces', () => {
    expect(readQuery(null)).toEqual({ problem: 'empty' });
    expect(readQuery('  \t\n ')).toEqual({ problem: 'empty' });
    expect(readQuery('🌊'.repeat(100))).toMatchObject({ text: '🌊'.repeat(100), words: [] });
    expect(readQuery('a'.repeat(101))).toEqual({ problem: 'tooLong' });
    for (const bad of ['a\u0000b', 'a\u0007', 'a\u202eb', 'a\u2066b', 'a\ud800b', '\u007fa']) {
      expect(readQuery(bad)).toEqual({ problem: 'control' });
    }
    expect(readQuery('  파도반 \n 밀물 '.normalize('NFD'))).toMatchObject({ text: '파도반 밀물' });
    const many = readQuery('a b c d e f g h i j k a b');
    expect('words' in many && many.words).toHaveLength(8);
  });
});
