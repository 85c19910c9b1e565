import { readCapped } from './read-capped.ts';

/** The answer has more bytes than one takes. */
export class AnswerTooLarge extends Error {}

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
  const bytes = await readCapped(
    body ?? [],
    maxBytes,
    () => new AnswerTooLarge(`The answer has more than ${maxBytes} bytes.`),
  );
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers: answerHeaders });
}
