import { expect, test } from '#tests/kit/browser.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';
import { signIn } from '#tests/kit/sign-in.ts';

test('what an editor of a star typed wrong is told at its field, with what would be right', async ({
  page,
  server,
}) => {
  await signIn(page.context(), server, 'editor');
  const visit = new PlainVisit(page.context().request, server.url);
  await visit.goto('/admin/stars/new?lang=en');
  await visit.press('Save', { 'name.en': `Wrong ${Date.now().toString(36)}`, birthDate: '2001' });
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
