import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  type CompressCallback,
  constants,
  gunzipSync,
  gzip,
} from 'node:zlib';
import type { Encoding } from '../http/encodings.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** For the first answer: 0.2 ms of a core for an article, where quality 5 takes 0.7 and quality 10 takes 12. */
const brotliFast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 17 } };
const brotliBest = { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_LGWIN]: 20 } };

const gzipQuickly = promisify((plain: Bytes, done: CompressCallback) => gzip(plain, { level: 6 }, done));
/** The fewest bytes. */
export const brotliTightly = promisify((plain: Bytes, done: CompressCallback) =>
  brotliCompress(plain, brotliBest, done),
);

/**
 * Bytes as they travel, made quickly. Brotli on this thread: handing a page to the pool and taking it back costs another 0.08 ms of a
 * core beside the 0.2 that it takes, and those who ask later are answered before.
 */
export async function compress(plain: Bytes, encoding: Encoding) {
  return encoding === 'br'
    ? brotliCompressSync(plain, brotliFast)
    : encoding === 'gzip'
      ? gzipQuickly(plain)
      : plain;
}

/** What `compress` was given. */
export function decompress(bytes: Bytes, encoding: Encoding): Bytes {
  if (encoding === 'identity') return bytes;
  return new Uint8Array(encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes));
}
