import { randomInt } from 'node:crypto';
import postgres from 'postgres';
import { isUnreachable, whyUnreachable, withoutPassword } from './database-errors.ts';
import { StartupError } from './embedded/startup-error.ts';
import { inTime } from './migrate.ts';

/** Longer than PgBouncer has somebody wait for a connection (`query_wait_timeout` in `deploy/pgbouncer.ini`), in milliseconds. */
const answerTimeout = 12_000;

/**
 * Proves that DATABASE_DIRECT_URL and the pooler of DATABASE_URL lead to the same database: a lock of one database by a key that nobody
 * else knows, which is held there, cannot be taken here. It needs no right, and no session behind the pooler.
 * @param directUrl of one host. One that cannot be reached is passed over: whoever opens it says why
 * @throws StartupError when they do not, or the pooler does not answer
 */
export async function refuseAnotherDatabase(directUrl: string, pooledUrl: string): Promise<void> {
  const key = String(randomInt(2 ** 47));
  const options = { max: 1, connect_timeout: 5, fetch_types: false, prepare: false, onnotice: () => {} };
  const [direct, pooled] = [postgres(directUrl, options), postgres(pooledUrl, options)];
  try {
    const proof = direct.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${key}::bigint)`;
      const [row] = await inTime(
        pooled<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${key}::bigint) as taken`,
        answerTimeout,
      ).catch((error: unknown) => {
        throw new StartupError(whyUnreachable(error, pooledUrl));
      });
      return row?.taken === false;
    });
    const isSame = await inTime(proof, 2 * answerTimeout);
    if (!isSame)
      throw new StartupError(
        `DATABASE_DIRECT_URL (${withoutPassword(directUrl)}) leads to another database than DATABASE_URL (${withoutPassword(pooledUrl)}): both must lead to the same one.`,
      );
  } catch (error) {
    if (error instanceof StartupError || !isUnreachable(error)) throw error;
  } finally {
    await Promise.all([direct.end({ timeout: 0 }), pooled.end({ timeout: 0 })]);
  }
}
