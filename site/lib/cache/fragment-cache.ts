import { languages } from '#content/locales.ts';

/** Stands for the page's own path below its language while the shell is rendered for all pages at once. */
export const pathMarker = '/__path__';

/** HTML in the pieces between its markers. */
const fragments = new Map<string, readonly string[]>();
const prefix = new RegExp(`^/(?:${languages.join('|')})(?=[/?]|$)`);

/** The HTML of `key`, rendered on first use. Keys are few: languages times sections of the shell. Without one nothing is kept. */
export async function renderFragment(
  key: string | undefined,
  render: () => Promise<string>,
): Promise<string> {
  if (key === undefined) return render();
  const cachedPieces = fragments.get(key);
  if (cachedPieces) return cachedPieces.join(pathMarker);
  const html = await render();
  fragments.set(key, html.split(pathMarker));
  return html;
}

/** The same without waiting, or undefined when it was not rendered yet: an awaited part makes Astro hold back all after it. */
export function cachedFragment(key: string, path: string): string | undefined {
  return fragments.get(key)?.join(path);
}

/** A path without its language prefix, escaped for an attribute: what takes the marker's place. */
export function pathForMarker(path: string): string {
  return path.replace(prefix, '').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
