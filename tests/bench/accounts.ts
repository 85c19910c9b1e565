import { createHash } from 'node:crypto';
import type postgres from 'postgres';
import { hashPassword } from '#db/password.ts';

/** Accounts that only a database of the bench has: fans with a session each, and a password that is everybody's. */
export const benchPassword = 'bench-of-byeol-2026';

const sessionOf = (token: string) => createHash('sha256').update(token).digest('hex');

export const emailOf = (n: number): string => `bench_${n}@example.test`;

/**
 * Makes them unless they are there.
 * @returns a token of each
 */
export async function prepareAccounts(sql: postgres.Sql, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, (_, n) =>
    createHash('sha256').update(`bench ${n}`).digest('hex'),
  );
  const password = await hashPassword(benchPassword);
  await sql`insert into users (username, username_key, email, email_key, password_hash)
    select 'bench_' || n, 'bench_' || n, 'bench_' || n || '@example.test', 'bench_' || n || '@example.test', ${password}
    from generate_series(0, ${count - 1}) n
    on conflict (username_key) do update
    set email = excluded.email, email_key = excluded.email_key, password_hash = excluded.password_hash`;
  const sessions = tokens.map((token, n) => ({ id: sessionOf(token), name: `bench_${n}` }));
  await sql`insert into sessions (id, user_id, expires_at)
    select s.id, u.id, now() + interval '30 days' from jsonb_to_recordset(${JSON.stringify(sessions)}::text::jsonb)
      as s(id text, name text) join users u on u.username_key = s.name
    on conflict (id) do update set expires_at = excluded.expires_at`;
  return tokens;
}
