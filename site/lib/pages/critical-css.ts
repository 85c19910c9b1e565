import { cspHash } from './csp-hash.ts';
import { elementsIn, matchingCss, type Names, parseRules, type Rules, wideFrom } from './css-rules.ts';
import { inlineScripts } from './inline-scripts.ts';

/** The style sheets that a page names. */
interface Sheets {
  rules: Rules;
  /** The elements that their selectors ask for. */
  elements: readonly string[];
  /** Inline styles made of them, by the names that a first screen has. */
  styles: Map<string, InlineStyle>;
}

interface InlineStyle {
  css: string;
  hash: string;
}

/**
 * Where the first screen of a phone ends in the HTML of a page, the part above the fold (`FirstScreenEnd.astro`). It is never
 * sent, and nobody can guess it: words of a visitor, which stand in attributes with their `<` as it is, would become elements
 * where they hold it.
 */
export const firstScreenEnd = `<!--${crypto.randomUUID()}-->`;

/** The quotation marks make it one of ours: what visitors write has none in a page. */
const sheetLink = /<link rel="stylesheet" href="([^"]+)">/g;

/** On other screens than phones the style sheets hold back the first paint, as everywhere on the web. */
const wideMedia = `(min-width: ${wideFrom}rem)`;

/** First screens of one kind differ in few classes; what is beyond this many sets is worked out again. */
const maxInlineStyles = 200;

/**
 * Critical CSS. A phone paints the first screen of a page with the first answer: the rules that its HTML matches stand in the
 * head, the style sheets where the first screen ends. With the slow 4G and the processor of `bun run bench --only phone` the
 * first paint of the feed came after 0.9 s instead of 1.7 s, its largest picture after 1.5 s instead of 1.75 s. Whole pages in
 * the same way were slower again: their HTML does not fit into the first 14.6 kB that a server may send (10 TCP segments), and
 * the style sheets, coming with the picture, made the browser lay out everything twice.
 */
export class CriticalCss {
  private readonly sheets = new Map<string, Sheets>();

  /** @param readSheet the text of a style sheet by its address; undefined where there is none */
  constructor(private readonly readSheet: (href: string) => string | undefined) {}

  /**
   * @param html a whole page; one that names no end of its first screen stays as it is
   * @param policy its content security policy
   * @returns both, the policy with the hash of the inline style
   */
  inline(html: string, policy: string): { html: string; policy: string } {
    const end = html.indexOf(firstScreenEnd);
    if (end < 0) return { html, policy };
    const links = [...html.slice(0, end).matchAll(sheetLink)];
    const sheets = this.sheetsOf(links.map(([, href = '']) => href));
    if (!sheets) return { html: html.replace(firstScreenEnd, ''), policy };
    const headEnd = html.indexOf('</head>', links.at(-1)?.index);
    const firstScreen = html.slice(headEnd, end);
    const { css, hash } = styleOf(firstScreen, sheets);
    const head = html.slice(0, headEnd).replace(sheetLink, '');
    const sheetsWith = (attributes: string) =>
      links.map(([link]) => link.replace(' rel=', ` ${attributes} rel=`)).join('');
    // Before the sheets: what a sheet says later for wide screens must not be overruled.
    const headOfPhone = `${head}<style>${css}</style>${sheetsWith(`media="${wideMedia}"`)}`;
    const fold = sheetsWith(`media="not all and ${wideMedia}" fetchpriority="low"`);
    const writeScript = `<script>${inlineScripts.writeSheets.source}</script>`;
    const waitScript = `<script>${inlineScripts.waitForSheets.source}</script>`;
    return {
      html: `${headOfPhone}${firstScreen}<noscript>${fold}</noscript>${writeScript}${waitScript}${html.slice(end + firstScreenEnd.length)}`,
      policy: policy.replace("style-src 'self'", `style-src 'self' '${hash}'`),
    };
  }

  private sheetsOf(hrefs: readonly string[]): Sheets | undefined {
    const key = hrefs.join(' ');
    const cachedSheets = this.sheets.get(key);
    if (cachedSheets) return cachedSheets;
    const texts = hrefs.map((href) => this.readSheet(href));
    if (texts.length === 0 || texts.includes(undefined)) return undefined;
    const rules = parseRules(texts.join('\n'));
    const sheets = { rules, elements: [...new Set(elementsIn(rules))], styles: new Map() };
    this.sheets.set(key, sheets);
    return sheets;
  }
}

function styleOf(firstScreen: string, { rules, elements, styles }: Sheets): InlineStyle {
  const mentions = mentionsIn(firstScreen);
  // As they come: screens of one kind have them in one order, and to sort them takes as long as to find them.
  const key = [...mentions].join();
  const cachedStyle = styles.get(key);
  if (cachedStyle) return cachedStyle;
  const css = matchingCss(rules, namesIn(mentions, elements));
  const style = { css, hash: cspHash(css) };
  const [oldest] = styles.keys();
  if (oldest !== undefined && styles.size >= maxInlineStyles) styles.delete(oldest);
  styles.set(key, style);
  return style;
}

/** Words of visitors stand in attributes with their `<` as it is, and are no elements. */
const otherAttributes = / (?!class=)[\w:-]+="[^"]*"/g;

/** What a script or a press shows comes after the style sheets. */
const shownLater = /<(template|dialog)\b[\s\S]*?<\/\1>/g;

/** `<name` of each element and the list of each `class`, once. */
function mentionsIn(firstScreen: string): Set<string> {
  const mentions = new Set<string>();
  for (const [element, list] of firstScreen
    .replace(otherAttributes, '')
    .replace(shownLater, '')
    .matchAll(/<[a-z][\w-]*| class="([^"]*)"/g))
    mentions.add(list ?? element);
  return mentions;
}

function namesIn(mentions: ReadonlySet<string>, elements: readonly string[]): Names {
  // What stands outside of it: <html>, and the class that a script gives it before the first paint.
  const names = ['<html', 'js', ...mentions].flatMap((mention) => mention.split(/\s+/));
  const all = new Set(names);
  return { classes: all, elements: new Set(elements.filter((name) => all.has(`<${name}`))) };
}
