import { randomBytes } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import postgres from 'postgres';
import { storageKey } from '#content/site.ts';
import type { Role } from '#db/schema/accounts.ts';
import type { TestServer } from './server.ts';

/** Logs a browser in as a new account with a role, as a login would: by cookie, and by the token that pages keep. */
export async function signIn(
  context: BrowserContext,
  server: TestServer,
  role: Role,
): Promise<{ id: number; token: string }> {
  const token = randomBytes(32).toString('hex');
  const name = `${role}_${token.slice(0, 8)}`;
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [row] = await sql<{ id: number }[]>`
    insert into users (username, username_key, role) values (${name}, ${name}, ${role}) returning id`;
  const id = row?.id ?? 0;
  const session = new Bun.CryptoHasher('sha256').update(token).digest('hex');
  await sql`insert into sessions (id, user_id, expires_at) values (${session}, ${id}, now() + interval '1 day')`;
  await sql.end();
  await context.addCookies([
    { name: `${storageKey}_session`, value: token, url: server.url, httpOnly: true, sameSite: 'Lax' },
  ]);
  await context.addInitScript((stored) => localStorage.setItem('auth_token', stored), token);
  return { id, token };
}
