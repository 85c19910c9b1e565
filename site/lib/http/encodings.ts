/** How a body travels. */
export type Encoding = 'br' | 'gzip' | 'identity';

const refused = '(?!\\s*;\\s*q=0(?:\\.0*)?(?:[,\\s]|$))';
const takesBrotli = new RegExp(`\\bbr\\b${refused}`);
const takesGzip = new RegExp(`\\bgzip\\b${refused}`);
const chosen = new Map<string, Encoding>();

/** The best encoding that a request's `Accept-Encoding` takes. Browsers send few different ones, so the choice is remembered. */
export function chooseEncoding({ headers }: Request): Encoding {
  const accepted = headers.get('accept-encoding');
  if (!accepted) return 'identity';
  const known = chosen.get(accepted);
  if (known) return known;
  const encoding = takesBrotli.test(accepted) ? 'br' : takesGzip.test(accepted) ? 'gzip' : 'identity';
  if (chosen.size >= 100) chosen.clear();
  chosen.set(accepted, encoding);
  return encoding;
}
