import { beforeAll, describe, expect, test } from 'bun:test';
import { mergeStar } from '#api/directory/merge.ts';
import { chooseStars, dismissStory, readOpenNames, readStory, retryStory } from '#api/newsroom/desk.ts';
import { advanceStory } from '#api/newsroom/write.ts';
import { connection } from '#db/client.ts';
import { groupItem } from '#db/queries/newsroom/items.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { makeStory, storyState } from '#tests/kit/newsroom.ts';

useDatabase();

let editor: { id: number; token: string };
let fan: { id: number; token: string };
let group: number;
let dawn: number;
let dusk: number;

beforeAll(async () => {
  editor = await makeFan({ role: 'editor' });
  fan = await makeFan();
  group = await makeStar({
    name: '새벽단',
    names: { ko: '새벽단', en: 'DAWN CREW' },
    category: 'K-Pop Group',
  });
  dawn = await makeStar({ name: '민솔', names: { ko: '민솔', en: 'Minsol' } });
  dusk = await makeStar({ name: '민솔', names: { ko: '민솔', en: 'Minsol' } });
  const sql = connection();
  await sql`insert into star_members (group_id, position, member_id, names) values (${group}, 0, ${dawn}, '{}')`;
  await sql`insert into star_profiles (star_id, birth_date) values (${dawn}, '2004-05'), (${dusk}, '1999')`;
});

const title = '민솔, 새 앨범 발표';
const text =
  '가수 민솔이 다음 달 새 앨범을 낸다고 밝혔다. 앨범에는 열 곡이 실리며 서울에서 감상회를 연다. 신청은 내일 정오에 시작된다. 팬들의 기대가 크다.';

async function heldStory(...words: [title?: string, text?: string]): Promise<number> {
  const [headline = title, body = text] = words;
  const id = await makeStory({ title: headline, text: body });
  await advance(id);
  return id;
}
const advance = (id: number) => advanceStory(id, AbortSignal.timeout(5_000));

/** The outlet edits its entry: it is grouped and tagged anew. */
async function editSource(id: number, words: string): Promise<void> {
  const [item] = await connection()<{ id: number }[]>`
    update items set stage = 'read', text = ${words} where story_id = ${id} returning id`;
  expect(await groupItem(item?.id ?? 0)).toBe(id);
  expect(await storyState(id)).toMatchObject({ stage: 'new' });
  await advance(id);
}

/** Another outlet tells the same. */
async function tellAgain(id: number): Promise<void> {
  const [item] = await connection()<{ id: number }[]>`
    insert into items (source_id, stage, url, canonical_url, title, text, digest, published_at)
    select source_id, 'read', url, canonical_url || '/again', title, text, digest, published_at
    from items where story_id = ${id} limit 1 returning id`;
  await connection()`update items set published_at = now() - interval '9 days' where story_id <> ${id}`;
  expect(await groupItem(item?.id ?? 0)).toBe(id);
  expect(await storyState(id)).toMatchObject({ stage: 'new' });
  await advance(id);
}
const choose = (id: number, choice: object, as = editor) =>
  call(`/api/admin/stories/${id}/names`, {
    ...sending(choice, 'POST'),
    headers: { ...sending(choice, 'POST').headers, ...bearer(as.token) },
  });
const starsOf = async (id: number) => (await readStory(id)).stars.map((star) => star.id);

describe('a story that is tagged anew', () => {
  test('asks whom its names mean as its source has them now', async () => {
    const id = await heldStory();
    await editSource(id, `${text} 감상회는 무료다.`);
    expect(await storyState(id)).toMatchObject({ stage: 'held', reason: 'namesakes' });
    expect((await readOpenNames(id, 'ko')).map(({ name }) => name)).toEqual(['민솔']);
  });

  test('keeps the stars that an editor set, whoever tells it again', async () => {
    const id = await heldStory();
    await chooseStars(id, [group, dusk], editor.id);
    await tellAgain(id);
    expect(await storyState(id)).toMatchObject({ stage: 'waiting' });
    expect(await starsOf(id)).toEqual([group, dusk]);
    await editSource(id, text.replace('가수 민솔이', '한 가수가'));
    expect(await storyState(id)).toMatchObject({ stage: 'waiting' });
    expect(await starsOf(id)).toEqual([group, dusk]);
    expect(await readOpenNames(id, 'ko')).toEqual([]);
  });

  test('keeps the star that a name means, and those that were certain beside it', async () => {
    const other = await makeStar({ name: '서린하', names: { ko: '서린하' } });
    const id = await heldStory(title, `${text} 배우 서린하도 감상회를 찾는다.`);
    await choose(id, { name: '민솔', starId: null });
    await tellAgain(id);
    expect(await storyState(id)).toMatchObject({ stage: 'waiting' });
    expect(await starsOf(id)).toEqual([other]);
  });

  test('keeps what is answered and what is still open of its names', async () => {
    const twins = [await makeStar({ name: '다온결' }), await makeStar({ name: '다온결' })];
    const id = await heldStory('민솔·다온결, 새 앨범 발표', text);
    await choose(id, { name: '민솔', starId: dusk });
    await editSource(id, `${text} 감상회는 무료다.`);
    expect(await storyState(id)).toMatchObject({ stage: 'held', reason: 'namesakes' });
    expect((await readOpenNames(id, 'ko')).map(({ name }) => name)).toEqual(['다온결']);
    expect(await starsOf(id)).toEqual([dusk]);
    await choose(id, { name: '다온결', starId: twins[0] });
    expect(await starsOf(id)).toEqual([dusk, twins[0] ?? 0]);
    expect(await storyState(id)).toMatchObject({ stage: 'waiting' });
  });
});

describe('a story that is tried anew', () => {
  test('is tagged first where it has no star: nothing is written that cannot be published', async () => {
    const id = await heldStory();
    await retryStory(id, editor.id);
    expect(await storyState(id)).toMatchObject({ stage: 'new' });
    await advance(id);
    expect(await storyState(id)).toMatchObject({ stage: 'held', reason: 'namesakes' });
    expect((await readOpenNames(id, 'ko')).map(({ name }) => name)).toEqual(['민솔']);
  });

  test('waits for its rewrites where it has one, also once it was thrown away', async () => {
    const id = await heldStory();
    await chooseStars(id, [dusk], editor.id);
    await dismissStory(id, editor.id, null);
    await retryStory(id, editor.id);
    expect(await storyState(id)).toMatchObject({ stage: 'waiting' });
    expect(await starsOf(id)).toEqual([dusk]);
  });
});

describe('a story with a name of several stars', () => {
  test('is held with all whom it may mean, told apart by group and year of birth', async () => {
    const id = await heldStory();
    expect(await storyState(id)).toMatchObject({ stage: 'held', reason: 'namesakes' });
    const answer = await call(`/api/admin/stories/${id}/names?language=en`, {
      headers: bearer(editor.token),
    });
    expect(answer.json).toEqual({
      names: [
        {
          name: '민솔',
          stars: [
            { id: dawn, name: 'Minsol', category: 'Idol', groups: ['DAWN CREW'], birthYear: 2004 },
            { id: dusk, name: 'Minsol', category: 'Idol', groups: [], birthYear: 1999 },
          ],
        },
      ],
    });
    expect(await starsOf(id)).toEqual([]);
  });

  test('goes on at once with the one whom an editor chooses, once', async () => {
    const id = await heldStory();
    expect((await choose(id, { name: '민솔', starId: dusk })).status).toBe(200);
    expect(await storyState(id)).toMatchObject({ stage: 'waiting' });
    expect(await starsOf(id)).toEqual([dusk]);
    expect(await readOpenNames(id, 'ko')).toEqual([]);
    expect(await choose(id, { name: '민솔', starId: dawn })).toMatchObject({
      status: 409,
      json: { code: 'changed' },
    });
    expect(await starsOf(id)).toEqual([dusk]);
  });

  test('is held for groups of one name, too', async () => {
    const names = { ko: '달빛 127', en: 'MOON 127' };
    for (let i = 0; i < 2; i += 1) await makeStar({ name: names.ko, names, category: 'K-Pop Group' });
    const id = await heldStory('MOON 127, 새 앨범 발표', '그룹 달빛 127이 다음 달 새 앨범을 낸다.');
    expect(await storyState(id)).toMatchObject({ stage: 'held', reason: 'namesakes' });
    expect((await readOpenNames(id, 'ko')).map(({ name, stars }) => [name, stars.length])).toEqual([
      ['MOON 127', 2],
      ['달빛 127', 2],
    ]);
  });

  test('stays held without a star when it is none of them', async () => {
    const id = await heldStory();
    expect((await choose(id, { name: '민솔', starId: null })).status).toBe(200);
    expect(await storyState(id)).toMatchObject({ stage: 'held', reason: 'no_star' });
  });

  test('keeps the stars that are certain, the most important first', async () => {
    const id = await heldStory('민솔, 새벽단 무대에 서다', '가수 민솔이 무대에 올랐다.');
    // Its group is named: nothing is open.
    expect(await readOpenNames(id, 'ko')).toEqual([]);
    const other = await makeStar({ name: '모하진' });
    const open = await heldStory(title, `${text} 배우 모하진도 감상회를 찾는다.`);
    expect(await starsOf(open)).toEqual([other]);
    await choose(open, { name: '민솔', starId: dawn });
    expect(await starsOf(open)).toEqual([dawn, other]);
  });

  test('is decided by stars that an editor sets by hand, too', async () => {
    const id = await heldStory();
    await chooseStars(id, [dusk], editor.id);
    expect(await storyState(id)).toMatchObject({ stage: 'waiting' });
    expect(await readOpenNames(id, 'ko')).toEqual([]);
  });

  test('is for editors, and for stars that it may mean', async () => {
    const id = await heldStory();
    expect((await choose(id, { name: '민솔', starId: dusk }, fan)).status).toBe(403);
    expect((await choose(id, { name: '민솔', starId: group })).status).toBe(400);
    expect((await choose(id, { name: '해', starId: null })).status).toBe(409);
    expect((await choose(999_999, { name: '민솔', starId: dusk })).status).toBe(404);
    expect(await storyState(id)).toMatchObject({ stage: 'held', reason: 'namesakes' });
  });

  test('names the star that another was merged into', async () => {
    const id = await heldStory();
    const into = await makeStar({ name: '한결솔', names: { ko: '한결솔' } });
    await mergeStar(dusk, into, editor.id);
    expect((await readOpenNames(id, 'ko'))[0]?.stars.map((star) => star.id).sort()).toEqual(
      [dawn, into].sort(),
    );
  });
});
