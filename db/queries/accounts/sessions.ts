import { sql } from 'drizzle-orm';
import { batched, busyPause } from '../../batch.ts';
import { sessions, users } from '../../schema/accounts.ts';
import { prepare, type RowOf } from '../../sql.ts';

/** A session and what rules need to know of its account: never the password's hash. */
const sessionFields = {
  id: sessions.id,
  expiresAt: sessions.expiresAt,
  userId: users.id,
  username: users.username,
  role: users.role,
  language: users.language,
  isDeleted: sql<boolean>`${users.deletedAt} is not null`,
};
type SessionRow = RowOf<typeof sessionFields>;

const selectSessions = prepare<typeof sessionFields, { ids: string }>(
  sessionFields,
  (columns) => sql`
    select ${columns} from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
    where ${sessions.id} in (select json_array_elements_text(${sql.placeholder('ids')}::text::json))`,
);

/**
 * A session by the SHA-256 of its token, whether it is still alive or not; undefined when there is none. One statement for all
 * calls that wait: nearly every call of a busy chat asks for one.
 */
export const findSession = batched(
  async (ids: readonly string[]): Promise<(SessionRow | undefined)[]> => {
    const rows = await selectSessions({ ids: JSON.stringify(ids) });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  },
  { pause: busyPause },
);
