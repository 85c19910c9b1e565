import { parseHTML } from 'linkedom';
import { expect, test } from '#tests/kit/browser.ts';
import { documentAt } from '#tests/kit/document-at.ts';
import { plainForm } from '#tests/kit/plain-form.ts';
import { signIn } from '#tests/kit/sign-in.ts';

test('what an editor of a star typed wrong is told at its field, with what would be right', async ({
  page,
  server,
}) => {
  const { request } = page.context();
  await signIn(page.context(), server, 'editor');
  const newStar = await documentAt(request, '/admin/stars/new?lang=en');
  const { action, values } = plainForm(newStar, 'form[data-keep]');
  const added = await request.post(action, {
    headers: { origin: server.url },
    form: { ...values, 'name.en': `Wrong ${Date.now().toString(36)}`, birthDate: '2001' },
    maxRedirects: 0,
  });
  const star = new URL(added.headers().location ?? '', server.url).pathname;

  /** The sentence above the form, and the field that has the focus. */
  const refusal = async (address: string, typed: Record<string, string>) => {
    const form = plainForm(await documentAt(request, `${star}?lang=en${address}`), 'form[data-keep]');
    const answer = await request.post(form.action, {
      headers: { origin: server.url },
      form: { ...form.values, ...typed },
      maxRedirects: 0,
    });
    const { document } = parseHTML(await answer.text());
    return [
      answer.status(),
      document.querySelector('.admin-failure')?.textContent?.trim(),
      document.querySelector('[autofocus]')?.id,
    ];
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
  expect(await refusal('&section=timeline&entry=new', { date: '2019' })).toEqual([
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
