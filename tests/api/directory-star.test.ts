import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { compareDocuments } from '#api/directory/compare.ts';
import { exportDirectory, exportFormats } from '#api/directory/export.ts';
import { applyImport } from '#api/directory/import.ts';
import {
  AchievementDocument,
  MemberDocument,
  PhotoDocument,
  SocialLinkDocument,
  TimelineDocument,
} from '#api/directory/model.ts';
import { noOptionals } from '#api/directory/read-document.ts';
import { readDirectoryFile } from '#api/directory/read-file.ts';
import { saveStar } from '#api/directory/write-star.ts';
import { site } from '#content/site.ts';
import { connection, database } from '#db/client.ts';
import { findStarDocument, type StoredTimelineEvent, starLists } from '#db/queries/directory/document.ts';
import type { TimelineType } from '#db/schema/stars.ts';
import { type Answer, bearer, call, sending } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeFan, makeStar, makeUpload } from '#tests/kit/make.ts';

useDatabase();

let editor: { id: number; token: string };
let fan: { id: number; token: string };
// Another one each time: what one editor may write in a minute is limited.
beforeEach(async () => {
  editor = await makeFan({ role: 'editor' });
});
beforeAll(async () => {
  fan = await makeFan();
});

let addresses = 0;
function ask(
  method: string,
  path: string,
  body?: unknown,
  { headers, as = editor }: { headers?: Record<string, string>; as?: { token: string } } = {},
): Promise<Answer> {
  const init = body === undefined ? { method } : sending(body, method);
  addresses += 1;
  return call(`/api/admin/stars${path}`, {
    ...init,
    headers: { ...init.headers, ...bearer(as.token), ...headers },
    from: `10.5.${Math.floor(addresses / 250)}.${addresses % 250}`,
  });
}
const of = ({ json }: Answer, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), json);
const problem = (answer: Answer) => [answer.status, of(answer, 'code'), of(answer, 'field')];

const words = { ko: { name: '새별단' }, en: { name: 'NEW STARS' } };
async function add(more: object = {}): Promise<number> {
  const added = await ask('POST', '', { category: 'K-Pop Group', words, ...more });
  expect(added.status).toBe(200);
  return Number(of(added, 'id'));
}

describe('a star', () => {
  test('is answered with its version, and takes dates as precisely as they are known', async () => {
    const id = await add({ debutDate: '2019-03', activity: 'hiatus', height: 170 });
    const read = await ask('GET', `/${id}`);
    expect(read.json).toMatchObject({
      id,
      debutDate: '2019-03',
      activity: 'hiatus',
      height: 170,
      birthDate: null,
      slug: 'new-stars',
      hiddenAt: null,
    });
    const version = of(read, 'version');
    const changed = await ask('PUT', `/${id}`, {
      version,
      birthDate: '2001',
      words: { ms: { name: 'BINTANG' } },
    });
    expect([changed.status, of(changed, 'version') === version]).toEqual([200, false]);
    expect((await ask('GET', `/${id}`)).json).toMatchObject({
      birthDate: '2001',
      debutDate: '2019-03',
      words: { ...words, ms: { name: 'BINTANG' } },
      version: of(changed, 'version'),
    });
    const late = await ask('PUT', `/${id}`, { version, birthDate: '2002' });
    expect([late.status, of(late, 'code'), of(late, 'current', 'birthDate')]).toEqual([
      409,
      'changed',
      '2001',
    ]);
    expect((await ask('PUT', `/${id}`, { words: { ms: null } })).status).toBe(200);
    expect(of(await ask('GET', `/${id}`), 'words')).toEqual(words);
  });

  test('says where a fact is from until that is taken away', async () => {
    const id = await add({ birthDate: '2001', sources: { birthDate: { name: 'Agency' } } });
    const source = async () => of(await ask('GET', `/${id}`), 'facts', 'birthDate', 'source');
    expect(await source()).toEqual({ name: 'Agency' });
    expect((await ask('PUT', `/${id}`, { sources: { birthDate: null } })).status).toBe(200);
    expect(await source()).toBeNull();
    expect(of(await ask('GET', `/${id}`), 'birthDate')).toBe('2001');
  });

  test('is refused in words where a date does not exist or cannot be', async () => {
    const id = await add({ birthDate: '2001-05' });
    for (const [change, code, field] of [
      [{ birthDate: '2001-02-30' }, 'date', 'birthDate'],
      [{ birthDate: '2001-13' }, 'date', 'birthDate'],
      [{ birthDate: '20010' }, 'date', 'birthDate'],
      [{ birthDate: '2099' }, 'future', 'birthDate'],
      [{ debutDate: '2000' }, 'before_birth', 'debutDate'],
      [{ debutDate: '2019', endDate: '2018' }, 'order', 'endDate'],
      [{ parent: 'nobody-here' }, 'unknown', 'parent'],
      [{ avatar: { key: 'no-picture' } }, 'unknown', 'avatar'],
      [{ words: { ko: { name: ' ' } } }, 'required', 'words.ko.name'],
      [{ words: { ko: null, en: null } }, 'required', 'words.ko.name'],
    ] as const)
      expect([change, problem(await ask('PUT', `/${id}`, change))]).toEqual([
        change,
        [400, code, field],
      ] as never);
    // In the same year nobody can tell.
    expect((await ask('PUT', `/${id}`, { debutDate: '2001' })).status).toBe(200);
  });

  test('may share its name: the address differs, and the namesakes are told', async () => {
    const name = { ko: { name: '민지' }, en: { name: 'Minji' } };
    const first = await ask('POST', '', { category: 'Idol', words: name });
    const second = await ask('POST', '', { category: 'Actress', words: name });
    expect([of(first, 'namesakes'), of(second, 'namesakes', 0, 'id')]).toEqual([[], of(first, 'id')]);
    expect(of(await ask('GET', `/${of(second, 'id')}`), 'slug')).toBe('minji-2');
    const both = await Promise.all([1, 2, 3].map(() => ask('POST', '', { category: 'Idol', words: name })));
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('is called by letters: digits alone are the number of a star', async () => {
    const slugOf = async (ko: string, en: string) => {
      const added = await ask('POST', '', {
        category: 'Idol',
        words: { ko: { name: ko }, en: { name: en } },
      });
      return of(await ask('GET', `/${of(added, 'id')}`), 'slug');
    };
    expect([await slugOf('십오', '15&'), await slugOf('1', '+1')]).toEqual([
      expect.stringMatching(/^si/),
      'star',
    ]);
  });

  test('never gets the address of a picture of somebody who is gone', async () => {
    const name = { ko: { name: '하루' }, en: { name: 'Haru' } };
    const slugOfNew = async () => {
      const { json } = await ask('POST', '', { category: 'Idol', words: name });
      const id = Number(Reflect.get(Object(json), 'id'));
      return { id, slug: of(await ask('GET', `/${id}`), 'slug') };
    };
    const [first, second] = [await slugOfNew(), await slugOfNew()];
    expect([first.slug, second.slug]).toEqual(['haru', 'haru-2']);
    expect((await ask('DELETE', `/${first.id}`)).status).toBe(200);
    const third = await slugOfNew();
    expect((await ask('POST', `/${second.id}/merge`, { into: third.id })).status).toBe(200);
    expect([third.slug, (await slugOfNew()).slug]).toEqual(['haru-3', 'haru-4']);
  });

  test('is made once by a key, however often it is pressed', async () => {
    const body = { category: 'Idol', words: { ko: { name: '한번' } } };
    const headers = { 'idempotency-key': 'press-1' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', '', body, { headers })));
    expect(new Set(answers.map((answer) => of(answer, 'id'))).size).toBe(1);
    expect(of(await ask('POST', '', body, { headers }), 'id')).toBe(of(answers[0] as Answer, 'id'));
    const other = { ...body, category: 'Actor' };
    expect(problem(await ask('POST', '', other, { headers }))).toEqual([
      409,
      'key_reused',
      'Idempotency-Key',
    ]);
    expect(problem(await ask('POST', '', body, { headers: { 'idempotency-key': 'a b' } }))[0]).toBe(400);
    const wrong = { ...body, debutDate: '2001-02-30' };
    const again = { headers: { 'idempotency-key': 'press-2' } };
    expect(problem(await ask('POST', '', wrong, again))[0]).toBe(400);
    expect(problem(await ask('POST', '', wrong, again))[1]).toBe('date');
    const rows = await connection()`select count(*)::int as n from stars where name = '한번'`;
    expect(rows[0]?.n).toBe(1);
  });

  test('is for editors', async () => {
    const id = await add();
    for (const [method, path, body] of [
      ['GET', `/${id}`],
      ['PUT', `/${id}`, {}],
      ['DELETE', `/${id}`],
      ['GET', `/${id}/members`],
      ['POST', `/${id}/photos`, {}],
      ['PUT', `/${id}/timeline/1`, {}],
      ['DELETE', `/${id}/social-links/1`],
      ['PUT', `/${id}/members/order`, { ids: [] }],
      ['GET', `/${id}/revisions`],
      ['POST', `/${id}/revisions/1/restore`],
      ['POST', `/${id}/hide`],
      ['DELETE', `/${id}/hide`],
      ['POST', `/${id}/merge`, { into: 1 }],
    ] as const)
      expect([method, path, (await ask(method, path, body, { as: fan })).status]).toEqual([
        method,
        path,
        403,
      ]);
  });
});

describe('lists of a star', () => {
  test('are members with their time, in an order', async () => {
    const group = await add();
    const member = await makeStar({ name: '하나' });
    const post = (body: object) => ask('POST', `/${group}/members`, body);
    const first = of(await post({ names: { ko: '하나', en: 'Hana' }, starId: member, since: '2019' }), 'id');
    const second = of(
      await post({ names: { ko: '두리' }, since: '2019-02', until: '2021', isFormer: true }),
      'id',
    );
    expect(problem(await post({ names: {} }))).toEqual([400, 'required', 'names']);
    expect(problem(await post({ names: { ko: '셋' }, since: '2020', until: '2019' }))).toEqual([
      400,
      'order',
      'until',
    ]);
    expect(problem(await post({ names: { ko: '셋' }, star: 'not-here' }))).toEqual([400, 'unknown', 'star']);
    const list = async () => of(await ask('GET', `/${group}/members`), 'items') as Record<string, unknown>[];
    expect(await list()).toMatchObject([
      { id: first, starId: member, since: '2019', isFormer: false },
      { id: second, starId: null, until: '2021', isFormer: true },
    ]);
    expect((await ask('PUT', `/${group}/members/order`, { ids: [second, first] })).status).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual([second, first]);
    expect((await ask('PUT', `/${group}/members/order`, { ids: [second, second] })).status).toBe(400);
    const { version } = (await list())[1] ?? {};
    const change = (body: object) => ask('PUT', `/${group}/members/${first}`, body);
    expect((await change({ version, roles: { en: 'Vocals' } })).status).toBe(200);
    expect((await list())[1]).toMatchObject({ names: { ko: '하나', en: 'Hana' }, roles: { en: 'Vocals' } });
    const late = await change({ version, roles: { en: 'Dance' } });
    expect([late.status, of(late, 'current', 'roles', 'en')]).toEqual([409, 'Vocals']);
    expect((await ask('DELETE', `/${group}/members/${second}`)).status).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual([first]);
    expect((await ask('DELETE', `/${group}/members/${second}`)).status).toBe(404);
    const [{ members } = { members: [] }] = [Object((await call(`/api/stars/${group}/profile`)).json)];
    expect(members).toMatchObject([{ name: '하나', starId: member }]);
  });

  test('are timeline, awards and accounts, checked field by field', async () => {
    const id = await add();
    const debut = { date: '2019-03', type: 'debut', words: { ko: { title: '데뷔' } } };
    const award = {
      awardDate: '2020',
      result: 'won',
      words: { en: { achievement: 'Best New Artist', awardName: 'MAMA', organisation: 'CJ ENM' } },
    };
    const link = {
      platform: 'instagram',
      profileUrl: 'https://www.instagram.com/newstars',
      displayName: '@newstars',
      followerCount: 12,
      countedOn: '2026-01-02',
    };
    for (const [path, body, wrong, field] of [
      ['timeline', debut, { date: '2019-02-31' }, 'date'],
      ['timeline', { ...debut, date: '2018' }, { words: {} }, 'words'],
      ['achievements', award, { awardDate: 'soon' }, 'awardDate'],
      ['social-links', link, { profileUrl: 'javascript:alert(1)' }, 'profileUrl'],
    ] as const) {
      const added = await ask('POST', `/${id}/${path}`, body);
      expect([path, added.status]).toEqual([path, 200]);
      const items = of(await ask('GET', `/${id}/${path}`), 'items');
      expect(items).toContainEqual(expect.objectContaining({ ...body, id: of(added, 'id') }));
      expect(problem(await ask('PUT', `/${id}/${path}/${of(added, 'id')}`, wrong)).slice(0, 3)).toEqual([
        400,
        expect.any(String),
        field,
      ]);
    }
    const dates = (of(await ask('GET', `/${id}/timeline`), 'items') as { date: string }[]).map(
      ({ date }) => date,
    );
    expect(dates).toEqual(['2019-03', '2018']);
    expect(problem(await ask('POST', `/${id}/social-links`, link))).toEqual([400, 'known', 'profileUrl']);
  });

  test('are photos that keep what was counted', async () => {
    const id = await add();
    const sql = connection();
    const [shot1, shot2, shot3] = [
      (await makeUpload()).key,
      (await makeUpload()).key,
      (await makeUpload()).key,
    ];
    const photo = (key: string) => ({ picture: { key }, category: 'casual', words: { ko: { title: key } } });
    const first = of(await ask('POST', `/${id}/photos`, photo(shot1)), 'id');
    const second = of(await ask('POST', `/${id}/photos`, photo(shot2)), 'id');
    await sql`update photos set like_count = 7 where id = ${Number(first)}`;
    expect((await ask('PUT', `/${id}/photos/order`, { ids: [second, first] })).status).toBe(200);
    expect((await ask('PUT', `/${id}/photos/${first}`, { takenAt: '2020-05' })).status).toBe(200);
    const shown = of(await call(`/api/stars/${id}/photos`), 'categories', 0, 'photos');
    expect(shown).toMatchObject([{ id: second }, { id: first, likeCount: 7, takenAt: '2020-05' }]);
    await sql`update pictures set withdrawn_at = now() where key in (${shot2}, ${shot3})`;
    expect(problem(await ask('POST', `/${id}/photos`, photo(shot3)))).toEqual([400, 'withdrawn', 'picture']);
    for (const field of ['hero', 'avatar'])
      expect((await ask('PUT', `/${id}`, { [field]: { key: shot3 } })).json).toEqual({
        error: 'This picture was withdrawn.',
        code: 'withdrawn',
        field,
      });
    // What is there already is no reason to refuse another change.
    expect((await ask('PUT', `/${id}/photos/${first}`, { photographer: 'A' })).status).toBe(200);
  });
});

test('every change is kept, told, and can be taken back', async () => {
  const id = await add({ debutDate: '2019' });
  await ask('PUT', `/${id}`, { debutDate: '2020', words: { vi: { name: 'SAO' } } });
  await ask('POST', `/${id}/timeline`, { date: '2020', type: 'debut', words: { ko: { title: '데뷔' } } });
  const revisions = async () =>
    of(await ask('GET', `/${id}/revisions`), 'revisions') as { changed: string[]; action: string }[];
  expect(await revisions()).toMatchObject([
    { number: 3, changed: ['timeline'], action: 'star.edit', actor: { id: editor.id } },
    { number: 2, changed: expect.arrayContaining(['debutDate', 'words.vi.name']) },
    { number: 1, action: 'star.add' },
  ]);
  expect(of(await ask('GET', `/${id}/revisions/2`), 'document', 'debutDate')).toBe('2020');
  expect((await ask('GET', `/${id}/revisions/9`)).status).toBe(404);
  expect((await ask('POST', `/${id}/revisions/1/restore`)).status).toBe(200);
  expect((await ask('GET', `/${id}`)).json).toMatchObject({ debutDate: '2019', words });
  expect(of(await ask('GET', `/${id}`), 'words', 'vi')).toBeUndefined();
  expect(of(await ask('GET', `/${id}/timeline`), 'items')).toEqual([]);
  expect((await revisions())[0]).toMatchObject({ number: 4, action: 'star.restore' });
  // Nothing changed: nothing is kept.
  await ask('PUT', `/${id}`, { debutDate: '2019' });
  expect(await revisions()).toHaveLength(4);
  // A star from before revisions were kept has its earlier state, too.
  const old = await makeStar({ names: { ko: '옛별', en: 'OLD' } });
  await ask('PUT', `/${old}`, { fandomColor: '#c8102e' });
  expect((await ask('POST', `/${old}/revisions/1/restore`)).status).toBe(200);
  expect(of(await ask('GET', `/${old}`), 'fandomColor')).toBe('#3355FF');
});

test('an import fills in, never overwrites what a person wrote, and offers what it knows', async () => {
  const source = { name: 'kpopnet', url: 'https://net.kpop.re/' };
  const save = (id: number | undefined, document: object) =>
    database().transaction((tx) =>
      saveStar(tx, { id, document, actorId: null, action: 'star.import', source, byPerson: false }),
    );
  const document = {
    category: 'Idol' as const,
    words: { ko: { name: '들여' }, en: { name: 'Brought' } },
    birthDate: '2001',
    aliases: ['b', 'a'],
    externalIds: { kpopnet: 'x1' },
    timeline: [
      { date: '2018', type: 'personal', words: { en: { title: 'A' } } },
      { date: '2020', type: 'debut', words: { en: { title: 'B' } } },
    ],
  };
  const { id } = await save(undefined, document);
  expect(await save(id, document)).toMatchObject({ changedFields: [], offeredFields: [] });
  expect(await findStarDocument(id)).toMatchObject({
    document: { externalIds: { kpopnet: 'x1' }, sources: { birthDate: source } },
  });
  expect((await save(id, { birthDate: '2001-05' })).changedFields).toEqual(['birthDate']);
  await ask('PUT', `/${id}`, { birthDate: '2001-05-06' });
  expect(await save(id, { birthDate: '2002', height: 170 })).toMatchObject({
    changedFields: ['height'],
    offeredFields: ['birthDate'],
  });
  const read = await ask('GET', `/${id}`);
  expect(read.json).toMatchObject({
    birthDate: '2001-05-06',
    height: 170,
    offers: [{ field: 'birthDate', offered: '2002', source }],
    facts: { birthDate: { editedAt: expect.any(String) }, height: { source, editedAt: null } },
  });
  await ask('PUT', `/${id}`, { birthDate: '2002' });
  expect(of(await ask('GET', `/${id}`), 'offers')).toEqual([]);
  // Before sources were kept, only people wrote.
  const old = await makeStar({ names: { ko: '옛이', en: 'Older' } });
  expect(await save(old, { words: { en: { name: 'Newer' } }, height: 160 })).toMatchObject({
    changedFields: ['height'],
    offeredFields: ['words.en.name'],
  });
});

test('taking a change back takes out of entries what was added to them', async () => {
  const [id, member] = [await add(), await makeStar({ name: '하나' })];
  const shot = (await makeUpload()).key;
  const title = { ko: { title: '데뷔' } };
  const entries = {
    members: { starId: member, names: { ko: '하나' } },
    photos: { picture: { key: shot }, category: 'casual', words: title },
    timeline: { date: '2020', type: 'debut', words: title },
    achievements: { awardDate: '2020', result: 'won', words: { ko: { achievement: '상', awardName: '상' } } },
    'social-links': { platform: 'instagram', profileUrl: 'https://www.instagram.com/a', displayName: '@a' },
  };
  const source = { name: 'Agency' };
  const added: Record<keyof typeof entries, object> = {
    members: { since: '2019', until: '2021', roles: { en: 'Vocals' }, source },
    photos: { photographer: 'A', takenAt: '2020' },
    timeline: { picture: { key: shot }, relatedUrl: 'https://news.example/', source },
    achievements: { source },
    'social-links': { platformUserId: 'a', followerCount: 12, countedOn: '2026-01-02', source },
  };
  const lists = Object.keys(entries) as (keyof typeof entries)[];
  const itemsOf = async () =>
    Promise.all(lists.map(async (list) => of(await ask('GET', `/${id}/${list}`), 'items', 0)));
  for (const list of lists) expect((await ask('POST', `/${id}/${list}`, entries[list])).status).toBe(200);
  const before = await itemsOf();
  for (const [place, list] of lists.entries()) {
    const itemId = Reflect.get(Object(before[place]), 'id');
    expect([list, (await ask('PUT', `/${id}/${list}/${itemId}`, added[list])).status]).toEqual([list, 200]);
  }
  expect(await itemsOf()).toMatchObject(lists.map((list) => added[list]));
  expect((await ask('POST', `/${id}/revisions/${1 + lists.length}/restore`)).status).toBe(200);
  expect(await itemsOf()).toEqual(before);
});

test('taking a change back restores members and the parent as the stars they were merged into, each once', async () => {
  const [group, above, aboveToo] = [await add(), await add(), await add()];
  const person = (ko: string) => add({ category: 'Idol', words: { ko: { name: ko } } });
  const [gone, kept, other, otherToo] = [
    await person('하나'),
    await person('두리'),
    await person('세나'),
    await person('네오'),
  ];
  for (const member of [gone, kept, other])
    await ask('POST', `/${group}/members`, { starId: member, names: { ko: '이' } });
  await ask('PUT', `/${group}`, { parent: String(of(await ask('GET', `/${above}`), 'slug')) });
  for (const [from, into] of [
    [gone, kept],
    [other, otherToo],
    [above, aboveToo],
  ] as const)
    expect((await ask('POST', `/${from}/merge`, { into })).status).toBe(200);
  expect((await ask('POST', `/${group}/revisions/5/restore`)).status).toBe(200);
  const members = of(await ask('GET', `/${group}/members`), 'items') as { starId: number }[];
  expect(members.map(({ starId }) => starId)).toEqual([kept, otherToo]);
  expect(of(await ask('GET', `/${group}`), 'parent')).toBe(of(await ask('GET', `/${aboveToo}`), 'slug'));
});

test('taking a change back leaves a member that was merged into the group itself without a profile', async () => {
  const group = await add();
  const member = await add({ category: 'Idol', words: { ko: { name: '하나' } } });
  await ask('POST', `/${group}/members`, { starId: member, names: { ko: '하나' } });
  expect((await ask('POST', `/${member}/merge`, { into: group })).status).toBe(200);
  expect((await ask('POST', `/${group}/revisions/2/restore`)).status).toBe(200);
  const members = of(await ask('GET', `/${group}/members`), 'items');
  expect(members).toMatchObject([{ starId: null, names: { ko: '하나' } }]);
});

test('a full list refuses another entry and a merge that would lengthen it; names come before spellings', async () => {
  const full = await add({ aliases: Array.from({ length: 50 }, (_, index) => `Alias ${index}`) });
  const other = await add({ words: { ko: { name: '다른별단' }, en: { name: 'OTHERS' } }, aliases: ['Else'] });
  const sql = connection();
  await sql`insert into social_links (star_id, platform, profile_url, display_name)
    select ${full}, 'instagram', 'https://www.instagram.com/' || place, place from generate_series(1, 50) place`;
  const link = { platform: 'instagram', profileUrl: 'https://www.instagram.com/a', displayName: '@a' };
  const refused = await ask('POST', `/${full}/social-links`, link);
  expect([problem(refused), of(refused, 'most')]).toEqual([[400, 'entries', 'socialLinks'], 50]);
  expect((await ask('POST', `/${other}/social-links`, link)).status).toBe(200);
  const unmerged = await ask('POST', `/${other}/merge`, { into: full });
  expect([problem(unmerged), of(unmerged, 'most')]).toEqual([[400, 'entries', 'socialLinks'], 50]);
  expect((await ask('GET', `/${other}`)).status).toBe(200);
  await sql`delete from social_links where star_id = ${other}`;
  expect((await ask('POST', `/${other}/merge`, { into: full })).status).toBe(200);
  const aliases = of(await ask('GET', `/${full}`), 'aliases');
  expect(aliases).toHaveLength(50);
  expect(aliases).toEqual(expect.arrayContaining(['다른별단', 'OTHERS']));
  expect(aliases).not.toContain('Else');
});

test('a timeline of 1,000 changed entries is compared in about a second', () => {
  const timeline = (type: TimelineType): StoredTimelineEvent[] =>
    Array.from({ length: 1_000 }, (_, index) => ({
      date: '2020',
      type,
      importance: 5,
      isHighlight: false,
      words: { ko: { title: `일 ${index}`, description: '일'.repeat(300) } },
    }));
  const star = { category: 'Idol' as const, words, slug: 'long', activity: 'active' as const };
  const begin = performance.now();
  const changes = compareDocuments(
    { ...star, timeline: timeline('debut') },
    { ...star, timeline: timeline('milestone') },
    (reference) => reference,
    () => false,
  );
  expect(changes.map(({ field }) => field)).toEqual(['timeline']);
  expect(performance.now() - begin).toBeLessThan(1_500 * contention());
});

test('an entry is emptied of what it may leave out, but for the star of a member', () => {
  const models = {
    members: MemberDocument,
    photos: PhotoDocument,
    timeline: TimelineDocument,
    achievements: AchievementDocument,
    socialLinks: SocialLinkDocument,
  };
  for (const list of starLists) {
    const { properties } = models[list];
    const required: readonly string[] = models[list].required ?? [];
    const nullable = Object.entries(properties)
      .filter(([field, schema]) => !required.includes(field) && Value.Check(schema, null))
      .map(([field]) => field);
    const emptied = [...Object.keys(noOptionals[list]), ...(list === 'members' ? ['star'] : [])];
    expect([list, emptied.sort()]).toEqual([list, nullable.sort()]);
  }
});

describe('a star that is there twice', () => {
  test('is merged: all that refers to it moves once, and its number leads on', async () => {
    const from = await add({
      words: { ko: { name: '쌍둥' }, en: { name: 'Twice' } },
      birthDate: '2001',
      aliases: ['쌍', 'Two'],
    });
    const into = await add({ words: { ko: { name: '둘' }, en: { name: 'Two' } } });
    const sql = connection();
    const shared = await makeArticle({ stars: [from, into] });
    const own = await makeArticle({ stars: [from] });
    const other = await makeFan();
    for (const [user, star] of [
      [fan.id, from],
      [fan.id, into],
      [other.id, from],
    ])
      await sql`insert into follows (user_id, star_id) values (${user ?? 0}, ${star ?? 0})`;
    const [channel] = await sql<
      { id: number }[]
    >`insert into channels (star_id) values (${from}) returning id`;
    await sql`insert into channel_members (channel_id, user_id) values (${channel?.id ?? 0}, ${fan.id})`;
    await sql`insert into messages (channel_id, user_id, content) values (${channel?.id ?? 0}, ${fan.id}, 'hi')`;
    await ask('POST', `/${from}/timeline`, { date: '2020', type: 'debut', words: { ko: { title: '데뷔' } } });
    expect(problem(await ask('POST', `/${from}/merge`, { into: from }))[0]).toBe(400);
    expect(problem(await ask('POST', `/${from}/merge`, { into: 999_999 }))).toEqual([400, 'unknown', 'into']);
    expect((await ask('POST', `/${from}/merge`, { into })).status).toBe(200);
    const [counts] = await sql`select follower_count, article_count from stars where id = ${into}`;
    expect(counts).toMatchObject({ follower_count: 2, article_count: 2 });
    const articles =
      await sql`select article_id from article_stars where star_id = ${into} order by article_id`;
    expect(articles.map((row) => row.article_id)).toEqual([shared, own]);
    const [moved] = await sql`
      select c.member_count, (select count(*)::int from messages m where m.channel_id = c.id) as messages
      from channels c where c.star_id = ${into}`;
    expect(moved).toMatchObject({ member_count: 1, messages: 1 });
    expect((await ask('GET', `/${into}`)).json).toMatchObject({
      birthDate: '2001',
      aliases: ['Twice', '쌍', '쌍둥'],
    });
    expect(of(await ask('GET', `/${into}/timeline`), 'items')).toHaveLength(1);
    expect(of(await ask('GET', `/${into}/revisions`), 'revisions', 0)).toMatchObject({
      action: 'star.merge',
      changed: expect.arrayContaining(['timeline', 'aliases', 'birthDate']),
    });
    for (const path of ['profile?language=en', 'photos', 'timeline', 'articles']) {
      const { status, headers } = await call(`/api/stars/${from}/${path}`);
      expect([path, status, headers.get('location')]).toEqual([path, 301, `/api/stars/${into}/${path}`]);
    }
    expect((await ask('GET', `/${from}`)).status).toBe(301);
    const third = await add();
    expect((await ask('POST', `/${into}/merge`, { into: third })).status).toBe(200);
    expect((await call(`/api/stars/${from}/profile`)).headers.get('location')).toBe(
      `/api/stars/${third}/profile`,
    );
    expect(of(await ask('DELETE', `/${third}`), 'current')).toMatchObject({ mergedStars: 2, articles: 2 });
  });
});

test('a star that is merged leaves its words, its group and its facts, as an import or a person wrote them, where the other has none', async () => {
  const source = { name: 'kpopnet.json', url: 'https://example.com/data' };
  const parent = await add({ words: { ko: { name: '윗단' }, en: { name: 'Upper' } } });
  const slug = String(of(await ask('GET', `/${parent}`), 'slug'));
  const { id: from } = await database().transaction((tx) =>
    saveStar(tx, {
      id: undefined,
      document: {
        category: 'K-Pop Group',
        words: {
          ko: { name: '곁단', agency: '먼바다 기획', biography: '강릉에서 모였다.', realName: '곁' },
          en: { name: 'Side Crew', nationality: 'Korea' },
          vi: { name: 'Đội Bên', fandomName: 'Bạn' },
        },
        debutDate: '2019',
        parent: slug,
        timeline: [{ date: '2019', type: 'debut', words: { ko: { title: '데뷔' } } }],
      },
      actorId: null,
      action: 'star.import',
      source,
      byPerson: false,
    }),
  );
  expect(
    (await ask('PUT', `/${from}`, { words: { en: { name: 'Side Crew', agency: 'Far Sea' } } })).status,
  ).toBe(200);
  const edited = of(await ask('GET', `/${from}`), 'facts', 'words.en.agency', 'editedAt');
  const into = await add({
    words: { ko: { name: '옆단', biography: '속초에서 모였다.' }, en: { name: 'Beside' } },
  });
  expect((await ask('POST', `/${from}/merge`, { into })).status).toBe(200);
  const { json } = await ask('GET', `/${into}`);
  expect(json).toMatchObject({
    words: {
      ko: { name: '옆단', agency: '먼바다 기획', biography: '속초에서 모였다.', realName: '곁' },
      en: { name: 'Beside', agency: 'Far Sea', nationality: 'Korea' },
      vi: { name: 'Đội Bên', fandomName: 'Bạn' },
    },
    aliases: ['Side Crew', '곁단'],
    debutDate: '2019',
    parent: slug,
    facts: {
      'words.ko.agency': { source, editedAt: null },
      'words.ko.biography': { source: null, editedAt: expect.any(String) },
      'words.ko.name': { source: null, editedAt: expect.any(String) },
      'words.en.agency': { source: null, editedAt: edited },
      'words.vi.name': { source, editedAt: null },
      debutDate: { source, editedAt: null },
      parent: { source, editedAt: null },
      timeline: { source, editedAt: null },
      aliases: { source: null, editedAt: expect.any(String) },
    },
  });
  expect(of(await ask('GET', `/${into}/revisions/2`), 'document', 'sources')).toMatchObject({
    debutDate: source,
    timeline: source,
  });
});

test('a star that is merged into its own group does not become a part of itself, nor gives it a real name', async () => {
  const into = await add();
  const from = await add({
    category: 'Idol',
    words: { ko: { name: '새별이', realName: '김새별', nationality: '대한민국' } },
    parent: String(of(await ask('GET', `/${into}`), 'slug')),
  });
  expect((await ask('POST', `/${from}/merge`, { into })).status).toBe(200);
  const { json } = await ask('GET', `/${into}`);
  expect(json).toMatchObject({ parent: null, words: { ko: { name: '새별단', nationality: '대한민국' } } });
  expect(Object(json).words.ko.realName).toBeUndefined();
});

test('the history of a star is told to its first change, a hundred revisions at a time', async () => {
  const id = await add();
  const read = (page: number) => ask('GET', `/${id}/revisions?page=${page}`);
  await connection()`insert into star_revisions (star_id, number, action, document)
    select ${id}, later, 'star.edit', jsonb_set(document, '{height}', to_jsonb(later))
    from star_revisions, generate_series(2, 202) as later where star_id = ${id}`;
  const numbers = async (page: number) => {
    const revisions = of(await read(page), 'revisions');
    const list: { number: number; changed: string[] }[] = Array.isArray(revisions) ? revisions : [];
    expect(list.filter(({ changed }) => changed.length === 0)).toEqual([]);
    return list.map(({ number }) => number);
  };
  expect((await read(1)).json).toMatchObject({ pagination: { page: 1, totalPages: 3, total: 202 } });
  expect([await numbers(1), await numbers(2), await numbers(3), await numbers(4)]).toEqual([
    Array.from({ length: 100 }, (_, index) => 202 - index),
    Array.from({ length: 100 }, (_, index) => 102 - index),
    [2, 1],
    [],
  ]);
  expect((await read(0)).status).toBe(400);
});

test('a star is deleted when nothing refers to it', async () => {
  const id = await add();
  const article = await makeArticle({ stars: [id] });
  const refused = await ask('DELETE', `/${id}`);
  expect([...problem(refused).slice(0, 2), of(refused, 'current')]).toEqual([409, 'in_use', { articles: 1 }]);
  await connection()`delete from articles where id = ${article}`;
  expect((await ask('DELETE', `/${id}`)).status).toBe(200);
  expect((await ask('GET', `/${id}`)).status).toBe(404);
});

test('a hidden star is gone for readers, kept for editors, and shown again', async () => {
  const id = await add({ words: { ko: { name: '숨은별' }, en: { name: 'Hidden' } } });
  const article = await makeArticle({ stars: [id], rewrites: { ko: '숨은 기사' } });
  const seen = async () => [
    ...(await Promise.all(
      ['profile', 'photos', 'timeline'].map(async (path) => (await call(`/api/stars/${id}/${path}`)).status),
    )),
    Object((await call(`/api/stars?search=${encodeURIComponent('숨은별')}`)).json).length,
    (await call(`/api/articles/${article}`)).text.includes('숨은별'),
  ];
  expect(await seen()).toEqual([200, 200, 200, 1, true]);
  for (const _ of [1, 2]) expect((await ask('POST', `/${id}/hide`)).status).toBe(200);
  expect(await seen()).toEqual([404, 404, 404, 0, false]);
  expect(of(await ask('GET', `/${id}`), 'hiddenAt')).toBeString();
  expect((await ask('DELETE', `/${id}/hide`)).status).toBe(200);
  expect(await seen()).toEqual([200, 200, 200, 1, true]);
  const log =
    await connection()`select action from audit_log where subject_id = ${id} and action like 'star.%' order by id`;
  expect(log.map(({ action }) => action)).toEqual(['star.add', 'star.hide', 'star.show']);
});

test('a star is found by what it is called now, wherever stars are searched for', async () => {
  const id = await add({ words: { ko: { name: '옛물결' }, en: { name: 'Old Tide' } } });
  const into = await add({ words: { ko: { name: '둘째해' }, en: { name: 'Second Sun' } } });
  /** Whom each search finds: the list of stars, suggestions and all of the search. */
  const found = async (text: string) => {
    const ids = async (path: string, ...key: string[]) => {
      const list = of(await call(`/api/${path}=${encodeURIComponent(text)}`), ...key);
      return Array.isArray(list) ? list.map((star) => Object(star).id) : list;
    };
    return Promise.all([
      ids('stars?search'),
      ids('search/suggestions?q', 'suggestions'),
      ids('search?types=stars&q', 'stars'),
    ]);
  };
  const everywhere = (...ids: number[]): [number[], number[], number[]] => [ids, ids, ids];
  expect(await found('옛물결')).toEqual(everywhere(id));
  const long = await add({ words: { ko: { name: '천빛바다별밤비봄바' } } });
  const change = { words: { ko: { name: '새물결' }, en: { name: 'New Tide' } }, aliases: ['파랑'] };
  expect((await ask('PUT', `/${id}`, change)).status).toBe(200);
  for (const [text, ids] of [
    ['옛물결', []],
    ['Old Tide', []],
    ['새물', [id]],
    ['ㅅㅁㄱ', [id]],
    ['ㅊㅂㅂㄷㅂㅂㅂㅂ', [long]],
    ['new tide', [id]],
    ['파랑', [id]],
  ] as const)
    expect([text, await found(text)]).toEqual([text, everywhere(...ids)]);
  const member = { names: { ko: '한단원', en: 'Han Danwon' } };
  expect((await ask('POST', `/${id}/members`, member)).status).toBe(200);
  expect(await found('한단원')).toEqual(everywhere(id));
  expect((await ask('POST', `/${id}/hide`)).status).toBe(200);
  expect(await found('파랑')).toEqual(everywhere());
  expect((await ask('DELETE', `/${id}/hide`)).status).toBe(200);
  expect((await ask('POST', `/${id}/merge`, { into })).status).toBe(200);
  expect(await found('파랑')).toEqual(everywhere(into));
  const alone = await add({ words: { ko: { name: '홀로별빛' }, en: { name: 'Alone' } } });
  expect(await found('홀로별')).toEqual(everywhere(alone));
  expect((await ask('DELETE', `/${alone}`)).status).toBe(200);
  expect(await found('홀로별')).toEqual(everywhere());
});

test('a person who is merged into a group gives it no birthday; of another person it is taken over', async () => {
  const born = { category: 'Idol', birthDate: '2001-11-27', monthlyListeners: 700 };
  const [group, person] = [await add(), await add({ category: 'Idol' })];
  for (const into of [group, person])
    expect((await ask('POST', `/${await add(born)}/merge`, { into })).status).toBe(200);
  const taken = await ask('GET', `/${person}`);
  expect(taken.json).toMatchObject({ birthDate: '2001-11-27', monthlyListeners: 700 });
  const kept = await ask('GET', `/${group}`);
  expect(kept.json).toMatchObject({ birthDate: null, monthlyListeners: 700 });
});

test('one name is enough, Korean or English; another language alone names nobody', async () => {
  const korean = await add({ words: { ko: { name: '외자' } } });
  const english = await add({ words: { en: { name: 'Lone' } } });
  const nameOf = async (id: number, language: string) =>
    of(await call(`/api/stars/${id}/profile?language=${language}`), 'name');
  expect([await nameOf(korean, 'vi'), await nameOf(english, 'ko')]).toEqual(['외자', 'Lone']);
  const malay = await ask('POST', '', { category: 'Idol', words: { ms: { name: 'Sahaja' } } });
  expect(problem(malay)).toEqual([400, 'required', 'words.ko.name']);
});

test('a text that is too long is refused with the limit that it has, however long it is', async () => {
  const id = await add();
  for (const length of [5001, 30_000]) {
    const words = { en: { name: 'Long', biography: 'x'.repeat(length) } };
    const refused = await ask('PUT', `/${id}`, { words });
    expect([problem(refused), of(refused, 'most')]).toEqual([[400, 'long', 'words.en.biography'], 5000]);
  }
  const source = { name: 'News', url: `https://news.example/${'x'.repeat(3000)}` };
  const refused = await ask('PUT', `/${id}`, { sources: { birthDate: source } });
  expect([problem(refused), of(refused, 'most')]).toEqual([[400, 'long', 'sources.birthDate.url'], 2000]);
});

describe('a fan colour', () => {
  const profileOf = async (id: number) => {
    const { json } = await call(`/api/stars/${id}/profile?language=en`);
    return json as { fandomColor: string; profile: { fandomColor: string | null } };
  };
  const told = async (id: number) => {
    const { fandomColor, profile } = await profileOf(id);
    return [fandomColor, profile.fandomColor];
  };

  test('is unknown until somebody tells it, and again once it is taken away; the accent is drawn meanwhile', async () => {
    const id = await add();
    const [drawn, unknown] = await told(id);
    expect([drawn, unknown]).toEqual([expect.stringMatching(/^#[0-9A-F]{6}$/), null]);
    expect(drawn).not.toBe(site.brandColor.toUpperCase());
    expect((await ask('GET', `/${id}`)).json).toMatchObject({ fandomColor: null, accent: drawn });
    expect((await ask('PUT', `/${id}`, { fandomColor: '#c8102e' })).status).toBe(200);
    expect(await told(id)).toEqual(['#C8102E', '#C8102E']);
    expect((await ask('PUT', `/${id}`, { fandomColor: null })).status).toBe(200);
    expect((await told(id))[1]).toBeNull();
    expect((await ask('POST', `/${id}/revisions/2/restore`)).status).toBe(200);
    expect(await told(id)).toEqual(['#C8102E', '#C8102E']);
    expect((await ask('POST', `/${id}/revisions/1/restore`)).status).toBe(200);
    expect((await told(id))[1]).toBeNull();
    expect(problem(await ask('PUT', `/${id}`, { fandomColor: 'red' }))).toEqual([
      400,
      'invalid',
      'fandomColor',
    ]);
  });

  test('stays unknown, or what it is, in a file and back', async () => {
    await add({ fandomColor: '#3355FF', words: { ko: { name: '파랑별' }, en: { name: 'Blue' } } });
    await add({ words: { ko: { name: '무색' }, en: { name: 'Colourless' } } });
    const files = await Promise.all(
      exportFormats.map((format) => exportDirectory(format, ['blue', 'colourless'])),
    );
    for (const { text } of files) {
      await connection()`delete from stars where slug in ('blue', 'colourless')`;
      const { rows } = readDirectoryFile(new TextEncoder().encode(text));
      await applyImport(rows, { actorId: null, rowByRow: false });
      const stars = await connection()<
        { id: number }[]
      >`select id from stars where slug in ('blue', 'colourless') order by slug`;
      expect(await Promise.all(stars.map(async ({ id }) => (await told(id))[1]))).toEqual(['#3355FF', null]);
    }
  });
});

describe('what an editor sends', () => {
  test('outside of what a number takes is told with both ends', async () => {
    const id = await add();
    const wrong = async (body: object) => {
      const answer = await ask('PUT', `/${id}`, body);
      return [...problem(answer), of(answer, 'least'), of(answer, 'most')];
    };
    expect(await wrong({ height: 5 })).toEqual([400, 'range', 'height', 50, 260]);
    expect(await wrong({ monthlyListeners: -1 })).toEqual([400, 'range', 'monthlyListeners', 0, 2147483647]);
    const moment = { date: '2019', type: 'debut', words: { en: { title: 'Debut' } } };
    const late = await ask('POST', `/${id}/timeline`, { ...moment, importance: 11 });
    expect([...problem(late), of(late, 'least'), of(late, 'most')]).toEqual([
      400,
      'range',
      'importance',
      1,
      10,
    ]);
  });

  test('is told where a year, a blood type or a type of person is none', async () => {
    const id = await add();
    for (const [body, code] of [
      [{ birthDate: '0001' }, 'year'],
      [{ birthDate: '2999-01-01' }, 'year'],
      [{ birthDate: '2999-02-30' }, 'date'],
      [{ birthDate: '2099' }, 'future'],
      [{ bloodType: 'Z' }, 'blood_type'],
      [{ mbti: 'XXXX' }, 'mbti'],
    ] as const)
      expect([body, ...problem(await ask('PUT', `/${id}`, body))]).toEqual([
        body,
        400,
        code,
        Object.keys(body)[0],
      ]);
    expect((await ask('PUT', `/${id}`, { bloodType: 'ab', mbti: 'enfp' })).status).toBe(200);
    expect((await ask('GET', `/${id}`)).json).toMatchObject({ bloodType: 'AB', mbti: 'ENFP' });
  });

  test('under a name that no field has is refused instead of lost, and what was read may be sent back', async () => {
    const id = await add();
    const unknown = (field: string) => [400, 'unknown_field', field];
    expect(problem(await ask('PUT', `/${id}`, { birthday: '2001' }))).toEqual(unknown('birthday'));
    expect(problem(await ask('PUT', `/${id}`, { words: { ko: { name: '별', agncy: 'x' } } }))).toEqual(
      unknown('words.ko.agncy'),
    );
    expect(problem(await ask('POST', '', { category: 'Idol', words, members: [] }))).toEqual(
      unknown('members'),
    );
    const award = { awardDate: '2020', result: 'won', words: { en: { achievement: 'A', awardName: 'B' } } };
    expect(problem(await ask('POST', `/${id}/achievements`, { ...award, source: { nmae: 'x' } }))).toEqual(
      unknown('source.nmae'),
    );
    expect((await ask('PUT', `/${id}`, { birthday: '2001' }, { as: fan })).status).toBe(403);
    const added = of(await ask('POST', `/${id}/achievements`, award), 'id');
    const [item] = of(await ask('GET', `/${id}/achievements`), 'items') as object[];
    expect((await ask('PUT', `/${id}/achievements/${added}`, { ...item, result: 'nominated' })).status).toBe(
      200,
    );
    const star = Object((await ask('GET', `/${id}`)).json);
    expect((await ask('PUT', `/${id}`, { ...star, birthDate: '2001' })).status).toBe(200);
    expect((await ask('GET', `/${id}`)).json).toMatchObject({ birthDate: '2001' });
  });

  test('of a source without a name is told at the name', async () => {
    const id = await add({ birthDate: '2001' });
    const body = { sources: { birthDate: { name: '', url: 'https://news.example/1' } } };
    expect(problem(await ask('PUT', `/${id}`, body))).toEqual([400, 'required', 'sources.birthDate.name']);
  });
});

test('a name that shows nothing, or runs over its lines, is none', async () => {
  for (const name of ['\u3164', '\u2800', 'x\u{e0041}', `z${'\u0301'.repeat(70)}`])
    expect(problem(await ask('POST', '', { category: 'Idol', words: { en: { name } } }))).toEqual([
      400,
      'characters',
      'words.en.name',
    ]);
});

test('a member who is hidden gives the group no name to be found by', async () => {
  const member = await add({ category: 'Idol', words: { en: { name: 'Qorvexlin' } } });
  const group = await add();
  const body = { starId: member, names: { en: 'Qorvexlin' } };
  expect((await ask('POST', `/${group}/members`, body)).status).toBe(200);
  const found = async () =>
    [`/api/search/suggestions?q=Qorvexlin&language=en`, `/api/stars?search=Qorvexlin&language=en`].map(
      (path) => call(path),
    );
  const texts = async () => (await Promise.all(await found())).map(({ text }) => text.includes('NEW STARS'));
  expect(await texts()).toEqual([true, true]);
  await ask('POST', `/${member}/hide`);
  expect(await texts()).toEqual([false, false]);
  // Nor after the group was changed meanwhile.
  expect((await ask('PUT', `/${group}`, { aliases: ['New'] })).status).toBe(200);
  expect(await texts()).toEqual([false, false]);
  await ask('DELETE', `/${member}/hide`);
  expect(await texts()).toEqual([true, true]);
  // Nor as somebody who is hidden, until that one is shown or merged into one who is.
  const hidden = await add({ category: 'Idol', words: { ko: { name: '가린이' } } });
  await ask('POST', `/${hidden}/hide`);
  expect((await ask('POST', `/${member}/merge`, { into: hidden })).status).toBe(200);
  expect(await texts()).toEqual([false, false]);
  const shown = await add({ category: 'Idol', words: { ko: { name: '보인이' } } });
  expect((await ask('POST', `/${hidden}/merge`, { into: shown })).status).toBe(200);
  expect(await texts()).toEqual([true, true]);
});

test('hiding a member waits for whoever gives its group another name, and finds it by that', async () => {
  const member = await add({ category: 'Idol', words: { en: { name: 'Wuxvelin' } } });
  const group = await add();
  await ask('POST', `/${group}/members`, { starId: member, names: { en: 'Wuxvelin' } });
  let hiding: Promise<Answer> | undefined;
  await database().transaction(async (tx) => {
    await saveStar(tx, {
      id: group,
      document: { words: { en: { name: 'Zubqorin' } } },
      actorId: editor.id,
      action: 'star.edit',
      byPerson: true,
    });
    hiding = ask('POST', `/${member}/hide`);
    await Bun.sleep(200);
  });
  expect((await hiding)?.status).toBe(200);
  const found = async (text: string) => (await call(`/api/stars?search=${text}`)).json;
  expect(await found('Zubqorin')).toMatchObject([{ id: group }]);
  expect(await found('Wuxvelin')).toEqual([]);
});

test('a member with a profile is called as that is, where the group does not say it', async () => {
  const member = await add({
    category: 'Idol',
    words: { ko: { name: '한여름', realName: '한하나' }, vi: { name: 'Yeoreum Hạ' } },
  });
  const group = await add();
  const post = (names: object) => ask('POST', `/${group}/members`, { starId: member, names });
  const added = of(await post({ ko: '여름' }), 'id');
  const name = async (language: string) =>
    of(await call(`/api/stars/${group}/profile?language=${language}`), 'members', 0, 'name');
  expect([await name('ko'), await name('vi')]).toEqual(['여름', 'Yeoreum Hạ']);
  await ask('DELETE', `/${group}/members/${added}`);
  expect((await post({})).status).toBe(200);
  expect(of(await ask('GET', `/${group}/members`), 'items', 0, 'names')).toEqual({
    ko: '한여름',
    vi: 'Yeoreum Hạ',
  });
  // What only Koreans have written is better than nothing.
  expect(of(await call(`/api/stars/${member}/profile?language=ms`), 'profile', 'realName')).toBe('한하나');
});

test('all that is wrong is told at once, by shape and by rule, of a star and of an entry', async () => {
  const wrong = {
    category: 'Idol',
    words: { ms: { name: 'A', agency: 'x'.repeat(121) } },
    birthDate: '1995.13.1',
    debutDate: '2013년 6월',
    bloodType: 'O형',
    mbti: 'intjj',
    height: 999,
  };
  const faults = ({ status, json }: Awaited<ReturnType<typeof call>>) => {
    const all: { field: string; code: string }[] = Object(json).faults;
    return [status, ...all.map(({ field, code }) => `${field} ${code}`).sort()];
  };
  const ofStar = ['birthDate date', 'bloodType blood_type', 'debutDate date', 'height range', 'mbti mbti'];
  const agency = 'words.ms.agency long';
  const refused = await ask('POST', '', wrong);
  expect(problem(refused)).toEqual([400, 'range', 'height']);
  expect(faults(refused)).toEqual([400, ...ofStar, 'words.ko.name required', agency]);
  const id = await add();
  expect(faults(await ask('PUT', `/${id}`, wrong))).toEqual([400, ...ofStar, agency]);
  const entry = { date: '2019.1', type: 'debut', importance: 11, relatedUrl: 'x', words: {} };
  expect(faults(await ask('POST', `/${id}/timeline`, entry))).toEqual([
    400,
    'date date',
    'importance range',
    'relatedUrl url',
    'words required',
  ]);
});

test('a star has a letter or a digit to its name, and no end that its state speaks against', async () => {
  const id = await add();
  for (const [change, code, field] of [
    [{ words: { en: { name: '.' } } }, 'no_letter', 'words.en.name'],
    [{ activity: 'ended', endDate: '2031' }, 'ended_later', 'endDate'],
    [{ activity: 'active', endDate: '2020' }, 'active_ended', 'activity'],
  ] as const)
    expect(problem(await ask('PUT', `/${id}`, change))).toEqual([400, code, field]);
  expect(problem(await ask('POST', '', { category: 'Idol', words: { en: { name: '.' } } }))).toEqual([
    400,
    'no_letter',
    'words.en.name',
  ]);
  for (const change of [
    { words: { en: { name: '2!' } } },
    { activity: 'ended', endDate: '2020' },
    { activity: 'active', endDate: '2031' },
  ])
    expect((await ask('PUT', `/${id}`, change)).status).toBe(200);
});

test('nobody is a member of a group twice at once; who left and came back stands there twice', async () => {
  const [group, member] = [await add(), await makeStar({ name: '하나' })];
  const post = (more: object = {}) =>
    ask('POST', `/${group}/members`, { starId: member, names: { ko: '하나' }, ...more });
  expect((await post()).status).toBe(200);
  expect(problem(await post())).toEqual([400, 'known_member', 'star']);
  expect((await post({ since: '2015', until: '2017', isFormer: true })).status).toBe(200);
});

test('readers see who left and came back once, and who left by the date as former without a mark', async () => {
  const [group, mark, haechan] = [
    await add(),
    await makeStar({ name: '마크' }),
    await makeStar({ name: '해찬' }),
  ];
  for (const member of [
    { starId: mark, names: { ko: '마크' }, since: '2016', until: '2018-12' },
    { starId: mark, names: { ko: '마크' }, since: '2020-04' },
    { starId: haechan, names: { ko: '해찬' }, since: '2016', until: '2017' },
    { starId: haechan, names: { ko: '해찬' }, since: '2018', until: '2019' },
    { names: { ko: '런쥔' }, until: '2099' },
  ])
    expect((await ask('POST', `/${group}/members`, member)).status).toBe(200);
  expect(of(await call(`/api/stars/${group}/profile`), 'members')).toMatchObject([
    {
      starId: mark,
      since: '2020-04',
      until: null,
      isFormer: false,
      periods: [
        { since: '2016', until: '2018-12' },
        { since: '2020-04', until: null },
      ],
    },
    { starId: null, isFormer: false },
    { starId: haechan, since: '2018', until: '2019', isFormer: true, periods: [{}, {}] },
  ]);
  expect(of(await call(`/api/stars/${mark}/profile`), 'groups')).toMatchObject([
    { id: group, isFormer: false },
  ]);
  expect(of(await call(`/api/stars/${haechan}/profile`), 'groups')).toMatchObject([
    { id: group, isFormer: true },
  ]);
});

test('a group whose members have profiles is not deleted with one press', async () => {
  const group = await add();
  const body = { starId: await makeStar({ name: '하나' }), names: { ko: '하나' } };
  const member = of(await ask('POST', `/${group}/members`, body), 'id');
  await ask('POST', `/${group}/members`, { names: { ko: '두리' } });
  const refused = await ask('DELETE', `/${group}`);
  expect([refused.status, of(refused, 'current')]).toEqual([409, { members: 1 }]);
  await ask('DELETE', `/${group}/members/${member}`);
  expect((await ask('DELETE', `/${group}`)).status).toBe(200);
});

test('two stars that name each other are changed at once', async () => {
  const groups = [await add(), await add()] as const;
  const name = (group: number, other: number) =>
    ask('POST', `/${group}/members`, { starId: other, names: { en: 'Unit' }, isFormer: true });
  // Two at a time: the last of many waits for all before it, and a lock is waited for 5 s at most.
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all([name(...groups), name(groups[1], groups[0])]);
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
  }
});

test('a star belongs to another star that is a group, and to none that belongs to it', async () => {
  const [group, unit, person] = [await add(), await add(), await add({ category: 'Idol' })];
  const slugOf = async (id: number) => String(of(await ask('GET', `/${id}`), 'slug'));
  const belong = async (id: number, to: number) => ask('PUT', `/${id}`, { parent: await slugOf(to) });
  expect(problem(await belong(unit, unit))).toEqual([400, 'itself', 'parent']);
  expect(problem(await belong(unit, person))).toEqual([400, 'no_group', 'parent']);
  expect((await belong(unit, group)).status).toBe(200);
  expect(of(await call(`/api/stars/${unit}/profile`), 'groups')).toMatchObject([
    { id: group, isFormer: false },
  ]);
  expect(problem(await belong(group, unit))).toEqual([400, 'circle', 'parent']);
  expect(problem(await ask('POST', `/${group}/members`, { starId: group, names: { en: 'It' } }))).toEqual([
    400,
    'itself',
    'members',
  ]);
});
