import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import type { Role } from '../schema/accounts.ts';
import { fixed } from '../statement.ts';
import { together } from '../together.ts';

/** A session and what rules need to know of its account: never the password's hash. */
export interface SessionRow {
  id: string;
  expiresAt: Date;
  userId: number;
  username: string;
  role: Role;
  language: Lang;
  isDeleted: boolean;
}

/**
 * A session by the SHA-256 of its token, whether it is still alive or not; undefined when there is none. One statement for all
 * calls that wait: nearly every call of a busy chat asks for one.
 */
export const findSession = together(async (ids: readonly string[]): Promise<(SessionRow | undefined)[]> => {
  const rows = await findRows({ ids: JSON.stringify(ids) });
  const byId = new Map(rows.map((row) => [row.id, { ...row, expiresAt: new Date(row.expiresAt) }]));
  return ids.map((id) => byId.get(id));
});

const findRows = fixed<Omit<SessionRow, 'expiresAt'> & { expiresAt: string }, { ids: string }>(sql`
  select s.id, s.expires_at as "expiresAt", u.id as "userId", u.username, u.role, u.language,
    u.deleted_at is not null as "isDeleted"
  from sessions s join users u on u.id = s.user_id
  where s.id in (select json_array_elements_text(${sql.placeholder('ids')}::text::json))`);
