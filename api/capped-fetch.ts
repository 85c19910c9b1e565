/** More came than was to be read. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes.`);
  }
}

/**
 * Bytes of a stream, no more than so many: who sends decides how many there are.
 * @throws AnswerTooLarge
 */
export async function readCapped(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error ends the stream.
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * `fetch` for servers that an operator names: with the whole answer, of so many bytes at most, uncompressed, since a small one may unpack to
 * gigabytes before it can be counted. A redirect is an error unless `init` says otherwise: who is asked does not choose where else we call.
 * @throws AnswerTooLarge, and what `fetch` does
 */
export async function fetchCapped(
  address: string | URL | Request,
  init: RequestInit,
  maxBytes: number,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('accept-encoding', 'identity');
  const answer = await fetch(address, { redirect: 'error', ...init, headers, decompress: false });
  const { status, statusText, headers: answerHeaders, body } = answer;
  const bytes = await readCapped(body, maxBytes);
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers: answerHeaders });
}
