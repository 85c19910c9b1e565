import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { textOf } from '#tests/kit/mail-server.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';

const password = '밤하늘의 별 72';
const newPassword = '새벽의 별 1004';
let fanCount = 0;

test.beforeEach(async ({ server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`delete from rate_limits`;
  await sql.end();
});

/** The link of the letter in the outbox that this address got about this. */
async function linkFor(folder: string, email: string, kind: 'reset' | 'verify'): Promise<string> {
  let link = '';
  await expect
    .poll(() => {
      const outbox = join(folder, 'outbox');
      // It is made for the first letter.
      const letters = (existsSync(outbox) ? readdirSync(outbox, { withFileTypes: true }) : [])
        .filter(({ name }) => name.startsWith(kind) && name.endsWith('.eml'))
        .map(({ name }) => readFileSync(join(outbox, name), 'utf8'))
        .filter((letter) => letter.includes(`To: ${email}`));
      link = letters.length > 0 ? (textOf(letters.at(-1) ?? '').match(/http\S+/)?.[0] ?? '') : '';
      return link;
    })
    .toContain(`/login/${kind}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

test.describe('with scripts', () => {
  test.use({ locale: 'en-GB' });

  test('a fan proves the address and replaces a forgotten password by the letters', async ({
    page,
    server,
  }) => {
    const name = `r${Date.now().toString(36)}${++fanCount}`;
    const email = `${name}@byeol.example`;
    await page.goto('/login?lang=en&tab=register');
    for (const [field, text] of Object.entries({
      email,
      username: name,
      password,
      confirmPassword: password,
    }))
      await page.fill(`#${field}`, text);
    await page.click('.account-submit');
    await page.waitForURL('**/en/community');
    await page.goto('/profile?lang=en');
    await expect(page.locator('.profile-proof')).toHaveText('Not confirmed yet');

    const verify = await linkFor(server.folder, email, 'verify');
    for (let n = 0; n < 3; n += 1) expect((await page.request.get(verify)).status()).toBe(200);
    await page.goto(verify);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('status').first()).toContainText('Your email address is confirmed.');
    await page.goto('/profile?lang=en');
    await expect(page.locator('.profile-proof')).toHaveText('Confirmed');

    // Still logged in, as on another device: the form of the login, which has a link to this page, is for others.
    await page.goto('/login/forgot?lang=en');
    await expectAccessible(page);
    await page.fill('#email', email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await expect(page.getByRole('status').first()).toContainText('If there’s an account with this address');
    const reset = await linkFor(server.folder, email, 'reset');
    for (let n = 0; n < 3; n += 1) expect((await page.request.get(reset)).status()).toBe(200);
    await page.goto(reset);
    await expectAccessible(page);
    await page.fill('#newPassword', newPassword);
    await page.fill('#confirmPassword', `${newPassword}!`);
    await page.getByRole('button', { name: 'Save new password' }).click();
    await expect(page.locator('#confirmPassword-problem')).toContainText('The passwords don’t match.');
    await page.fill('#newPassword', newPassword);
    await page.fill('#confirmPassword', newPassword);
    await page.getByRole('button', { name: 'Save new password' }).click();
    await expect(page.getByRole('status').first()).toContainText('Your password has been changed.');
    await page.goto('/profile?lang=en');
    await expect(page).toHaveURL(/\/login\?/);
    await page.fill('#email', email);
    await page.fill('#password', newPassword);
    await page.click('.account-submit');
    await page.waitForURL(({ pathname }) => pathname === '/profile');
    await page.goto(reset);
    await expect(page.locator('.account-problem').first()).toContainText('can no longer be used');
  });
});

test('without scripts a fan proves the address and replaces a forgotten password by the letters', async ({
  context,
  server,
}) => {
  const visit = new PlainVisit(context.request, server.url);
  const name = `r${Date.now().toString(36)}${++fanCount}`;
  const email = `${name}@byeol.example`;
  await visit.goto('/login?lang=en&tab=register');
  await visit.pressAt('.account-submit', { email, username: name, password, confirmPassword: password });
  // The page that says it is done leads on by itself.
  const next = visit.attribute('meta[http-equiv="refresh"]', 'content')?.match(/url=(.*)$/)?.[1];
  expect(next).toBe('/en/community');
  await visit.goto('/profile?lang=en');
  expect(visit.text('.profile-proof')).toBe('Not confirmed yet');

  await visit.goto(await linkFor(server.folder, email, 'verify'));
  await visit.press('Confirm');
  expect(visit.text('main [role="status"]')).toContain('Your email address is confirmed.');
  await visit.goto('/profile?lang=en');
  expect(visit.text('.profile-proof')).toBe('Confirmed');

  await visit.goto('/login/forgot?lang=en');
  await visit.press('Send me a link', { email });
  expect(visit.text('main [role="status"]')).toContain('If there’s an account with this address');
  const reset = await linkFor(server.folder, email, 'reset');
  await visit.goto(reset);
  await visit.press('Save new password', { newPassword, confirmPassword: `${newPassword}!` });
  expect(visit.text('#confirmPassword-problem')).toContain('The passwords don’t match.');
  await visit.press('Save new password', { newPassword, confirmPassword: newPassword });
  expect(visit.text('main [role="status"]')).toContain('Your password has been changed.');
  await visit.goto('/profile?lang=en');
  expect(visit.url).toContain('/login?');
  await visit.pressAt('.account-submit', { email, password: newPassword });
  await visit.goto('/profile?lang=en');
  expect(new URL(visit.url).pathname).toBe('/profile');
  await visit.goto(reset);
  expect(visit.text('.account-problem')).toContain('can no longer be used');
});

test('an address without an account is told the very same', async ({ page }) => {
  await page.goto('/login/forgot?lang=ko');
  await page.fill('#email', 'nobody@byeol.example');
  await page.getByRole('button', { name: '링크 받기' }).click();
  await expect(page.getByRole('status').first()).toContainText('이 주소로 만든 계정이 있다면');
  await expect(page).toHaveURL('/login/forgot?lang=ko&sent=1');
});
