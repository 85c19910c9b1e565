import { beforeAll, describe, expect, test } from 'bun:test';
import { mergeStar } from '#api/directory/merge.ts';
import { chooseStars, readOpenNames, readStory } from '#api/newsroom/desk.ts';
import { advanceStory } from '#api/newsroom/write.ts';
import { connection } from '#db/client.ts';
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
  await advanceStory(id, AbortSignal.timeout(5_000));
  return id;
}
const choose = (id: number, choice: object, as = editor) =>
  call(`/api/admin/stories/${id}/names`, {
    ...sending(choice, 'POST'),
    headers: { ...sending(choice, 'POST').headers, ...bearer(as.token) },
  });
const starsOf = async (id: number) => (await readStory(id)).stars.map((star) => star.id);

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
