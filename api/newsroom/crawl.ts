import robotsParser from 'robots-parser';
import { site } from '#content/site.ts';
import { findRobots, saveRobots, takeTurn } from '#db/queries/newsroom/crawl-hosts.ts';
import { config } from '../config.ts';
import {
  type Fetched,
  type FetchOptions,
  type FetchRefused,
  guardedFetch,
  isAllowedByName,
} from '../media/guarded-fetch.ts';
import { retryAfter } from '../media/retry-after.ts';
import { CrawlProblem, TurnTaken } from './problem.ts';

const robot = `${site.name}Bot`;
const maxBytes = 5 * 1024 * 1024;
const defaultTimeout = 20_000;
const defaultDelay = 2_000;
const ownDelay = 20;
const maxDelay = 30_000;

interface CrawlOptions {
  etag?: string | null;
  lastModified?: string | null;
  accept?: string;
  /** Milliseconds that a turn at the host may be waited for. */
  maxWait?: number;
  /** Milliseconds for the answer. */
  timeout?: number;
}

/**
 * Asks another site for a feed or page, politely: robots.txt first, one request at a time per host with a pause between,
 * conditional where we have been before, and only through the guarded fetcher (decision S10).
 * @returns an answer of status 200 or 304
 * @throws CrawlProblem, FetchRefused
 */
export async function crawl(address: string, options: CrawlOptions = {}): Promise<Fetched> {
  await takeTurnAt(address, await delayAt(address, options), options);
  let { host } = new URL(address);
  const answer = await request(address, options, async (next) => {
    // What is no web address the guarded fetcher refuses.
    if (!/^https?:/.test(next)) return;
    const isSameHost = new URL(next).host === host;
    const delay = await delayAt(next, options, isSameHost);
    // One within its host belongs to the turn: two would never be had where turns are further apart than one waits for them.
    if (!isSameHost) await takeTurnAt(next, delay, options);
    ({ host } = new URL(next));
  });
  if (answer.status === 200 || answer.status === 304) return answer;
  throw refusal(answer);
}

/**
 * The pause in milliseconds that the site of an address wishes between requests.
 * @param hasTurn whether a turn at its host is taken already
 * @throws CrawlProblem when its robots.txt does not allow the address, or cannot be had
 */
async function delayAt(address: string, options: CrawlOptions, hasTurn = false): Promise<number> {
  const { origin } = new URL(address);
  const rules = robotsParser(`${origin}/robots.txt`, ownRules(await robotsOf(origin, options, hasTurn)));
  if (rules.isAllowed(address, robot) === false) {
    throw new CrawlProblem('robots', 'The robots.txt of the site does not allow it.');
  }
  return Math.min(maxDelay, (rules.getCrawlDelay(robot) ?? 0) * 1_000 || pauseAt(address));
}

async function takeTurnAt(address: string, delay: number, options: CrawlOptions): Promise<void> {
  const turn = await takeTurn(new URL(address).host, delay, options.maxWait ?? 20_000);
  if ('retryAt' in turn) throw new TurnTaken(turn.retryAt);
  if (turn.wait > 0) await Bun.sleep(turn.wait);
}

function request(
  address: string,
  options: CrawlOptions,
  follows?: FetchOptions['follows'],
): Promise<Fetched> {
  return guardedFetch(address, {
    maxBytes,
    timeout: options.timeout ?? defaultTimeout,
    headers: {
      'user-agent': `${robot}/1.0 (+${config().siteUrl}/en/about)`,
      accept:
        options.accept ?? 'application/rss+xml, application/atom+xml, application/xml, text/xml, */*;q=0.5',
      ...(options.etag ? { 'if-none-match': options.etag } : {}),
      ...(options.lastModified ? { 'if-modified-since': options.lastModified } : {}),
    },
    ...(follows ? { follows } : {}),
  } satisfies FetchOptions);
}

/** The operator's own bridges serve many feeds from one host, and nobody else is bothered there (decision N1). */
const pauseAt = (address: string) => (isAllowedByName(address) ? ownDelay : defaultDelay);

/** RFC 9309: no robots.txt allows everything, one that cannot be had forbids everything for now. */
async function robotsOf(origin: string, options: CrawlOptions, hasTurn: boolean): Promise<string> {
  const stored = await findRobots(origin);
  if (stored !== undefined) return stored;
  const { timeout } = options;
  if (!hasTurn) await takeTurnAt(origin, pauseAt(origin), options);
  const answer = await request(`${origin}/robots.txt`, timeout === undefined ? {} : { timeout });
  if (answer.status === 429 || answer.status >= 500) throw refusal(answer);
  const text =
    answer.status === 200 ? new TextDecoder().decode(answer.body).replaceAll('\0', '').slice(0, 500_000) : '';
  await saveRobots(origin, text);
  return text;
}

/** Characters of rules for us that are read: the parser's work grows with them times the length of an address. */
const maxRules = 64_000;

/**
 * Of a robots.txt what is said to us or to everybody. The parser keeps each rule once for each robot that its group names, which
 * makes gigabytes of a file that names thousands.
 */
export function ownRules(text: string): string {
  const own: string[] = [];
  /** Those of the group that are us; undefined: the last line named nobody. */
  let named: Set<string> | undefined;
  let isOurs = false;
  let length = 0;
  for (const line of text.split(/[\r\n]+/)) {
    const [, field, value = ''] = /^\s*([\w-]{1,20})\s*:\s*([^#]*)/.exec(line) ?? [];
    if (field === undefined) continue;
    if (field.toLowerCase() === 'user-agent') {
      const agent = value.split('/', 1)[0]?.trim().toLowerCase() ?? '';
      if (!named) isOurs = false;
      named ??= new Set();
      if ((agent !== '*' && agent !== robot.toLowerCase()) || named.has(agent)) continue;
      named.add(agent);
      isOurs = true;
    } else {
      named = undefined;
      if (!isOurs) continue;
    }
    length += line.length + 1;
    if (length > maxRules) break;
    own.push(line);
  }
  return own.join('\n');
}

function refusal(answer: Fetched): CrawlProblem | FetchRefused {
  const until = retryAfter(answer.headers['retry-after'], new Date());
  return answer.status === 429 || answer.status === 503
    ? new CrawlProblem('later', `The site answers ${answer.status}.`, until)
    : new CrawlProblem('status', `The site answers ${answer.status}.`);
}
