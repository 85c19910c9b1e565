import { site } from '#content/site.ts';
import { config } from '../config.ts';
import { Unavailable } from '../errors.ts';
import { type Fetched, FetchRefused, guardedFetch } from '../media/guarded-fetch.ts';
import { retryAfter } from '../media/retry-after.ts';
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
  let hasWaited = false;
  const ask: AskWiki = async (wiki, query) => {
    const wait = (pauses.get(wiki.baseUrl)?.until ?? 0) - Date.now();
    if (wait > 0) {
      if (hasWaited || wait > patience) throw throttled(wiki, wait);
      hasWaited = true;
      await Bun.sleep(wait);
    }
    const answer = await request(wiki, query, timeout);
    const json = answer.status === 200 ? parse(wiki, answer) : undefined;
    if (!asksForPause(answer, json)) {
      pauses.delete(wiki.baseUrl);
      return accepted(wiki, answer, json);
    }
    const pause = startPause(wiki, answer);
    if (hasWaited) throw throttled(wiki, pause);
    return ask(wiki, query);
  };
  return (wiki, query) => inTurn(() => ask(wiki, query));
}

async function inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
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
  { name, baseUrl }: Wiki,
  query: Readonly<Record<string, string>>,
  timeout: number,
): Promise<Fetched> {
  const { siteUrl, mailFrom } = config();
  const parameters = new URLSearchParams({ ...query, format: 'json', formatversion: '2', maxlag: '5' });
  try {
    return await guardedFetch(`${baseUrl}/w/api.php?${parameters}`, {
      maxBytes,
      timeout,
      headers: {
        'user-agent': `${site.name}Bot/1.0 (${siteUrl}/en/about; ${mailFrom})`,
        accept: 'application/json',
      },
    });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    if (error.code === 'size') throw unreadable(name);
    throw new Unavailable(`${name} cannot be reached: ${error.message}`, 'unreachable');
  }
}

function parse({ name }: Wiki, { body }: Fetched): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw unreadable(name);
  }
}

/** The code of an error that a wiki answers with status 200. */
const errorCode = (json: unknown): unknown => own(own(json, 'error'), 'code');

function asksForPause({ status }: Fetched, json: unknown): boolean {
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
function accepted({ name }: Wiki, { status }: Fetched, json: unknown): unknown {
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
