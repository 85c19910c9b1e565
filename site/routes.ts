import { categorySlug } from '#api/articles/categories.ts';
import { fileRefusals } from '#api/directory/refusals.ts';
import { isZone, readDay, upcomingRanges } from '#api/events/days.ts';
import { readId, readOffset, readPageNumber, readSearch, readStarIds } from '#api/input.ts';
import type { PictureRefusal } from '#api/media/picture-refused.ts';
import { searchKinds } from '#api/search/model.ts';
import type { TagPattern } from '#api/tags.ts';
import { embedPlatforms } from '#content/embed-platforms.ts';
import { isLang, languages } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { channelSorts } from '#db/queries/community/channel-list.ts';
import { roles } from '#db/schema/accounts.ts';
import { reportStates } from '#db/schema/community.ts';
import { rowOutcomes } from '#db/schema/directory.ts';
import { verificationStates } from '#db/schema/events.ts';
import { storyStages } from '#db/schema/newsroom.ts';
import { photoCategories, starCategories } from '#db/schema/stars.ts';
import {
  editorsPage,
  editorsSearch,
  filledText,
  flag,
  list,
  maybeOneOf,
  oneOf,
  optional,
  type Parameter,
  parameter,
  text,
} from './lib/routes/parameters.ts';

/**
 * The site's addresses, each said once: its path, who it is for, the query parameters that it reads, its cache tags, whether
 * sitemaps name it, whether it leads on without its language. Server, page cache, redirect screens, sitemaps and links read
 * them here; `site/README.md` says how a page is added.
 */

type Query = Readonly<Record<string, Parameter<unknown>>>;

export interface Route<
  Path extends string = string,
  Own extends Query = Query,
  Tags extends TagPattern = TagPattern,
> {
  /** As the files of `pages/` write it, with `:id` for `[id]`. */
  path: Path;
  /** A page for everyone is the same for everybody and kept by the page cache; one for a person is kept by nobody. */
  for: 'everyone' | 'person';
  query: Own;
  /** What its pages are out of date by; after a colon come the ids of what a page shows. */
  tags: readonly Tags[];
  /** Sitemaps name the page itself, those of the rows that are stored, or nothing. */
  inSitemap: 'itself' | 'stored' | undefined;
  /** The address without its language is a redirect screen (decision L3), whose links keep these parameters. */
  redirect: readonly string[] | undefined;
}

interface Public<Own extends Query, Tags extends TagPattern> {
  query?: Own;
  tags?: readonly Tags[];
  inSitemap?: 'itself' | 'stored';
  redirect?: readonly (keyof Own & string)[];
}

type Empty = Record<never, Parameter<unknown>>;

function everyone<
  const Path extends `/${string}`,
  Own extends Query = Empty,
  const Tags extends TagPattern = never,
>(path: Path, row: Public<Own, Tags>): Route<Path, Own, Tags>;
function everyone(
  path: string,
  { query = {}, tags = [], inSitemap, redirect }: Public<Query, TagPattern>,
): Route {
  return { path, for: 'everyone', query, tags, inSitemap, redirect };
}

function person<const Path extends `/${string}`, Own extends Query>(
  path: Path,
  query: Own,
): Route<Path, Own, never> {
  return { path, for: 'person', query, tags: [], inSitemap: undefined, redirect: undefined };
}

/** The pages that say what the site is and how it works. */
export const staticPages = ['about', 'editorial', 'ai', 'terms', 'privacy', 'guidelines'] as const;
export type StaticPage = (typeof staticPages)[number];

/** Areas of words that islands loaded on first use ask for. */
const wordAreas = ['chat', 'events', 'filter', 'hearts', 'notices'] as const;

export const searchTabs = ['all', ...searchKinds] as const;
export const eventTabs = ['calendar', 'upcoming', 'trending'] as const;
export const starTabs = ['timeline', 'photos', 'achievements', 'articles'] as const;

export const adminTabs = ['system', 'multimedia', 'tools'] as const;
export const editorTools = ['stories', 'articles', 'stars', 'reports'] as const;
export const adminTools = ['sources', 'users', 'audit'] as const;
export const auditDomains = [
  'event',
  'article',
  'story',
  'newsroom',
  'source',
  'star',
  'picture',
  'embed',
  'user',
  'message',
  'report',
  'channel',
] as const;

/** The parts of a star's editor, each with its address. */
export const starSections = [
  'profile',
  'pictures',
  'members',
  'photos',
  'timeline',
  'achievements',
  'links',
  'sources',
  'offers',
  'history',
  'actions',
] as const;
export type StarSection = (typeof starSections)[number];

/** Why a picture was not taken, which the library says in words. */
export const pictureFailures = [
  'required',
  'too_large',
  'svg',
  'html',
  'type',
  'hidden',
  'pixels',
  'shape',
  'damaged',
  'withdrawn',
  'unavailable',
  'unwritable',
  'url',
] as const satisfies readonly (PictureRefusal | 'withdrawn' | 'unavailable' | 'unwritable' | 'url')[];

/** Why a file of stars was not read, which the directory's screen says in words. */
export const directoryFailures = [...fileRefusals, 'unavailable'] as const;

/** What was just done on the profile, which then says so. */
const profileDone = [
  'profile',
  'password',
  'device',
  'verify',
  'reminders',
  'unsubscribed',
  'calendar-off',
] as const;

const wordOf =
  <const Word extends string>(words: readonly Word[]) =>
  (value: string | undefined) =>
    words.find((word) => word === value);

/** What the parts of a path may be, by their names; undefined is none. */
export const pathParameters = {
  lang: (value: string | undefined) => (isLang(value) ? value : undefined),
  id: readId,
  starId: readId,
  number: readId,
  idOrNew: (value: string | undefined) => (value === 'new' ? value : readId(value)),
  slug: (value: string | undefined) => value,
  page: wordOf(staticPages),
  area: wordOf(wordAreas),
} as const;

/** All values of the parts of which there are few. */
const listedValues: Readonly<Partial<Record<string, readonly string[]>>> = {
  slug: starCategories.map(categorySlug),
  page: staticPages,
};

const pageOf = (size: number) => parameter((value) => readPageNumber(value, size));
const zone = optional((value) => (isZone(value) ? value : undefined));
const starIds = list(readStarIds);
/** A month as `2026-11`. */
const month = optional((value) => (readDay(`${value}-01`) ? value : undefined));
/** Of a text that is far too long to be searched for so much is said again, in the field and in many links. */
const longestEcho = 1_000;
/** Blanks search for nothing, which is the page without a search. */
const searchText = parameter((value) => (value?.trim() ? value.slice(0, longestEcho) : null));
/** The same where characters that nobody sees are nothing, too. */
const channelSearch = parameter((value) =>
  readSearch(value) ? (value?.slice(0, longestEcho) ?? null) : null,
);
const offset = parameter(readOffset);
/** Of a page without a prefix: its language is the preference, or this (decision L4). */
const lang = maybeOneOf(languages);

/** What a picture of the library is chosen for: `article-12`, `event-7`. */
const pictureUse = parameter((value) => value?.match(/^(?:article|event)-[1-9]\d{0,9}$/)?.[0]);

/** What is open in a list of a star's editor: an entry by its number, `new`, or a field by its path. */
const entry = parameter((value) => value?.match(/^[\w.]{1,60}$/)?.[0]);

const eventsQuery = {
  tab: oneOf(eventTabs, 'calendar'),
  month,
  date: optional(readDay),
  categories: starIds,
  stars: starIds,
  range: oneOf(upcomingRanges, 'week'),
  category: filledText,
  show: maybeOneOf(['all']),
  offset,
  tz: zone,
};

export const routes = {
  home: everyone('/:lang', {
    query: { page: pageOf(limits.feedPage) },
    tags: ['feed', 'events', 'talk'],
    inSitemap: 'itself',
    redirect: [],
  }),
  feedPart: everyone('/:lang/feed', { query: { offset, stars: parameter(readStarIds) }, tags: ['feed'] }),
  rss: everyone('/:lang/rss.xml', { tags: ['feed'] }),
  atom: everyone('/:lang/atom.xml', { tags: ['feed'] }),
  jsonFeed: everyone('/:lang/feed.json', { tags: ['feed'] }),
  article: everyone('/:lang/article/:id', {
    tags: ['article:', 'star:', 'stars', 'events'],
    inSitemap: 'stored',
    redirect: [],
  }),
  category: everyone('/:lang/category/:slug', {
    query: { page: pageOf(limits.feedPage) },
    tags: ['feed', 'stars'],
    inSitemap: 'itself',
    redirect: [],
  }),
  search: everyone('/:lang/search', {
    query: { q: searchText, tab: oneOf(searchTabs, 'all'), page: pageOf(1) },
    tags: ['feed', 'stars'],
    redirect: ['q', 'tab'],
  }),
  star: everyone('/:lang/star/:id', {
    query: {
      tab: oneOf(starTabs, 'timeline'),
      show: maybeOneOf(['all']),
      category: maybeOneOf(photoCategories),
    },
    tags: ['star:', 'event:', 'stars'],
    inSitemap: 'stored',
    redirect: [],
  }),
  starEventsFile: everyone('/:lang/star/:id/events.ics', { tags: ['star:', 'events'] }),
  events: everyone('/:lang/events', {
    query: eventsQuery,
    tags: ['events'],
    inSitemap: 'itself',
    redirect: [],
  }),
  eventsPart: everyone('/:lang/events/part', { query: eventsQuery, tags: ['events'] }),
  eventMonth: everyone('/:lang/events/month.json', { query: { month, tz: zone }, tags: ['events'] }),
  eventsFile: everyone('/:lang/events.ics', { tags: ['events'] }),
  event: everyone('/:lang/events/:id', {
    tags: ['event:', 'star:', 'events'],
    inSitemap: 'stored',
    redirect: [],
  }),
  eventFile: everyone('/:lang/events/:id.ics', { tags: ['event:', 'stars'] }),
  community: everyone('/:lang/community', {
    query: { q: channelSearch, sort: oneOf(channelSorts, 'popular'), page: pageOf(limits.channelsPage) },
    tags: ['channels'],
    inSitemap: 'itself',
    redirect: [],
  }),
  channel: everyone('/:lang/community/:starId', {
    tags: ['channel:', 'star:', 'retention'],
    inSitemap: 'stored',
    redirect: [],
  }),
  page: everyone('/:lang/:page', { tags: ['pages'], inSitemap: 'itself', redirect: [] }),
  words: everyone('/:lang/words/:area.json', { tags: ['words'] }),

  sitemaps: everyone('/sitemap.xml', { tags: ['sitemap'] }),
  sitemap: everyone('/sitemap-:lang-:number.xml', { tags: ['sitemap'] }),
  newsSitemap: everyone('/news-sitemap.xml', { tags: ['feed'] }),
  robots: everyone('/robots.txt', { tags: ['robots'] }),
  manifest: everyone('/manifest.webmanifest', { tags: ['manifest'] }),

  login: person('/login', { lang, next: text, tab: maybeOneOf(['register']), done: flag, deleted: flag }),
  forgot: person('/login/forgot', { lang, sent: flag }),
  reset: person('/login/reset', { lang, token: text, done: flag }),
  verify: person('/login/verify', { lang, token: text, done: flag }),
  logout: person('/logout', {}),
  profile: person('/profile', { lang, saved: maybeOneOf(profileDone), remind: parameter(readId) }),
  testEmbeds: person('/test-embeds', {}),
  admin: person('/admin', {
    tab: oneOf(adminTabs, 'system'),
    lang,
    tool: maybeOneOf([...editorTools, ...adminTools]),
    stage: maybeOneOf(storyStages),
    state: maybeOneOf([...reportStates, 'withdrawn', 'hidden']),
    platform: maybeOneOf(embedPlatforms),
    articleId: parameter(readId),
    picture: parameter(readId),
    known: flag,
    for: pictureUse,
    category: maybeOneOf(starCategories),
    missing: maybeOneOf(languages),
    refused: maybeOneOf(pictureFailures),
    action: maybeOneOf(auditDomains),
    actor: parameter((value) => Number(value) || undefined),
    role: maybeOneOf(roles),
    search: editorsSearch,
    page: editorsPage,
    /** Of the list of embeds, which stands below another one. */
    embeds: editorsPage,
    saved: flag,
  }),
  adminForbidden: person('/admin/forbidden', { lang }),
  adminArticle: person('/admin/articles/:id', { lang, saved: flag }),
  adminDirectory: person('/admin/directory', {
    lang,
    import: parameter(readId),
    outcome: maybeOneOf(rowOutcomes),
    page: editorsPage,
    refused: maybeOneOf(directoryFailures),
    about: editorsSearch,
  }),
  adminEvent: person('/admin/events/:id', { lang, saved: flag }),
  adminVerification: person('/admin/events/verification', {
    verification: oneOf(verificationStates, 'pending'),
    search: editorsSearch,
    page: editorsPage,
    lang,
    done: maybeOneOf(['approved', 'rejected', 'undone']),
    count: parameter(readId),
    left: parameter(readId),
  }),
  adminStar: person('/admin/stars/:idOrNew', {
    lang,
    section: oneOf(starSections, 'profile'),
    entry,
    saved: flag,
    merged: flag,
    wikidata: editorsSearch,
    picture: parameter(readId),
    known: flag,
    refused: maybeOneOf(pictureFailures),
    into: editorsSearch,
    page: editorsPage,
  }),
  adminStory: person('/admin/stories/:id', { lang, saved: flag }),
} as const satisfies Readonly<Record<string, Route>>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
export const routeNames = Object.keys(routes) as RouteName[];

/** The query of a page as it reads it. */
export type QueryOf<Name extends RouteName> = {
  [Own in keyof Routes[Name]['query']]: Routes[Name]['query'][Own] extends Parameter<infer Value>
    ? Value
    : never;
};

type UpTo<Text extends string, Mark extends string> = Text extends `${infer Before}${Mark}${string}`
  ? Before
  : Text;
type Parts<Path extends string> = Path extends `${string}:${infer Rest}`
  ? [UpTo<UpTo<UpTo<Rest, '/'>, '-'>, '.'>, ...Parts<Rest>]
  : [];
type PathParameter = keyof typeof pathParameters;
type PathValue<Part> = Part extends PathParameter
  ? NonNullable<ReturnType<(typeof pathParameters)[Part]>>
  : never;
type Values<Names extends readonly string[]> = { [Index in keyof Names]: PathValue<Names[Index]> };

/** The values of a path's parts in their order, by the text of the path: of `/:lang/article/:id` a language and an id. */
export type PathValues<Name extends RouteName> = Values<Parts<Routes[Name]['path']>>;
/** The same by their names. */
export type PathParametersOf<Name extends RouteName> = {
  [Part in Parts<Routes[Name]['path']>[number]]: PathValue<Part> | undefined;
};

const partPattern = /:(\w+)/g;

/** The names of a path's parts. */
export const partsOf = (path: string): string[] =>
  [...path.matchAll(partPattern)].map(([, name = '']) => name);

/** Paths with every value of the parts that are listed, in the place of their names. */
export function listedPaths(path: string): string[] {
  const [part] = partsOf(path);
  if (!part) return [path];
  return (listedValues[part] ?? []).flatMap((value) => listedPaths(path.replace(`:${part}`, value)));
}

/** What stands between the parts of a path. */
export const textsOf = (path: string): string[] => path.split(/:\w+/);
