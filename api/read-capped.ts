/**
 * Bytes that come in pieces, no more than so many: who sends decides how many there are. What is left of a stream is given up.
 * @param tooMany makes the error that says so
 */
export async function readCapped(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  tooMany: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pieces) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooMany();
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
