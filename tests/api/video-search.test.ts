import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { searchVideo } from '#api/articles/youtube.ts';
import { config, setConfig } from '#api/config.ts';
import { onInvalidation } from '#api/invalidation.ts';
import { connection } from '#db/client.ts';
import { bearer, call } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';
import { type Mood, type StandIn, startYouTube } from '#tests/kit/youtube.ts';

useDatabase();

let youtube: StandIn;
let editor: { id: number; token: string };

beforeAll(async () => {
  youtube = startYouTube();
  setConfig({ ...config(), youtubeApiKey: youtube.key, youtubeBaseUrl: youtube.url });
  editor = await makeFan({ role: 'editor' });
});
afterEach(() => {
  youtube.mood = 'works';
  youtube.videos = [];
  youtube.gathers = 1;
});
afterAll(() => youtube.stop());

const search = async (id: number) =>
  (await call(`/api/articles/${id}/search-youtube`, { method: 'POST', headers: bearer(editor.token) })).json;

test('an editor finds a video, it is stored with its facts and its poster, and the page hears of it', async () => {
  const star = await makeStar({ name: '파도반' });
  const id = await makeArticle({ stars: [star], rewrites: { ko: '밀물' } });
  youtube.videos = [
    {
      id: 'abcdefghi01',
      title: '파도반 ‘밀물’ 예고',
      thumbnail: 'https://i.ytimg.com/vi/abcdefghi01/hqdefault.jpg',
    },
  ];
  const heard = Promise.withResolvers<string[]>();
  // Other tests of the same process write, too.
  const hear = (tags: string[]) => tags.includes(`article:${id}`) && heard.resolve(tags);
  const ignore = await onInvalidation(hear, () => {});
  const answer = await search(id);
  expect(await heard.promise).toEqual([`article:${id}`, 'feed']);
  await ignore();
  expect(answer).toMatchObject({
    success: true,
    embed: {
      articleId: id,
      platform: 'youtube',
      embedId: 'abcdefghi01',
      embedUrl: 'https://www.youtube-nocookie.com/embed/abcdefghi01',
      title: '파도반 ‘밀물’ 예고',
      thumbnailUrl: expect.stringMatching(/^\/media\/video-[0-9a-f]{20}\/16x9-480\.webp$/),
      metadata: {
        duration: 'PT3M18S',
        channelTitle: 'Naru TV',
        publishedAt: '2026-10-30T09:00:00.000Z',
        viewCount: 1284310,
      },
    },
  });
  const stored = Number(Reflect.get(Object(Reflect.get(Object(answer), 'embed')), 'id'));
  const searchUrl = new URL(youtube.asked.find((path) => path.includes('/search')) ?? '', youtube.url);
  expect(searchUrl.searchParams.get('q')).toBe('파도반 밀물');
  expect(youtube.asked.join()).not.toContain(youtube.key);
  const [picture] = await connection()`select source_url, aspect from pictures where key like 'video-%'`;
  expect(picture).toMatchObject({
    source_url: 'https://i.ytimg.com/vi/abcdefghi01/hqdefault.jpg',
    aspect: '16:9',
  });
  const [entry] = await connection()`
    select actor_id as actor, details from audit_log where action = 'embed.add' and subject_id = ${stored}`;
  expect(entry).toEqual({
    actor: editor.id,
    details: { articleId: id, platform: 'youtube', embedId: 'abcdefghi01' },
  });
  expect((await call(`/api/articles/${id}/multimedia?language=ms`)).json).toMatchObject({
    embeds: [{ embedId: 'abcdefghi01', title: '파도반 ‘밀물’ 예고' }],
  });
});

test('asking again brings the next video, and in the end none', async () => {
  const id = await makeArticle();
  youtube.videos = [
    { id: 'firstvideo1', title: 'One' },
    { id: 'secondvide2', title: 'Two' },
  ];
  expect(await search(id)).toMatchObject({ embed: { embedId: 'firstvideo1', position: 0 } });
  expect(await search(id)).toMatchObject({ embed: { embedId: 'secondvide2', position: 1 } });
  expect(await search(id)).toEqual({ success: false, message: 'No content found' });
});

test('two editors at once store one embed', async () => {
  const id = await makeArticle();
  youtube.videos = [{ id: 'samevideo01', title: 'Same' }];
  youtube.gathers = 3;
  const answers = await Promise.all([search(id), search(id), search(id)]);
  for (const answer of answers)
    expect(answer).toMatchObject({ success: true, embed: { embedId: 'samevideo01' } });
  const rows = await connection()`select id from embeds where article_id = ${id}`;
  expect(rows).toHaveLength(1);
});

test('videos that may not be embedded, have odd ids or posters without https are left out', async () => {
  const id = await makeArticle();
  youtube.videos = [
    { id: '"><script>', title: 'Odd' },
    { id: 'forbidden01', title: 'Not here', embeddable: false },
    {
      id: 'plainposter',
      title: 'Fine',
      thumbnail: 'http://169.254.169.254/',
      duration: 'soon',
      viewCount: '-1',
    },
  ];
  expect(await search(id)).toMatchObject({
    embed: { embedId: 'plainposter', metadata: { channelTitle: 'Naru TV' } },
  });
  const { json } = await call(`/api/articles/${id}/multimedia`);
  expect(JSON.stringify(json)).not.toContain('soon');
  const [picture] =
    await connection()`select source_url from pictures p join embeds e on e.picture_key = p.key where e.article_id = ${id}`;
  expect(picture?.source_url).toStartWith('https://');
});

test('none found says so', async () => {
  expect(await search(await makeArticle())).toEqual({ success: false, message: 'No content found' });
});

test('whatever YouTube does instead of answering, the search fails politely and nothing is stored', async () => {
  const log = recordLog();
  const id = await makeArticle();
  youtube.videos = [{ id: 'abcdefghi09', title: 'Never seen' }];
  const moods: Mood[] = ['quota', 'garbage', 'shapeless', 'huge', 'redirects'];
  for (const mood of moods) {
    youtube.mood = mood;
    expect([mood, await search(id)]).toEqual([mood, { success: false, message: 'Search failed' }]);
  }
  youtube.mood = 'silent';
  expect(await searchVideo(id, editor.id, 50)).toEqual({ success: false, message: 'Search failed' });
  const told = log.lines().filter(({ msg }) => msg === 'the search for videos failed');
  expect(told).toHaveLength(moods.length + 1);
  expect(log.text()).not.toContain(youtube.key);
  log.stop();
  expect((await call(`/api/articles/${id}/multimedia`)).json).toEqual({ embeds: [] });
});

test('without a key, with a wrong one and for no article there is an answer too', async () => {
  const log = recordLog();
  const id = await makeArticle();
  setConfig({ ...config(), youtubeApiKey: 'wrong' });
  expect(await search(id)).toEqual({ success: false, message: 'Search failed' });
  setConfig({ ...config(), youtubeApiKey: undefined });
  expect(await search(id)).toMatchObject({
    success: false,
    message: expect.stringContaining('YOUTUBE_API_KEY'),
  });
  setConfig({ ...config(), youtubeApiKey: youtube.key });
  expect(await search(2147483647)).toEqual({ error: 'Article not found.', code: 'not_found' });
  log.stop();
});

test('an editor is limited to twenty searches a minute', async () => {
  const id = await makeArticle();
  const { token } = await makeFan({ role: 'editor' });
  const knock = () =>
    call(`/api/articles/${id}/search-youtube`, {
      method: 'POST',
      headers: bearer(token),
      from: '192.0.2.77',
    });
  await untilWindowHas(3, 60);
  const answers = await Promise.all(Array.from({ length: 22 }, knock));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
});
