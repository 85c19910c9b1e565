import { and, desc, eq, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { starRevisions } from '../../schema/directory.ts';
import { stars } from '../../schema/stars.ts';
import { coalesce } from '../../sql.ts';

/** A star as it was after a change. */
export interface StarRevision {
  number: number;
  action: string;
  createdAt: Date;
  actor: { id: number; name: string } | null;
  document: unknown;
}

/**
 * Keeps a star as it is now. A star from before revisions were kept has its earlier state as its first.
 * @param before the document before this change; undefined for a new star
 */
export async function addRevision(
  tx: Transaction,
  starId: number,
  {
    actorId,
    action,
    before,
    document,
  }: {
    actorId: number | null;
    action: string;
    before: unknown;
    document: unknown;
  },
): Promise<void> {
  const [newest] = await tx
    .select({ number: sql<number | null>`max(${starRevisions.number})` })
    .from(starRevisions)
    .where(eq(starRevisions.starId, starId));
  let number = newest?.number ?? 0;
  if (number === 0 && before !== undefined) {
    number = 1;
    const createdAt = sql`(select ${stars.createdAt} from ${stars} where ${stars.id} = ${starId})`;
    await tx
      .insert(starRevisions)
      .values({ starId, number, actorId: null, action: 'star.add', document: before, createdAt });
  }
  await tx.insert(starRevisions).values({ starId, number: number + 1, actorId, action, document });
}

const fields = {
  number: starRevisions.number,
  action: starRevisions.action,
  createdAt: starRevisions.createdAt,
  actorId: users.id,
  actorName: coalesce(users.displayName, users.username),
  document: starRevisions.document,
};

/** Revisions of a star from the one of this number down to the first; a page of them. */
export async function findRevisions(
  starId: number,
  { limit, from }: { limit: number; from?: number | undefined },
): Promise<StarRevision[]> {
  const rows = await database()
    .select(fields)
    .from(starRevisions)
    .leftJoin(users, eq(users.id, starRevisions.actorId))
    .where(
      and(
        eq(starRevisions.starId, starId),
        from === undefined ? undefined : sql`${starRevisions.number} <= ${from}`,
      ),
    )
    .orderBy(desc(starRevisions.number))
    .limit(limit);
  return rows.map(({ actorId, actorName, ...revision }) => ({
    ...revision,
    actor: actorId === null ? null : { id: actorId, name: actorName },
  }));
}
