import type { S3Client } from 'bun';
import { codeOf } from '#db/error-code.ts';

/**
 * The bytes of an object of a bucket, one more than `most` of them at most, which shows that there are more: a store that answers without an end
 * would take our memory. undefined: there is none.
 */
export async function readObject(
  client: S3Client,
  path: string,
  most: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of client.file(path).stream()) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > most) break;
    }
  } catch (error) {
    if (codeOf(error) === 'NoSuchKey') return undefined;
    throw error;
  }
  return new Uint8Array(Buffer.concat(chunks, Math.min(size, most + 1)));
}
