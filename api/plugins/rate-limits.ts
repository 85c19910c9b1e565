import { isIPv6 } from 'node:net';
import { type Database, database } from '#db/client.ts';
import { countCall, giveBackCall, takeCall } from '#db/queries/rate-limits.ts';
import { onPrimary } from '#db/shared-read.ts';
import { config } from '../config.ts';
import { ApiError, TooManyRequests } from '../errors.ts';
import { clientAddress } from './client.ts';
import { visitorOf } from './session.ts';

interface Rule {
  /** Names the thing that is limited; calls with the same name share a count. */
  name: string;
  count: number;
  seconds: number;
}

/** Who is signed in counts by account, a guest by address, which a city may share (decision S12): it has a count of its own. */
export interface RateLimit {
  name: string;
  seconds: number;
  account?: number;
  /** Of an address, before `ADDRESS_LIMITS`. */
  guests?: number;
}

/** What an address may do, as `ADDRESS_LIMITS` has it: how many share one is known to who runs the site. */
export const forAddress = (count: number): number => Math.max(1, Math.round(count * config().addressLimits));

const requesters = new WeakMap<Request, Request>();

/** Limits that a public page asks for count for who asked for it, though the page is rendered without knowing who (decision W1). */
export function countFor(render: Request, requester: Request): void {
  requesters.set(render, requester);
}

/**
 * A `beforeHandle` for routes: at most so many calls in `seconds` per account and, of guests, per address, over all
 * processes (decisions S7, S12). Where one of the two has no count, its calls are left to the route.
 * @throws TooManyRequests with the seconds until the window ends
 */
export function rateLimit({
  name,
  seconds,
  account,
  guests,
}: RateLimit): (context: { request: Request }) => Promise<void> {
  const limit = async (requester: Request): Promise<void> => {
    const visitor = await visitorOf(requester);
    if (!visitor) {
      if (guests !== undefined) await countAddress({ name, seconds, count: guests }, requester);
    } else if (account !== undefined)
      await countOrRefuse({ name, seconds, count: account }, `account:${visitor.id}`);
  };
  return ({ request }) => onPrimary(() => limit(requesters.get(request) ?? request));
}

/** For what makes accounts or sends letters: whoever is signed in counts by address too, else each new account brought its own. */
export function rateLimitAddress(rule: Rule): (context: { request: Request }) => Promise<void> {
  return ({ request }) => countAddress(rule, request);
}

/** For every writing route; a route that needs a tighter limit adds its own. */
export const rateLimitWrites = rateLimit({ name: 'write', account: 120, guests: 1_200, seconds: 60 });

/** The same for a rule that knows itself whom it counts: an e-mail address, an account that is being logged in to. */
export async function countOrRefuse(rule: Rule, who: string): Promise<void> {
  const key = `${rule.name}:${who}`;
  refuseBlocked(key);
  const { count, seconds } = await countCall(key, rule.seconds);
  if (count > rule.count) block(key, seconds);
}

/** The same for the address of a request. @param rule its count before `ADDRESS_LIMITS` */
export const countAddress = (rule: Rule, request: Request): Promise<void> =>
  countOrRefuse({ ...rule, count: forAddress(rule.count) }, addressOf(request));

/** The last attempt of each address that waits or is under way in this process. */
const attempts = new Map<string, Promise<unknown>>();

/**
 * Once an address has used up its failures each subject may fail there once in so many seconds, and all together once a second: whoever
 * knows the password gets in, and who tries one account over and over takes the turn of no other.
 */
const pauseOfSubject = 10;
const pauseOfAddress = 1;

/**
 * Makes an attempt that counts for its address only if what was sent is wrong: many who know the password stand behind one address (decision
 * S12). It is counted before it is made and given back when it is not, so no burst gets more than `count` failures, and a
 * success takes back nothing but its own count. Beyond `count` an attempt may still fail now and then, and which of them did is not
 * told: 25 who forgot theirs do not keep a city out. Attempts of one address wait for each other, else those that will
 * succeed would fill the count while they are under way.
 * @param subject what is tried, such as an account, without anything personal
 * @throws TooManyRequests, and whatever `attempt` throws
 */
export async function rateLimitFailures<Done>(
  rule: Rule,
  request: Request,
  subject: string,
  attempt: () => Promise<Done>,
): Promise<Done> {
  const key = `${rule.name}:${addressOf(request)}`;
  refuseBlocked(`${key} ${subject}`);
  const before = attempts.get(key) ?? Promise.resolve();
  const result = before.then(() =>
    attemptOnce({ ...rule, count: forAddress(rule.count) }, key, subject, attempt),
  );
  const settled = result.catch(() => undefined);
  attempts.set(key, settled);
  try {
    return await result;
  } finally {
    if (attempts.get(key) === settled) attempts.delete(key);
  }
}

async function attemptOnce<Done>(
  rule: Rule,
  key: string,
  subject: string,
  attempt: () => Promise<Done>,
): Promise<Done> {
  let secondsLeft = secondsBlocked(key);
  if (secondsLeft === 0) {
    const { isTaken, windowStart, seconds } = await takeCall(key, rule);
    if (isTaken) return giveBackUnlessWrong(attempt, () => giveBackCall(key, windowStart));
    secondsLeft = seconds;
    remember(key, seconds);
  }
  refuseBlocked(`${key} paused`);
  const giveBackOwn = await takeTurn(`${key} ${subject}`, pauseOfSubject);
  const giveBackShared = await takeTurn(`${key} paused`, pauseOfAddress).catch(async (error: unknown) => {
    await giveBackOwn();
    throw error;
  });
  try {
    return await giveBackUnlessWrong(attempt, () => Promise.all([giveBackOwn(), giveBackShared()]));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw new TooManyRequests(secondsLeft);
    throw error;
  }
}

/** What was counted is given back, unless what was sent is wrong or too much: a fault of ours is nobody's guess. */
async function giveBackUnlessWrong<Done>(
  attempt: () => Promise<Done>,
  giveBack: () => Promise<unknown>,
): Promise<Done> {
  const result = await attempt().catch(async (error: unknown) => {
    const isWrong = error instanceof ApiError && error.status < 500;
    if (!isWrong) await giveBack();
    throw error;
  });
  await giveBack();
  return result;
}

/** Takes the one turn of so many seconds. @returns gives it back @throws TooManyRequests when it is taken */
async function takeTurn(key: string, pause: number): Promise<() => Promise<void>> {
  refuseBlocked(key);
  const { isTaken, windowStart, seconds } = await takeCall(key, { count: 1, seconds: pause });
  if (!isTaken) block(key, seconds);
  return () => giveBackCall(key, windowStart);
}

const addressOf = (request: Request): string => `address:${networkOf(clientAddress(request))}`;

/** Seconds for which a key is known to be over its limit, 0 when it is not. */
const secondsBlocked = (key: string): number =>
  Math.max(0, Math.ceil(((blockedKeys().get(key) ?? 0) - Date.now()) / 1000));

/** @throws TooManyRequests for who is known to be over a limit */
function refuseBlocked(key: string): void {
  const secondsLeft = secondsBlocked(key);
  if (secondsLeft > 0) throw new TooManyRequests(secondsLeft);
}

/** @throws TooManyRequests, now and for so many seconds */
function block(key: string, seconds: number): never {
  remember(key, seconds);
  throw new TooManyRequests(seconds);
}

function remember(key: string, seconds: number): void {
  const blocked = blockedKeys();
  if (blocked.size >= maxBlocked) blocked.clear();
  blocked.set(key, Date.now() + seconds * 1000);
}

const maxBlocked = 10_000;
const blockedByDatabase = new WeakMap<Database, Map<string, number>>();

/**
 * Who is over a limit until when, so that a flood is refused without asking the database. Only a shortcut: the rows
 * decide, and losing an entry costs one statement.
 */
function blockedKeys(): Map<string, number> {
  const db = database();
  const blocked = blockedByDatabase.get(db) ?? new Map<string, number>();
  blockedByDatabase.set(db, blocked);
  return blocked;
}

/** A visitor with IPv6 has a whole /64: it counts as one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const left = head.split(':').filter(Boolean);
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
