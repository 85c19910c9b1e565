/** A stand-in for Wikidata and Commons on loopback: the action API with its shapes and errors, and ways to misbehave. */

type Rank = 'preferred' | 'normal' | 'deprecated';
type Snak = Record<string, unknown>;

interface StandInItem {
  /** By language. */
  labels?: Record<string, string>;
  descriptions?: Record<string, string>;
  aliases?: Record<string, string[]>;
  /** By property. */
  claims?: Record<string, unknown[]>;
}

interface StandInFile {
  extmetadata: Record<string, string>;
  /** What else its description says, instead of the usual. */
  info?: Record<string, unknown>;
  /** Answers with its bytes, here; without it they are said to be at Wikimedia's own host. */
  download?: () => Response;
}

export interface Wikimedia {
  url: string;
  /** `host:port`, as `FETCH_ALLOW` names it. */
  host: string;
  /** By number. */
  items: Record<string, StandInItem>;
  /** Numbers that were merged, with the item that they lead to. */
  merged: Record<string, string>;
  /** By name, without `File:`. */
  files: Record<string, StandInFile>;
  /** The next requests are answered by these, one each. */
  instead: ((request: Request) => Response | Promise<Response>)[];
  /** Milliseconds that an answer takes. */
  delay: number;
  /** The most requests that were under way at once. */
  mostAtOnce: number;
  readonly asked: { query: URLSearchParams; agent: string; at: number }[];
  stop(): Promise<void>;
}

export function startWikimedia(): Wikimedia {
  let atOnce = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, searchParams: query } = new URL(request.url);
      wiki.asked.push({ query, agent: request.headers.get('user-agent') ?? '', at: performance.now() });
      wiki.mostAtOnce = Math.max(wiki.mostAtOnce, ++atOnce);
      try {
        if (wiki.delay > 0) await Bun.sleep(wiki.delay);
        const instead = wiki.instead.shift();
        if (instead) return await instead(request);
        const file =
          wiki.files[decodeURIComponent(pathname.match(/^\/thumb\/[^/]+\/\d+px-(.+)$/)?.[1] ?? '')];
        if (file?.download) return file.download();
        return pathname === '/w/api.php' ? answer(wiki, query) : new Response('Not Found', { status: 404 });
      } finally {
        atOnce -= 1;
      }
    },
  });
  const wiki: Wikimedia = {
    url: server.url.origin,
    host: server.url.host,
    items: {},
    merged: {},
    files: {},
    instead: [],
    delay: 0,
    mostAtOnce: 0,
    asked: [],
    stop: () => server.stop(true),
  };
  return wiki;
}

const failure = (code: string, info: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { code, info, docref: 'See the API' } },
    { headers: { 'mediawiki-api-error': code, ...headers } },
  );

/** The databases are behind: status 200, as the API has it. */
export const lagged = (seconds: number): Response =>
  failure('maxlag', `Waiting for db1: ${seconds + 1} seconds lagged.`, {
    'retry-after': String(seconds),
    'x-database-lag': String(seconds + 1),
  });

export const throttled = (seconds?: number): Response =>
  new Response('Too many requests', {
    status: 429,
    headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
  });

function answer(wiki: Wikimedia, query: URLSearchParams): Response {
  if (query.get('format') !== 'json')
    return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
  switch (query.get('action')) {
    case 'wbsearchentities':
      return search(wiki, query);
    case 'wbgetentities':
      return entities(wiki, query);
    case 'query':
      return imageInfo(wiki, query);
    default:
      return failure('badvalue', 'Unrecognized value for parameter "action".');
  }
}

function search({ items, url }: Wikimedia, query: URLSearchParams): Response {
  const text = query.get('search')?.toLowerCase() ?? '';
  const language = query.get('language') ?? '';
  if (text === '' || language === '') return failure('missingparam', 'The parameter must be set.');
  const found = Object.entries(items).flatMap(([id, { labels = {}, aliases = {}, descriptions = {} }]) => {
    const names = [language, 'mul', 'en'].flatMap((code) => [labels[code] ?? '', ...(aliases[code] ?? [])]);
    if (!names.some((name) => name.toLowerCase().startsWith(text))) return [];
    const user = query.get('uselang') ?? language;
    const label = labels[user] ?? labels.mul ?? labels.en;
    const description = descriptions[user] ?? descriptions.en;
    return {
      ...{
        id,
        title: id,
        pageid: 1,
        concepturi: `http://www.wikidata.org/entity/${id}`,
        repository: 'wikidata',
      },
      ...{ url: `${url}/wiki/${id}`, match: { type: 'label', language, text } },
      ...(label ? { label } : {}),
      ...(description ? { description } : {}),
    };
  });
  return Response.json({
    searchinfo: { search: text },
    search: found.slice(0, Number(query.get('limit') ?? 7)),
    success: 1,
  });
}

function entities({ items, merged }: Wikimedia, query: URLSearchParams): Response {
  const ids = query.get('ids')?.split('|') ?? [];
  if (ids.length > 50) return failure('toomanyvalues', 'Too many values supplied for parameter "ids".');
  if (ids.some((id) => !/^Q\d+$/.test(id)))
    return failure('no-such-entity', `Could not find an entity with the ID "${ids[0]}".`);
  const props = query.get('props')?.split('|') ?? [];
  const languages = query.get('languages')?.split('|') ?? [];
  const inLanguages = <Value>(words: Record<string, Value>) =>
    Object.entries(words).filter(([language]) => languages.includes(language));
  const termsOf = (words: Record<string, string> = {}) =>
    Object.fromEntries(inLanguages(words).map(([language, value]) => [language, { language, value }]));
  const entity = (asked: string): unknown => {
    const id = merged[asked] ?? asked;
    const item = items[id];
    if (!item) return { id: asked, missing: '' };
    return {
      ...{ pageid: 1, ns: 0, title: id, lastrevid: 1, modified: '2026-11-01T00:00:00Z' },
      ...(id === asked ? {} : { redirects: { from: asked, to: id } }),
      ...{ type: 'item', id },
      ...(props.includes('labels') ? { labels: termsOf(item.labels) } : {}),
      ...(props.includes('descriptions') ? { descriptions: termsOf(item.descriptions) } : {}),
      ...(props.includes('aliases')
        ? {
            aliases: Object.fromEntries(
              inLanguages(item.aliases ?? {}).map(([language, values]) => [
                language,
                values.map((value) => ({ language, value })),
              ]),
            ),
          }
        : {}),
      ...(props.includes('claims') ? { claims: item.claims ?? {} } : {}),
    };
  };
  return Response.json({ entities: Object.fromEntries(ids.map((id) => [id, entity(id)])), success: 1 });
}

function imageInfo({ files, url }: Wikimedia, query: URLSearchParams): Response {
  const title = query.get('titles') ?? '';
  const file = files[title.replace(/^File:/, '')];
  const page = { ns: 6, title };
  if (!file) return Response.json({ batchcomplete: true, query: { pages: [{ ...page, missing: true }] } });
  const name = encodeURIComponent(title.replace(/^File:/, ''));
  const width = query.get('iiurlwidth');
  const host = file.download ? url : 'https://upload.wikimedia.org/wikipedia/commons';
  const info = {
    ...{ size: 1, width: 4000, height: 3000, mime: 'image/jpeg', thumbwidth: Number(width) },
    thumburl: `${host}/thumb/${file.download ? '' : 'a/ab/'}${name}/${width}px-${name}`,
    url: `https://upload.wikimedia.org/wikipedia/commons/a/ab/${name}`,
    descriptionurl: `${url}/wiki/File:${name}`,
    extmetadata: Object.fromEntries(
      Object.entries(file.extmetadata).map(([key, value]) => [key, { value, source: 'commons-desc-page' }]),
    ),
    ...file.info,
  };
  return Response.json({
    batchcomplete: true,
    query: { pages: [{ ...page, pageid: 1, imageinfo: [info] }] },
  });
}

const snak = (property: string, type: string, value: unknown): Snak => ({
  ...{ snaktype: 'value', property, hash: 'h' },
  datavalue: { type, value },
});

/** Values by their property, as a statement or a qualifier has them. */
export const text = (property: string, value: string): Snak => snak(property, 'string', value);
export const link = (property: string, id: string): Snak =>
  snak(property, 'wikibase-entityid', { 'entity-type': 'item', 'numeric-id': Number(id.slice(1)), id });
export const unknownValue = (property: string): Snak => ({ snaktype: 'somevalue', property, hash: 'h' });
export const noValue = (property: string): Snak => ({ snaktype: 'novalue', property, hash: 'h' });

/** `2001`, `2001-02` or `2001-02-28` with its precision; another precision or calendar when told. */
export function time(
  property: string,
  date: string,
  { precision = 9 + date.split('-').length - 1, calendar = 'Q1985727' } = {},
): Snak {
  const [year, month = '00', day = '00'] = date.split('-');
  return snak(property, 'time', {
    ...{ time: `+${year}-${month}-${day}T00:00:00Z`, timezone: 0, before: 0, after: 0, precision },
    calendarmodel: `http://www.wikidata.org/entity/${calendar}`,
  });
}

/** A statement with its rank and its qualifiers. */
export function says(
  mainsnak: Snak,
  qualifiers: Snak[] = [],
  rank: Rank = 'normal',
): Record<string, unknown> {
  const byProperty = Map.groupBy(qualifiers, ({ property }) => String(property));
  return {
    ...{ mainsnak, type: 'statement', id: 'Q1$a', rank, references: [] },
    qualifiers: Object.fromEntries(byProperty),
  };
}
