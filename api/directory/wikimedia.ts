import { site } from '#content/site.ts';
import { config } from '../config.ts';
import { type ApiError, Unavailable } from '../errors.ts';
import { isJsonBomb } from '../input.ts';
import { type Fetched, FetchRefused, guardedFetch } from '../media/guarded-fetch.ts';
import { PictureRefused } from '../media/picture-refused.ts';
import { retryAfter } from '../media/retry-after.ts';
import { maxUploadBytes } from '../media/uploads.ts';
import { own } from './wikibase.ts';

/** A wiki that is asked by its action API. */
export interface Wiki {
  /** As sentences name it. */
  name: string;
  baseUrl: string;
}

export type AskWiki = (wiki: Wiki, query: Readonly<Record<string, string>>) => Promise<unknown>;

const maxBytes = 8 * 1024 * 1024;
const defaultTimeout = 10_000;
/** Milliseconds for a picture, which is larger than an answer. */
const fileTimeout = 30_000;
/** Milliseconds for which somebody waits in front of a form, for their turn or for a wiki that asks for a pause. */
const patience = 20_000;
const maxWaiting = 20;
const firstBackOff = 5_000;
const longestBackOff = 300_000;

/** A wiki that asked to be left alone, until when and how often by now. */
const pauses = new Map<string, { until: number; count: number }>();
let turn: Promise<unknown> = Promise.resolve();
let waitingCount = 0;

/**
 * What one look-up asks wikis by, as their etiquette wants it: who asks and how to reach them, one request at a time in this
 * process, none while their databases lag. A wiki that asks for a pause is given it once and asked again, then it is told.
 * @param timeout milliseconds for one answer
 * @returns the answer as JSON of anybody's making; throws Unavailable in words, with a code: `throttled`, `busy`, `unreachable`,
 * `unreadable`
 */
export function wikiClient(timeout = defaultTimeout): AskWiki {
  const patiently = withPauses();
  return (wiki, query) =>
    inTurn(async () => accepted(wiki, await patiently(wiki, () => request(wiki, query, timeout))));
}

/**
 * A picture of a wiki, fetched in the same turns and with the same pauses as questions are asked.
 * @param address as the wiki told it
 * @returns its bytes, of anybody's making; undefined when it is gone; throws PictureRefused, Unavailable in words
 */
export async function fetchWikiPicture(name: string, address: string): Promise<Uint8Array | undefined> {
  // Files lie at a host of their own, which asks for pauses of its own.
  const wiki = { name, baseUrl: new URL(address).origin };
  const options = { accept: 'image/*', maxBytes: maxUploadBytes, timeout: fileTimeout };
  const patiently = withPauses();
  const { status, body } = await inTurn(() =>
    patiently(wiki, () => fetchFrom(wiki, address, options, () => new PictureRefused('too_large'))),
  );
  if (status === 404 || status === 410) return undefined;
  if (status !== 200) throw new Unavailable(`${name} answers ${status}.`, 'unreachable');
  return body;
}

/** What a wiki answered; `json` of a question. */
type Answer = Fetched & { json?: unknown };

/** Gives a wiki the pause that it asks for, once for all that one look-up asks. */
function withPauses(): (wiki: Wiki, send: () => Promise<Answer>) => Promise<Answer> {
  let hasWaited = false;
  return async function patiently(wiki, send) {
    const wait = (pauses.get(wiki.baseUrl)?.until ?? 0) - Date.now();
    if (wait > 0) {
      if (hasWaited || wait > patience) throw throttled(wiki, wait);
      hasWaited = true;
      await Bun.sleep(wait);
    }
    const answer = await send();
    if (!asksForPause(answer)) {
      pauses.delete(wiki.baseUrl);
      return answer;
    }
    const pause = startPause(wiki, answer);
    if (hasWaited) throw throttled(wiki, pause);
    return patiently(wiki, send);
  };
}

async function inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
  const busy = () => new Unavailable('Too many look-ups are under way. Try again soon.', 'busy');
  if (waitingCount >= maxWaiting) throw busy();
  const lastCall = Date.now() + patience;
  waitingCount += 1;
  const answer = turn.then(() => {
    if (Date.now() > lastCall) throw busy();
    return ask();
  });
  turn = answer.catch(() => undefined);
  try {
    return await answer;
  } finally {
    waitingCount -= 1;
  }
}

async function request(
  wiki: Wiki,
  query: Readonly<Record<string, string>>,
  timeout: number,
): Promise<Answer> {
  const parameters = new URLSearchParams({ ...query, format: 'json', formatversion: '2', maxlag: '5' });
  const answer = await fetchFrom(
    wiki,
    `${wiki.baseUrl}/w/api.php?${parameters}`,
    { accept: 'application/json', maxBytes, timeout },
    () => unreadable(wiki.name),
  );
  return answer.status === 200 ? { ...answer, json: parse(wiki, answer) } : answer;
}

async function fetchFrom(
  { name }: Wiki,
  address: string,
  { accept, ...limits }: { accept: string; maxBytes: number; timeout: number },
  tooLarge: () => ApiError,
): Promise<Fetched> {
  const { siteUrl, mailFrom } = config();
  const agent = `${site.name}Bot/1.0 (${siteUrl}/en/about; ${mailFrom})`;
  try {
    return await guardedFetch(address, { ...limits, headers: { 'user-agent': agent, accept } });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    if (error.code === 'size') throw tooLarge();
    throw new Unavailable(`${name} cannot be reached: ${error.message}`, 'unreachable');
  }
}

function parse({ name }: Wiki, { body }: Fetched): unknown {
  const text = new TextDecoder().decode(body);
  if (isJsonBomb(text)) throw unreadable(name);
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(name);
  }
}

/** The code of an error that a wiki answers with status 200. */
const errorCode = (json: unknown): unknown => own(own(json, 'error'), 'code');

function asksForPause({ status, json }: Answer): boolean {
  const code = errorCode(json);
  return status === 429 || status === 503 || code === 'maxlag' || code === 'ratelimited';
}

/** @returns milliseconds for which the wiki is left alone: as long as it asks for, else longer each time */
function startPause({ baseUrl }: Wiki, { headers }: Fetched): number {
  const now = Date.now();
  const count = (pauses.get(baseUrl)?.count ?? 0) + 1;
  const backOff = Math.min(longestBackOff, firstBackOff * 2 ** (count - 1));
  const wished = retryAfter(headers['retry-after'], new Date(now))?.getTime() ?? now + backOff;
  const until = Math.max(wished, now + 1_000);
  pauses.set(baseUrl, { until, count });
  return until - now;
}

/** The answer, unless it is an error; that there is no such entity is an answer. */
function accepted({ name }: Wiki, { status, json }: Answer): unknown {
  if (status !== 200) throw new Unavailable(`${name} answers ${status}.`, 'unreachable');
  if (typeof json !== 'object' || json === null) throw unreadable(name);
  const code = errorCode(json);
  if (code !== undefined && code !== 'no-such-entity')
    throw new Unavailable(`${name} does not answer this question.`, 'unreadable');
  return json;
}

const unreadable = (name: string) => new Unavailable(`What ${name} answers cannot be read.`, 'unreadable');

function throttled({ name }: Wiki, wait: number): Unavailable {
  const seconds = Math.ceil(wait / 1_000);
  return new Unavailable(`${name} asks for a pause of ${seconds} s. Try again then.`, 'throttled', seconds);
}
