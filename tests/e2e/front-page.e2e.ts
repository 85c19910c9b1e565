import { expect, expectNoThirdParty, test } from '#tests/kit/browser.ts';

test('a fan opens the Korean front page', async ({ page }) => {
  await page.goto('/ko');
  await expect(page.locator('h1').first()).toBeVisible();
  expectNoThirdParty(page);
});
