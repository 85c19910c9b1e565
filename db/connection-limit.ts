import postgres from 'postgres';

/**
 * How many connections the server lets the role of this address hold: its own limit less what it keeps for superusers, or that of
 * the role or the database where it is lower.
 * @param url `postgres://user:password@host:port/name`
 */
export async function readConnectionLimit(url: string): Promise<number> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql<{ allowed: number }[]>`
      select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - current_setting('reserved_connections')::int,
        nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) as allowed
      from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`;
    if (!row) throw new Error('the database does not know its own role');
    return row.allowed;
  } finally {
    await sql.end({ timeout: 2 });
  }
}
