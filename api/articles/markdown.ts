import MarkdownIt, { type Token } from 'markdown-it';
import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html';
import { normalized } from '#content/normalize.ts';
import { isAspect, isWidthOf, sizeOf } from '../media/variants.ts';
import { parseAddress } from '../web-address.ts';

/** Level of the first heading of a body: the page's own `<h1>` is the headline. */
const topLevel = 2;
const deepestLevel = 4;

/** Quotations and lists within each other, and signs in a row, beyond what any story has. */
const tangled = [
  /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){13}/m,
  /([*_~`[\](){}<>!])\1{60}/,
  /[ \t]{400}/,
];

/** Beginnings, ends and texts of blocks: a list of a thousand has five thousand. A short table may have cells without end. */
const mostTokens = 10_000;

/** True for Markdown that no reader needs, some of which would not be rendered: it is refused where it comes in. */
export const isTangled = (markdown: string): boolean =>
  tangled.some((pattern) => pattern.test(markdown)) ||
  parser.parse(normalized(markdown), {}).length > mostTokens;

/** Reads any text in a time that grows with its length alone, which of the parsers of Markdown few do. */
const parser = new MarkdownIt({ html: true, linkify: true });
// Words with a dot between them are no addresses.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// `guardLink` and `ownPicture` decide, of what is written as HTML as well.
parser.validateLink = () => true;

/** Whether any of it would become a link, a picture or markup of its own, however that is written. */
export function hasLinkOrMarkup(markdown: string): boolean {
  const environment: Parameters<typeof parser.parse>[1] = {};
  const isOne = ({ type, children }: Token): boolean =>
    /^(?:link_open|image|html_inline|html_block)$/.test(type) || (children?.some(isOne) ?? false);
  return (
    parser.parse(normalized(markdown), environment).some(isOne) ||
    Object.keys(environment.references ?? {}).length > 0
  );
}

/**
 * Markdown of a rewrite as HTML that is safe to put into a page (quality §Safe 12): an allow-list of text elements, no
 * attribute that could run or load anything, pictures only from our own image route (decision M3). Headings start at h2
 * and never skip a level.
 */
export function renderMarkdown(markdown: string): string {
  const tokens = parser.parse(normalized(markdown), {});
  levelHeadings(tokens);
  const html = sanitizeHtml(parser.renderer.render(tokens, parser.options, {}), allowed);
  return signQuotes(html).trim();
}

const levelOf = ({ tag }: Token) => Number(tag.slice(1));

function levelHeadings(tokens: readonly Token[]): void {
  const openings = tokens.filter(({ type }) => type === 'heading_open');
  const first = Math.min(...openings.map(levelOf));
  let level = topLevel - 1;
  for (const token of tokens) {
    if (token.type === 'heading_open')
      level = Math.min(levelOf(token) - first + topLevel, level + 1, deepestLevel);
    if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = `h${level}`;
  }
}

/** `“…” — name` at the end of a quotation: the name becomes its footer. */
function signQuotes(html: string): string {
  return html.replace(
    /(?<!\s)\s+[—–]\s+([^<>“”]{1,80})<\/p>\s*<\/blockquote>/g,
    '</p><footer>$1</footer></blockquote>',
  );
}

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'h2',
    'h3',
    'h4',
    'ul',
    'ol',
    'li',
    'blockquote',
    'strong',
    'em',
    'del',
    'a',
    'br',
    'hr',
    'code',
    'pre',
    'img',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading', 'decoding'],
    ol: ['start'],
  },
  allowedSchemes: ['https', 'http'],
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  enforceHtmlBoundary: false,
  transformTags: { a: guardLink, img: ownPicture, s: 'del' },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
};

/** Links leave for https or stay on a local path; whatever else is only text. Those that leave vouch for nothing. */
function guardLink(tagName: string, { href = '' }: Attributes): Tag {
  if (/^\/(?![/\\])/.test(href)) return { tagName, attribs: { href } };
  const address = href.replace(/^http:\/\//i, 'https://');
  if (!/^https:\/\//i.test(address) || !parseAddress(address)) return { tagName, attribs: {} };
  return { tagName, attribs: { href: address, rel: 'noopener nofollow ugc' } };
}

const ownFile = /^\/media\/[a-z0-9-]{1,80}\/(\d+x\d+)-(\d{2,4})\.(?:avif|webp)$/;

/** A picture of our image route with its size; any other is dropped. */
function ownPicture(tagName: string, { src = '', alt = '' }: Attributes): Tag {
  const [, shape, digits] = ownFile.exec(src) ?? [];
  const aspect = shape?.replace('x', ':') ?? '';
  const across = Number(digits);
  if (!isAspect(aspect) || !isWidthOf(aspect, across)) return { tagName, attribs: {} };
  const { width, height } = sizeOf(aspect, across);
  return {
    tagName,
    attribs: { src, alt, width: String(width), height: String(height), loading: 'lazy', decoding: 'async' },
  };
}
