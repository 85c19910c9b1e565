import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Database, database } from '../client.ts';
import { idempotencyKeys } from '../schema/accounts.ts';
import { nameOf } from '../sql.ts';

/** A call that makes something, by the key that its caller gave it. */
export interface KeyedCall {
  userId: number;
  key: string;
  /** SHA-256 of what was asked for. */
  request: string;
}

const isOf = ({ userId, key }: KeyedCall) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key));

/**
 * Takes a key for a call. One that was taken a while ago and never answered, by a process that ended, is taken over.
 * @returns undefined when it is taken now; else the call that has it, with its answer once there is one
 */
export async function takeKey(
  { userId, key, request }: KeyedCall,
  abandonedAfterSeconds: number,
): Promise<{ request: string; answer: unknown } | undefined> {
  const taken = await database()
    .insert(idempotencyKeys)
    .values({ userId, key, request })
    .onConflictDoUpdate({
      target: [idempotencyKeys.userId, idempotencyKeys.key],
      set: { createdAt: sql`now()` },
      setWhere: sql`${idempotencyKeys.answer} is null and ${idempotencyKeys.request} = excluded.${nameOf(idempotencyKeys.request)}
        and ${idempotencyKeys.createdAt} < now() - make_interval(secs => ${abandonedAfterSeconds})`,
    })
    .returning({ key: idempotencyKeys.key });
  if (taken.length > 0) return undefined;
  const [other] = await database()
    .select({ request: idempotencyKeys.request, answer: idempotencyKeys.answer })
    .from(idempotencyKeys)
    .where(isOf({ userId, key, request }));
  // It failed just now and gave its key back.
  return other ?? takeKey({ userId, key, request }, abandonedAfterSeconds);
}

/** Says that a call which has not answered yet is still under way. */
export async function renewKey(call: KeyedCall): Promise<void> {
  await database()
    .update(idempotencyKeys)
    .set({ createdAt: sql`now()` })
    .where(and(isOf(call), sql`${idempotencyKeys.answer} is null`));
}

/**
 * Keeps what a call answers, for those who ask again with its key. With `db`, a transaction, it is kept with what that writes.
 * @returns false when the key has an answer already, or is nobody's any more
 */
export async function storeAnswer(
  call: KeyedCall,
  answer: unknown,
  db: Pick<Database, 'update'> = database(),
): Promise<boolean> {
  const stored = await db
    .update(idempotencyKeys)
    .set({ answer: sql`${JSON.stringify(answer)}::jsonb` })
    .where(and(isOf(call), isNull(idempotencyKeys.answer)))
    .returning({ key: idempotencyKeys.key });
  return stored.length > 0;
}

/** A call that failed made nothing, unless its answer is kept: it may be tried again with the same key. */
export async function giveBackKey(call: KeyedCall): Promise<void> {
  await database()
    .delete(idempotencyKeys)
    .where(and(isOf(call), sql`${idempotencyKeys.answer} is null`));
}

/** Forgets keys older than that. */
export async function deleteOldKeys(hours: number): Promise<void> {
  await database()
    .delete(idempotencyKeys)
    .where(sql`${idempotencyKeys.createdAt} < now() - make_interval(hours => ${hours})`);
}
