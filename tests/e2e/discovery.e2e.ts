import type { APIRequestContext, Page } from '@playwright/test';
import postgres from 'postgres';
import { type Lang, languages } from '#content/locales.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { documentAt } from '#tests/kit/document-at.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';

interface Head {
  lang: string;
  title: string;
  description: string;
  canonical: string;
  alternates: Record<string, string>;
  openGraph: string | undefined;
  /** Addresses of the page before and after. */
  neighbours: Record<string, string>;
  headings: number;
  structured: { '@context'?: string; '@type'?: string }[];
}

/** What a page says of itself to search engines, which read no more than its HTML; JSON-LD that does not parse throws. */
async function readHead(request: APIRequestContext, path: string): Promise<Head> {
  const document = await documentAt(request, path);
  const elementsOf = (selector: string) => [...document.querySelectorAll(selector)];
  const attributeOf = (selector: string, name: string) => {
    const elements = elementsOf(selector);
    expect(elements.length, `${selector} at ${path}`).toBe(1);
    return elements[0]?.getAttribute(name) ?? '';
  };
  return {
    lang: document.documentElement.lang,
    title: document.title,
    description: attributeOf('meta[name="description"]', 'content'),
    canonical: attributeOf('link[rel="canonical"]', 'href'),
    alternates: Object.fromEntries(
      elementsOf('link[rel="alternate"][hreflang]').map((link) => [
        link.getAttribute('hreflang'),
        link.getAttribute('href') ?? '',
      ]),
    ),
    openGraph: document.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? undefined,
    neighbours: Object.fromEntries(
      elementsOf('link[rel="prev"], link[rel="next"]').map((link) => [
        link.getAttribute('rel'),
        link.getAttribute('href') ?? '',
      ]),
    ),
    headings: elementsOf('h1').length,
    structured: elementsOf('script[type="application/ld+json"]').map((script) =>
      JSON.parse(script.textContent ?? ''),
    ),
  };
}

/** Parses XML with the browser's own parser, on its empty page, and answers what a function finds in it. */
async function inXml<Result>(page: Page, path: string, find: (root: Element) => Result): Promise<Result> {
  const answer = await page.request.get(path);
  expect([path, answer.status()]).toEqual([path, 200]);
  const text = await answer.text();
  return page.evaluate(
    ({ source, read }) => {
      const document = new DOMParser().parseFromString(source, 'application/xml');
      const error = document.querySelector('parsererror');
      if (error) throw new Error(error.textContent ?? 'not XML');
      return new Function(`return (${read})`)()(document.documentElement);
    },
    { source: text, read: find.toString() },
  );
}

const newestArticle = async (request: APIRequestContext): Promise<number> => {
  const [first]: { id: number }[] = await (await request.get('/api/articles?limit=1')).json();
  return first?.id ?? 0;
};

test.describe('every kind of page', () => {
  test('names itself and its languages rightly, each leading back to the others', async ({
    request,
    server,
  }) => {
    const article = await newestArticle(request);
    const kinds = [
      '',
      `/article/${article}`,
      '/star/1',
      '/search',
      '/search?tab=stars',
      '/category/idol',
      '/about',
      '/ai',
    ];
    for (const kind of kinds) {
      const alternates: Record<string, string>[] = [];
      for (const lang of languages) {
        const path = `/${lang}${kind}`;
        const head = await readHead(request, path);
        expect([path, head.lang, head.headings]).toEqual([path, lang, 1]);
        expect([path, head.canonical, head.openGraph]).toEqual([path, server.url + path, server.url + path]);
        expect(head.alternates).toEqual({
          ...Object.fromEntries(languages.map((each) => [each, `${server.url}/${each}${kind}`])),
          'x-default': `${server.url}${kind || '/'}`,
        });
        alternates.push(head.alternates);
        expect([...head.title].length, `title of ${path}: ${head.title}`).toBeLessThanOrEqual(60);
        expect([...head.description].length, `description of ${path}`).toBeLessThanOrEqual(
          lang === 'ko' ? 120 : 160,
        );
        expect(head.description.length, `description of ${path}`).toBeGreaterThan(10);
        for (const data of head.structured)
          expect([path, data['@context']]).toEqual([path, 'https://schema.org']);
      }
      const fallback = await request.get(alternates[0]?.['x-default'] ?? '');
      expect([kind, fallback.status()]).toEqual([kind, 200]);
    }
  });

  test('a list of events is one page, whatever its address says that it does not read', async ({
    request,
    server,
  }) => {
    for (const [query, canonical, robots] of [
      ['?tab=upcoming&range=month', '?tab=upcoming&range=month', undefined],
      ['?tab=upcoming&category=concert', '?tab=upcoming', 'noindex'],
      ['?tab=trending&range=month', '?tab=trending', undefined],
      ['?tab=trending&category=nothing', '?tab=trending', 'noindex'],
      ['?category=concert', '', 'noindex'],
    ] as const) {
      const document = await documentAt(request, `/en/events${query}`);
      expect([query, document.querySelector('link[rel="canonical"]')?.getAttribute('href')]).toEqual([
        query,
        `${server.url}/en/events${canonical}`,
      ]);
      expect([query, document.querySelector('meta[name="robots"]')?.getAttribute('content')]).toEqual([
        query,
        robots,
      ]);
    }
  });

  test('an event that has no words of the page’s language belongs to the address of those that it has', async ({
    request,
    server,
  }) => {
    const id = await inDatabase(server.databaseUrl, () =>
      makeEvent({ titles: { ko: '등대 공연' }, start: '2037-03-02T10:00:00Z', venue: '바다홀' }),
    );
    const head = await readHead(request, `/en/events/${id}`);
    expect([head.canonical, head.openGraph]).toEqual(Array(2).fill(`${server.url}/ko/events/${id}`));
    expect(head.description).toContain('19:00(한국 시간)');
    expect(head.structured[0]).toMatchObject({ '@id': `${server.url}/ko/events/${id}`, inLanguage: 'ko-KR' });
    const document = await documentAt(request, `/en/events/${id}`);
    const locale = document.querySelector('meta[property="og:locale"]')?.getAttribute('content');
    expect(locale).toBe('ko_KR');
  });

  test('later pages of a list are pages of their own with a way back and on', async ({ request, server }) => {
    const head = await readHead(request, '/en/category/idol');
    expect(head.structured.map((data) => data['@type'])).toEqual(['BreadcrumbList', 'CollectionPage']);
    const sql = postgres(server.databaseUrl, { max: 1 });
    await sql`insert into articles (entertainment_category, outlet, original_url, original_title, original_content,
      original_published_at, published_at) select 'Actor', 'o', 'https://pages.example/' || n, '제목 ' || n, '본문', now(),
      now() - n * interval '1 day' from generate_series(400, 450) n`;
    await sql.end();
    const second = await readHead(request, '/en/category/actor?page=2');
    expect(second.canonical).toBe(`${server.url}/en/category/actor?page=2`);
    expect(second.title).toContain('Page 2');
    expect(second.neighbours).toEqual({
      prev: `${server.url}/en/category/actor`,
      next: `${server.url}/en/category/actor?page=3`,
    });
    for (const path of ['/en?page=900', '/en/category/actor?page=900']) {
      const answer = await request.get(path);
      expect([path, answer.status(), answer.headers()['cdn-cache-control']]).toEqual([path, 404, undefined]);
    }
  });
});

for (const lang of languages) {
  test(`the feeds in ${lang} are well-formed and tell the newest stories with what made them`, async ({
    page,
    server,
  }) => {
    const rss = await inXml(page, `/${lang}/rss.xml`, (root) => {
      const text = (parent: Element, name: string) =>
        parent.querySelector(`:scope > ${name}`)?.textContent ?? '';
      const channel = root.querySelector('channel') ?? root;
      return {
        version: root.getAttribute('version'),
        ...Object.fromEntries(
          ['title', 'link', 'description', 'language'].map((name) => [name, text(channel, name)]),
        ),
        self: channel.querySelector('link[rel="self"]')?.getAttribute('href'),
        items: [...channel.querySelectorAll('item')].map((item) => ({
          title: text(item, 'title'),
          link: text(item, 'link'),
          guid: text(item, 'guid'),
          description: text(item, 'description'),
          date: Date.parse(text(item, 'pubDate')),
          content:
            item.getElementsByTagNameNS('http://purl.org/rss/1.0/modules/content/', 'encoded')[0]
              ?.textContent ?? '',
          enclosure: [...(item.querySelector('enclosure')?.attributes ?? [])].map(({ name }) => name).sort(),
        })),
      };
    });
    expect(rss).toMatchObject({
      version: '2.0',
      link: `${server.url}/${lang}`,
      self: `${server.url}/${lang}/rss.xml`,
    });
    expect(rss.items).toHaveLength(30);
    expect(new Set(rss.items.map(({ guid }) => guid)).size).toBe(30);
    const dates = rss.items.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    for (const item of rss.items) {
      expect(item.link).toMatch(new RegExp(`^${server.url}/${lang}/article/\\d+$`));
      expect(item.title && item.description && item.content).toBeTruthy();
      expect(item.enclosure).toEqual(['length', 'type', 'url']);
    }
    expect(rss.items[0]?.content).toContain('byeol-rewrite 2');

    const atom = await inXml(page, `/${lang}/atom.xml`, (root) => {
      const text = (parent: Element, name: string) =>
        parent.querySelector(`:scope > ${name}`)?.textContent ?? '';
      return {
        namespace: root.namespaceURI,
        id: text(root, 'id'),
        updated: Date.parse(text(root, 'updated')),
        author: root.querySelector(':scope > author > name')?.textContent,
        entries: [...root.querySelectorAll('entry')].map((entry) => ({
          id: text(entry, 'id'),
          title: text(entry, 'title'),
          updated: Date.parse(text(entry, 'updated')),
          terms: [...entry.querySelectorAll('category')].every((category) => category.getAttribute('term')),
        })),
      };
    });
    expect(atom).toMatchObject({
      namespace: 'http://www.w3.org/2005/Atom',
      id: `${server.url}/${lang}`,
      author: 'Byeol',
    });
    expect(atom.updated).toBe(Math.max(...atom.entries.map(({ updated }) => updated)));
    expect(atom.entries.map(({ id }) => id)).toEqual(rss.items.map(({ link }) => link));
    expect(atom.entries.every(({ title, updated, terms }) => title && updated > 0 && terms)).toBe(true);

    const answer = await page.request.get(`/${lang}/feed.json`);
    expect(answer.headers()['content-type']).toBe('application/feed+json; charset=utf-8');
    const json: { version: string; feed_url: string; items: Record<string, unknown>[] } = await answer.json();
    expect(json).toMatchObject({
      version: 'https://jsonfeed.org/version/1',
      feed_url: `${server.url}/${lang}/feed.json`,
    });
    expect(json.items.map(({ id }) => id)).toEqual(rss.items.map(({ link }) => link));
    expect(json.items[0]).toMatchObject({ _byeol: { ai_assisted: true } });
  });
}

const sitemapOf = (page: Page, path: string) =>
  inXml(page, path, (root) => ({
    name: root.localName,
    namespace: root.namespaceURI,
    urls: [...root.children].map((url) => ({
      loc: url.querySelector('loc')?.textContent ?? '',
      lastmod: url.querySelector('lastmod')?.textContent ?? null,
      alternates: Object.fromEntries(
        [...url.getElementsByTagNameNS('http://www.w3.org/1999/xhtml', 'link')].map((link) => [
          link.getAttribute('hreflang'),
          link.getAttribute('href'),
        ]),
      ),
    })),
  }));

test('the sitemaps list every story, star, channel, category and page, each in the languages it has', async ({
  page,
  server,
}) => {
  const index = await sitemapOf(page, '/sitemap.xml');
  expect(index).toMatchObject({
    name: 'sitemapindex',
    namespace: 'http://www.sitemaps.org/schemas/sitemap/0.9',
  });
  const listed: Record<Lang, string[]> = { ko: [], en: [], ms: [], vi: [] };
  for (const { loc } of index.urls) {
    const [, lang] = loc.match(/\/sitemap-([a-z]{2})-\d+\.xml$/) ?? [];
    const map = await sitemapOf(page, loc.replace(server.url, ''));
    expect(map.name).toBe('urlset');
    expect(map.urls.length).toBeGreaterThan(0);
    expect(map.urls.length).toBeLessThanOrEqual(5000);
    for (const { loc: url, alternates } of map.urls) {
      expect(url.startsWith(`${server.url}/${lang}`)).toBe(true);
      expect(alternates[lang ?? '']).toBe(url);
      expect(alternates['x-default']).toBeDefined();
    }
    for (const language of languages)
      if (language === lang) listed[language].push(...map.urls.map((each) => each.loc));
  }
  for (const lang of languages) {
    const count = (part: string) => listed[lang].filter((url) => url.includes(`/${lang}/${part}`)).length;
    expect(new Set(listed[lang]).size).toBe(listed[lang].length);
    expect([lang, count('category/')]).toEqual([lang, 5]);
    // Other tests of the same server add stars, and add and withdraw stories: most of the demo's 48 are always there.
    expect(count('star/')).toBeGreaterThanOrEqual(30);
    expect(count('article/')).toBeGreaterThan(40);
    expect(count('community/')).toBeGreaterThan(10);
    expect(listed[lang]).toContain(`${server.url}/${lang}/guidelines`);
  }
  for (const url of listed.vi.filter(
    (_, index) => index % 12 === 0 && !listed.vi[index]?.includes('/community/'),
  )) {
    const canonical = (await documentAt(page.request, url)).querySelector('link[rel="canonical"]');
    expect(canonical?.getAttribute('href')).toBe(url);
  }
});

test('a story without a translation is missing from that language’s sitemap and feed, and says so in the others', async ({
  page,
  server,
}) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [row] = await sql<{ id: number }[]>`
    insert into articles (entertainment_category, outlet, original_url, original_title, original_content,
      original_published_at, published_at)
    values ('Idol', 'o', 'https://half.example/1', '반쪽 & <이야기>', '본문', now(), now() - interval '30 minutes') returning id`;
  const id = row?.id ?? 0;
  await sql`insert into article_rewrites (article_id, language, title, summary, content, content_html) values
    (${id}, 'ko', '반쪽 & <이야기>', '요약 ]]> & <b>', 'c', '<p>c</p>'), (${id}, 'en', ${'Half & <told>\u0001\ufffe'}, 'Summary ]]> & <b>', 'c', '<p>c</p>')`;
  const star = await inDatabase(server.databaseUrl, () =>
    makeStar({ names: { ko: '반<쪽', en: 'Half < told' } }),
  );
  await sql`insert into article_stars (article_id, star_id, position, published_at) select id, ${star}, 0, published_at from articles where id = ${id}`;
  // What every write says after its commit.
  await sql.notify('byeol_invalidate', 'feed,sitemap');
  await sql.end();
  await expect.poll(async () => (await page.request.get('/en/rss.xml')).text()).toContain(`/article/${id}<`);
  const index = await sitemapOf(page, '/sitemap.xml');
  const listed: string[] = [];
  for (const { loc } of index.urls) {
    const map = await sitemapOf(page, loc.replace(server.url, ''));
    const entry = map.urls.find((url) => url.loc.endsWith(`/article/${id}`));
    if (!entry) continue;
    listed.push(entry.loc);
    expect(Object.keys(entry.alternates)).toEqual(['ko', 'en', 'x-default']);
  }
  expect(listed).toEqual([`${server.url}/ko/article/${id}`, `${server.url}/en/article/${id}`]);
  const news = await sitemapOf(page, '/news-sitemap.xml');
  expect(news.urls.filter(({ loc }) => loc.endsWith(`/article/${id}`))).toHaveLength(2);
  const titles = await inXml(page, '/en/rss.xml', (root) =>
    [...root.querySelectorAll('item')].map((item) => item.querySelector('title')?.textContent),
  );
  expect(titles).toContain('Half &amp; &lt;told&gt;');
  const terms = await inXml(page, '/en/atom.xml', (root) =>
    [...root.querySelectorAll('category')].map((category) => category.getAttribute('term')),
  );
  expect(terms).toContain('Half < told');
  const malay = await page.request.get('/ms/rss.xml');
  expect(await malay.text()).not.toContain(`/article/${id}<`);
});

test('the news sitemap holds the last two days, once per language', async ({ page }) => {
  const news = await inXml(page, '/news-sitemap.xml', (root) =>
    [...root.children].map((url) => {
      const text = (name: string) =>
        url.getElementsByTagNameNS('http://www.google.com/schemas/sitemap-news/0.9', name)[0]?.textContent ??
        '';
      return {
        loc: url.querySelector('loc')?.textContent ?? '',
        name: text('name'),
        language: text('language'),
        title: text('title'),
        date: Date.parse(text('publication_date')),
      };
    }),
  );
  expect(news.length).toBeGreaterThan(8);
  for (const { loc, name, language, title, date } of news) {
    expect(loc).toContain(`/${language}/article/`);
    expect([name, title === '']).toEqual(['Byeol', false]);
    expect(Date.now() - date).toBeLessThan(49 * 3_600_000);
  }
});

test('robots and the manifest name this site', async ({ request, server }) => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain(`Sitemap: ${server.url}/sitemap.xml\n`);
  expect(robots).not.toMatch(/Disallow: \/\s*$/m);
  const answer = await request.get('/manifest.webmanifest');
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const manifest: { name: string; icons: { src: string }[] } = await answer.json();
  expect(manifest.name).toBe('Byeol');
  for (const { src } of manifest.icons) expect([src, (await request.get(src)).status()]).toEqual([src, 200]);
});

test('what does not exist in these formats is a 404', async ({ request }) => {
  for (const path of [
    '/ja/rss.xml',
    '/sitemap-ko-999.xml',
    '/sitemap-xx-1.xml',
    '/sitemap-ko-0.xml',
    '/sitemap-ko-1e1.xml',
  ]) {
    expect([path, (await request.get(path)).status()]).toEqual([path, 404]);
  }
});
