import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { signIn } from '#tests/kit/sign-in.ts';

const csvOf = (...lines: string[]) => ({
  name: 'stars.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['category,words.ko.name,words.en.name,birthDate', ...lines].join('\n')),
});

test('an editor brings a file in without a script: what it would do, what is refused, what came of it', async ({
  browser,
  server,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), javaScriptEnabled: false });
  await signIn(context, server, 'editor');
  const page = await context.newPage();
  await page.goto('/admin?tab=tools&tool=stars&lang=en');
  await page.getByRole('link', { name: 'Import and export' }).click();
  const send = async (file: ReturnType<typeof csvOf>, button: string) => {
    await page.locator('#file').setInputFiles(file);
    await page.getByRole('button', { name: button }).click();
  };
  const wrong = { ...csvOf(), buffer: Buffer.from('category,birthday\nIdol,2001') };
  await send(wrong, 'Check the file');
  await expect(page.getByRole('alert')).toHaveText(/There’s a column that isn’t known\.\s*birthday/);
  await page.goto('/admin/directory?lang=ko');
  await send({ ...wrong, name: 'x.json', buffer: Buffer.from('{') }, '파일 확인하기');
  await expect(page.getByRole('alert')).toHaveText('JSON 문법에 맞지 않아요.');

  await page.goto('/admin/directory?lang=en');
  await send(csvOf('Idol,가온누리,Gaonnuri,2001-02-28', 'Idol,나린달,Narindal,2001-02-30'), 'Check the file');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('stars.csv');
  await expect(page.locator('.figures dd')).toHaveText(['1', '0', '0', '1']);
  const plan = page.url();
  for (const [lang, words] of [
    ['en', ['To add', 'To change', 'Unchanged', 'Refused']],
    ['ko', ['추가 예정', '변경 예정', '그대로', '거부됨']],
    ['ms', ['Akan ditambah', 'Akan diubah', 'Tidak berubah', 'Ditolak']],
    ['vi', ['Sẽ thêm', 'Sẽ thay đổi', 'Giữ nguyên', 'Bị từ chối']],
  ] as const) {
    await page.goto(plan.replace('lang=en', `lang=${lang}`));
    await expect(page.locator('.figures dt')).toHaveText(words);
    await expect(page.locator('.import-row').first()).toContainText(words[0]);
  }
  await page.goto(plan);
  await page.getByRole('link', { name: /^Refused/ }).click();
  await expect(page.locator('.import-row')).toHaveText(/나린달.*birthDate\s+This isn’t a date such as 2001/s);
  await page.getByRole('button', { name: 'Bring in the other 1' }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('The import is done.')).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(page.locator('.figures dt')).toHaveText(['Added', 'Changed', 'Unchanged', 'Refused']);
  await page.getByRole('link', { name: '가온누리' }).click();
  await expect(page.getByLabel('Birthday')).toHaveValue('2001-02-28');
  await context.close();
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
