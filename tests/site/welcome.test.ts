import { expect, test } from 'bun:test';
import { getConfig } from '#api/config.ts';
import { connection } from '#db/client.ts';
import { ensureAccounts } from '#site/launch/accounts.ts';
import { accountLines, welcome } from '#site/launch/welcome.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan } from '#tests/kit/make.ts';

useDatabase();

const settings = getConfig({ NODE_ENV: 'test' });
const printedLines = async () => accountLines(await ensureAccounts(settings, false)).join('\n');
const hint = '`npx -y bun run admin <e-mail>` makes one';

test('a start on one’s own database says how the first admin is made until there is one', async () => {
  expect(await printedLines()).toContain(hint);
  const { id } = await makeFan();
  expect(await printedLines()).toContain(hint);
  await connection()`update users set role = 'admin', email = 'boss@byeol.example' where id = ${id}`;
  expect(await printedLines()).not.toContain(hint);
});

test('nor does the demo world say it, which makes its own', async () => {
  await connection()`delete from users`;
  expect(accountLines(await ensureAccounts(settings, true)).join('\n')).not.toContain(hint);
});

test('of two starts at once one makes the admin and shows the password, and the other does not make another', async () => {
  await connection()`delete from users`;
  const passwords = (await Promise.all([1, 2].map(() => ensureAccounts(settings, true)))).map(
    ({ admin }) => admin?.password,
  );
  expect(passwords.filter((password) => password !== undefined)).toHaveLength(1);
});

test('a site that was restored into the built-in database is told of no fan of the demo', async () => {
  const demoFan = () => ensureAccounts(settings, true).then(({ fan }) => fan?.email);
  await connection()`delete from users`;
  expect([await demoFan(), await demoFan()]).toEqual(['fan@byeol.example', 'fan@byeol.example']);
  await connection()`delete from users where role = 'user'`;
  expect(await demoFan()).toBeUndefined();
});

test('an admin of the settings who came too late is not passed over in silence', async () => {
  const { id } = await makeFan();
  await connection()`update users set role = 'admin', email = 'first@byeol.example', email_key = 'first@byeol.example' where id = ${id}`;
  const later = getConfig({
    NODE_ENV: 'test',
    ADMIN_EMAIL: 'later@byeol.example',
    ADMIN_PASSWORD: 'starlight-9',
  });
  expect(accountLines(await ensureAccounts(later, false)).join('\n')).toContain(
    'ADMIN_EMAIL makes the first account only',
  );
  const same = getConfig({
    NODE_ENV: 'test',
    ADMIN_EMAIL: 'first@byeol.example',
    ADMIN_PASSWORD: 'starlight-9',
  });
  expect(accountLines(await ensureAccounts(same, false)).join('\n')).not.toContain('ADMIN_EMAIL');
});

test('an admin of the settings whose password is easily guessed is told so, once', async () => {
  const start = async (password: string) => {
    const greeting = await ensureAccounts(
      getConfig({ NODE_ENV: 'test', ADMIN_EMAIL: 'nara.kim@byeol.example', ADMIN_PASSWORD: password }),
      false,
    );
    expect(greeting.admin?.email).toBe('nara.kim@byeol.example');
    return accountLines(greeting).join('\n').includes('ADMIN_PASSWORD is easily guessed');
  };
  for (const password of ['password', 'passw0rd', 'qwerty12', 'nara.kim', 'aaaaaaaa']) {
    await connection()`delete from users`;
    expect([password, await start(password), await start(password)]).toEqual([password, true, false]);
  }
  await connection()`delete from users`;
  expect(await start('seven-moons')).toBe(false);
});

test('a start says the public address where it listens at another one', () => {
  const lines = (siteUrl: string) => welcome('http://localhost:4321', siteUrl, [], undefined);
  expect(lines('https://fans.example')).toContain('  Its public address is https://fans.example (SITE_URL)');
  expect(lines('http://localhost:4321').join('\n')).not.toContain('public address');
});
