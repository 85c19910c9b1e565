import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import { maxDepth } from './text.ts';

const maxMarkupLength = 1_000_000;
/** Elements, each counted as `elementCost` and its depth: what `Readability` does with one grows with both. */
const maxElementCosts = 60_000;
const elementCost = 12;
/** Signs of text, each counted as its depth: `Readability` reads the text of an element with all that it is in. */
const maxTextCosts = 1_000_000;
const maxTitleLength = 300;
const maxAttributeLength = 300;

/** What is no part of an article's text, and says nothing of where it stands. */
const leftOut = new Set(
  'script style noscript template iframe object embed svg math img picture source video audio canvas select button textarea input meta link base'.split(
    ' ',
  ),
);
/** By these `Readability` judges an element. */
const judgedBy = ['id', 'class', 'role', 'rel', 'itemprop', 'href', 'hidden', 'aria-hidden'];

interface PageDocument {
  document: Document;
  /** What the page asks of robots. */
  robots: string;
  /** The address that it calls its own. */
  canonical: string;
}

/**
 * A page that nobody vouches for, as a document in which an article is found in a fraction of a second: where it nests
 * deeper or has more elements or text than pages of news, it ends.
 */
export function readPage(html: string): PageDocument {
  const { document } = parseHTML('<!doctype html><html><head></head><body></body></html>');
  const { head, body } = document;
  const page = { document, robots: '', canonical: '' };
  const open: Element[] = [];
  let text = '';
  let [elementCosts, textCosts, leftOutDepth] = [0, 0, 0];
  const parent = () => open.at(-1) ?? body;
  const endText = () => {
    if (text !== '') parent().append(document.createTextNode(text));
    text = '';
  };
  const parser = new Parser({
    onopentag(name, given) {
      if (name === 'meta' && given.name?.toLowerCase() === 'robots') page.robots ||= given.content ?? '';
      if (name === 'link' && given.rel === 'canonical') page.canonical ||= given.href ?? '';
      if (open.length >= maxDepth) parser.pause();
      if (leftOut.has(name)) leftOutDepth += 1;
      if (leftOutDepth > 0) return open.push(parent());
      elementCosts += open.length + elementCost;
      if (elementCosts > maxElementCosts) parser.pause();
      endText();
      if (name === 'html' || name === 'body') return open.push(body);
      if (name === 'head') return open.push(head);
      const element = document.createElement(name);
      for (const key of judgedBy) {
        const value = given[key];
        if (value !== undefined) element.setAttribute(key, value.slice(0, maxAttributeLength));
      }
      parent().append(element);
      return open.push(element);
    },
    onclosetag(name) {
      if (leftOutDepth === 0) endText();
      open.pop();
      if (leftOut.has(name)) leftOutDepth -= 1;
    },
    ontext(words) {
      if (leftOutDepth > 0) return;
      text += words.replace(/\s+/g, ' ');
      if (open.at(-1)?.localName === 'title') text = text.slice(0, maxTitleLength);
      textCosts += words.length * (open.length + 1);
      if (textCosts > maxTextCosts) parser.pause();
    },
  });
  parser.end(html.slice(0, maxMarkupLength));
  endText();
  return page;
}
