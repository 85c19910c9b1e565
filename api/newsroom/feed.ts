import { setImmediate } from 'node:timers/promises';
import { type AnyFeed, parseFeed } from 'feedsmith';
import { cutText } from '../cut-text.ts';
import { isJsonBomb } from '../input.ts';
import type { Fetched } from '../media/guarded-fetch.ts';
import { parseAddress } from '../web-address.ts';
import { canonicalUrl } from './canonical.ts';
import { instantOf } from './feed-date.ts';
import { CrawlProblem } from './problem.ts';
import { headlineOf, oneLine, plainText, plainWords } from './text.ts';

/** One entry of a feed as the newsroom stores it: plain text, absolute address. */
export interface FeedEntry {
  title: string;
  url: string;
  canonicalUrl: string;
  text: string;
  publishedAt: Date;
  /** SHA-256 of title and text. */
  digest: string;
}

interface Feed {
  title: string;
  entries: FeedEntry[];
  /** What is wrong with the entries that are left out. */
  problem: CrawlProblem | undefined;
}

const maxEntries = 100;
const maxTitleLength = 300;
const maxTextLength = 30_000;

/**
 * Reads RSS, Atom, RDF or JSON Feed and bears with what is wrong in it: whichever charset header or prolog
 * name, relative addresses, missing dates (then `now`). An entry whose date cannot be read is left out.
 * @throws CrawlProblem for what is no feed, for XML that defines entities, and where unreadable dates leave no entry
 */
export async function readFeedFile(
  { body, headers, url }: Pick<Fetched, 'body' | 'headers' | 'url'>,
  now: Date,
): Promise<Feed> {
  const text = decode(body, headers['content-type']).replace(/^[\s\u{feff}]+/u, '');
  // Entities of its own are how a small file becomes a huge one, or reads others.
  if (/<!ENTITY/i.test(text)) throw new CrawlProblem('entities', 'The feed defines XML entities.');
  if (text.startsWith('{') && isJsonBomb(text)) throw noFeed();
  const parsed = parse(withinMarks(text));
  const { title, drafts } = draftsOf(parsed);
  const seenUrls = new Set<string>();
  const entries: FeedEntry[] = [];
  let problem: CrawlProblem | undefined;
  for (const draft of drafts.slice(0, maxEntries)) {
    // Its texts may take their time, and others wait.
    await setImmediate();
    const publishedAt = instantOf(draft.date, now);
    if (!publishedAt) problem ??= unreadDate(draft.date ?? '');
    const entry = publishedAt && toEntry(draft, url, publishedAt);
    if (!entry || seenUrls.has(entry.canonicalUrl)) continue;
    seenUrls.add(entry.canonicalUrl);
    entries.push(entry);
  }
  if (problem && entries.length === 0) throw problem;
  return { title: cutText(headlineOf(title ?? ''), maxTitleLength), entries, problem };
}

const unreadDate = (date: string) =>
  new CrawlProblem(
    'dates',
    `Entries are left out, because their dates cannot be read: “${headlineOf(date.slice(0, 60))}”.`,
  );

const noFeed = () => new CrawlProblem('feed', 'The answer is no RSS, Atom, RDF or JSON feed.');

/** Tags and attributes outside of CDATA that are parsed, at microseconds each: a thousand entries have fewer. */
const maxMarks = 100_000;

/** A feed up to where it has too many tags and attributes; in JSON they are words. */
function withinMarks(xml: string): string {
  if (xml.startsWith('{')) return xml;
  let marks = 0;
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) {
    const start = at;
    if (xml.startsWith('<![CDATA[', at)) at = xml.indexOf(']]>', at);
    else if (xml.startsWith('<!--', at)) at = xml.indexOf('-->', at);
    else {
      const tag = readTag(xml, at);
      at = tag.end;
      marks += tag.marks;
    }
    if (at === -1) return xml;
    if (marks > maxMarks) return xml.slice(0, start);
  }
  return xml;
}

/** Where a tag ends, and how much is in it: itself, and what may begin an attribute. */
function readTag(xml: string, start: number): { end: number; marks: number } {
  let marks = 1;
  let quote = '';
  let end = start + 1;
  for (; end < xml.length; end += 1) {
    const sign = xml.charAt(end);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '>') break;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '=' || sign <= ' ') marks += 1;
  }
  return { end, marks };
}

/**
 * Bytes as text: the byte order mark wins, then the header, the XML prolog, the page's own word, UTF-8 and EUC-KR. A
 * charset that the bytes are not in is passed over: servers say `utf-8` of every file.
 */
export function decode(body: Uint8Array, contentType: string | undefined): string {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 1024));
  const named = [
    byteOrderMarks.find(([mark]) => head.startsWith(mark))?.[1],
    contentType?.match(/charset\s*=\s*["']?([\w-]+)/i)?.[1],
    head.match(/^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)["']/i)?.[1],
    head.match(/<meta[^>]+charset\s*=\s*["']?([\w-]+)/i)?.[1],
  ].filter((charset) => charset !== undefined);
  for (const charset of new Set([...named, 'utf-8', 'euc-kr'])) {
    const text = decodeAs(charset, body, { fatal: true });
    if (text !== undefined) return text;
  }
  return decodeAs(named[0] ?? 'utf-8', body, {}) ?? new TextDecoder().decode(body);
}

/** Undefined where the charset is unknown or, if that is fatal, the bytes are not in it. */
function decodeAs(charset: string, body: Uint8Array, options: { fatal?: boolean }): string | undefined {
  try {
    return new TextDecoder(charsets[charset.toLowerCase()] ?? charset, options).decode(body);
  } catch {
    return undefined;
  }
}

const byteOrderMarks = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
] as const;

/** Names that Korean servers use and the encoding standard does not know. */
const charsets: Record<string, string> = {
  ms949: 'euc-kr',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  ks_c_5601: 'euc-kr',
};

function parse(text: string): AnyFeed {
  try {
    return parseFeed(text);
  } catch {
    try {
      return parseFeed(repairXml(text));
    } catch {
      throw noFeed();
    }
  }
}

/** What breaks feeds most: junk before the prolog, a doctype, characters that XML does not allow. */
function repairXml(text: string): string {
  const complete = /<\/(?:rss|feed|rdf:RDF)>\s*$/i.test(text) ? text : cutToLastEntry(text);
  const start = complete.search(/<(?:\?xml|rss|feed|rdf:RDF)[\s>]/i);
  return (
    complete
      .slice(Math.max(0, start))
      .replace(/<!DOCTYPE[^<>[]*>/i, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
      .replace(/&(?!#?\w{1,31};)/g, '&amp;')
  );
}

/** A file that broke off in the middle, with the entries that are whole. */
function cutToLastEntry(text: string): string {
  const end = Math.max(text.lastIndexOf('</item>') + 7, text.lastIndexOf('</entry>') + 8);
  return end > 8 ? text.slice(0, end) : text;
}

interface EntryDraft {
  title?: string | undefined;
  /** Instead of a title that is text. */
  titleHtml?: string | undefined;
  link?: string | undefined;
  html?: string | undefined;
  /** What is text and no markup. */
  words?: string | undefined;
  date?: string | undefined;
}

function draftsOf(parsed: AnyFeed): { title: string | undefined; drafts: EntryDraft[] } {
  switch (parsed.format) {
    case 'rss':
      return {
        title: parsed.feed.title,
        drafts: (parsed.feed.items ?? []).map((item) => ({
          title: item.title,
          link: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
          html: longestOf(item.content?.encoded, item.description),
          date: item.pubDate ?? item.dc?.dates?.[0],
        })),
      };
    case 'atom':
      return {
        title: parsed.feed.title?.value,
        drafts: (parsed.feed.entries ?? []).map((entry) => ({
          ...(/html/.test(entry.title?.type ?? '')
            ? { titleHtml: entry.title?.value }
            : { title: entry.title?.value }),
          link: (entry.links?.find(({ rel }) => !rel || rel === 'alternate') ?? entry.links?.[0])?.href,
          html: longestOf(entry.content?.value, entry.summary?.value),
          date: entry.published ?? entry.updated,
        })),
      };
    case 'rdf':
      return {
        title: parsed.feed.title,
        drafts: (parsed.feed.items ?? []).map((item) => ({
          title: item.title,
          link: item.link,
          html: longestOf(item.content?.encoded, item.description),
          date: item.dc?.dates?.[0],
        })),
      };
    case 'json':
      return {
        title: parsed.feed.title,
        drafts: (parsed.feed.items ?? []).map((item) => ({
          title: item.title,
          link: item.url ?? item.external_url,
          html: item.content_html,
          words: longestOf(item.content_text, item.summary),
          date: item.date_published,
        })),
      };
  }
}

const longestOf = (...texts: (string | undefined)[]): string | undefined =>
  texts.reduce((best, text) => ((text?.length ?? 0) > (best?.length ?? 0) ? text : best));

function toEntry(draft: EntryDraft, base: string, publishedAt: Date): FeedEntry | undefined {
  const { title = '', titleHtml, link, html = '', words = '' } = draft;
  const headline = cutText(titleHtml === undefined ? headlineOf(title) : oneLine(titleHtml), maxTitleLength);
  const address = link?.trim();
  const url = headline === '' || !address ? undefined : parseAddress(address, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.href.length > 2_000) return undefined;
  const text = cutText(longestOf(plainText(html), plainWords(words)) ?? '', maxTextLength);
  return {
    title: headline,
    url: url.href,
    canonicalUrl: canonicalUrl(url.href),
    text,
    publishedAt,
    digest: new Bun.CryptoHasher('sha256').update(`${headline}\n${text}`).digest('hex'),
  };
}
