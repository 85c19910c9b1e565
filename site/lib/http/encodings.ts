/** How a body travels. */
export type Encoding = 'br' | 'gzip' | 'identity';

const notRefused = '(?!\\s*;\\s*q=0(?:\\.0*)?(?:[,\\s]|$))';
const takesBrotli = new RegExp(`\\bbr\\b${notRefused}`);
const takesGzip = new RegExp(`\\bgzip\\b${notRefused}`);
const encodingByHeader = new Map<string, Encoding>();

/** The best encoding that a request's `Accept-Encoding` takes. Browsers send few different ones, so the choice is remembered. */
export function chooseEncoding({ headers }: Request): Encoding {
  const accepted = headers.get('accept-encoding');
  if (!accepted) return 'identity';
  const cachedEncoding = encodingByHeader.get(accepted);
  if (cachedEncoding) return cachedEncoding;
  const encoding = takesBrotli.test(accepted) ? 'br' : takesGzip.test(accepted) ? 'gzip' : 'identity';
  if (encodingByHeader.size >= 100) encodingByHeader.clear();
  encodingByHeader.set(accepted, encoding);
  return encoding;
}
