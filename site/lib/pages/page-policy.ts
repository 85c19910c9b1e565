import { inlineScripts } from './inline-scripts.ts';

let written: string | undefined;

/** True once Astro wrote a page's content security policy: it comes from the build's hashes, the same for every page. */
export const knowsPolicy = (): boolean => written !== undefined;

/**
 * The content security policy of an answer of Astro (quality §Safe 11), undefined for what is no page. Astro would hash every
 * page's style sheets and write the policy anew; `site/fetch.ts` lets it do that for the first page only.
 */
export function policyOf({ headers }: Response): string | undefined {
  const own = headers.get('content-security-policy');
  if (own) written = withoutAstroIslands(own);
  return headers.get('content-type')?.startsWith('text/html') ? written : undefined;
}

const ours: readonly string[] = Object.values(inlineScripts).map(({ hash }) => hash);

/** Astro allows the scripts and the style of its own islands, half a kilobyte of the first answer; ours wake without them. */
const withoutAstroIslands = (policy: string): string =>
  policy.replace(/ '(sha256-[^']+)'/g, (hashed, hash: string) => (ours.includes(hash) ? hashed : ''));
