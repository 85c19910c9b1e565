import { expect, test } from '#tests/kit/browser.ts';
import { visitAs } from '#tests/kit/plain-visit.ts';

test('what an editor of a star typed wrong is told at its field, with what would be right', async ({
  page,
  server,
}) => {
  const visit = await visitAs('editor', page, server);
  await visit.goto('/admin/stars/new?lang=en');
  await visit.press('Save', {
    'name.en': `Wrong ${Date.now().toString(36)}`,
    category: 'Idol',
    birthDate: '2001',
  });
  const star = new URL(visit.url).pathname;

  /** The sentence above the form, and the field that has the focus. */
  const refusal = async (address: string, typed: Record<string, string>, button = 'Save') => {
    await visit.goto(`${star}?lang=en${address}`);
    const status = await visit.press(button, typed);
    return [status, visit.text('.admin-failure'), visit.attribute('[autofocus]', 'id')];
  };
  expect(await refusal('', { height: '12' })).toEqual([
    400,
    '“Height (cm)” takes a whole number from 50 to 260.',
    'height',
  ]);
  expect(await refusal('', { birthDate: '2999' })).toEqual([
    400,
    '“Birthday” is before 1800 or after 2099.',
    'birthDate',
  ]);
  expect(await refusal('', { bloodType: 'Z' })).toEqual([400, '“Blood type” is A, B, O or AB.', 'bloodType']);
  expect(await refusal('', { mbti: 'XXXX' })).toEqual([400, '“MBTI” is four letters, such as ENFP.', 'mbti']);
  expect(await refusal('&section=timeline&entry=new', { date: '2019' }, 'Add')).toEqual([
    400,
    '“Title” is empty. Fill it in, in any language.',
    'title.ko',
  ]);
  expect(await refusal('&section=sources&entry=birthDate', { sourceUrl: 'https://news.example/1' })).toEqual([
    400,
    '“Name of the source” is empty. Please fill it in.',
    'sourceName',
  ]);
});

test('a language leaves a star with all of its words, as long as a Korean or an English name stays', async ({
  page,
  server,
}) => {
  const visit = await visitAs('editor', page, server);
  await visit.goto('/admin/stars/new?lang=en');
  const names = { 'name.ko': '떠난이름', 'name.en': `Left ${Date.now().toString(36)}`, 'name.vi': 'Rời' };
  await visit.press('Save', { ...names, 'agency.vi': 'Sao', category: 'Idol' });
  const star = visit.url;
  expect(await visit.press('Save', { 'name.vi': '' })).toBe(400);
  visit.expectRefused(
    'name.vi',
    '“Name (Tiếng Việt)” is empty, but other fields of this language aren’t. Fill it in, or empty those as well.',
  );
  expect(await visit.press('Save', { 'name.vi': '', 'agency.vi': '', 'name.ko': '' })).toBe(200);
  await visit.goto(star);
  expect(['ko', 'en', 'vi'].map((language) => visit.value(`name.${language}`))).toEqual([
    '',
    names['name.en'],
    '',
  ]);
  expect(await visit.press('Save', { 'name.en': '' })).toBe(400);
  expect(visit.text('.admin-failure')).toBe('Give the star a name in Korean or in English.');
  expect(await visit.press('Save', { 'name.en': 'x', 'biography.en': 'x'.repeat(30_000) })).toBe(400);
  visit.expectRefused(
    'biography.en',
    '“Biography (English)” is too long: it takes 5,000 characters at most.',
  );
});

test('all that is wrong with a star is told at once, each at its field, and a height may say its unit', async ({
  page,
  server,
}) => {
  const visit = await visitAs('editor', page, server);
  await visit.goto('/admin/stars/new?lang=en');
  const typed = {
    'name.en': `All ${Date.now().toString(36)}`,
    category: 'Idol',
    birthDate: '1995.13.1',
    height: '999 cm',
    mbti: 'intjj',
  };
  expect(await visit.press('Save', typed)).toBe(400);
  const sentences = [
    '“Birthday” isn’t a date such as 2001, 2001-02 or 2001-02-28.',
    '“Height (cm)” takes a whole number from 50 to 260.',
    '“MBTI” is four letters, such as ENFP.',
  ];
  expect(visit.texts('.admin-failure')).toEqual(sentences);
  expect(['birthDate', 'height', 'mbti'].map((id) => visit.text(`#${id}-problem`))).toEqual(sentences);
  expect(await visit.press('Save', { birthDate: '1995', height: '160 cm', mbti: 'INTJ' })).toBe(200);
  expect(visit.value('height')).toBe('160');
});

test('the category of a new star is chosen, and those who have its name are told once it is kept', async ({
  page,
  server,
}) => {
  const visit = await visitAs('editor', page, server);
  const name = `Twin ${Date.now().toString(36)}`;
  const add = async (typed: Record<string, string>) => {
    await visit.goto('/admin/stars/new?lang=en');
    return visit.press('Save', { 'name.en': name, ...typed });
  };
  await visit.goto('/admin/stars/new?lang=en');
  expect([visit.value('category'), visit.attribute('#category', 'required')]).toEqual(['', '']);
  visit.document.querySelector('#category')?.removeAttribute('required');
  expect(await visit.press('Save', { 'name.en': name })).toBe(400);
  visit.expectRefused('category', '“Category” is empty. Please fill it in.');

  expect(await add({ category: 'Idol', birthDate: '1995-10-13' })).toBe(200);
  expect([visit.text('.admin-saved'), visit.text('#namesakes')]).toEqual(['Saved.', undefined]);
  const first = new URL(visit.url).pathname.split('/').at(-1);
  await add({ category: 'Actor', 'name.en': name.toUpperCase(), birthDate: '1995-10-13' });
  expect(visit.text('.admin-saved')).toBe('Saved.');
  expect(visit.texts('#namesakes .admin-help')).toEqual([`${first} · Idol · 1995 · same birthday`]);
  await visit.follow(`Merge into another star: ${name} ${first}`, '#namesakes');
  expect(visit.text('#merge .admin-note')).toContain(`→ ${name} (`);
});
