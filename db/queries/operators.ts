import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

export interface Operators {
  /** Whether anybody has an account. */
  anyone: boolean;
  /** E-mail address of the account that was the first to become an admin's. */
  admin: string | undefined;
}

/** Who may operate the site (decision S1): asked at every start. */
export async function findOperators(): Promise<Operators> {
  const [row] = await database().execute<{ anyone: boolean; admin: string | null }>(sql`
    select exists (select from users) as anyone,
      (select email from users where role = 'admin' and deleted_at is null order by id limit 1) as admin
  `);
  return { anyone: row?.anyone ?? false, admin: row?.admin ?? undefined };
}
