import { parseAddress } from '../web-address.ts';

/** Parameters that say where a reader came from, not what is read. */
const tracking = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|igshid|mc_[ce]id|_ga|ref|rss|from|cmp|n_cid|sns)$/i;

/** The address by which an article is one thing: no tracking, fragment, default port or slash at the end. */
export function canonicalUrl(address: string): string {
  const url = new URL(address);
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  if (url.pathname !== '/') url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href;
}

/** Mobile and AMP hosts show what the main one shows. */
const bare = (host: string) => host.replace(/^(?:www|m|amp|mobile)\./, '');

/** The address that a page calls its own, if it is on the same site: a page may not speak for others. */
export function ownCanonical(page: string, canonicalLink: string | undefined): string | undefined {
  const url = canonicalLink === undefined ? undefined : parseAddress(canonicalLink, page);
  if (!url) return undefined;
  const same = bare(url.host) === bare(new URL(page).host);
  return same && /^https?:$/.test(url.protocol) && !url.username ? canonicalUrl(url.href) : undefined;
}
