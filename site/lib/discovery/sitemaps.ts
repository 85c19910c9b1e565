import { largestId } from '#api/input.ts';
import { type Lang, languages } from '#content/locales.ts';
import { site } from '#content/site.ts';
import {
  findLastStarId,
  listArticleAddresses,
  listArticleBlocks,
  listEventAddresses,
  listNewsAddresses,
  listStarAddresses,
} from '#db/queries/discovery.ts';
import { listedPaths, type Route, routes } from '../../routes.ts';
import { alternates } from '../pages/head.ts';
import { absolute, paths } from '../routes/paths.ts';
import { type Xml, xml } from './xml.ts';

/**
 * A sitemap covers ids, not rows: its addresses stay when others are added. A star has two addresses, an article one. So few that one
 * takes no longer than some pages do, and that a robot which reads all of them does not drive those out of the cache.
 */
const starsPerMap = 500;
const articlesPerMap = 1000;
/** Events in the first sitemap of a language. */
const eventsPerMap = 500;
/** Google reads at most this many, of the last two days. */
const newsEntries = 1000;
const newsHours = 48;

const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface SitemapUrl {
  path: string;
  existing?: readonly Lang[];
  changed?: Date | undefined;
}

/** `/sitemap.xml`: every sitemap of every language. */
export async function sitemapIndex(): Promise<Xml> {
  const [lastStar, blocks] = await Promise.all([findLastStarId(), listArticleBlocks(articlesPerMap)]);
  const starMapCount = countStarMaps(lastStar);
  const sitemaps = languages.flatMap((lang) => [
    ...Array.from({ length: starMapCount }, (_, index) => ({ lang, page: index + 1, changed: undefined })),
    ...blocks
      .filter(({ language }) => language === lang)
      .map(({ block, updatedAt }) => ({ lang, page: starMapCount + block + 1, changed: updatedAt })),
  ]);
  return xml`<sitemapindex xmlns="${schema}">${sitemaps.map(
    ({ lang, page, changed }) =>
      xml`<sitemap><loc>${absolute(paths.sitemap(lang, page))}</loc>${lastmod(changed)}</sitemap>`,
  )}</sitemapindex>`;
}

/** One sitemap of a language; undefined when there is nothing in it. The first one opens with the pages that always are. */
export async function sitemap(lang: Lang, page: number): Promise<Xml | undefined> {
  const starMapCount = countStarMaps(await findLastStarId());
  if ((page - starMapCount) * articlesPerMap > largestId) return undefined;
  const urls =
    page <= starMapCount
      ? [
          ...(page === 1 ? [...staticUrls(lang), ...(await eventUrls(lang))] : []),
          ...(await starUrls(lang, page - 1)),
        ]
      : await articleUrls(lang, page - starMapCount - 1);
  if (urls.length === 0) return undefined;
  return xml`<urlset xmlns="${schema}" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.map(urlElement)}</urlset>`;
}

const countStarMaps = (lastStar: number) => Math.max(1, Math.ceil(lastStar / starsPerMap));

function staticUrls(lang: Lang): SitemapUrl[] {
  return Object.values<Route>(routes)
    .filter(({ inSitemap }) => inSitemap === 'itself')
    .flatMap(({ path }) => listedPaths(path.replace(':lang', lang)))
    .map((path) => ({ path }));
}

/** Events that are on, come, or were on lately: the ones that somebody looks for. */
async function eventUrls(lang: Lang): Promise<SitemapUrl[]> {
  const overAfter = new Date(Date.now() - 30 * 86_400_000);
  const events = await listEventAddresses(lang, { overAfter, limit: eventsPerMap });
  return events.map(({ id, languages: existing, updatedAt }) => ({
    path: paths.event(lang, id),
    existing,
    changed: updatedAt,
  }));
}

async function starUrls(lang: Lang, block: number): Promise<SitemapUrl[]> {
  const stars = await listStarAddresses({ after: block * starsPerMap, upTo: (block + 1) * starsPerMap });
  return stars.flatMap(({ id, updatedAt, channelAt }) => [
    { path: paths.star(lang, id), changed: updatedAt },
    ...(channelAt ? [{ path: paths.channel(lang, id), changed: channelAt }] : []),
  ]);
}

async function articleUrls(lang: Lang, block: number): Promise<SitemapUrl[]> {
  const articles = await listArticleAddresses(lang, {
    after: block * articlesPerMap,
    upTo: (block + 1) * articlesPerMap,
  });
  return articles.map(({ id, languages: existing, updatedAt }) => ({
    path: paths.article(lang, id),
    existing,
    changed: updatedAt,
  }));
}

function urlElement({ path, existing, changed }: SitemapUrl): Xml {
  const alternateLinks = alternates(
    path,
    languages.filter((lang) => existing?.includes(lang) ?? true),
  ).map(({ hreflang, href }) => xml`<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`);
  return xml`<url><loc>${absolute(path)}</loc>${lastmod(changed)}${alternateLinks}</url>`;
}

const lastmod = (changed: Date | undefined) =>
  changed ? xml`<lastmod>${changed.toISOString()}</lastmod>` : undefined;

/** `/news-sitemap.xml`: what was published in the last two days, each language as its own publication. */
export async function newsSitemap(now: Date): Promise<Xml> {
  const articles = await listNewsAddresses(new Date(now.getTime() - newsHours * 3_600_000), newsEntries);
  const urls = articles.map(
    ({
      id,
      language,
      title,
      publishedAt,
    }) => xml`<url><loc>${absolute(paths.article(language, id))}</loc><news:news>
<news:publication><news:name>${site.name}</news:name><news:language>${language}</news:language></news:publication>
<news:publication_date>${publishedAt.toISOString()}</news:publication_date><news:title>${title}</news:title>
</news:news></url>`,
  );
  return xml`<urlset xmlns="${schema}" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">${urls}</urlset>`;
}
