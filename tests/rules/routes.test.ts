import { describe, expect, test } from 'bun:test';
import { initAstroI18next } from 'astro-i18next';
import { languages } from '#content/locales.ts';
import { matchRoute, redirectPaths } from '#site/lib/routes/match-route.ts';
import { inLanguage, isUnprefixed } from '#site/lib/routes/paths.ts';
import { readPath } from '#site/lib/routes/route-parameters.ts';
import { listedPaths, partsOf, type RouteName, routeNames, routes } from '#site/routes.ts';
import { publicAddresses, sampleAddress, samples } from '#tests/kit/addresses.ts';
import i18nextConfig from '../../astro-i18next.config.mjs';
import { filesOf } from './sources.ts';

// What its script does where pages are rendered.
initAstroI18next(i18nextConfig);

/** Pages that Astro shows by itself, which have no address. */
const own = ['/404', '/500'];

/** The path of a file of `site/pages/`, as `site/routes.ts` writes it. */
const pathOf = (file: string) =>
  file
    .replace(/^site\/pages/, '')
    .replace(/\.(?:astro|ts)$/, '')
    .replace(/\/index$/, '')
    .replace(/\[(\w+)\]/g, ':$1');

describe('the table of addresses', () => {
  const files = filesOf('site/pages/**/*.{astro,ts}').map(({ path }) => pathOf(path));

  test('has a row for every file of site/pages, and a file for every row', () => {
    const rows = routeNames.map((name) => routes[name].path);
    expect(files.filter((path) => !own.includes(path)).sort()).toEqual([...rows].sort());
  });

  test('finds the row of every address that it writes, with its parts', () => {
    for (const name of routeNames) {
      const address = sampleAddress(name);
      expect([address, matchRoute(address)?.name]).toEqual([address, name]);
      const { for: whom, name: leadsTo } = matchRoute(`${address}/`) ?? {};
      expect([address, whom, leadsTo]).toEqual([
        address,
        'everyone',
        routes[name].for === 'everyone' ? name : undefined,
      ]);
      const parts = Object.fromEntries(
        partsOf(routes[name].path).map((part) => [part, String(samples[part])]),
      );
      expect<unknown>(readPath(name, parts)).toEqual(
        Object.fromEntries(partsOf(routes[name].path).map((part) => [part, samples[part]])),
      );
    }
  });

  test('knows for whom an address is, and finds none that is not', () => {
    for (const [address, name] of [
      ['/ko', 'home'],
      ['/vi/events/month.json', 'eventMonth'],
      ['/vi/events/7', 'event'],
      ['/vi/events/7.ics', 'eventFile'],
      ['/en/category/k-pop%20group', 'category'],
      ['/sitemap-ko-1.xml', 'sitemap'],
      ['/admin/events/verification', 'adminVerification'],
      ['/xx/article/1', undefined],
      ['/kor/article/1', undefined],
      ['/ko/article/1/2', undefined],
      ['/ko/article', 'page'],
      ['/nowhere', undefined],
      ['/admin/nowhere', undefined],
      ['/sitemap.xmlx', undefined],
      ['//ko', undefined],
    ] satisfies [string, RouteName | undefined][]) {
      expect([address, matchRoute(address)?.name]).toEqual([address, name]);
    }
    expect(matchRoute('/login')?.for).toBe('person');
    expect(matchRoute('/ko')?.for).toBe('everyone');
  });

  test('has a redirect screen for an address without its language', () => {
    expect([...redirectPaths].sort()).toEqual(
      [
        '/',
        ...[
          'article/:id',
          'star/:id',
          'category/:slug',
          'events',
          'events/:id',
          'community',
          'community/:starId',
        ],
        ...['search', 'about', 'ai', 'editorial', 'guidelines', 'privacy', 'terms'],
      ]
        .map((path) => (path === '/' ? path : `/${path}`))
        .sort(),
    );
    for (const path of redirectPaths) {
      const address = path.replace(/:(\w+)/g, (_, part: string) => String(samples[part]));
      expect([address, matchRoute(address)?.for, matchRoute(address)?.name]).toEqual([
        address,
        'everyone',
        undefined,
      ]);
      const prefixed = inLanguage(address === '/' ? '' : address, 'en');
      expect([prefixed, matchRoute(prefixed)?.name === undefined]).toEqual([prefixed, false]);
    }
  });

  test('says which addresses carry their language in their query', () => {
    for (const address of ['/login', '/login?next=/ko', '/profile', '/admin', '/admin/events/verification'])
      expect([address, isUnprefixed(address)]).toEqual([address, true]);
    for (const address of ['/ko', '/ko/login', '/logout', '/test-embeds', '/star/3', '/loginx'])
      expect([address, isUnprefixed(address)]).toEqual([address, false]);
  });

  test('writes an address in another language, whatever it asks for', () => {
    for (const [path, written] of [
      ['', '/en'],
      ['/ko', '/en'],
      ['/ko?page=2', '/en?page=2'],
      ['/article/7', '/en/article/7'],
      ['/ms/events?tab=trending&range=a/b', '/en/events?tab=trending&range=a/b'],
      ['/vi/search?q=/ko/x?', '/en/search?q=/ko/x?'],
      ['/en/category/k-pop-group', '/en/category/k-pop-group'],
      ['/korea/x', '/en/korea/x'],
      ['/login?next=/ko/star/3', '/login?next=%2Fen%2Fstar%2F3&lang=en'],
      ['/profile?lang=ko', '/profile?lang=en'],
    ] as const)
      expect([path, inLanguage(path, 'en')]).toEqual([path, written]);
  });

  test('lists every address of a page that sitemaps name itself', () => {
    expect(listedPaths('/:page')).toContain('/about');
    expect(listedPaths('/ko/category/:slug')).toContain('/ko/category/k-pop-group');
    expect(publicAddresses().length).toBeGreaterThan(languages.length * 20);
  });
});

describe('a page', () => {
  const pages = filesOf('site/{pages,layouts,components}/**/*.{astro,ts}').filter(
    ({ path }) => !/\.(?:client|inline)\.ts$/.test(path),
  );

  test('reads its query by its row, and says so of its tags', () => {
    expect(pages.length).toBeGreaterThan(150);
    const others = pages.filter(({ text }) => /cache\.set\(|searchParams\s*\.|searchParams\s*\}/.test(text));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  // Astro writes the style of those into the body, where HTML has none.
  test('leaves it to its islands to wake, none to a directive of Astro', () => {
    expect(pages.filter(({ text }) => /\sclient:[a-z]+/.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
