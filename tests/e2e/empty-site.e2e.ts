import { languages } from '#content/locales.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

let empty: TestServer;
test.beforeAll(async () => {
  test.slow();
  empty = await startTestServer({ world: 'empty' });
});
test.afterAll(() => empty.stop());

test('a site without stars and stories promises stories, not those of stars that nobody could choose', async ({
  page,
}) => {
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
});

test('a site without stars says so where its stars would be, with ways on, and gives no star as an example', async ({
  page,
}) => {
  const neutral = {
    ko: '이름 또는 기사 제목',
    en: 'Name or headline',
    ms: 'Nama atau tajuk berita',
    vi: 'Tên hoặc tiêu đề tin',
  };
  for (const lang of languages) {
    await page.goto(`${empty.url}/${lang}/search`);
    await expect(page.locator('#search-q')).toHaveAttribute('placeholder', neutral[lang]);
    await page.goto(`${empty.url}/${lang}/search?tab=stars`);
    await expect(page.locator('#search-q')).toHaveAttribute('placeholder', neutral[lang]);
    await expect(page.locator('.state h2')).toBeVisible();
    await expect(page.locator('.state-ways a')).toHaveCount(2);
  }
  await page.goto(`${empty.url}/en/search?tab=stars`);
  await expect(page.locator('.state h2')).toHaveText('No stars here yet');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Latest stories' }).click();
  await expect(page).toHaveURL(`${empty.url}/en`);
});

test('where there are stars, the search field gives the first of the list as an example', async ({
  page,
}) => {
  await page.goto('/en/search?tab=stars');
  const first = (await page.locator('.found-row h2').first().textContent())?.trim();
  await expect(page.locator('#search-q')).toHaveAttribute('placeholder', `e.g. ${first}`);
});
