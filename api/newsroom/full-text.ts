import { Readability } from '@mozilla/readability';
import type { Fetched } from '../media/guarded-fetch.ts';
import { ownCanonical } from './canonical.ts';
import { decode } from './feed.ts';
import { documentOf, textOf } from './text.ts';

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
  const document = documentOf(decode(body, headers['content-type']));
  const robots = `${headers['x-robots-tag'] ?? ''} ${attribute(document, 'meta[name="robots" i]', 'content')}`;
  const canonicalUrl = ownCanonical(url, attribute(document, 'link[rel="canonical"]', 'href'));
  if (/\bnoai\b/i.test(robots)) return { text: '', canonicalUrl };
  const article = new Readability(document, { maxElemsToParse: 20_000, charThreshold: 120 }).parse();
  return {
    text: article?.content ? textOf(documentOf(article.content).body).slice(0, maxTextLength) : '',
    canonicalUrl,
  };
}

const attribute = (document: Document, selector: string, name: string): string =>
  document.querySelector(selector)?.getAttribute(name) ?? '';
