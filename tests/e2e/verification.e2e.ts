import { connection } from '#db/client.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeEvent } from '#tests/kit/make.ts';
import { makePendingEvent } from '#tests/kit/pending.ts';
import { signIn } from '#tests/kit/sign-in.ts';

test('a decision that does not arrive leaves its reason and the choice for another try', async ({
  page,
  server,
}) => {
  const title = `Lantern ${Date.now().toString(36)}`;
  await inDatabase(server.databaseUrl, () =>
    makeEvent({ titles: { en: title }, star: 1, verification: 'pending' }),
  );
  await signIn(page.context(), server, 'editor');
  await page.goto(`/admin/events/verification?lang=en&search=${encodeURIComponent(title)}`);
  const chosen = page.locator('[name="eventIds"]');
  await chosen.check();
  await page.getByRole('button', { name: 'Reject selected' }).click();
  const dialog = page.getByRole('dialog');
  const reason = dialog.getByRole('textbox');
  await page.route('**/api/admin/events/**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await reason.fill('Not confirmed by anybody');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(page.locator('#toast')).toContainText('That didn’t work. Please try again.');
  await expect(reason).toHaveValue('Not confirmed by anybody');
  await expect(chosen).toBeChecked();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(page.locator('#toast')).toContainText('Rejected');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('.bulk[data-active]')).toHaveCount(0);
});

test('two updates of one event that were approved at once are taken back at once', async ({
  page,
  server,
}) => {
  const title = `Ferry ${Date.now().toString(36)}`;
  const read = (id: number) =>
    inDatabase(server.databaseUrl, async () => {
      const [event] = await connection()<{ state: string; start: Date }[]>`
        select verification as state, start_time as start from events where id = ${id}`;
      return event;
    });
  const [into, ...updates] = await inDatabase(server.databaseUrl, async () => {
    const known = await makePendingEvent({ starId: 1, verification: 'approved' });
    return [
      known,
      await makePendingEvent({ starId: 1, updateOf: known, inHours: 60, title }),
      await makePendingEvent({ starId: 1, updateOf: known, inHours: 72, title }),
    ];
  });
  const before = await read(into ?? 0);
  await signIn(page.context(), server, 'editor');
  await page.goto(`/admin/events/verification?lang=en&search=${encodeURIComponent(title)}`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Approve selected' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.locator('#toast')).toContainText('Approved 2 events.');
  expect(await read(into ?? 0)).not.toEqual(before);
  await page.locator('#toast').getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.verify-row')).toHaveCount(2);
  expect(await read(into ?? 0)).toEqual(before);
  for (const id of updates) expect((await read(id))?.state).toBe('pending');
});

test('a list that hangs is told, however often it is asked for meanwhile', async ({ page, server }) => {
  await signIn(page.context(), server, 'editor');
  await page.clock.install();
  await page.goto('/admin/events/verification?lang=en');
  // Its clocks run from when it can be used on.
  await expect(async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await expect(page.locator('.bulk[data-active]')).toBeVisible({ timeout: 500 });
  }).toPass();
  // Nothing is answered: a call of four tries takes longer than the time between two.
  await page.route('**/verification/pending?*', () => {});
  await expect(async () => {
    await page.clock.fastForward(1_000);
    await expect(page.locator('.verify-trouble')).toContainText('Error while loading events', {
      timeout: 10,
    });
  }).toPass({ intervals: [10] });
});
