import { Readability } from '@mozilla/readability';
import { cutText } from '../cut-text.ts';
import type { Fetched } from '../media/guarded-fetch.ts';
import { ownCanonical } from './canonical.ts';
import { decode } from './feed.ts';
import { readPage } from './page-document.ts';
import { markupText } from './text.ts';

/** What a page says: its article as plain text, and the address that it calls its own. */
interface CrawledPage {
  text: string;
  canonicalUrl: string | undefined;
}

const maxTextLength = 30_000;

/** Finds the article in a page. Empty when there is none, or when the page asks machines to keep off. */
export function extractArticle({
  body,
  headers,
  url,
}: Pick<Fetched, 'body' | 'headers' | 'url'>): CrawledPage {
  if (!/html/i.test(headers['content-type'] ?? 'text/html')) return { text: '', canonicalUrl: undefined };
  const { document, robots, canonical } = readPage(decode(body, headers['content-type']));
  const canonicalUrl = ownCanonical(url, canonical);
  if (/\bnoai\b/i.test(`${headers['x-robots-tag'] ?? ''} ${robots}`)) return { text: '', canonicalUrl };
  const article = new Readability(document, { charThreshold: 120, disableJSONLD: true }).parse();
  return {
    text: article?.content ? cutText(markupText(article.content, nothing), maxTextLength) : '',
    canonicalUrl,
  };
}

const nothing: ReadonlySet<string> = new Set();
