import { parseHTML } from 'linkedom';

const maxMarkupLength = 1_000_000;
const silentElements =
  'script, style, noscript, template, iframe, object, embed, svg, math, form, button, nav, aside, figure';
const blockElements =
  /^(?:P|DIV|LI|H[1-6]|BLOCKQUOTE|SECTION|ARTICLE|TR|BR|UL|OL|TABLE|HEADER|FOOTER|DD|DT)$/;

/** A document of markup that nobody vouches for; nothing in it runs or loads. */
export function documentOf(html: string): Document {
  const markup = html.slice(0, maxMarkupLength);
  const fullPage = /<html[\s>]/i.test(markup) ? markup : `<!doctype html><html><body>${markup}</body></html>`;
  return parseHTML(fullPage).document;
}

/** Markup as plain text: paragraphs by empty lines, no scripts, no markup. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return normalizeParagraphs(html);
  const { body } = documentOf(html);
  for (const element of [...body.querySelectorAll(silentElements)]) element.remove();
  return textOf(body);
}

/** The text of an element, its blocks as paragraphs. */
export function textOf(root: Node): string {
  const parts: string[] = [];
  // Nesting may be as deep as its author likes: no recursion.
  const pending: (Node | '\n')[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node === '\n') parts.push('\n\n');
    else if (node.nodeType === 3) parts.push((node.textContent ?? '').replace(/\s+/g, ' '));
    else if (node.nodeType === 1) {
      const block = blockElements.test(node.nodeName.toUpperCase());
      if (block) {
        parts.push('\n\n');
        pending.push('\n');
      }
      pending.push(...[...node.childNodes].reverse());
    }
  }
  return normalizeParagraphs(parts.join(''));
}

/** NFC, no control or direction-changing characters, at most one empty line between paragraphs. */
function normalizeParagraphs(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (sign) => (/\s/.test(sign) ? sign : ''))
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n\n');
}

/** The same in one line. */
export const oneLine = (html: string): string => plainText(html).replace(/\s+/g, ' ').trim();
