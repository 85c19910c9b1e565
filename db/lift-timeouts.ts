import type postgres from 'postgres';

/**
 * Takes away every limit of time that a role, a database or a pooler may have set, for what may take hours. What a server does not
 * know is not set.
 */
export async function liftTimeouts(
  sql: Pick<postgres.Sql, 'unsafe'>,
  until: 'session' | 'transaction',
): Promise<void> {
  await sql.unsafe(
    `select set_config(name, '0', ${until === 'transaction'}) from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
}
