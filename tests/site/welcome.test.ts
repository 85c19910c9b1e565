import { expect, test } from 'bun:test';
import { getConfig } from '#api/config.ts';
import { connection } from '#db/client.ts';
import { ensureAccounts } from '#site/launch/accounts.ts';
import { accountLines } from '#site/launch/welcome.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan } from '#tests/kit/make.ts';

useDatabase();

const settings = getConfig({ NODE_ENV: 'test' });
const printedLines = async () => accountLines(await ensureAccounts(settings, false)).join('\n');
const hint = 'npx -y bun run admin <e-mail>';

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
