import type { APIRequestContext } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { languages } from '#content/locales.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { publicPages } from '#tests/kit/public-pages.ts';
import { askRaw } from '#tests/kit/raw.ts';
import { signIn } from '#tests/kit/sign-in.ts';

const validator = new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:a11y'] });

/** Every kind of page for one person: who they have to be, and their addresses. */
const personalPages = {
  nobody: ['/login', '/login?next=/en/star/1', '/login/forgot', '/login/reset'],
  admin: [
    '/profile',
    '/admin',
    '/admin?tab=multimedia',
    ...['articles', 'stories', 'sources', 'stars', 'users', 'reports', 'audit'].map(
      (tool) => `/admin?tab=tools&tool=${tool}`,
    ),
    '/admin/events/verification',
    '/admin/events/1',
    '/admin/articles/1',
    '/admin/stars/1',
    '/admin/stars/1?section=members&entry=new',
    '/admin/stars/1?section=sources&entry=debutDate',
    '/admin/stars/1?section=actions&into=a',
    ...['pictures', 'photos', 'timeline', 'links', 'offers', 'history'].map(
      (section) => `/admin/stars/1?section=${section}`,
    ),
    '/admin/directory',
    '/test-embeds',
    '/nowhere/at/all',
  ],
} as const;

/** What browsers forgive and parsers that mend do not tell: scripts and styles outside of the document, or styles in its body. */
function strayOf(html: string): string[] {
  const [document = '', ...after] = html.split('</html>');
  const body = document.slice(document.indexOf('<body')).replace(/<template[\s\S]*?<\/template>/g, '');
  return [
    ...after.map((leftover) => leftover.trim()).filter(Boolean),
    ...(document.match(/^(?!<!doctype html>).{1,80}/i) ?? []),
    ...(body.match(/<style[\s\S]{0,80}/g) ?? []),
    ...(document.match(/<\/head>\s*<(?!body)[\s\S]{0,80}/g) ?? []),
    ...(document.match(/<\/body>\s*<[\s\S]{0,80}/g) ?? []),
  ];
}

async function faultsOf(request: APIRequestContext, path: string): Promise<string[]> {
  const answer = await request.get(path);
  const html = await answer.text();
  const stray = strayOf(html).map((markup) => `${path} (${answer.status()}): stray: ${markup.slice(0, 120)}`);
  const { results } = await validator.validateString(html);
  const failures = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => {
      const at = html.split('\n')[line - 1]?.slice(Math.max(0, column - 40), column + 80);
      return `${path} (${answer.status()}): ${ruleId}: ${message}: ${at}`;
    }),
  );
  return [...stray, ...failures];
}

test.describe('what the site sends', () => {
  for (const lang of languages) {
    test(`is valid HTML on every kind of page in ${lang}`, async ({ request }) => {
      const faults: string[] = [];
      for (const path of publicPages) faults.push(...(await faultsOf(request, `/${lang}${path}`)));
      expect(faults).toEqual([]);
    });
  }

  for (const lang of languages) {
    test(`is valid HTML on the pages of one person in ${lang}`, async ({ server, playwright, context }) => {
      const faults: string[] = [];
      for (const [person, addresses] of Object.entries(personalPages)) {
        if (person === 'admin') await signIn(context, server, 'admin');
        const request = await playwright.request.newContext({
          baseURL: server.url,
          storageState: await context.storageState(),
        });
        for (const path of addresses)
          faults.push(...(await faultsOf(request, `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)));
        await request.dispose();
      }
      expect(faults).toEqual([]);
    });
  }

  test('is valid HTML on the pages without a prefix', async ({ request }) => {
    const faults: string[] = [];
    for (const path of ['/', '/article/1', '/login', '/nowhere/at/all', '/ja'])
      faults.push(...(await faultsOf(request, path)));
    expect(faults).toEqual([]);
  });

  test('tells the character set of pages, parts of pages and error pages in its header', async ({
    request,
  }) => {
    const unprefixedPaths = [
      '/',
      '/article/1',
      '/star/1',
      '/events',
      '/login',
      '/login/forgot',
      '/admin',
      '/nowhere/at/all',
    ];
    const parts = ['/ko/feed', '/en/events/part?tab=upcoming', '/vi/nowhere', '/en/star/2147483647'];
    const types = new Set<string | undefined>();
    for (const path of [...unprefixedPaths, ...parts, ...publicPages.map((path) => `/ms${path}`)])
      types.add((await request.get(path)).headers()['content-type']);
    expect([...types]).toEqual(['text/html; charset=utf-8']);
  });

  test('has for HEAD the length that it has for GET, and for a coding that was refused none', async ({
    server,
    request,
  }) => {
    const style = (await (await request.get('/en')).text()).match(/href="(\/_astro\/[^"]+\.css)"/)?.[1] ?? '';
    for (const path of [
      '/en',
      style,
      '/sitemap.xml',
      '/en/rss.xml',
      '/api/articles/1',
      '/login',
      '/nowhere',
    ]) {
      for (const coding of ['br', 'identity', 'br;q=0, gzip;q=0']) {
        const headers = { 'accept-encoding': coding };
        const full = await askRaw(server.url, path, { headers });
        const head = await askRaw(server.url, path, { method: 'HEAD', headers });
        // A page that is asked for often is compressed tighter, maybe just now.
        const later = await askRaw(server.url, path, { headers });
        const comparableHead = ({ status, headers: responseHeaders }: typeof head) => [
          path,
          status,
          responseHeaders['content-length'],
          responseHeaders['content-encoding'],
          responseHeaders['content-type'],
        ];
        expect([comparableHead(full), comparableHead(later)]).toContainEqual(comparableHead(head));
        expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
        expect([path, head.body]).toEqual([path, '']);
        expect([path, full.headers['content-encoding']]).toEqual([path, coding === 'br' ? 'br' : undefined]);
      }
    }
  });

  test('is nothing under an address that is written in another way', async ({ server }) => {
    for (const path of [
      '//x/en',
      '/en//article/1',
      '/en/%61rticle/1',
      '/%65n',
      '/500',
      '/en/article/1%2f',
      '/%ff',
      '/en/%ff',
      '/en/article/%c3',
      '/xx/feed',
      '/xx/events/part',
    ]) {
      const { status, body, headers } = await askRaw(server.url, path, {
        headers: { 'accept-language': 'ms' },
      });
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(body).toContain('404 Page Not Found');
      const language = body.match(/<html lang="(\w+)"/)?.[1];
      expect([path, language]).toEqual([path, path.startsWith('/en/') ? 'en' : 'ms']);
    }
  });

  test('is the same for who names no host, and nothing for who names none that can be', async ({
    server,
  }) => {
    for (const [path, status, text] of [
      ['/readyz', 200, 'ready'],
      ['/en', 200, '<html lang="en"'],
      ['/xx/en', 404, '404 Page Not Found'],
      ['/api/articles?limit=1', 200, '"articleStars"'],
      ['/api/nowhere', 404, '"not_found"'],
      ['/xx/api/auth/me', 404, '404 Page Not Found'],
    ] as const) {
      const answer = await askRaw(server.url, path, { version: '1.0' });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.body).toContain(text);
      // Two headers, the second one on its own line.
      for (const host of ['a b', 'a/x', 'u:p@x', 'x:99999', '[::1', '%00', 'a.example\r\nhost: b.example'])
        expect([host, (await askRaw(server.url, path, { headers: { host } })).status]).toEqual([host, 400]);
    }
  });

  test('keeps what an address asked for when another is its proper one', async ({ server }) => {
    for (const [path, location] of [
      ['/en/category/k-pop%20group?page=2', '/en/category/k-pop-group?page=2'],
      ['/en/events/?tab=upcoming', '/en/events?tab=upcoming'],
    ] as const) {
      const answer = await askRaw(server.url, path);
      expect([answer.status, answer.headers.location, answer.headers['content-type'], answer.body]).toEqual([
        301,
        location,
        undefined,
        '',
      ]);
    }
  });
});
