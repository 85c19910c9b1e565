import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { visitAs } from '#tests/kit/plain-visit.ts';
import { signIn } from '#tests/kit/sign-in.ts';

const csvOf = (...lines: string[]) => ({
  name: 'stars.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['category,words.ko.name,words.en.name,birthDate', ...lines].join('\n')),
});

test('an editor brings a file in without a script: what it would do, what is refused, what came of it', async ({
  page,
  server,
}) => {
  const visit = await visitAs('editor', page, server);
  await visit.goto('/admin?tab=tools&tool=stars&lang=en');
  await visit.follow('Import and export');
  const wrong = { ...csvOf(), buffer: Buffer.from('category,birthday\nIdol,2001') };
  await visit.press('Check the file', {}, wrong);
  expect(visit.text('[role="alert"]')).toMatch(/This column isn’t known:\s*birthday/);
  await visit.goto('/admin/directory?lang=ko');
  await visit.press('파일 확인하기', {}, { ...wrong, name: 'x.json', buffer: Buffer.from('{') });
  expect(visit.text('[role="alert"]')).toBe('JSON 문법에 맞지 않아요.');

  await visit.goto('/admin/directory?lang=en');
  const file = csvOf('Idol,가온누리,Gaonnuri,2001-02-28', 'Idol,나린달,Narindal,2001-02-30');
  await visit.press('Check the file', {}, file);
  expect(visit.text('h1')).toBe('stars.csv');
  expect(visit.texts('.figures dd')).toEqual(['1', '0', '0', '1']);
  const plan = visit.url;
  for (const [lang, words] of [
    ['en', ['To add', 'To change', 'Unchanged', 'Refused']],
    ['ko', ['추가 예정', '변경 예정', '그대로', '거부됨']],
    ['ms', ['Akan ditambah', 'Akan diubah', 'Tidak berubah', 'Ditolak']],
    ['vi', ['Sẽ thêm', 'Sẽ thay đổi', 'Giữ nguyên', 'Bị từ chối']],
  ] as const) {
    await visit.goto(plan.replace('lang=en', `lang=${lang}`));
    expect(visit.texts('.figures dt')).toEqual(words);
    expect(visit.text('.import-row')).toContain(words[0]);
  }
  await visit.goto(plan);
  await visit.follow(/^Refused/);
  expect(visit.texts('.import-row')).toHaveLength(1);
  expect(visit.text('.import-row')).toMatch(/나린달.*birthDate This isn’t a date such as 2001/);
  await visit.press('Bring in the other 1');
  const job = visit.url;
  await expect
    .poll(async () => {
      await visit.goto(job);
      return visit.text('main');
    })
    .toContain('The import is done.');
  expect(visit.texts('.figures dt')).toEqual(['Added', 'Changed', 'Unchanged', 'Refused']);
  await visit.follow('가온누리');
  expect(visit.value('birthDate')).toBe('2001-02-28');
});

test('a refused name that would turn its row around is shown with its signs spelt out', async ({
  page,
  server,
}) => {
  const visit = await visitAs('editor', page, server);
  await visit.goto('/admin/directory?lang=en');
  await visit.press('Check the file', {}, csvOf('Idol,가\u202e나,,2001-02-30'));
  const row = visit.document.querySelector('.import-row');
  expect(row?.textContent).not.toContain('\u202e');
  expect(row?.querySelector('bdi')?.textContent).toBe('가\\u{202e}나');
});

test('a file that is dropped is checked, and its import tells when it has ended', async ({
  page,
  server,
}) => {
  await signIn(page.context(), server, 'editor');
  await page.goto('/admin/directory?lang=en');
  await expect(page.getByText('You can also drop it here.')).toBeVisible();
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'dropped.csv', { type: 'text/csv' }));
    const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector('.import-form')?.dispatchEvent(drop);
  }, csvOf('K-Pop Group,다온별무리,Daonbyeol,').buffer.toString());
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('dropped.csv');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Bring in 1' }).dblclick();
  await expect(page.getByText('The import is done.')).toBeVisible();
  await expect(page.locator('.import-row a')).toHaveText('다온별무리');
});
