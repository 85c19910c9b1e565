import { type Lang, languages } from '#content/locales.ts';
import { limits, site } from '#content/site.ts';
import { writing } from '#content/writing.ts';
import { absolute, inLanguage } from '../routes/paths.ts';

/** Cuts at a character limit without splitting a character, with an ellipsis inside the limit. */
export function truncate(text: string, length: number): string {
  // Far more than can be shown is not looked at.
  const plain = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= length) return plain;
  const characters = [...plain.slice(0, length * 2 + 2)];
  return characters.length <= length
    ? characters.join('')
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

/** `<title>` of §9: at most 60 characters of what the page is, then the product's name where it still fits. */
export function pageTitle(title: string): string {
  const full = `${title} | ${site.name}`;
  return [...full].length <= limits.titleLength ? full : truncate(title, limits.titleLength);
}

/** Description of §9, as long as its language may be. */
export function pageDescription(lang: Lang, text: string): string {
  return truncate(text, writing[lang].descriptionLength);
}

interface Alternate {
  hreflang: string;
  href: string;
}

/** hreflang links of a path for the languages in which it exists (decision L10); x-default is the redirect screen's path. */
export function alternates(path: string, existing: readonly Lang[] = languages): Alternate[] {
  const links: Alternate[] = existing.map((lang) => ({
    hreflang: lang,
    href: absolute(inLanguage(path, lang)),
  }));
  const unprefixed = path.replace(/^\/[a-z]{2}(?=[/?]|$)/, '');
  const barePath = unprefixed.startsWith('/') ? unprefixed : `/${unprefixed}`;
  return [...links, { hreflang: 'x-default', href: absolute(barePath) }];
}

/** JSON for a `<script type="application/ld+json">`: `<` cannot end the element (quality §Safe 12). */
export function jsonLd(data: object): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
