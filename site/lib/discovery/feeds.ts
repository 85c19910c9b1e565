import { Feed } from 'feed';
import { sentencesOf } from '#api/articles/summary.ts';
import { picturePath } from '#api/media/paths.ts';
import { intlTag, type Lang } from '#content/locales.ts';
import { site, storageKey } from '#content/site.ts';
import { type FeedEntryRow, listFeedEntries } from '#db/queries/discovery.ts';
import { words } from '../../i18n/words.ts';
import { absolute, paths } from '../routes/paths.ts';
import { categoryName } from '../stars/categories.ts';
import { withoutInvalidCharacters } from './xml.ts';

type FeedFormat = 'rss.xml' | 'atom.xml' | 'feed.json';

const maxEntries = 30;
const types: Record<FeedFormat, string> = {
  'rss.xml': 'application/rss+xml',
  'atom.xml': 'application/atom+xml',
  'feed.json': 'application/feed+json',
};

/** The newest articles that exist in a language, for readers of feeds. Addresses are absolute (quality §Safe 12). */
export async function feedResponse(lang: Lang, format: FeedFormat): Promise<Response> {
  const rows = await listFeedEntries(lang, maxEntries);
  const feed = emptyFeed(lang, new Date(Math.max(0, ...rows.map(({ updatedAt }) => updatedAt.getTime()))));
  for (const row of rows) feed.addItem(toItem(lang, row, format));
  const body =
    format === 'feed.json'
      ? feed.json1()
      : withoutInvalidCharacters(format === 'rss.xml' ? feed.rss2() : atomOf(feed));
  return new Response(body, { headers: { 'content-type': `${types[format]}; charset=utf-8` } });
}

/** The library writes a `<` in the attributes of a category as it is, and no reader takes the feed. */
const atomOf = (feed: Feed): string =>
  feed.atom1().replace(/<category [^\n]*?\/>/g, (tag) => `<${tag.slice(1).replaceAll('<', '&lt;')}`);

function emptyFeed(lang: Lang, updated: Date): Feed {
  const t = words(lang);
  return new Feed({
    id: absolute(paths.home(lang)),
    title: `${site.name} · ${t('home:title')}`,
    description: t('home:description'),
    link: absolute(paths.home(lang)),
    language: intlTag(lang),
    image: absolute('/media/brand/1x1-480.png'),
    favicon: absolute('/favicon.svg'),
    author: { name: site.name, link: absolute(paths.home(lang)) },
    generator: site.name,
    updated,
    feedLinks: {
      rss: absolute(paths.rss(lang)),
      atom: absolute(paths.atom(lang)),
      json: absolute(paths.jsonFeed(lang)),
    },
  });
}

function toItem(lang: Lang, row: FeedEntryRow, format: FeedFormat): Parameters<Feed['addItem']>[0] {
  const address = absolute(paths.article(lang, row.id));
  const sentences = sentencesOf(row.summary);
  const note = aiNote(lang, row);
  const html = [...sentences, ...(note ? [note] : [])]
    .map((sentence) => `<p>${escapeHtml(sentence)}</p>`)
    .join('');
  const tags = [categoryName(lang, row.entertainmentCategory), ...row.stars.map(({ name }) => name)];
  const isJson = format === 'feed.json';
  return {
    // In RSS and Atom these are HTML, in JSON Feed they are text.
    title: isJson ? row.title : escapeHtml(row.title),
    description: isJson ? sentences.join(' ') : escapeHtml(sentences.join(' ')),
    ...(format === 'rss.xml' ? {} : { id: address }),
    link: address,
    content: html,
    date: row.updatedAt,
    published: row.publishedAt,
    category: tags.map((name) => ({ name, term: name })),
    ...(row.pictureKey && {
      image: { url: absolute(picturePath(row.pictureKey, '3:2', 1200)), type: 'image/webp', length: 0 },
    }),
    ...(isJson && {
      extensions: [{ name: `_${storageKey}`, objects: { ai_assisted: row.model !== null } }],
    }),
  };
}

/** That a machine helped, as it is said wherever an article is shown (decision P4). */
function aiNote(lang: Lang, { model, outlet, reviewer }: FeedEntryRow): string | undefined {
  if (model === null) return undefined;
  const t = words(lang);
  const name = reviewer?.[lang];
  return [
    `${t('common:aiFull')}:`,
    t('article:backstory', { model, outlet }),
    ...(name ? [t('article:backstoryReviewed', { name })] : []),
  ].join(' ');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);
