import type { APIRequestContext } from '@playwright/test';
import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { keepToasts } from '#tests/kit/page-timers.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';

/** Ids of the newest stories, newest first; the first has embeds of every platform and is in all languages. */
async function newest(request: APIRequestContext, count = 20): Promise<number[]> {
  const response = await request.get(`/api/articles?limit=${count}&language=en`);
  const articles: { id: number }[] = await response.json();
  return articles.map(({ id }) => id);
}

/** The story at a place of the feed; tests that change one take a place of their own, so that no page of it is cached. */
async function story(request: APIRequestContext, place = 0): Promise<number> {
  const id = (await newest(request))[place];
  if (id === undefined) throw new Error('the demo world has too few articles');
  return id;
}

const structured = (visit: PlainVisit): Record<string, unknown>[] =>
  visit.texts('script[type="application/ld+json"]').map((text) => JSON.parse(text));

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a story is whole: headline, summary, body, videos, source and how it was made', async ({ page }) => {
    const id = await story(page.request);
    await page.goto(`/en/article/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('PADOBAN');
    await expect(page.locator('.quick-summary li')).toHaveCount(3);
    expect(await page.locator('.prose p').count()).toBeGreaterThan(3);
    await expect(page.locator('.prose h2').first()).toBeVisible();
    const video = page.locator('.related-videos a').first();
    await expect(video).toHaveAttribute('href', /^https:\/\//);
    await expect(video).toHaveAttribute('rel', /noopener/);
    const source = page.getByRole('link', { name: 'Read original article' });
    await expect(source).toHaveAttribute('target', '_blank');
    await expect(source).toHaveAttribute('rel', 'noopener');
    await expect(source).toHaveAttribute('href', /^https:\/\/mudaedwi\.example\//);
    const howMade = page.locator('#how-made');
    await expect(howMade).toContainText('무대뒤뉴스');
    await expect(howMade).toContainText('byeol-rewrite 2');
    await expect(howMade).toContainText('Han Nuri');
    await expect(page.locator('.related article')).toHaveCount(3);
    await expect(page.getByRole('button', { name: 'Like' })).toBeHidden();
    await page.goto(`/ko/article/${id}`);
    // Of up to three sentences: its heading counts none.
    await expect(page.locator('.quick-summary h2')).toHaveText('핵심 요약');
    for (const time of await page.locator('.article-facts time, .original time, #how-made time').all())
      await expect(time).toHaveText(/:\d\d\(한국 시간\)$/);
    await expect(page.locator('main')).not.toContainText('KST');
  });
});

test('the breadcrumb leads to the category and home, the badge to the channel', async ({
  request,
  server,
}) => {
  const visit = new PlainVisit(request, server.url);
  await visit.goto(`/en/article/${await story(request)}`);
  const trail = [...visit.document.querySelectorAll('nav.breadcrumb a, .breadcrumb a')].map((link) => [
    link.textContent?.trim(),
    link.getAttribute('href'),
  ]);
  expect(trail).toContainEqual(['Home', '/en']);
  expect(trail).toContainEqual(['K-Pop Group', '/en/category/k-pop-group']);
  expect(visit.attribute('.article-badges a', 'href')).toMatch(/^\/en\/community\/\d+$/);
});

test('a category has one name in the trail of a story, on the star’s page and in the search', async ({
  page,
}) => {
  for (const [language, search, name] of [
    ['ko', '모하진', '여자 배우'],
    ['ms', 'MO HAJIN', 'Pelakon wanita'],
  ] as const) {
    const response = await page.request.get(
      `/api/stars?search=${encodeURIComponent(search)}&language=${language}`,
    );
    const [star] = await response.json();
    await page.goto(`/${language}/star/${star.id}`);
    await expect(page.locator('.star-hero')).toContainText(name);
    await expect(page.locator('.breadcrumb')).toContainText(name);
    await page.goto(`/${language}/star/${star.id}?tab=articles`);
    await page.locator('.star-stories .card-link').first().click();
    await expect(page.locator('.article-top').getByRole('link', { name })).toHaveAttribute(
      'href',
      /actress$/,
    );
    await page.goto(`/${language}/search`);
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', /actress$/);
  }
});

test('back leads to the page a reader came from, and home when they came from elsewhere', async ({
  page,
}) => {
  const id = await story(page.request);
  await page.goto('/en?page=2');
  await page.evaluate((path) => location.assign(path), `/en/article/${id}`);
  await page.waitForURL(`**/article/${id}`);
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(/\/en\?page=2$/);

  const directPage = await page.context().newPage();
  await directPage.goto(`/en/article/${id}`);
  await directPage.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(directPage).toHaveURL(/\/en$/);
});

for (const steps of ['known', 'unknown'] as const) {
  test(`back never stays on the story, the steps of the history being ${steps} to the page`, async ({
    page,
  }) => {
    if (steps === 'unknown') await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    const id = await story(page.request);
    const back = page.locator('[data-back]');
    const open = async (start: string) => {
      await page.goto(start);
      await page.evaluate((path) => location.assign(path), `/ko/article/${id}`);
      await page.waitForURL(`**/article/${id}`);
      expect(await page.evaluate(() => 'navigation' in window)).toBe(steps === 'known');
    };
    await open('/ko?page=2');
    await page.locator('.article-facts .ai-label').click();
    await expect(page).toHaveURL(/#how-made$/);
    await back.click();
    await expect(page).toHaveURL(/\/ko\?page=2$/);

    await open('/ko?page=2');
    await page.locator('.header [data-language-menu] summary').click();
    await page.locator('.header').getByRole('link', { name: 'English' }).click();
    await expect(page).toHaveURL(new RegExp(`/en/article/${id}$`));
    await back.click();
    await expect(page).toHaveURL(/\/en$/);

    await open('/ko/star/1');
    await page.locator('.article-facts .ai-label').click();
    await page.goto('/login');
    await page.goto(`/ko/article/${id}`);
    // Of up to three sentences: its heading counts none.
    await expect(page.locator('.quick-summary h2')).toHaveText('핵심 요약');
    await back.click();
    await expect(page).toHaveURL(steps === 'known' ? /\/ko\/star\/1$/ : /\/ko$/);
  });
}

for (const steps of ['known', 'unknown'] as const) {
  test(`back leads out of a tab of the story’s own, the steps of the history being ${steps} to the page`, async ({
    page,
    context,
  }) => {
    if (steps === 'unknown') await context.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    const id = await story(page.request);
    await page.goto('/en?page=2');
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate((path) => {
        const link = Object.assign(document.createElement('a'), {
          href: path,
          target: '_blank',
          rel: 'opener',
        });
        document.body.append(link);
        link.click();
      }, `/en/article/${id}`),
    ]);
    await tab.waitForURL(`**/article/${id}`);
    await tab.locator('[data-back]').click();
    await expect(tab).toHaveURL(steps === 'known' ? /\/en$/ : /\/en\?page=2$/);
  });
}

test('a like fills and is forgotten with the page', async ({ page }) => {
  await page.goto(`/en/article/${await story(page.request)}`);
  const like = page.getByRole('button', { name: 'Like' });
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await like.click();
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
});

test.describe('sharing', () => {
  test.beforeEach(({ page }) => keepToasts(page));

  test('uses the sheet of the system', async ({ page }) => {
    await page.addInitScript(() => {
      const shared: unknown[] = [];
      Object.assign(window, { asked: shared });
      Object.defineProperty(navigator, 'share', { value: async (data: unknown) => shared.push(data) });
    });
    const id = await story(page.request);
    await page.goto(`/en/article/${id}`);
    await page.getByRole('button', { name: 'Share' }).click();
    // What shares is loaded by the press.
    const sharedData = () => page.evaluate(() => Reflect.get(window, 'asked'));
    await expect.poll(sharedData).toEqual([
      {
        title: expect.stringContaining('PADOBAN'),
        url: expect.stringMatching(new RegExp(`/en/article/${id}$`)),
      },
    ]);
  });

  test('copies the link where there is no sheet', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
    const id = await story(page.request);
    await page.goto(`/en/article/${id}?utm_source=x`);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.locator('#toast')).toHaveText('Link copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`/en/article/${id}$`),
    );
  });

  test('says so when what shares cannot be fetched, and shares once the network is back', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
    await page.goto(`/ko/article/${await story(page.request)}`);
    const share = page.getByRole('button', { name: '공유' });
    const line = page.locator('#offline');
    await context.setOffline(true);
    await expect(line).toBeVisible();
    await share.click();
    await expect(page.locator('#toast')).toContainText('오프라인이에요');
    await context.setOffline(false);
    // That the network is back is told as well, before what the press says.
    await expect(line).toBeHidden();
    await share.click();
    await expect(page.locator('#toast')).toHaveText('링크를 복사했어요.');
  });

  test('says how to when nothing else works', async ({ page }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'share');
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: () => Promise.reject(new Error('no')) },
      });
    });
    await page.goto(`/en/article/${await story(page.request)}`);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.locator('#toast')).toContainText('Copy it from the address bar');
  });
});

test('the AI label opens what the machine did', async ({ page }) => {
  await page.goto(`/en/article/${await story(page.request)}`);
  const panel = page.locator('#how-made');
  await panel.locator('summary').click();
  await expect(panel).not.toHaveAttribute('open');
  await page.locator('.article-facts').getByRole('link', { name: 'AI-assisted article' }).click();
  await expect(panel).toHaveAttribute('open');
  await expect(panel.locator('dl')).toBeInViewport();
});

test.describe('a story that is not in the language of the page', () => {
  test('is read in English, says so, and belongs to its English address', async ({ page, server }) => {
    const id = await story(page.request, 12);
    const sql = postgres(server.databaseUrl, { max: 1 });
    await sql`delete from article_rewrites where article_id = ${id} and language = 'ms'`;
    await sql.end();
    await page.goto(`/ms/article/${id}`);
    await expect(page.locator('.article-fallback')).toContainText('bahasa Inggeris');
    await expect(page.locator('meta[property="og:locale"]')).toHaveAttribute('content', 'en_GB');
    await expect(page.locator('h1')).toHaveAttribute('lang', 'en');
    await expect(page.locator('.prose')).toHaveAttribute('lang', 'en');
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
      'href',
      new RegExp(`/en/article/${id}$`),
    );
    await expect(page.locator('link[hreflang="ms"]:not([href*="feed"])')).toHaveCount(0);
    await expect(page.locator('link[hreflang="vi"]')).toHaveAttribute(
      'href',
      new RegExp(`/vi/article/${id}$`),
    );
    await expectAccessible(page);
  });

  test('is the Korean original when nobody rewrote it, as text, without the AI label', async ({
    request,
    server,
  }) => {
    const visit = new PlainVisit(request, server.url);
    const id = await story(request, 13);
    const sql = postgres(server.databaseUrl, { max: 1 });
    await sql`delete from article_rewrites where article_id = ${id}`;
    const outlet = `http://old-outlet.example/${id}`;
    await sql`update articles set original_content = ${'첫 <b>문단</b>\n\n<script>alert(1)</script> 둘째'},
      original_url = ${outlet} where id = ${id}`;
    await sql.end();
    await visit.goto(`/vi/article/${id}`);
    expect(visit.text('.article-fallback')).toContain('nguyên bản tiếng Hàn');
    expect(visit.attribute('.prose', 'lang')).toBe('ko');
    expect(visit.texts('.prose p')).toEqual(['첫 <b>문단</b>', '<script>alert(1)</script> 둘째']);
    expect(visit.texts('#how-made, .article-facts .ai-label')).toEqual([]);
    // Not every outlet answers over https.
    expect(visit.attribute('.original a', 'href')).toBe(outlet);
    const [article] = structured(visit);
    expect(article).not.toHaveProperty('digitalSourceType');
    expect(article).toMatchObject({ inLanguage: 'ko-KR' });
  });
});

test('a story that does not exist answers 404 in the language of the page and leads home', async ({
  page,
}) => {
  const words = {
    ko: ['기사를 찾을 수 없어요', '홈으로 돌아가기'],
    en: ['Article not found', 'Back to home'],
    ms: ['Artikel tidak ditemui', 'Kembali ke laman utama'],
    vi: ['Không tìm thấy bài viết', 'Về trang chủ'],
  } as const;
  for (const language of languages) {
    const [title, home] = words[language];
    const response = await page.goto(`/${language}/article/2147483647`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('link', { name: home })).toHaveAttribute('href', `/${language}`);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
    await expectAccessible(page);
  }
  for (const id of ['0', '-1', 'abc', '1.5', '99999999999', '1e3']) {
    expect((await page.request.get(`/en/article/${id}`)).status()).toBe(404);
  }
});

test('search engines and previews learn what the story is', async ({ request, server }) => {
  const visit = new PlainVisit(request, server.url);
  await visit.goto(`/en/article/${await story(request)}`);
  const [article, trail] = structured(visit);
  expect(article).toMatchObject({
    '@type': 'NewsArticle',
    inLanguage: 'en-GB',
    datePublished: expect.stringMatching(/^\d{4}-.*Z$/),
    isBasedOn: { url: expect.stringContaining('mudaedwi.example'), inLanguage: 'ko-KR' },
    backstory: expect.stringContaining('AI model byeol-rewrite 2'),
    publisher: { '@type': 'Organization' },
    about: [{ '@type': 'MusicGroup', name: 'PADOBAN' }],
  });
  expect(String(article?.headline).length).toBeLessThanOrEqual(110);
  expect(article?.image).toHaveLength(3);
  expect(trail).toMatchObject({ '@type': 'BreadcrumbList' });
  const meta = (property: string) => visit.attribute(`meta[property="${property}"]`, 'content');
  expect(meta('og:type')).toBe('article');
  expect(meta('article:published_time')).toBe(String(article?.datePublished));
  const preview = await request.get(new URL(meta('og:image') ?? '', visit.url).pathname);
  expect(preview.headers()['content-type']).toBe('image/jpeg');
});

const viewports = [
  { width: 360, colorScheme: 'light' },
  { width: 768, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

for (const language of languages) {
  test(`axe finds nothing in ${language} on any screen, and nothing is wider than it`, async ({ page }) => {
    test.slow(true, 'three screens, each read by axe');
    const [first = 0, second = 0] = await newest(page.request, 2);
    // A tablet’s picture is drawn when it is first asked for, which takes the server seconds.
    await page.route('**/media/article-*/*', (route) =>
      route.fulfill({ path: 'content/demo/pictures/article-2/3x2-800.avif' }),
    );
    for (const { width, colorScheme } of viewports) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/${language}/article/${width === 768 ? second : first}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await expectAccessible(page, language === 'ko' ? 'all' : 'all but colours');
      expectNoThirdParty(page);
    }
  });
}
