import { beforeAll, describe, expect, test } from 'bun:test';
import { readEditedArticle } from '#api/admin/articles.ts';
import { api } from '#api/app.ts';
import { readEmbedAddress } from '#api/articles/embed-address.ts';
import { readEditableStar } from '#api/directory/star.ts';
import { answerMedia } from '#api/media/routes.ts';
import { drawMark } from '#content/art/draw.ts';
import { type Lang, languages, type Translated, translated } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import type { ApiCall } from '#site/lib/http/api-call.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';
import { makeStory } from '#tests/kit/newsroom.ts';

useDatabase();

let people: Record<'fan' | 'editor' | 'admin', { id: number; token: string }>;
beforeAll(async () => {
  people = {
    fan: await makeFan(),
    editor: await makeFan({ role: 'editor' }),
    admin: await makeFan({ role: 'admin' }),
  };
});

let addresses = 0;
type Who = 'fan' | 'editor' | 'admin' | { token: string } | undefined;
function ask(method: string, path: string, body?: unknown, who: Who = 'admin'): Promise<Answer> {
  const token = typeof who === 'string' ? people[who].token : who?.token;
  const init = body === undefined ? { method } : sending(body, method);
  const headers = { ...init.headers, ...(token ? bearer(token) : {}) };
  return call(`/api/admin${path}`, {
    ...init,
    headers,
    from: `10.4.${Math.floor(++addresses / 250)}.${addresses % 250}`,
  });
}
const problem = ({ status, json }: Answer) => [
  status,
  Reflect.get(Object(json), 'code'),
  Reflect.get(Object(json), 'field'),
];
const audit = async (action: string, subjectId: number) =>
  (
    await connection()`select actor_id as actor, details, notes from audit_log where action = ${action} and subject_id = ${subjectId}`
  )[0];

const guarded: ['editor' | 'admin', string, string, unknown?][] = [
  ['admin', 'GET', '/users'],
  ['admin', 'GET', '/audit'],
  ['admin', 'POST', '/sources', {}],
  ['admin', 'POST', '/sources/test', { feedUrl: 'https://feed.example' }],
  ['admin', 'PUT', '/sources/1', { state: 'paused' }],
  ['admin', 'POST', '/sources/1/fetch'],
  ['admin', 'POST', '/failures/1/replay'],
  ['editor', 'GET', '/sources'],
  ['editor', 'GET', '/failures'],
  ['editor', 'GET', '/stories'],
  ['editor', 'PUT', '/stories/1/rewrites/ko', {}],
  ['editor', 'PUT', '/stories/1/stars', { starIds: [1] }],
  ['editor', 'POST', '/stories/1/dismiss', {}],
  ['editor', 'POST', '/stories/1/retry'],
  ['editor', 'GET', '/embeds'],
  ['editor', 'POST', '/embeds', {}],
  ['editor', 'PUT', '/embeds/1', { isActive: false }],
  ['editor', 'GET', '/articles'],
  ['editor', 'PUT', '/articles/1', {}],
  ['editor', 'POST', '/articles/1/withdraw', {}],
  ['editor', 'POST', '/articles/1/restore', {}],
  ['editor', 'POST', '/articles/1/review'],
  ['editor', 'POST', '/stars', {}],
  ['editor', 'PUT', '/stars/1', {}],
];

test('every tool is for editors or admins only, whatever a request claims', async () => {
  for (const [needed, method, path, body] of guarded) {
    const name = `${method} ${path}`;
    expect([name, (await ask(method, path, body, { token: '' })).status]).toEqual([name, 401]);
    expect([name, (await ask(method, path, body, 'fan')).status]).toEqual([name, 403]);
    const editor = (await ask(method, path, body, 'editor')).status;
    expect([name, editor === 403]).toEqual([name, needed === 'admin']);
  }
});

test('accounts are listed with their roles, found by name and address, without anything secret', async () => {
  await connection()`update users set email = 'moon@byeol.example' where id = ${people.fan.id}`;
  const { json, text } = await ask('GET', '/users?search=moon@byeol');
  expect(json).toMatchObject({ users: [{ id: people.fan.id, role: 'user' }], pagination: { total: 1 } });
  expect(text).not.toContain('hash');
  expect((await ask('GET', '/users?search=100%25')).json).toMatchObject({ users: [] });
  const editors = await answerOf(
    typedCall('get', '/api/admin/users', { query: { role: 'editor' }, headers: bearer(people.admin.token) }),
  );
  expect(new Set(editors.users.map(({ role }) => role))).toEqual(new Set(['editor']));
});

test('the audit log answers by domain, action and person, in pages', async () => {
  const log = (query: ApiCall<'get', '/api/admin/audit'>['query']) =>
    answerOf(typedCall('get', '/api/admin/audit', { query, headers: bearer(people.admin.token) }));
  for (const [action, subject] of [
    ['star.add', 'star'],
    ['star.edit', 'star'],
    ['source.add', 'source'],
  ] as const)
    await connection()`insert into audit_log (actor_id, action, subject) values (${people.admin.id}, ${action}, ${subject})`;
  const edits = await log({ action: 'star.edit' });
  expect(new Set(edits.entries.map(({ action }) => action))).toEqual(new Set(['star.edit']));
  expect((await log({ action: 'star' })).pagination.total).toBeGreaterThan(edits.pagination.total);
  expect((await log({ actorId: people.fan.id })).entries).toEqual([]);
  expect((await log({ limit: 1 })).entries.length).toBe(1);
  expect((await ask('GET', "/audit?action=a'--")).status).toBe(400);
});

test('a field that no call of the administration knows is refused, not dropped in silence', async () => {
  const { token } = await makeFan({ role: 'admin' });
  // Those that §7 fixes ignore it (`tests/api/admin-verification.test.ts`).
  const fixed = /\/verify\/(?:approve|reject|undo)$/;
  const writing = api.routes.filter(
    ({ method, path, hooks }) =>
      path.startsWith('/api/admin/') &&
      !fixed.test(path) &&
      hooks.body &&
      /^(?:POST|PUT|PATCH)$/.test(method),
  );
  expect(writing.length).toBeGreaterThan(30);
  const accepted: unknown[] = [];
  for (const { method, path } of writing) {
    const init = sending({ made_up: 1 }, method);
    const headers = { ...init.headers, ...bearer(token) };
    const { status, json } = await call(path.replace(/:\w+/g, '1'), { ...init, headers });
    const { code, field } = Object(json);
    if (code !== 'unknown_field' || field !== 'made_up') accepted.push([method, path, status, code]);
  }
  expect(accepted).toEqual([]);
});

describe('embeds', () => {
  test('are known by their address, and nothing else is', () => {
    const read = (address: string) => {
      const parsed = readEmbedAddress(address);
      return parsed && [parsed.platform, parsed.embedType, parsed.embedId];
    };
    expect(read('https://www.youtube.com/watch?list=x&v=dQw4w9WgXcQ&t=1')).toEqual([
      'youtube',
      'video',
      'dQw4w9WgXcQ',
    ]);
    expect(read(' https://youtu.be/dQw4w9WgXcQ?si=track ')).toEqual(['youtube', 'video', 'dQw4w9WgXcQ']);
    expect(read('https://m.youtube.com/shorts/dQw4w9WgXcQ')).toEqual(['youtube', 'video', 'dQw4w9WgXcQ']);
    expect(read('https://x.com/byeol/status/1234567890')).toEqual(['twitter', 'post', '1234567890']);
    expect(read('https://www.instagram.com/byeol/reel/CabcDEF123/')).toEqual([
      'instagram',
      'reel',
      'CabcDEF123',
    ]);
    expect(read('https://www.tiktok.com/@byeol.demo/video/7300000000000000001')).toEqual([
      'tiktok',
      'video',
      '7300000000000000001',
    ]);
    expect(read('https://open.spotify.com/intl-ko/track/4uLU6hMCjMI75M1A2tKUQC')).toEqual([
      'spotify',
      'track',
      '4uLU6hMCjMI75M1A2tKUQC',
    ]);
    for (const address of [
      'javascript:alert(1)',
      'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
      'https://evil.example/youtu.be/dQw4w9WgXcQ',
      'https://user@youtu.be/dQw4w9WgXcQ',
      'https://youtu.be/"><script>',
      'https://youtu.be:8443/dQw4w9WgXcQ',
      '',
    ])
      expect([address, read(address)]).toEqual([address, undefined]);
  });

  test('are added once to a public article, hidden and shown, each in the log', async () => {
    const articleId = await makeArticle({ rewrites: { en: 'Tide' } });
    const add = (url: string, id = articleId) =>
      ask('POST', '/embeds', { articleId: id, url, title: ' High  water ' }, 'editor');
    const added = await add('https://youtu.be/dQw4w9WgXcQ');
    const id = Number(Reflect.get(Object(added.json), 'id'));
    expect(added.status).toBe(200);
    expect(problem(await add('https://www.youtube.com/watch?v=dQw4w9WgXcQ'))).toEqual([409, 'known', 'url']);
    expect(problem(await add('https://evil.example/'))).toEqual([400, 'platform', 'url']);
    expect((await add('https://youtu.be/dQw4w9WgXcQ', await makeArticle({ withdrawn: true }))).status).toBe(
      404,
    );
    const readShown = async () => (await call(`/api/articles/${articleId}/multimedia?language=ms`)).json;
    expect(await readShown()).toMatchObject({ embeds: [{ id, title: 'High water', platform: 'youtube' }] });
    expect((await ask('PUT', `/embeds/${id}`, { isActive: false }, 'editor')).status).toBe(200);
    expect((await ask('PUT', `/embeds/${id}`, { isActive: false }, 'editor')).status).toBe(200);
    expect(await readShown()).toEqual({ embeds: [] });
    expect((await ask('GET', `/embeds?articleId=${articleId}`, undefined, 'editor')).json).toMatchObject({
      embeds: [{ id, isActive: false }],
      pagination: { total: 1 },
    });
    expect(await audit('embed.add', id)).toMatchObject({ actor: people.editor.id });
    expect(await audit('embed.hide', id)).toMatchObject({ actor: people.editor.id });
    expect((await ask('PUT', '/embeds/2147483647', { isActive: true })).status).toBe(404);
  });
});

describe('articles', () => {
  test('are corrected by hand in every language, withdrawn and brought back', async () => {
    const id = await makeArticle({ rewrites: { ko: '옛 제목', en: 'Old', ms: 'Lama', vi: 'Cũ' } });
    const title = async (language: Lang) =>
      (await answerOf(typedCall('get', '/api/articles/:id', { params: { id }, query: { language } }))).title;
    const draft = (text: string) => ({
      title: text,
      summary: [`${text}.`],
      content: `# ${text}\n\n<script>alert(1)</script> ok`,
    });
    const titles: Translated = { ...translated(() => 'New'), ko: '새 제목', ms: 'Baharu', vi: 'Mới' };
    const rewrites = Object.fromEntries(languages.map((lang) => [lang, draft(titles[lang])]));
    const note = {
      ...translated(() => 'Date corrected.'),
      ko: '날짜를 고쳤어요.',
      ms: 'Tarikh dibetulkan.',
      vi: 'Đã sửa ngày.',
    };
    expect((await ask('PUT', `/articles/${id}`, { rewrites, note }, 'editor')).status).toBe(200);
    for (const lang of languages) expect(await title(lang)).toBe(titles[lang]);
    const [row] = await connection()<
      { html: string }[]
    >`select content_html as html from article_rewrites where article_id = ${id} and language = 'en'`;
    expect(row?.html).not.toContain('<script');
    expect((await ask('PUT', `/articles/${id}`, {}, 'editor')).status).toBe(400);
    expect((await ask('POST', `/articles/${id}/withdraw`, { note }, 'editor')).status).toBe(200);
    expect((await call(`/api/articles/${id}`)).status).toBe(404);
    expect((await ask('POST', `/articles/${id}/withdraw`, {}, 'editor')).status).toBe(409);
    expect((await ask('GET', '/articles?withdrawn=true', undefined, 'editor')).json).toMatchObject({
      articles: expect.arrayContaining([expect.objectContaining({ id })]),
    });
    expect((await ask('POST', `/articles/${id}/restore`, {}, 'editor')).status).toBe(200);
    expect(await title('en')).toBe('New');
    expect((await ask('GET', `/articles?search=${id}`, undefined, 'editor')).json).toMatchObject({
      articles: [{ id }],
    });
  });
});

test('a correction erases nothing that somebody corrected since', async () => {
  const id = await makeArticle({ rewrites: { ko: '옛 제목', en: 'Old' } });
  const read = await ask('GET', `/articles/${id}`, undefined, 'editor');
  expect(read.json).toMatchObject({ id, withdrawnAt: null, rewrites: { en: { title: 'Old' } } });
  expect((await ask('GET', '/articles/2147483647', undefined, 'editor')).status).toBe(404);
  const version: unknown = Reflect.get(Object(read.json), 'version');
  const correct = (title: string, more: object = {}) =>
    ask(
      'PUT',
      `/articles/${id}`,
      { ...more, rewrites: { en: { title, summary: [title], content: title } } },
      'editor',
    );
  expect((await correct('First', { version })).status).toBe(200);
  const late = await correct('Second', { version });
  expect(problem(late)).toEqual([409, 'changed', undefined]);
  expect(late.json).toMatchObject({ current: { id, rewrites: { en: { title: 'First' } } } });
  expect((await readEditedArticle(id)).rewrites.en?.title).toBe('First');
  const { version: readVersion } = await readEditedArticle(id);
  const answers = await Promise.all(['A', 'B'].map((title) => correct(title, { version: readVersion })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await correct('Unasked')).status).toBe(200);
});

test('a review is signed under the words that were read, and not under what is withdrawn', async () => {
  const id = await makeArticle({ rewrites: { en: 'Old' } });
  const sign = (body?: object) => ask('POST', `/articles/${id}/review`, body, 'editor');
  const { version } = await readEditedArticle(id);
  const rewrites = { en: { title: 'New', summary: ['New'], content: 'New' } };
  expect((await ask('PUT', `/articles/${id}`, { rewrites }, 'editor')).status).toBe(200);
  const late = await sign({ version });
  expect(problem(late)).toEqual([409, 'changed', undefined]);
  expect(late.json).toMatchObject({ current: { id, reviewer: null, rewrites: { en: { title: 'New' } } } });
  expect((await sign({ version: (await readEditedArticle(id)).version })).status).toBe(200);
  expect((await sign()).status).toBe(200);
  expect((await readEditedArticle(id)).reviewer?.en).toStartWith('fan');
  expect((await ask('POST', `/articles/${id}/withdraw`, {}, 'editor')).status).toBe(200);
  expect(problem(await sign())).toEqual([409, 'decided', undefined]);
});

test('a page beyond the last tells how many there are all the same', async () => {
  await makeStory({ title: '밀물', text: '밀물' }, { title: '다시 밀물', text: '밀물' });
  const [failed] = await connection()<{ id: number }[]>`
    insert into newsroom_failures (stage, error, attempts) values ('read', 'x', 3) returning id`;
  const read = async (path: string) => (await ask('GET', path, undefined, 'editor')).json;
  expect(await read('/stories?stage=new')).toMatchObject({
    stories: [{ title: '밀물', sources: 2, createdAt: expect.stringMatching(/Z$/) }],
    pagination: { total: 1 },
  });
  expect(await read('/stories?stage=new&page=9')).toMatchObject({ stories: [], pagination: { total: 1 } });
  expect(await read('/failures')).toMatchObject({
    failures: [{ id: failed?.id, title: null }],
    pagination: { total: 1 },
  });
  expect(await read('/failures?page=9')).toMatchObject({ failures: [], pagination: { total: 1 } });
  await connection()`delete from sources`;
});

describe('stars', () => {
  const words = {
    ...Object.fromEntries(languages.map((lang) => [lang, { name: 'NEW STARS' }])),
    ko: { name: '새별단', agency: '나루기획' },
    en: { name: 'NEW STARS' },
  };
  const star = {
    category: 'K-Pop Group',
    fandomColor: '#00b3a4',
    debutDate: '2024-02-29',
    aliases: ['새별'],
    words,
  };

  test('are added with a name in every language and found by all of them', async () => {
    const added = await ask('POST', '/stars', star, 'editor');
    const id = Number(Reflect.get(Object(added.json), 'id'));
    expect(added.status).toBe(200);
    for (const search of ['새별단', 'ㅅㅂㄷ', 'new stars', '새별'])
      expect([search, (await call(`/api/stars?search=${encodeURIComponent(search)}`)).json]).toEqual([
        search,
        [expect.objectContaining({ id })] as never,
      ]);
    expect((await ask('POST', '/stars', star, 'editor')).json).toMatchObject({ namesakes: [{ id }] });
    const changed = { ...star, words: { en: { ...words.en, name: 'NEWER STARS' } } };
    expect((await ask('PUT', `/stars/${id}`, changed, 'editor')).status).toBe(200);
    expect((await call(`/api/stars/${id}/profile?language=en`)).json).toMatchObject({ name: 'NEWER STARS' });
    expect(await audit('star.edit', id)).toMatchObject({ actor: people.editor.id });
  });

  test('get a round sign of their own where another star has the same consonant and colour', async () => {
    const add = async (ko: string, latin: string) => {
      const other = Object.fromEntries(languages.map((lang) => [lang, { name: latin }]));
      const namedWords = { ...other, ko: { name: ko }, en: { name: latin } };
      const added = await ask('POST', '/stars', { ...star, aliases: [], words: namedWords }, 'editor');
      expect(added.status).toBe(200);
      return { id: Number(Reflect.get(Object(added.json), 'id')), named: namedWords };
    };
    const markOf = async (slug: string) => {
      const path = `/media/star-${slug}-mark.svg`;
      return (await answerMedia(new Request(`http://localhost${path}`), path)).text();
    };
    await add('토마루', 'TOMARU');
    const { id, named } = await add('탄소별', 'TANSO');
    const plain = await markOf('tomaru');
    expect(plain).toBe(drawMark({ name: '토마루', fandomColor: '#00B3A4' }, 'first'));
    expect(await markOf('tanso')).toBe(drawMark({ name: '탄소별', fandomColor: '#00B3A4' }, 'pair'));
    const red = { ...star, fandomColor: '#C8102E', aliases: [], words: named };
    expect((await ask('PUT', `/stars/${id}`, red, 'editor')).status).toBe(200);
    expect(await markOf('tanso')).toBe(drawMark({ name: '탄소별', fandomColor: '#C8102E' }, 'first'));
    expect(await markOf('tomaru')).toBe(plain);
  });

  test('keep what somebody wrote since when an older version is sent', async () => {
    const id = await makeStar({ names: { ko: '밀물', en: 'FLOOD', ms: 'FLOOD', vi: 'FLOOD' } });
    const { version } = await readEditableStar(id);
    const rename = (name: string, more: object = {}) =>
      ask('PUT', `/stars/${id}`, { ...star, ...more, aliases: [], words: { vi: { name } } }, 'editor');
    expect((await rename('FIRST', { version })).status).toBe(200);
    expect(problem(await rename('SECOND', { version, fandomColor: '#c8102e' }))).toEqual([
      409,
      'changed',
      undefined,
    ]);
    const now = await readEditableStar(id);
    expect([now.words.vi?.name, now.fandomColor]).toEqual(['FIRST', '#00B3A4']);
    const both = await Promise.all(['A', 'B'].map((name) => rename(name, { version: now.version })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await rename('UNASKED')).status).toBe(200);
  });

  test('are refused when something cannot be', async () => {
    const id = await makeStar({ names: { ko: '별', en: 'STAR', ms: 'STAR', vi: 'STAR' } });
    for (const [change, field] of [
      [{ fandomColor: 'red' }, 'fandomColor'],
      [{ category: 'Singer' }, 'category'],
      [{ debutDate: '2023-02-29' }, 'debutDate'],
      [{ birthDate: '2098-01-01', debutDate: null }, 'birthDate'],
      [{ birthDate: '2000-01-02', debutDate: '2000-01-01' }, 'debutDate'],
      [{ words: { en: { name: ' ' } } }, 'words.en.name'],
      [{ words: { en: { name: 'a\u202eb' } } }, 'words.en.name'],
    ] as const)
      expect([field, problem(await ask('PUT', `/stars/${id}`, { ...star, ...change }, 'editor'))[2]]).toEqual(
        [field, field],
      );
    const future = { ...star, birthDate: '2030-01-01', debutDate: '1990-01-01' };
    expect(problem(await ask('POST', '/stars', future, 'editor'))[0]).toBe(400);
    expect(problem(await ask('POST', '/stars', { ...star, words: { ms: words.en } }, 'editor'))[0]).toBe(400);
    expect((await ask('PUT', '/stars/2147483647', star, 'editor')).status).toBe(404);
  });
});

test('sources are added, listed with their health, paused, and refused when they are none', async () => {
  const source = {
    outlet: '연예나루',
    feedUrl: 'https://naru.example/rss',
    sourceLanguage: 'ko',
    fullText: true,
    intervalMinutes: 15,
  };
  const added = await ask('POST', '/sources', source);
  const id = Number(Reflect.get(Object(added.json), 'id'));
  expect([added.status, problem(await ask('POST', '/sources', source))[0]]).toEqual([200, 409]);
  expect((await ask('GET', '/sources', undefined, 'editor')).json).toMatchObject({
    sources: [{ id, state: 'active', failures: 0 }],
  });
  expect((await ask('POST', `/sources/${id}/fetch`)).status).toBe(200);
  expect(await audit('source.fetch', id)).toMatchObject({ actor: people.admin.id });
  const unchanged = await ask('PUT', `/sources/${id}`, {});
  expect([unchanged.status, await audit('source.change', id)]).toEqual([200, undefined]);
  expect((await ask('PUT', `/sources/${id + 999}`, {})).status).toBe(404);
  expect((await ask('PUT', `/sources/${id}`, { state: 'paused' })).json).toMatchObject({ state: 'paused' });
  expect((await ask('POST', `/sources/${id}/fetch`)).status).toBe(409);
  expect(problem(await ask('POST', '/sources', { ...source, feedUrl: 'file:///etc/passwd' }))).toEqual([
    400,
    'url',
    'feedUrl',
  ]);
  for (const sourceLanguage of ['zz', 'ja', 'KO', ''])
    expect([
      sourceLanguage,
      problem(
        await ask('POST', '/sources', { ...source, feedUrl: 'https://zz.example/rss', sourceLanguage }),
      ),
    ]).toEqual([sourceLanguage, [400, 'invalid', 'sourceLanguage'] as never]);
  // Nothing on our own machine is read, whoever asks (decision S10).
  expect((await ask('POST', '/sources/test', { feedUrl: 'http://127.0.0.1:5432/' })).json).toMatchObject({
    ok: false,
  });
  expect((await ask('GET', '/stats')).json).toMatchObject({
    sources: { total: 1, paused: 1, inTrouble: 0 },
    queue: { held: 0 },
  });
});
