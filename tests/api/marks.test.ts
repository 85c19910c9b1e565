import { expect, test } from 'bun:test';
import { forgetMarks, markForPage } from '#api/media/marks.ts';
import { drawMark } from '#content/art/draw.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeStar } from '#tests/kit/make.ts';

useDatabase();

test('pages carry a star’s sign as its picture draws it, at once from the second time on, until the star changes', async () => {
  const id = await makeStar({ names: { ko: '토마루', en: 'TOMARU', ms: 'TOMARU', vi: 'TOMARU' } });
  const paint = (colour: string) => connection()`
    update stars set slug = 'tomaru', fandom_color = ${colour}, mark_style = 'first' where id = ${id}`;
  const drawn = (colour: string) =>
    drawMark({ name: '토마루', fandomColor: colour }, 'first').replace(/^<svg[^>]*>|<\/svg>$/g, '');
  await paint('#00B3A4');
  expect(await markForPage('tomaru')).toBe(drawn('#00B3A4'));
  await paint('#C8102E');
  expect(markForPage('tomaru')).toBe(drawn('#00B3A4'));
  forgetMarks();
  expect(await markForPage('tomaru')).toBe(drawn('#C8102E'));
});

test('a star that is not there has no sign, and gets one once it is', async () => {
  expect(await markForPage('nobody')).toBe('');
  const id = await makeStar({ names: { ko: '새별', en: 'NEW', ms: 'NEW', vi: 'NEW' } });
  await connection()`update stars set slug = 'nobody' where id = ${id}`;
  expect(await markForPage('nobody')).toContain('<path');
});

test('those that a page asks for at once are each their own star’s', async () => {
  const slugs = ['sign-a', 'sign-b', 'nobody-at-all', 'sign-a'];
  for (const [slug, ko] of [
    ['sign-a', '가온'],
    ['sign-b', '나래'],
  ] as const) {
    const id = await makeStar({ names: { ko, en: ko, ms: ko, vi: ko } });
    await connection()`update stars set slug = ${slug}, mark_style = 'first' where id = ${id}`;
  }
  forgetMarks();
  const [one, other, nobody, again] = await Promise.all(slugs.map((slug) => markForPage(slug)));
  expect(again).toBe(one ?? '');
  expect(one).toContain('<path');
  expect(other).not.toBe(one);
  expect(nobody).toBe('');
});
