import { createHash } from 'node:crypto';
import postcss, { type AtRule, type ChildNode, type Container } from 'postcss';

/** Of a selector the names of classes and elements that it asks for. */
interface Selector {
  text: string;
  classes: readonly string[];
  tags: readonly string[];
}

interface StyleRule {
  selectors: readonly Selector[];
  declarations: readonly Value[];
}

/** A declaration, or an at-rule that is taken whole. */
interface Value {
  css: string;
  /** The custom property that is made here. */
  makes?: string;
  refersTo: readonly string[];
}

interface Group {
  head: string;
  children: readonly Part[];
}

type Part = StyleRule | Value | Group;

/** The style sheets that a page names. */
interface Sheets {
  /** Their `<link>` elements as they stand in its head. */
  links: readonly string[];
  parts: readonly Part[];
  /** The elements that their selectors ask for. */
  tags: readonly string[];
}

/** What a first screen has of that. */
interface Used {
  classes: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

/**
 * Where the first screen of a phone ends in the HTML of a page (`FirstScreenEnd.astro`). It is never sent, and nobody can guess
 * it: words of a visitor, which stand in attributes with their `<` as it is, would become elements where they hold it.
 */
export const firstScreenEnd = `<!--${crypto.randomUUID()}-->`;
/** The quotation marks make it one of ours: what visitors write has none in a page. */
const sheetLink = /<link rel="stylesheet" href="[^"]+">/g;

/** Screens that are not a phone's: on them the style sheets hold back the first paint, as everywhere on the web. */
const wide = '(min-width: 48rem)';

/** A browser that does not wait for a style sheet in the body by itself waits for it before it runs a script. */
const waits = ';';

/** First screens of one kind differ in few classes; what is beyond this many sets is worked out again. */
const mostSets = 200;

/**
 * Critical CSS. A phone paints the first screen of a page with the first answer: the rules that its HTML meets stand in the
 * head, the style sheets where the first screen ends. With the slow 4G and the processor of `bun run bench --only phone` the
 * first paint of the feed came after 0.9 s instead of 1.7 s, its largest picture after 1.5 s instead of 1.75 s. Whole pages in
 * the same way were slower again: their HTML does not fit into the first 14.6 kB that a server may send (10 TCP segments), and
 * the style sheets, coming with the picture, made the browser lay out everything twice.
 */
export class CriticalCss {
  private readonly sheets = new Map<string, Sheets>();
  private readonly made = new Map<string, { css: string; hash: string }>();

  /** @param readSheet the text of a style sheet by its address; undefined where there is none */
  constructor(private readonly readSheet: (href: string) => string | undefined) {}

  /**
   * @param html a whole page; one that names no end of its first screen stays as it is
   * @param policy its content security policy
   * @returns both, the policy with the hashes of what is inline now
   */
  inline(html: string, policy: string): { html: string; policy: string } {
    const end = html.indexOf(firstScreenEnd);
    if (end < 0) return { html, policy };
    const found = [...html.slice(0, end).matchAll(sheetLink)];
    const headEnd = html.indexOf('</head>', found.at(-1)?.index);
    const links = found.map(([link]) => link);
    const sheets = found.length > 0 ? this.sheetsOf(links) : undefined;
    if (!sheets) return { html: html.replace(firstScreenEnd, ''), policy };
    const first = html.slice(headEnd, end);
    const { css, hash } = this.criticalOf(first, sheets);
    const bare = links.reduce((rest, link) => rest.replace(link, ''), html.slice(0, headEnd));
    const only = (attributes: string) => links.map((link) => link.replace(' rel=', ` ${attributes} rel=`));
    return {
      html: [
        // Before the sheets: what a sheet says later for wide screens must not be overruled.
        ...[bare, `<style>${css}</style>`, ...only(`media="${wide}"`), first],
        // Behind the picture above: coming together, both would wait until the whole page is laid out.
        ...[...only(`media="not all and ${wide}" fetchpriority="low"`), `<script>${waits}</script>`],
        html.slice(end + firstScreenEnd.length),
      ].join(''),
      policy: policy
        .replace("style-src 'self'", `style-src 'self' '${hash}'`)
        .replace("script-src 'self'", `script-src 'self' '${waitsHash}'`),
    };
  }

  private criticalOf(first: string, sheets: Sheets): { css: string; hash: string } {
    const used = usedIn(first, sheets.tags);
    const key = [sheets.links, [...used.tags], [...used.classes].sort()].join(' ');
    const known = this.made.get(key);
    if (known) return known;
    const css = select(sheets.parts, used);
    const fresh = { css, hash: hashOf(css) };
    const [oldest] = this.made.keys();
    if (oldest && this.made.size >= mostSets) this.made.delete(oldest);
    this.made.set(key, fresh);
    return fresh;
  }

  private sheetsOf(links: readonly string[]): Sheets | undefined {
    const key = links.join();
    const known = this.sheets.get(key);
    if (known) return known;
    const texts = links.map((link) => this.readSheet(link.match(/href="([^"]+)"/)?.[1] ?? ''));
    if (texts.includes(undefined)) return undefined;
    const parts = partsOf(postcss.parse(texts.join('\n')));
    const fresh = { links, parts, tags: [...new Set(tagsIn(parts))] };
    this.sheets.set(key, fresh);
    return fresh;
  }
}

const hashOf = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`;
const waitsHash = hashOf(waits);

/** What a script or a press shows comes after the style sheets. */
const shownLater = /<(template|dialog)\b[\s\S]*?<\/\1>/g;

function usedIn(first: string, tags: readonly string[]): Used {
  // What stands outside of it: <html>, and the class that a script gives it before the first paint.
  const found = new Set(['html']);
  const lists = new Set(['js']);
  for (const [, tag, list] of first.replace(shownLater, '').matchAll(/<([a-z][\w-]*)| class="([^"]*)"/g)) {
    if (tag) found.add(tag);
    if (list) lists.add(list);
  }
  return {
    classes: new Set([...lists].flatMap((list) => list.split(/\s+/))),
    tags: new Set(tags.filter((tag) => found.has(tag))),
  };
}

/** Paper and wide screens are no phone's, and what moves begins with the style sheets. */
const notNow = /\bprint\b|prefers-reduced-motion|(?:width\s*>=|min-width:)\s*(?:48|64|80)rem/;
const moves = /^(?:transition|animation)/;
const holdsRules = /^(?:media|supports|layer|container)$/;

const partsOf = (container: Container): Part[] =>
  (container.nodes ?? []).flatMap((node): Part[] => {
    if (node.type === 'rule') {
      const selectors = node.selectors.filter((text) => !byHand.test(text)).map(selectorOf);
      return [{ selectors, declarations: node.nodes.flatMap(valueOrNone) }];
    }
    if (node.type !== 'atrule' || (node.name === 'media' && notNow.test(node.params))) return [];
    if (node.nodes && holdsRules.test(node.name))
      return [{ head: `@${node.name} ${node.params}`, children: partsOf(node) }];
    return node.name === 'keyframes' ? [] : [named(node)];
  });

const named = (node: AtRule): Value => ({
  css: `${node.toString()}${node.nodes ? '' : ';'}`,
  refersTo: referencesIn(node.toString()),
  ...(node.name === 'property' ? { makes: node.params } : {}),
});

function valueOrNone(node: ChildNode): Value[] {
  if (node.type !== 'decl' || moves.test(node.prop)) return [];
  const makes = node.prop.startsWith('--') ? { makes: node.prop } : {};
  return [{ css: `${node.toString()};`, refersTo: referencesIn(node.value), ...makes }];
}

const referencesIn = (css: string): string[] =>
  [...css.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name);

/** States that a finger or a mouse makes: before one is there, so are the style sheets. */
const byHand = /:(?:hover|active)\b|::(?:backdrop|selection)\b/;
const partOfField = /::?(?:-webkit-|-moz-|file-|placeholder)/;

/** What a selector asks of states and attributes counts as met. */
function selectorOf(text: string): Selector {
  let plain = text.replace(/\[[^\]]*\]/g, '');
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/:[\w-]+\([^()]*\)/g, '');
  }
  const classes = [...plain.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) =>
    name.replaceAll('\\', ''),
  );
  const tags = [...plain.matchAll(/(?:^|[\s>+~])([a-z][\w-]*)/g)].map(([, name = '']) => name);
  return { text, classes, tags: partOfField.test(plain) ? [...tags, 'input'] : tags };
}

const tagsIn = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if ('children' in part) return tagsIn(part.children);
    return 'selectors' in part ? part.selectors.flatMap(({ tags }) => tags) : [];
  });

/** The rules that are met, with those of the names they refer to, directly or by another name. */
function select(parts: readonly Part[], used: Used): string {
  const met = meet(parts, used);
  const names = new Set<string>();
  const values = valuesIn(met);
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    for (const { makes, refersTo } of values)
      if (makes === undefined || names.has(makes)) for (const name of refersTo) names.add(name);
  }
  return write(met, names);
}

function meet(parts: readonly Part[], used: Used): Part[] {
  return parts.flatMap((part): Part[] => {
    if ('children' in part) return [{ ...part, children: meet(part.children, used) }];
    if (!('selectors' in part)) return [part];
    const selectors = part.selectors.filter(
      ({ classes, tags }) =>
        classes.every((name) => used.classes.has(name)) && tags.every((tag) => used.tags.has(tag)),
    );
    return selectors.length > 0 ? [{ ...part, selectors }] : [];
  });
}

const valuesIn = (parts: readonly Part[]): Value[] =>
  parts.flatMap((part) => {
    if ('children' in part) return valuesIn(part.children);
    return 'selectors' in part ? part.declarations : [part];
  });

function write(parts: readonly Part[], names: ReadonlySet<string>): string {
  const isNeeded = ({ makes }: Value) => makes === undefined || names.has(makes);
  return parts
    .map((part) => {
      if ('css' in part) return isNeeded(part) ? part.css : '';
      const inner =
        'children' in part
          ? write(part.children, names)
          : part.declarations
              .filter(isNeeded)
              .map(({ css }) => css)
              .join('');
      // An empty layer is one of the order of layers.
      if (inner === '') return 'children' in part && part.head.startsWith('@layer') ? `${part.head};` : '';
      return `${'children' in part ? part.head : part.selectors.map(({ text }) => text).join()}{${inner}}`;
    })
    .join('');
}
