import type postgres from 'postgres';

/**
 * Milliseconds that a transaction which changes tables waits for its locks in all: whoever asks for a table meanwhile waits behind
 * it. Longer than PostgreSQL's `deadlock_timeout`, a second, after which an autovacuum makes way.
 */
export const lockWait = 1_500;

/** PostgreSQL counts `lock_timeout` for each lock anew: the next one gets what is left. @param end by `performance.now()` */
export async function waitForLocksUntil(tx: postgres.TransactionSql, end: number): Promise<void> {
  const left = Math.max(100, Math.round(end - performance.now()));
  await tx`select set_config('lock_timeout', ${`${left}ms`}, true)`;
}
