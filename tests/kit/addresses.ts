import { type Lang, languages } from '#content/locales.ts';
import { redirectPaths } from '#site/lib/routes/match-route.ts';
import { listedPaths, type Route, type RouteName, routeNames, routes } from '#site/routes.ts';

/** A value for each part of a path, of what the demo's world has. */
export const samples: Readonly<Record<string, string | number>> = {
  lang: 'ko',
  id: 1,
  starId: 1,
  number: 1,
  idOrNew: 'new',
  slug: 'idol',
  page: 'about',
  area: 'chat',
};

const filled = (path: string, parts: Readonly<Record<string, string | number>>) =>
  path.replace(/:(\w+)/g, (_, part: string) => String(parts[part]));

/** An address of a row. */
export const sampleAddress = (name: RouteName, lang: Lang = 'ko'): string =>
  filled(routes[name].path, { ...samples, lang });

/** Every address of every page for everyone, once for the parts that are ids; also without its language. */
export function publicAddresses(): string[] {
  const rows = routeNames.map((name): Route => routes[name]).filter(({ for: whom }) => whom === 'everyone');
  return [
    ...new Set([
      ...languages.flatMap((lang) =>
        rows.flatMap(({ path }) =>
          listedPaths(filled(path, { ...samples, lang, slug: ':slug', page: ':page' })),
        ),
      ),
      ...redirectPaths.map((path) => filled(path, samples)),
    ]),
  ];
}
