import { Elysia } from 'elysia';
import { ApiError, BadInput } from '../errors.ts';
import { readCapped } from '../read-capped.ts';
import { requireRole } from './session.ts';

/** Bytes of a request body (quality §Safe 5). */
const maxBodySize = 64 * 1024;
/** A body must be here by then, however slowly it drips. */
const bodyDeadline = 10_000;
/** The same for a file, which a phone may send by a slow network, and for each piece of it: one that was lost holds nothing up. */
const fileDeadline = 300_000;
const filePause = 10_000;
const maxNesting = 16;
const maxFields = 1_000;

class BadRequest extends ApiError {
  constructor(
    readonly status: 400 | 408 | 413 | 415,
    code: string,
    message: string,
  ) {
    super(code, message);
  }
}

/** Refuses what no route can want before any route sees it: coded bodies, malformed or repeated query parameters. */
function checkRequest(request: Request): void {
  checkCoding(request);
  const queryStart = request.url.indexOf('?');
  if (queryStart < 0) return;
  const seenNames = new Set<string>();
  for (const name of namesOf(request.url.slice(queryStart + 1))) {
    if (name !== '' && seenNames.has(name))
      throw new BadInput(safeName(name), 'Must be given once.', 'repeated');
    seenNames.add(name);
  }
}

function checkCoding({ headers }: Request): void {
  const coding = headers.get('content-encoding');
  if (coding !== null && coding.toLowerCase() !== 'identity') {
    throw new BadRequest(415, 'unsupported_encoding', 'Send the body without Content-Encoding.');
  }
}

/** Names in the order of a query's or form's pairs. @throws BadRequest when they or the values are not text */
function namesOf(pairs: string): string[] {
  return pairs.split('&').map((part) => {
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (name === undefined || value === undefined)
      throw new BadRequest(400, 'malformed', 'It is not valid UTF-8.');
    if (name.includes('\0') || value.includes('\0'))
      throw new BadRequest(400, 'malformed', 'It has a NUL character.');
    return name;
  });
}

/**
 * The bytes of a form, which is bounded as JSON is: without coding, within 10 s, strict UTF-8, no NUL.
 * @param maxBytes bytes
 * @throws ApiError with 400, 408, 413 or 415
 */
export async function readFormBody(
  request: Request,
  maxBytes = maxBodySize,
): Promise<Uint8Array<ArrayBuffer>> {
  checkCoding(request);
  const bytes = await readBody(request, maxBytes);
  namesOf(textOf(bytes));
  return bytes;
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** A name the caller made up goes back only when it looks like one of ours. */
function safeName(name: string): string {
  return /^[A-Za-z]{1,40}$/.test(name) ? name : 'query';
}

/**
 * Reads a JSON body: an object of at most 64 kB within 10 s, declared as JSON, strict UTF-8, no NUL, no `__proto__`, at most 16
 * levels deep. Undefined when there is none.
 */
async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request, maxBodySize);
  if (bytes.byteLength === 0) return undefined;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new BadRequest(415, 'unsupported_type', 'Send the body as application/json.');
  }
  const value = parse(bytes);
  // Elysia drops what a contract does not name before it checks, and of an array nothing is left but `{}`.
  if (typeof value !== 'object' || Array.isArray(value))
    throw new BadInput('body', 'Must be a JSON object.', 'malformed');
  checkTree(value, 'The body');
  return value;
}

/**
 * A form with files, by the call itself and once it knows who asks: only calls of `readsFiles` get here with their body unread.
 * @param maxBytes bytes of the whole
 * @throws ApiError with 400, 408, 413 or 415
 */
export async function readFiles(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  if (!isMultipart(type))
    throw new BadRequest(415, 'unsupported_type', 'Send the body as multipart/form-data.');
  const bytes = await readBody(request, maxBytes, fileDeadline, filePause);
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch {
    throw new BadRequest(400, 'malformed', 'The body is not valid multipart/form-data.');
  }
}

const isMultipart = (type: string): boolean => /^multipart\/form-data\s*;/i.test(type);

/** Whoever may not make a call hears that first, and what he sends is not read. */
const isOfEditors = ({ url }: Request): boolean => new URL(url).pathname.startsWith('/api/admin/');

/** Calls that take a file. */
const fileCalls: ReadonlySet<string> = new Set(['/api/admin/pictures', '/api/admin/directory/imports']);

/** Whether a call reads its body itself, by `readFiles`. */
function readsFiles({ method, url, headers }: Request): boolean {
  return (
    method === 'POST' &&
    isMultipart(headers.get('content-type') ?? '') &&
    fileCalls.has(new URL(url).pathname)
  );
}

/**
 * The bytes of a body, in time; what is too much is refused by what it announces, or as soon as it comes.
 * @param maxBytes bytes
 * @param deadline milliseconds
 * @param pause milliseconds that a piece of it may take
 * @throws ApiError with 413 `too_large` or 408 `timeout`
 */
async function readBody(
  request: Request,
  maxBytes: number,
  deadline = bodyDeadline,
  pause?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array();
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const pieces = pause === undefined ? request.body : withoutPauses(request.body, pause);
  return withDeadline(
    readCapped(pieces, maxBytes, () => tooLarge(maxBytes)),
    deadline,
  );
}

/** The pieces of a stream, each of which must come within so many milliseconds. @throws BadRequest with 408 */
async function* withoutPauses(
  stream: ReadableStream<Uint8Array>,
  pause: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read(), pause);
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const tooLarge = (maxBytes: number) =>
  new BadRequest(413, 'too_large', `The body has more than ${maxBytes / 1024} kB.`);

async function withDeadline<T>(work: Promise<T>, deadline: number): Promise<T> {
  let timer: Timer | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BadRequest(408, 'timeout', 'The body came too slowly.')), deadline);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BadRequest(400, 'malformed', 'It is not valid UTF-8.');
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new BadRequest(400, 'malformed', 'The body is not valid JSON in UTF-8.');
  }
}

/**
 * Refuses what no parsed JSON may have: a NUL, half a character, a field `__proto__`, more than 16 levels or a
 * thousand fields in one object.
 * @param what it is called in the sentence
 * @throws ApiError with 400 `malformed`
 */
export function checkTree(value: unknown, what: string, depth = 0): void {
  if (depth > maxNesting) throw malformed(what, 'is nested too deeply');
  if (typeof value === 'string') {
    if (value.includes('\0')) throw malformed(what, 'has a NUL character');
    if (!value.isWellFormed()) throw malformed(what, 'has half a character');
  } else if (Array.isArray(value)) {
    // One after the other: a file may have millions.
    for (const each of value) checkTree(each, what, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    if (fields.length > maxFields) throw malformed(what, `has an object of more than ${maxFields} fields`);
    for (const [name, each] of fields) {
      if (name === '__proto__' || name.includes('\0')) {
        throw malformed(what, 'has a field with a name that nothing may have');
      }
      checkTree(each, what, depth + 1);
    }
  }
}

const malformed = (what: string, problem: string) => new BadRequest(400, 'malformed', `${what} ${problem}.`);

/** Bounds on every request of the API (quality §Safe 5), before validation. */
export const bounds = new Elysia({ name: 'bounds' })
  .onRequest(({ request }) => checkRequest(request))
  // `null` for a missing body keeps Elysia from reading the stream again with its own, unbounded parser.
  .onParse({ as: 'global' }, async ({ request }) => {
    if (isOfEditors(request)) await requireRole(request, 'editor');
    return readsFiles(request) ? null : ((await readJson(request)) ?? null);
  });
