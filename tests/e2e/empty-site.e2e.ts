import { languages } from '#content/locales.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { startTestServer } from '#tests/kit/server.ts';

test('a site without stars and stories promises stories, not those of stars that nobody could choose', async ({
  page,
}) => {
  test.slow();
  const empty = await startTestServer({ world: 'empty' });
  try {
    const chosen = {
      ko: '고른 스타',
      en: 'stars you chose',
      ms: 'bintang pilihan anda',
      vi: 'ngôi sao bạn chọn',
    };
    for (const lang of languages) {
      for (const path of [`/${lang}`, `/${lang}/feed`]) {
        await page.goto(`${empty.url}${path}`);
        await expect(page.locator('.state h2')).toBeVisible();
        await expect(page.locator('.state p')).not.toContainText(chosen[lang]);
      }
      // Whose choice it is, it says where there is one.
      await page.goto(`${empty.url}/${lang}/feed?stars=1`);
      await expect(page.locator('.state p')).toContainText(chosen[lang]);
    }
    await page.goto(`${empty.url}/en`);
    await page.locator('[data-refresh]').click();
    await expect(page.locator('#feed .state p')).toHaveText(
      'The first stories will appear here as soon as the newsroom publishes them.',
    );
    await expectAccessible(page);
  } finally {
    await empty.stop();
  }
});
