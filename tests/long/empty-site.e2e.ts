import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { documentAt } from '#tests/kit/document-at.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';

let empty: TestServer;
test.beforeAll(async () => {
  test.slow();
  empty = await startTestServer({ world: 'empty' });
});
test.afterAll(() => empty.stop());

test('a site without stars and stories promises stories, not those of stars that nobody could choose', async ({
  page,
}) => {
  const chosenStarsHint = {
    ko: '고른 스타',
    en: 'stars you chose',
    ms: 'bintang pilihan anda',
    vi: 'ngôi sao bạn chọn',
  };
  for (const lang of languages) {
    const stateAt = async (path: string) => {
      const state = (await documentAt(page.request, empty.url + path)).querySelector('.state');
      expect(state?.querySelector('h2')?.textContent, path).toMatch(/\S/);
      return state?.querySelector('p')?.textContent;
    };
    expect(await stateAt(`/${lang}`)).not.toContain(chosenStarsHint[lang]);
    expect(await stateAt(`/${lang}/feed`)).not.toContain(chosenStarsHint[lang]);
    // Whose choice it is, it says where there is one.
    expect(await stateAt(`/${lang}/feed?stars=1`)).toContain(chosenStarsHint[lang]);
  }
  await page.goto(`${empty.url}/en`);
  await expect(page.locator('.state h2')).toBeVisible();
  await page.locator('[data-refresh]').click();
  // Before the feed is asked for anew, nothing on the page is busy yet.
  await expect(page.locator('#toast')).not.toBeEmpty();
  await expect(page.locator('#feed .state p')).toHaveText(
    'The first stories will appear here as soon as the newsroom publishes them.',
  );
  await expectAccessible(page);
});

test('a site without stars says so where its stars would be, with ways on, and gives no star as an example', async ({
  page,
}) => {
  const placeholders = {
    ko: '이름 또는 기사 제목',
    en: 'Name or headline',
    ms: 'Nama atau tajuk berita',
    vi: 'Tên hoặc tiêu đề tin',
  };
  for (const lang of languages) {
    const search = await documentAt(page.request, `${empty.url}/${lang}/search`);
    const stars = await documentAt(page.request, `${empty.url}/${lang}/search?tab=stars`);
    for (const document of [search, stars])
      expect(document.querySelector('#search-q')?.getAttribute('placeholder')).toBe(placeholders[lang]);
    expect(stars.querySelector('.state h2')?.textContent).toMatch(/\S/);
    expect(stars.querySelectorAll('.state-ways a')).toHaveLength(2);
  }
  await page.goto(`${empty.url}/en/search?tab=stars`);
  await expect(page.locator('.state h2')).toHaveText('No stars here yet');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Latest stories' }).click();
  await expect(page).toHaveURL(`${empty.url}/en`);
});

test('a community without channels says that there are none yet, and advises other words only for a search', async ({
  page,
}) => {
  const none = {
    ko: '아직 채널이 없어요',
    en: 'No channels yet',
    ms: 'Belum ada saluran',
    vi: 'Chưa có kênh nào',
  };
  for (const lang of languages) {
    const state = (await documentAt(page.request, `${empty.url}/${lang}/community`)).querySelector('.state');
    expect(state?.querySelector('h2')?.textContent).toBe(none[lang]);
    expect(state?.querySelectorAll('.state-ways a')).toHaveLength(2);
  }
  await page.goto(`${empty.url}/en/community`);
  await expectAccessible(page);
  await page.getByRole('searchbox').fill('nobody');
  await expect(page.locator('.state h2')).toHaveText('No channels found');
  await expect(page.locator('.state')).toContainText('Try adjusting your search.');
  await expect(page.getByRole('link', { name: 'For the operator' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Show all channels' }).click();
  await expect(page.locator('.state h2')).toHaveText('No channels yet');
  await signIn(page.context(), empty, 'admin');
  await page.getByRole('link', { name: 'For the operator: what this site still needs' }).click();
  await expect(page.locator('[data-step]').first()).toBeVisible();
});

test('where there are stars, the search field gives the first of the list as an example', async ({
  page,
}) => {
  await page.goto('/en/search?tab=stars');
  const first = (await page.locator('.found-row h2').first().textContent())?.trim();
  await expect(page.locator('#search-q')).toHaveAttribute('placeholder', `e.g. ${first}`);
});

test('an empty list of the verification says what it lacks; other words are advised only for a search', async ({
  page,
  context,
}) => {
  await signIn(context, empty, 'editor');
  const desk = `${empty.url}/admin/events/verification`;
  const titles = {
    ko: ['검증을 기다리는 일정이 없어요', '아직 승인된 일정이 없어요', '아직 반려된 일정이 없어요'],
    en: ['No events waiting for verification', 'No approved events yet', 'No rejected events yet'],
    ms: [
      'Tiada acara menunggu pengesahan',
      'Belum ada acara yang diluluskan',
      'Belum ada acara yang ditolak',
    ],
    vi: [
      'Không có sự kiện nào chờ xác minh',
      'Chưa có sự kiện nào được duyệt',
      'Chưa có sự kiện nào bị từ chối',
    ],
  };
  for (const lang of languages) {
    for (const [index, verification] of ['pending', 'approved', 'rejected'].entries()) {
      const document = await documentAt(page.request, `${desk}?verification=${verification}&lang=${lang}`);
      expect(document.querySelector('.verify-region h2')?.textContent?.trim()).toBe(titles[lang][index]);
    }
  }
  const title = page.locator('.verify-region h2');
  await page.goto(`${desk}?verification=approved&lang=en`);
  await page.getByRole('searchbox').fill('concert');
  await expect(title).toHaveText('No events found');
  await expect(page.locator('.verify-region')).toContainText('Try different words.');
  await page.getByRole('searchbox').fill('');
  await expect(title).toHaveText('No approved events yet');

  // Nobody knows yet what the next list holds.
  const answer = Promise.withResolvers<void>();
  await page.route('**/verification/pending?*verification=rejected*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Rejected' }).click();
  await expect(page.locator('.verify-region')).toHaveAttribute('aria-busy', 'true');
  await expect(title).toHaveText('No approved events yet');
  answer.resolve();
  await expect(title).toHaveText('No rejected events yet');
  await expectAccessible(page);
});

test('the news desk opens on the list in which stories wait', async ({ page }) => {
  await signIn(page.context(), empty, 'editor');
  const address = `${empty.url}/admin?tab=tools&tool=stories&lang=en`;
  const openList = page.getByRole('navigation', { name: 'Queue by stage' }).locator('[aria-current]');
  await page.goto(address);
  await expect(openList).toHaveText('Held');
  const sql = postgres(empty.databaseUrl, { max: 1 });
  await sql`insert into stories (stage, reason) values ('waiting', 'no_ai')`;
  await page.goto(address);
  await expect(openList).toHaveText('Waiting for rewrites');
  await sql`insert into stories (stage, reason) values ('held', 'no_star')`;
  await page.goto(address);
  await expect(openList).toHaveText('Held');
  await page.goto(`${address}&stage=new`);
  await expect(openList).toHaveText('New stories');
  await sql`delete from stories`;
  await sql.end();
});

test('an empty newsroom leads on to its first source', async ({ page, browser }) => {
  await signIn(page.context(), empty, 'admin');
  const first = {
    ko: '먼저 출처를 추가해 주세요.',
    en: 'Add a source first.',
    ms: 'Tambah sumber dahulu.',
    vi: 'Hãy thêm một nguồn tin trước.',
  };
  for (const lang of languages)
    for (const query of ['tab=tools&tool=stories', 'tab=system']) {
      const document = await documentAt(page.request, `${empty.url}/admin?${query}&lang=${lang}`);
      expect(document.querySelector('main')?.textContent).toContain(first[lang]);
    }
  await page.goto(`${empty.url}/admin?tab=system&lang=vi`);
  const sentence = await page.getByText(first.vi).boundingBox();
  const button = await page
    .locator('[data-live]')
    .getByRole('link', { name: 'Thêm nguồn tin' })
    .boundingBox();
  expect(sentence && button && button.y - sentence.y - sentence.height).toBeGreaterThanOrEqual(8);
  await page.locator('[data-live]').getByRole('link', { name: 'Thêm nguồn tin' }).click();
  await expect(page.locator('#feedUrl')).toBeVisible();
  const editorContext = await browser.newContext();
  await signIn(editorContext, empty, 'editor');
  const editorPage = await editorContext.newPage();
  await editorPage.goto(`${empty.url}/admin?tab=tools&tool=stories&lang=en`);
  await expect(editorPage.locator('main')).toContainText('Only an admin can add one.');
  await expect(editorPage.getByRole('link', { name: 'Add a source' })).toHaveCount(0);
  await editorContext.close();
});

test('an empty site tells its operator what it needs, and ticks what is done', async ({ page, context }) => {
  await signIn(context, empty, 'admin');
  await page.goto(`${empty.url}/en`);
  await page.getByRole('link', { name: 'For the operator: what this site still needs' }).click();
  const steps = page.locator('[data-step]');
  const states = () => steps.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state')));
  await expect(steps.first()).toBeVisible();
  expect(await states()).toEqual(['open', 'open', 'advised', 'advised', 'advised', 'open', 'advised']);
  await expectAccessible(page);
  for (const lang of languages) {
    await page.goto(`${empty.url}/admin?lang=${lang}`);
    await expect(steps).toHaveCount(7);
    expect(await steps.first().textContent()).not.toContain('setup');
  }
  const sql = postgres(empty.databaseUrl, { max: 1 });
  await sql`insert into stars (slug, name, category, fandom_color, initials, search_text) values ('first', '첫별', 'Idol', '#112233', 'ㅊㅂ', '첫별')`;
  await page.reload();
  await expect.poll(async () => (await states())[0]).toBe('done');
  await sql`delete from stars where slug = 'first'`;
  await sql.end();
});

test('a site that has what it needs shows no list of what is missing', async ({ page, context, server }) => {
  await signIn(context, server, 'admin');
  await page.goto('/admin?lang=en');
  await expect(page.locator('[data-figure="totalStars"]')).toBeVisible();
  await expect(page.locator('[data-step]')).toHaveCount(0);
});
