import { expect, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeEvent } from '#tests/kit/make.ts';
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
