import { isIPv6 } from 'node:net';
import { type Database, database } from '#db/client.ts';
import { isUnreachable } from '#db/migrate.ts';
import { countCall, deleteOldWindows } from '#db/queries/limits.ts';
import { TooManyRequests } from '../errors.ts';
import { clientAddress } from './client.ts';
import { visitorOf } from './session.ts';

export interface Limit {
  /** Names the thing that is limited; calls with the same name share a count. */
  name: string;
  per: 'address' | 'account';
  count: number;
  seconds: number;
}

/** The longest window in use is a day; what is older tells nothing. */
const oldestHours = 48;
const cleaningEvery = 10 * 60_000;
let cleanedAt = 0;

/**
 * A `beforeHandle` for routes: at most `count` calls in `seconds` per address or account, over all processes (decision
 * S7). Per account, calls without a session are left to the route, which refuses them or limits their address.
 * @throws TooManyRequests with the seconds until the window ends
 */
export function limit(rule: Limit): (context: { request: Request }) => Promise<void> {
  return async ({ request }) => {
    const who = rule.per === 'address' ? networkOf(clientAddress(request)) : (await visitorOf(request))?.id;
    if (who !== undefined) await takeOne(rule, `${rule.per}:${who}`);
  };
}

/** For every writing route; a route that needs a tighter limit adds its own. */
export const limitWrites = [
  limit({ name: 'write', per: 'address', count: 240, seconds: 60 }),
  limit({ name: 'write', per: 'account', count: 120, seconds: 60 }),
];

/** The same for a rule that knows itself whom it counts: an e-mail address, an account that is being logged in to. */
export async function takeOne(rule: Omit<Limit, 'per'>, who: string): Promise<void> {
  const key = `${rule.name}:${who}`;
  const blocked = blockedKeys();
  const left = Math.ceil(((blocked.get(key) ?? 0) - Date.now()) / 1000);
  if (left > 0) throw new TooManyRequests(left);
  clean();
  const { count, seconds } = await countCall(key, rule.seconds);
  if (count <= rule.count) return;
  if (blocked.size >= mostBlocked) blocked.clear();
  blocked.set(key, Date.now() + seconds * 1000);
  throw new TooManyRequests(seconds);
}

const mostBlocked = 10_000;
const blockedByDatabase = new WeakMap<Database, Map<string, number>>();

/**
 * Who is over a limit until when, so that a flood is refused without asking the database. Only a shortcut: the rows
 * decide, and losing an entry costs one statement.
 */
function blockedKeys(): Map<string, number> {
  const db = database();
  const known = blockedByDatabase.get(db) ?? new Map<string, number>();
  blockedByDatabase.set(db, known);
  return known;
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

function clean(): void {
  if (Date.now() - cleanedAt < cleaningEvery) return;
  cleanedAt = Date.now();
  deleteOldWindows(oldestHours).catch((error: unknown) => {
    if (isUnreachable(error)) return;
    console.error('old rate limits stay:', error instanceof Error ? error.message : error);
  });
}
