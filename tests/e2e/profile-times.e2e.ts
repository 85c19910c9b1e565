import type { Browser, BrowserContextOptions } from '@playwright/test';
import postgres from 'postgres';
import { expect, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeEvent } from '#tests/kit/make.ts';
import type { TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';

async function openProfile(
  browser: Browser,
  server: TestServer,
  options: BrowserContextOptions,
  prepare: (sql: postgres.Sql, userId: number) => Promise<unknown>,
) {
  const context = await browser.newContext({ baseURL: server.url, ...options });
  const { id } = await signIn(context, server, 'user');
  const sql = postgres(server.databaseUrl, { max: 1 });
  await prepare(sql, id);
  await sql.end();
  const page = await context.newPage();
  await page.goto('/profile?lang=en');
  return { page, context };
}

for (const [javaScriptEnabled, planned, sent] of [
  [true, 'Planned for 1 May 2032 14:30 (New York Time)', 'Sent on 30 April 2032 14:30 (New York Time)'],
  [false, 'Planned for 2 May 2032 02:30 (Malaysia Time)', 'Sent on 1 May 2032 02:30 (Malaysia Time)'],
] as const)
  test(`reminders say when they come ${javaScriptEnabled ? 'by the fan’s clock' : 'by which clock'}`, async ({
    browser,
    server,
  }) => {
    const { page, context } = await openProfile(
      browser,
      server,
      { timezoneId: 'America/New_York', javaScriptEnabled },
      async (sql, user) => {
        const id = await inDatabase(server.databaseUrl, () =>
          makeEvent({ start: '2032-05-02T18:30Z', zone: 'Asia/Kuala_Lumpur' }),
        );
        await sql`insert into event_subscriptions (user_id, event_id) values (${user}, ${id})`;
        await sql`insert into reminders (user_id, event_id, version, time, channel, due_at, state, next_at, sent_at) values
          (${user}, ${id}, 1, '3d', 'email', '2032-04-30T18:30Z', 'sent', '2032-04-30T18:30Z', '2032-04-30T18:30Z'),
          (${user}, ${id}, 1, '1d', 'email', '2032-05-01T18:30Z', 'planned', '2032-05-01T18:30Z', null)`;
      },
    );
    await page.locator('.my-event-more summary').click();
    await expect(page.locator('.my-event-when')).toContainText('(Malaysia Time)');
    await expect(page.locator('.reminder-state')).toHaveText([sent, planned]);
    await context.close();
  });

test('devices are told apart by when they logged in', async ({ browser, server }) => {
  const { page, context } = await openProfile(
    browser,
    server,
    { timezoneId: 'Asia/Kuala_Lumpur' },
    (sql, user) =>
      sql`insert into sessions (id, user_id, expires_at, created_at, user_agent) values
      (${'a'.repeat(64)}, ${user}, now() + interval '1 day', '2026-11-27T01:02Z', 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'),
      (${'b'.repeat(64)}, ${user}, now() + interval '1 day', '2026-11-27T03:04Z', 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36')`,
  );
  const row = page.locator('.devices li', { hasText: '11:04 (Malaysia Time)' });
  await expect(row).toHaveCount(1);
  await expect(row.getByRole('button')).toHaveAccessibleName(
    'Log out Chrome, Android, 27 November 2026 11:04 (Malaysia Time)',
  );
  await page
    .getByRole('button', { name: 'Log out Chrome, Android, 27 November 2026 09:02 (Malaysia Time)' })
    .click();
  await expect(page.getByRole('status').filter({ hasText: 'The device is logged out.' })).toBeVisible();
  await expect(row).toHaveCount(1);
  await expect(page.locator('.devices li')).toHaveCount(2);
  await context.close();
});
