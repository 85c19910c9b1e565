import { isbot } from 'isbot';
import { type Database, database } from '#db/client.ts';
import { findAccount } from '#db/queries/accounts/accounts.ts';
import { addEventView, deleteSaltsBefore, findViewSalt } from '#db/queries/events/views.ts';
import { NotFound, TooManyRequests } from '../errors.ts';
import { clientAddress } from '../plugins/client.ts';
import { countOrRefuse, forAddress, networkOf } from '../plugins/rate-limits.ts';
import { isFromOwnOrigin, visitorOf } from '../plugins/session.ts';

/**
 * Counts who saw an event, distinct per day (decision E5), without keeping who it was: the account, or address and browser, go into a
 * hash with a random salt that is deleted with the day.
 */

/** Browsers of one network that count for one event and day: a school, not a machine that counts itself up. */
const maxViewsPerNetwork = 20;
/** Accounts of this age count for themselves, however many share a network (decision S12): nobody keeps some so long to push an event up. */
const provenAfterDays = 7;
const dayMilliseconds = 86_400_000;
const salts = new WeakMap<Database, { day: string; salt: Uint8Array }>();

/**
 * Counts a view of a public event once per visitor and day; crawlers, prefetches and calls that no page of ours made are not.
 * @returns whether it was counted
 * @throws NotFound
 */
export async function countView(eventId: number, request: Request, now: Date): Promise<boolean> {
  if (!isPerson(request)) return false;
  const day = now.toISOString().slice(0, 10);
  const salt = await saltOf(day, now);
  const account = await findProvenAccount(request, now);
  const network = networkOf(clientAddress(request));
  if (account === undefined && !(await hasRoom(hashOf(salt, network), eventId))) return false;
  const viewer =
    account === undefined ? `${network}\n${request.headers.get('user-agent')}` : `account:${account}`;
  const counted = await addEventView(eventId, day, hashOf(salt, viewer));
  if (counted === undefined) throw new NotFound('Event');
  return counted;
}

async function findProvenAccount(request: Request, now: Date): Promise<number | undefined> {
  const visitor = await visitorOf(request);
  const account = visitor && (await findAccount(visitor.id));
  return account && now.getTime() - account.createdAt.getTime() >= provenAfterDays * dayMilliseconds
    ? account.id
    : undefined;
}

/** Whether a network may count once more for an event today. */
async function hasRoom(networkHash: Buffer, eventId: number): Promise<boolean> {
  try {
    await countOrRefuse(
      { name: `event-view-${eventId}`, count: forAddress(maxViewsPerNetwork), seconds: 86_400 },
      networkHash.toString('base64url'),
    );
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}

const hashOf = (salt: Uint8Array, text: string): Buffer =>
  new Bun.CryptoHasher('sha256', salt).update(text).digest().subarray(0, 16);

function isPerson(request: Request): boolean {
  const agent = request.headers.get('user-agent');
  const purpose = request.headers.get('sec-purpose') ?? '';
  return agent !== null && !isbot(agent) && !purpose.includes('prefetch') && isFromOwnOrigin(request);
}

/** The day before (UTC): what was seen earlier is forgotten. */
export const dayBefore = (now: Date): string =>
  new Date(now.getTime() - dayMilliseconds).toISOString().slice(0, 10);

/** The day's salt; whoever needs a new one forgets what is older than yesterday. */
async function saltOf(day: string, now: Date): Promise<Uint8Array> {
  const db = database();
  const cached = salts.get(db);
  if (cached?.day === day) return cached.salt;
  const salt = await findViewSalt(day, crypto.getRandomValues(new Uint8Array(32)));
  salts.set(db, { day, salt });
  await deleteSaltsBefore(dayBefore(now));
  return salt;
}
