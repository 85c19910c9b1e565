import { describe, expect, test } from 'bun:test';
import { readStarSearch } from '#api/stars/search.ts';
import { connection } from '#db/client.ts';
import { findStarsByName, findStarToChoose } from '#db/queries/directory/choose.ts';
import { answerOf, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeStar, makeUpload } from '#tests/kit/make.ts';

useDatabase();

/** A star of this name in a group, born in this year. */
async function makeMember(names: { ko: string; en: string }, group?: number, birthDate?: string) {
  const id = await makeStar({ name: names.ko, names });
  const sql = connection();
  if (group) {
    await sql`insert into star_members (group_id, position, member_id, names) values (${group}, 0, ${id}, '{}')`;
  }
  if (birthDate) await sql`insert into star_profiles (star_id, birth_date) values (${id}, ${birthDate})`;
  return id;
}

/** What tells the stars of a list apart, by their ids. */
const distinctionsOf = (stars: readonly { id: number; distinction?: string | null | undefined }[]) =>
  Object.fromEntries(stars.map(({ id, distinction }) => [id, distinction]));

describe('stars of one name', () => {
  test('are told apart by group and year of birth in every list, others have nothing to add', async () => {
    const group = await makeStar({ name: '새벽', names: { ko: '새벽', en: 'DAWN' } });
    const one = await makeMember({ ko: '모란', en: 'Moran' }, group, '2004-05-07');
    const two = await makeMember({ ko: '모란', en: 'Moran' }, undefined, '1998');
    const other = await makeMember({ ko: '모란', en: 'Peony' }, group, '2001-02');
    for (const id of [one, two, other]) await connection()`insert into channels (star_id) values (${id})`;
    const korean = { [one]: '새벽 · 2004', [two]: '1998', [other]: '새벽 · 2001' };
    const english = { [one]: 'DAWN · 2004', [two]: '1998' };

    const list = await answerOf(typedCall('get', '/api/stars', { query: { search: '모란' } }));
    expect(distinctionsOf(list)).toEqual(korean);
    const whole = await answerOf(typedCall('get', '/api/stars', { query: { language: 'en' } }));
    expect(distinctionsOf(whole)).toMatchObject({ ...english, [other]: null, [group]: null });

    const { suggestions } = await answerOf(
      typedCall('get', '/api/search/suggestions', { query: { q: '모란', language: 'en' } }),
    );
    expect(distinctionsOf(suggestions)).toEqual({ ...english, [other]: null });
    const found = await answerOf(typedCall('get', '/api/search', { query: { q: '모란' } }));
    expect(distinctionsOf(found.stars)).toEqual(korean);
    expect(distinctionsOf(found.channels.map(({ star }) => star))).toEqual(korean);
    const { channels } = await answerOf(
      typedCall('get', '/api/community/channels', { query: { language: 'en' } }),
    );
    expect(distinctionsOf(channels.map(({ star }) => star))).toEqual({ ...english, [other]: null });

    const toChoose = await findStarsByName('모란', readStarSearch('모란'), 'ko', 8);
    expect(distinctionsOf(toChoose)).toEqual(korean);
    expect((await findStarToChoose(two, 'en'))?.distinction).toBe('1998');
  });

  test('are told apart from those that readers see: one that is hidden takes no room', async () => {
    const shown = await makeMember({ ko: '나팔', en: 'Napal' }, undefined, '2000');
    const hidden = await makeMember({ ko: '나팔', en: 'Napal' }, undefined, '2001');
    await connection()`update stars set hidden_at = now() where id = ${hidden}`;
    const list = await answerOf(typedCall('get', '/api/stars', { query: { search: '나팔' } }));
    expect(distinctionsOf(list)).toEqual({ [shown]: null });
  });
});

describe('a star with an avatar', () => {
  test('has it in the place of its sign until it is withdrawn', async () => {
    const star = await makeStar({ name: '은방울' });
    const { id, key } = await makeUpload();
    const sql = connection();
    await sql`update stars set avatar_key = ${key} where id = ${star}`;
    const imageOf = async () =>
      (await answerOf(typedCall('get', '/api/stars', { query: { search: '은방울' } })))[0]?.imageUrl;
    expect(await imageOf()).toBe(`/media/${key}/1x1-224.webp`);
    await sql`update pictures set withdrawn_at = now() where id = ${id}`;
    expect(await imageOf()).toMatch(/^\/media\/star-star-\d+-mark\.svg$/);
  });
});
