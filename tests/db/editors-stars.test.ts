import { describe, expect, test } from 'bun:test';
import { readStarSearch } from '#api/stars/search.ts';
import { connection } from '#db/client.ts';
import { listStarsForEditors } from '#db/queries/admin/stars.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeStar } from '#tests/kit/make.ts';

useDatabase();

describe('the editors’ list of stars', () => {
  test('has hidden ones too, and is narrowed down by name, alias, initials, category and missing language', async () => {
    const names = { ko: '파도', en: 'Wave', ms: 'Ombak', vi: 'Sóng' };
    const whole = await makeStar({ name: '파도', names, aliases: ['Pado Ban'], initials: 'ㅍㄷ' });
    const part = await makeStar({ name: '노을', names: { ko: '노을' }, initials: 'ㄴㅇ', category: 'Actor' });
    await connection()`update stars set hidden_at = now() where id = ${part}`;
    const ids = async (filter: Partial<Parameters<typeof listStarsForEditors>[0]> = {}) => {
      const { stars, total } = await listStarsForEditors({ language: 'en', limit: 20, offset: 0, ...filter });
      expect(total).toBe(stars.length);
      return stars.map(({ id }) => id);
    };
    const find = (text: string) => ids(readStarSearch(text));
    expect(await ids()).toEqual([whole, part]);
    expect([await find('pado b'), await find('sóng'), await find('ㄴㅇ')]).toEqual([
      [whole],
      [whole],
      [part],
    ]);
    expect([await ids({ category: 'Actor' }), await ids({ hidden: true })]).toEqual([[part], [part]]);
    expect([await ids({ missing: 'vi' }), await ids({ missing: 'ko' })]).toEqual([[part], []]);
    const { stars, total } = await listStarsForEditors({ language: 'en', limit: 1, offset: 1 });
    expect(total).toBe(2);
    expect(stars).toMatchObject([{ id: part, name: '노을', isHidden: true, languages: ['ko'] }]);
  });
});
