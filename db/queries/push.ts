import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

/** A browser that takes notifications of an account. */
export interface PushRow {
  id: number;
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Browsers of one account that are kept; a new one pushes the oldest out. */
const mostPerAccount = 10;

/**
 * Binds a browser's subscription to a session. The same browser may come back, also for another account; whoever knows an
 * endpoint but not its secret cannot take it over.
 * @returns false when the endpoint is known with other keys
 */
export function savePushSubscription(
  owner: { userId: number; sessionId: string },
  { endpoint, p256dh, auth }: Omit<PushRow, 'id'>,
): Promise<boolean> {
  return database().transaction(async (tx) => {
    const saved = await tx.execute(sql`
      insert into push_subscriptions as p (user_id, session_id, endpoint, p256dh, auth)
      values (${owner.userId}, ${owner.sessionId}, ${endpoint}, ${p256dh}, ${auth})
      on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
        p256dh = excluded.p256dh, auth = excluded.auth
      where p.auth = excluded.auth or p.user_id = excluded.user_id returning 1`);
    if (saved.length === 0) return false;
    await tx.execute(sql`delete from push_subscriptions where user_id = ${owner.userId} and id not in (
      select id from push_subscriptions where user_id = ${owner.userId} order by id desc limit ${mostPerAccount})`);
    return true;
  });
}

/** Ends a browser's subscription of this account; a repeat changes nothing. */
export async function deletePushSubscription(userId: number, endpoint: string): Promise<void> {
  await database().execute(
    sql`delete from push_subscriptions where user_id = ${userId} and endpoint = ${endpoint}`,
  );
}

/** The browsers of an account whose sessions are alive, oldest first. */
export async function listPushSubscriptions(userId: number): Promise<PushRow[]> {
  const rows = await database().execute<Record<string, unknown> & PushRow>(sql`
    select p.id, p.endpoint, p.p256dh, p.auth from push_subscriptions p join sessions s on s.id = p.session_id
    where p.user_id = ${userId} and s.expires_at > now() order by p.id`);
  return [...rows];
}

/** Forgets a browser that its push service no longer knows. */
export async function forgetPushSubscription(id: number): Promise<void> {
  await database().execute(sql`delete from push_subscriptions where id = ${id}`);
}
