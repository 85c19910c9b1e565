import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { readArticlePage, readCategory, readFeed } from '#api/articles/articles.ts';
import { Article } from '#api/articles/model.ts';
import { connection } from '#db/client.ts';
import { answerOf, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeEvent, makePicture, makeStar } from '#tests/kit/make.ts';

useDatabase();

function titles(json: unknown): string[] {
  return Array.isArray(json) ? json.map((article: { title: string }) => article.title) : [];
}

describe('the feed', () => {
  test('is an array of articles as the contract has them, newest first, withdrawn ones left out', async () => {
    const star = await makeStar({ name: '하루치', names: { ko: '하루치', en: 'HARUCHI' } });
    await makeArticle({
      stars: [star],
      rewrites: { ko: '새 소식', en: 'New' },
      minutesAgo: 1,
      category: 'Idol',
    });
    await makeArticle({ stars: [star], rewrites: { ko: '옛 소식' }, minutesAgo: 9, category: 'Actor' });
    await makeArticle({ stars: [star], rewrites: { ko: '숨은 소식' }, minutesAgo: 5, withdrawn: true });
    const { json } = await call(`/api/articles?starIds=[${star}]`);
    expect(titles(json)).toEqual(['새 소식', '옛 소식']);
    if (!Value.Check(Article, Array.isArray(json) ? json[0] : undefined)) throw new Error('not an article');
    const [english] = await answerOf(
      typedCall('get', '/api/articles', { query: { starIds: JSON.stringify([star]), language: 'en' } }),
    );
    expect(english).toMatchObject({
      title: 'New',
      language: 'en',
      articleStars: [{ starId: star, star: { id: star, name: 'HARUCHI' } }],
      rewrittenArticles: [{ language: 'en' }, { language: 'ko' }],
    });
    expect(titles((await call(`/api/articles?starIds=[${star}]&category=Actor`)).json)).toEqual(['옛 소식']);
    expect(titles((await call(`/api/articles?starIds=[${star}]&limit=1&offset=1`)).json)).toEqual([
      '옛 소식',
    ]);
  });

  test('of several stars shows an article of two of them once', async () => {
    const [one, two] = [await makeStar(), await makeStar()];
    await makeArticle({ stars: [one, two], rewrites: { ko: '둘' }, minutesAgo: 2 });
    await makeArticle({ stars: [two], rewrites: { ko: '하나' }, minutesAgo: 3 });
    expect(titles((await call(`/api/articles?starIds=[${one},${two}]`)).json)).toEqual(['둘', '하나']);
  });

  test('of a star is not cut short by withdrawn articles', async () => {
    const star = await makeStar();
    for (let n = 0; n < 3; n++) await makeArticle({ stars: [star], minutesAgo: 1, withdrawn: true });
    await makeArticle({ stars: [star], rewrites: { ko: '남은 것' }, minutesAgo: 60 });
    expect(titles((await call(`/api/articles?starIds=[${star}]&limit=1`)).json)).toEqual(['남은 것']);
  });

  test('of an event is the article that announced it, when the event is public', async () => {
    const article = await makeArticle({ rewrites: { ko: '공연 소식' } });
    const publicEvent = await makeEvent({ article });
    expect(titles((await call(`/api/articles?eventId=${publicEvent}&limit=1`)).json)).toEqual(['공연 소식']);
    const hidden = await makeArticle({ rewrites: { ko: '아직' } });
    const pendingEvent = await makeEvent({ article: hidden, verification: 'pending' });
    expect((await call(`/api/articles?eventId=${pendingEvent}&limit=1`)).json).toEqual([]);
    expect((await call('/api/articles?eventId=2147483647')).json).toEqual([]);
    expect((await call('/api/articles?eventId=abc')).json).toMatchObject({ field: 'eventId' });
  });
});

describe('one article', () => {
  test('comes in the language asked for, else in English, else as the original', async () => {
    const both = await makeArticle({ rewrites: { ko: '제목', en: 'Title' } });
    const none = await makeArticle({ originalTitle: '원래 제목', originalContent: '가'.repeat(2500) });
    const read = (id: number, language: 'ko' | 'ms') =>
      answerOf(typedCall('get', '/api/articles/:id', { params: { id }, query: { language } }));
    expect(await read(both, 'ko')).toMatchObject({ title: '제목', language: 'ko', originalTitle: '원제' });
    expect(await read(both, 'ms')).toMatchObject({ title: 'Title', language: 'en' });
    expect(await read(none, 'ms')).toMatchObject({
      title: '원래 제목',
      language: 'ko',
      readingTime: 3,
      rewrittenArticles: [],
    });
    expect((await call(`/api/articles/${both}`)).json).toMatchObject({ language: 'ko' });
  });

  test('without a picture shows its first star, without a star the brand', async () => {
    const star = await makeStar();
    const withStar = await makeArticle({ stars: [star] });
    const bare = await makeArticle();
    expect((await call(`/api/articles/${withStar}`)).json).toMatchObject({
      imageUrl: expect.stringMatching(/^\/media\/star-star-\d+-mark\.svg$/),
    });
    expect((await call(`/api/articles/${bare}`)).json).toMatchObject({
      imageUrl: '/media/brand/3x2-800.webp',
    });
  });

  test('that was withdrawn or never was is 404, with everything that belongs to it', async () => {
    const withdrawn = await makeArticle({ withdrawn: true });
    for (const id of [withdrawn, 2147483647]) {
      for (const path of [`${id}`, `related/${id}`, `${id}/multimedia`]) {
        expect([path, (await call(`/api/articles/${path}`)).json]).toEqual([
          path,
          { error: 'Article not found.', code: 'not_found' },
        ]);
      }
      expect(await readArticlePage(id, 'ko', new Date())).toBeUndefined();
    }
  });

  test('whose original has markup shows it as text', async () => {
    const id = await makeArticle({ originalContent: '<script>alert(1)</script> & "둘"\n셋\n\n넷' });
    expect((await readArticlePage(id, 'ko', new Date()))?.contentHtml).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;둘&quot;<br>셋</p>\n<p>넷</p>',
    );
  });

  test('is the one that was asked for, however many are asked for at once and in which language', async () => {
    const ids: number[] = [];
    for (let number = 0; number < 40; number += 1) {
      const star = await makeStar();
      ids.push(
        await makeArticle({ stars: [star], rewrites: { ko: `한국어 ${number}`, en: `English ${number}` } }),
      );
    }
    const expected = ids.flatMap((id, number) => [
      { id, language: 'ko' as const, title: `한국어 ${number}` },
      { id, language: 'en' as const, title: `English ${number}` },
      { id: 2_000_000_000 - number, language: 'en' as const, title: undefined },
    ]);
    const answers = await Promise.all(
      expected.map(({ id, language }) => readArticlePage(id, language, new Date())),
    );
    expect(answers.map((answer) => answer?.title)).toEqual(expected.map(({ title }) => title));
    expect(answers.map((answer) => answer?.id)).toEqual(
      expected.map(({ id, title }) => (title === undefined ? undefined : id)),
    );
  });

  test('carries its embeds with posters on our origin, cached for five minutes', async () => {
    const id = await makeArticle();
    const sql = connection();
    const key = await makePicture('16:9');
    await sql`insert into embeds (article_id, platform, embed_type, embed_id, embed_url, picture_key, position, is_active) values
      (${id}, 'youtube', 'video', 'second', 'https://e.example/2', ${key}, 2, true),
      (${id}, 'spotify', 'track', 'first', 'https://e.example/1', null, 1, true),
      (${id}, 'tiktok', 'video', 'hidden', 'https://e.example/3', null, 0, false)`;
    const { json, headers } = await call(`/api/articles/${id}/multimedia`);
    expect(json).toMatchObject({
      embeds: [
        { embedId: 'first', thumbnailUrl: null },
        { embedId: 'second', thumbnailUrl: `/media/${key}/16x9-480.webp` },
      ],
    });
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(
      (await readArticlePage(id, 'ko', new Date()))?.multimediaEmbeds.map(({ embedId }) => embedId),
    ).toEqual(['first', 'second']);
  });
});

test('a page and a card tell of an article what a call does, by the same names', async () => {
  const star = await makeStar({ names: { ko: '하나', en: 'ONE' } });
  const id = await makeArticle({ stars: [star], rewrites: { ko: '제목', en: 'Title' } });
  for (const language of ['ko', 'en', 'ms'] as const) {
    const data = await answerOf(
      typedCall('get', '/api/articles/:id', { params: { id }, query: { language } }),
    );
    const { content: _, rewrittenArticles: __, imageUrl: ___, createdAt: ____, ...onPage } = data;
    expect(await readArticlePage(id, language, new Date())).toMatchObject(onPage);
    const { title, summary, publishedAt, readingTime, aiAssisted, articleStars } = data;
    const onCard = { id, language: data.language, title, summary, publishedAt, readingTime, aiAssisted };
    const { cards } = await readFeed(language, 0, { starIds: [star] });
    expect(cards).toMatchObject([{ ...onCard, articleStars }]);
  }
});

test('an article tells of what comes next under the name of its own star, whoever else comes first there', async () => {
  const host = await makeStar({ name: '주최자' });
  const guest = await makeStar({ name: '손님', names: { en: 'GUEST' } });
  const absent = await makeStar({ name: '불참' });
  await makeEvent({ star: host, stars: [guest] });
  const nextStar = async (stars: number[]) => {
    const id = await makeArticle({ stars, rewrites: { ko: '제목' } });
    return (await readArticlePage(id, 'en', new Date()))?.nextEvent?.star;
  };
  expect(await nextStar([absent, guest])).toMatchObject({ id: guest, name: 'GUEST' });
  expect(await nextStar([guest, host])).toMatchObject({ id: guest });
  expect(await nextStar([host])).toMatchObject({ id: host });
});

describe('related articles', () => {
  test('share a star, newest first, then fill up from the category', async () => {
    const star = await makeStar();
    const id = await makeArticle({ stars: [star], category: 'Actress', minutesAgo: 1 });
    await makeArticle({ stars: [star], category: 'Actor', rewrites: { ko: '같은 별' }, minutesAgo: 500 });
    await makeArticle({ category: 'Actress', rewrites: { ko: '같은 갈래' }, minutesAgo: 2 });
    await makeArticle({
      stars: [star],
      category: 'Actor',
      rewrites: { ko: '숨김' },
      minutesAgo: 3,
      withdrawn: true,
    });
    expect(titles((await call(`/api/articles/related/${id}`)).json)).toEqual(['같은 별', '같은 갈래']);
    expect(titles((await call(`/api/articles/related/${id}?limit=1`)).json)).toEqual(['같은 별']);
    const page = await readArticlePage(id, 'ko', new Date());
    expect(page?.related.map(({ title }) => title)).toEqual(['같은 별', '같은 갈래']);
  });

  test('go by names in any language or alias, or by ids', async () => {
    const star = await makeStar({
      name: '탁이레',
      names: { ko: '탁이레', en: 'TAK IRE' },
      aliases: ['Tak Yi-re'],
    });
    await makeStar({ name: '탁이레나', names: { en: 'TAK IRENA' } });
    const id = await makeArticle({ category: 'Solo Artist' });
    await makeArticle({ stars: [star], category: 'Actor', rewrites: { ko: '배우 소식' } });
    for (const stars of ['탁이레', 'tak ire', 'Tak Yi-re', 'nobody, TAK IRE', ' TAK  IRE ,']) {
      const { json } = await call(`/api/articles/related/${id}?stars=${encodeURIComponent(stars)}&limit=3`);
      expect([stars, titles(json)]).toEqual([stars, ['배우 소식']]);
    }
    expect(titles((await call(`/api/articles/related/${id}?starIds=[${star}]`)).json)).toEqual(['배우 소식']);
    for (const stars of ['%', '탁이%', 'TAK', '_', "' or 1=1 --", ',,,']) {
      expect(
        titles((await call(`/api/articles/related/${id}?stars=${encodeURIComponent(stars)}`)).json),
      ).toEqual([]);
    }
  });
});

test('a category goes by its slug or its lower-case name', async () => {
  await makeArticle({ category: 'K-Pop Group', rewrites: { ko: '그룹 소식' } });
  for (const slug of ['k-pop-group', 'k-pop group', 'K-Pop Group']) {
    const page = await readCategory(slug, 'ko');
    expect([page?.category, page?.cards.map(({ title }) => title)]).toEqual(['K-Pop Group', ['그룹 소식']]);
  }
  expect(await readCategory('constructor', 'ko')).toBeUndefined();
});

test('what has come in while a page was open is counted by age, by star and to 99, and nothing else is asked', async () => {
  const star = await makeStar();
  const count = async (query: string) => (await call(`/api/articles/new?${query}`)).json;
  await makeArticle({ stars: [star], minutesAgo: 4 });
  await makeArticle({ stars: [star], minutesAgo: 6 });
  await makeArticle({ stars: [star], minutesAgo: 6, withdrawn: true });
  expect(await count(`within=300&starIds=[${star}]`)).toEqual({ count: 1 });
  expect(await count(`within=600&starIds=[${star}]`)).toEqual({ count: 2 });
  expect(await count('within=600')).toEqual({ count: expect.any(Number) });
  for (const query of [
    '',
    'within=',
    'within=0',
    'within=-5',
    'within=1e3',
    'within=31536001',
    'within=9&starIds=1',
  ])
    expect([query, (await call(`/api/articles/new?${query}`)).status]).toEqual([query, 400]);
  await connection()`insert into articles (entertainment_category, outlet, original_url, original_title,
      original_content, original_published_at, published_at)
    select 'Idol', 'x', 'https://many.example/' || n, 'x', 'x', now(), now() from generate_series(1, 120) n`;
  expect(await count('within=60')).toEqual({ count: 99 });
});
