/** XML that is escaped by construction: only what `xml` made goes in as it is, every other value becomes text. */
export class Xml {
  constructor(readonly source: string) {}
}

type Value = string | number | Xml | readonly Xml[] | undefined;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML 1.0 does not have, not even as entities. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const invalidCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** A text without them: whatever people wrote, the document is read. */
export const withoutInvalidCharacters = (text: string): string => text.replace(invalidCharacters, '');

function render(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Xml) return value.source;
  if (typeof value === 'object') return value.map(render).join('');
  return withoutInvalidCharacters(String(value)).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** A piece of XML from a template: xml`<loc>${address}</loc>`. */
export function xml(parts: TemplateStringsArray, ...values: readonly Value[]): Xml {
  return new Xml(parts.map((part, index) => part + render(values[index])).join(''));
}

/** A whole document as an answer. */
export function xmlResponse(document: Xml): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${document.source}\n`, {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
}
