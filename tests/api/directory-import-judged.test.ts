import { beforeEach, describe, expect, test } from 'bun:test';
import { applyImport, previewImport } from '#api/directory/import.ts';
import type { StarDocument } from '#api/directory/model.ts';
import { countOutcomes } from '#api/directory/plan.ts';
import { readDirectoryFile } from '#api/directory/read-file.ts';
import { languages } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { findStarDocuments } from '#db/queries/directory/document.ts';
import { sentenceOf } from '#site/components/admin/import-words.ts';
import { words } from '#site/i18n/words.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';

/** What an import judges before it writes, and what becomes of others and of the file while it writes. */
useDatabase();
beforeEach(async () => {
  await connection()`truncate stars, pictures restart identity cascade`;
});

const byeol = (...stars: StarDocument[]) =>
  readDirectoryFile(
    new TextEncoder().encode(JSON.stringify({ format: 'byeol-directory', version: 1, stars })),
  ).rows;
const apply = (
  rows: ReturnType<typeof byeol>,
  { rowByRow = false, onProgress }: { rowByRow?: boolean; onProgress?: (done: number) => Promise<void> } = {},
) => applyImport(rows, { actorId: null, rowByRow, ...(onProgress && { onProgress }) });
const group = (slug: string, more: Partial<StarDocument> = {}): StarDocument => ({
  slug,
  category: 'K-Pop Group',
  words: { en: { name: slug } },
  ...more,
});
const codes = (rows: Awaited<ReturnType<typeof previewImport>>) =>
  rows.map(({ outcome, reasons }) => [outcome, ...reasons.map(({ code }) => code)]);
const parents = async () =>
  (await findStarDocuments()).map(({ document: { slug, parent } }) => [slug, parent]).sort();

describe('the preview says what the import would refuse', () => {
  test('a parent that is no group, of the file or of the directory', async () => {
    await apply(byeol(group('solo', { category: 'Idol' }), group('duo')));
    const file = byeol(
      group('actor', { category: 'Actor' }),
      group('unit', { parent: 'actor' }),
      group('second', { parent: 'solo' }),
      group('third', { parent: 'duo' }),
    );
    const preview = await previewImport(file);
    expect(codes(preview)).toEqual([['add'], ['refuse', 'no_group'], ['refuse', 'no_group'], ['add']]);
    expect((await apply(file)).rows).toEqual(preview);
    const { rows } = await apply(file, { rowByRow: true });
    expect(codes(rows)).toEqual(codes(preview));
    for (const { code, message } of preview.flatMap(({ reasons }) => reasons))
      for (const language of languages)
        expect(sentenceOf(words(language), { code, message })).toEqual({ text: expect.any(String) });
    // A star that the same file makes a group is one.
    expect(codes(await previewImport(byeol(group('solo'), group('second', { parent: 'solo' }))))).toEqual([
      ['change'],
      ['add'],
    ]);
  });

  test('groups that are each other’s parent, by the file alone or together with what stands', async () => {
    const file = byeol(
      group('one', { parent: 'three' }),
      group('two', { parent: 'one' }),
      group('three', { parent: 'two' }),
      group('four'),
    );
    const preview = await previewImport(file);
    expect(codes(preview)).toEqual([...Array(3).fill(['refuse', 'circle']), ['add']]);
    expect(codes((await apply(file, { rowByRow: true })).rows)).toEqual(codes(preview));
    expect(sentenceOf(words('ko'), { code: 'circle', message: '' })).toEqual({ text: expect.any(String) });
    await apply(byeol(group('above'), group('below', { parent: 'above' })));
    const turned = byeol(group('above', { parent: 'below' }), group('below', { height: 170 }));
    expect(codes(await previewImport(turned))).toEqual([['refuse', 'circle'], ['change']]);
    expect(codes((await apply(turned, { rowByRow: true })).rows)).toEqual([['refuse', 'circle'], ['change']]);
    // Turned around as a whole they are none.
    const around = byeol(group('above', { parent: 'below' }), group('below', { parent: null }));
    expect(codes((await apply(around)).rows)).toEqual([['change'], ['change']]);
    expect(await parents()).toEqual([
      ['above', 'below'],
      ['below', undefined],
      ['four', undefined],
    ]);
  });

  test('a star that names itself by what the directory calls it', async () => {
    await apply(byeol(group('duo', { externalIds: { wikidata: 'Q1' } })));
    const { slug: _slug, ...unnamed } = group('duo', { externalIds: { wikidata: 'Q1' }, parent: 'duo' });
    expect(codes(await previewImport(byeol(unnamed)))).toEqual([['refuse', 'itself']]);
  });

  test('dates that cannot be together with those that stand', async () => {
    const idol = group('han', { category: 'Idol', birthDate: '2001-02-03' });
    await apply(byeol(idol));
    const file = byeol(group('han', { category: 'Idol', debutDate: '1999' }), group('duo'));
    const preview = await previewImport(file);
    expect(codes(preview)).toEqual([['refuse', 'before_birth'], ['add']]);
    expect((await apply(file)).isApplied).toBe(false);
    expect(await parents()).toEqual([['han', undefined]]);
  });
});

describe('what is made impossible while an import writes', () => {
  /** Somebody makes the star no group once the first is written. */
  const asPerson = async (done: number) => {
    if (done === 1) await connection()`update stars set category = 'Idol' where slug = 'above'`;
  };
  const file = byeol(
    group('first'),
    group('unit', { parent: 'above' }),
    group('below', { parent: 'unit' }),
    group('last'),
  );

  test('is told row by row, and nobody comes in without a parent of the file', async () => {
    await apply(byeol(group('above')));
    const { isApplied, rows } = await apply(file, { rowByRow: true, onProgress: asPerson });
    expect([isApplied, codes(rows)]).toEqual([
      true,
      [['add'], ['refuse', 'no_group'], ['refuse', 'needs_refused'], ['add']],
    ]);
    expect((await parents()).map(([slug]) => slug)).toEqual(['above', 'first', 'last']);
    const again = await apply(file, { rowByRow: true });
    expect(countOutcomes(again.rows)).toEqual({ add: 0, change: 0, same: 2, refuse: 2 });
  });

  test('takes all of them back where they come in together', async () => {
    await apply(byeol(group('above')));
    const { isApplied, rows } = await apply(file, { onProgress: asPerson });
    expect([isApplied, codes(rows)[1]]).toEqual([false, ['refuse', 'no_group']]);
    expect((await parents()).map(([slug]) => slug)).toEqual(['above']);
  });

  test('is told at a star, too, that came in before one that it names', async () => {
    await apply(byeol(group('above')));
    const naming = (star: string) => ({ members: [{ star, names: { en: star } }] });
    const { rows } = await apply(
      byeol(
        group('first'),
        group('crew', { parent: 'above', ...naming('unit') }),
        group('unit', naming('crew')),
      ),
      {
        rowByRow: true,
        onProgress: async (done) => {
          if (done === 2) await connection()`update stars set category = 'Idol' where slug = 'above'`;
        },
      },
    );
    expect(codes(rows)).toEqual([['add'], ['refuse', 'no_group'], ['add', 'needs_refused']]);
  });
});

test('no fan and no editor waits for an import row by row, and what it wrote stays when it is ended', async () => {
  const stars = (height: number) =>
    byeol(
      ...Array.from({ length: 48 }, (_, n) =>
        group(`nara-${n}-a`, { category: 'Idol', birthDate: `1990-01-${10 + (n % 20)}`, height }),
      ),
    );
  await apply(stars(170));
  const [fan, editor] = [await makeFan(), await makeFan({ role: 'editor' })];
  const ask = (address: string, body: object, token: string, method = 'POST') => {
    const { headers, ...init } = sending(body, method);
    return call(address, { ...init, headers: { ...headers, ...bearer(token) } });
  };
  const times: number[] = [];
  const statuses: number[] = [];
  const timed = async (asked: () => ReturnType<typeof call>) => {
    const begin = performance.now();
    statuses.push((await asked()).status);
    times.push(performance.now() - begin);
  };
  const before = contention();
  const ended = apply(stars(171), {
    rowByRow: true,
    onProgress: async (done) => {
      // Stars that are written already.
      if (done === 40) throw new Error('ended');
      if (done % 8 !== 0) return;
      await timed(() => ask(`/api/stars/${done / 2}/follow`, { following: true }, fan.token));
      await timed(() => ask(`/api/admin/stars/${done / 2}`, { mbti: 'ENFP' }, editor.token, 'PUT'));
    },
  });
  await expect(ended).rejects.toThrow('ended');
  expect(new Set(statuses)).toEqual(new Set([200]));
  // Whoever waited for the import would wait for ever, and be refused: it goes on after them. Some may be held up by a busy machine.
  const [middle = Number.NaN] = times.sort((a, b) => a - b).slice(times.length / 2);
  expect(middle).toBeLessThan(1_000 * Math.max(before, contention()));
  const heights = (await findStarDocuments()).map(({ document }) => document.height);
  expect(heights.filter((height) => height === 171)).toHaveLength(40);
  expect(countOutcomes((await apply(stars(171))).rows)).toMatchObject({ change: 8, same: 40 });
  const [kept] = await connection()`
    select count(*)::int as n from star_revisions where action = 'star.import' and document -> 'height' = '171'`;
  expect(kept?.n).toBeGreaterThanOrEqual(48);
}, 240_000);

test('while an import keeps a star, fans follow it and editors are told to wait', async () => {
  const star = (height: number) => byeol(group('nara', { category: 'Idol', height }));
  await apply(star(170));
  const [{ id } = { id: 0 }] = await findStarDocuments();
  const other = await makeStar({ name: '다른별' });
  const [fan, editor] = [await makeFan(), await makeFan({ role: 'editor' })];
  const ask = (address: string, body: object, token: string, method: string) => {
    const { headers, ...init } = sending(body, method);
    return call(address, { ...init, headers: { ...headers, ...bearer(token) } });
  };
  const answers: unknown[] = [];
  await apply(star(171), {
    onProgress: async () => {
      const followed = await ask(`/api/stars/${id}/follow`, { following: true }, fan.token, 'POST');
      const refused = await Promise.all([
        ask(`/api/admin/stars/${id}`, { mbti: 'ENFP' }, editor.token, 'PUT'),
        ask(`/api/admin/stars/${id}/hide`, {}, editor.token, 'POST'),
        ask(`/api/admin/stars/${other}/merge`, { into: id }, editor.token, 'POST'),
      ]);
      answers.push(
        followed.status,
        ...refused.map(({ status, json }) => [status, Reflect.get(Object(json), 'code')]),
      );
    },
  });
  expect(answers).toEqual([200, ...Array(3).fill([409, 'import_running'])]);
  expect((await ask(`/api/admin/stars/${id}`, { mbti: 'ENFP' }, editor.token, 'PUT')).status).toBe(200);
});
