import { and, desc, eq, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { starRevisions } from '../../schema/directory.ts';
import { stars } from '../../schema/stars.ts';
import { coalesce, isOneOf } from '../../sql.ts';

/** A star as it was after a change. */
export interface StarRevision {
  number: number;
  action: string;
  createdAt: Date;
  actor: { id: number; name: string } | null;
  document: unknown;
}

/** A change of a star whose revision is to be kept. */
export interface RevisedStar {
  starId: number;
  actorId: number | null;
  action: string;
  /** The document before this change; undefined for a new star. */
  before: unknown;
  /** The document as it is now. */
  document: unknown;
}

/** Keeps these stars, each once, as they are now. A star from before revisions were kept has its earlier state as its first. */
export async function addRevisions(tx: Transaction, revised: readonly RevisedStar[]): Promise<void> {
  if (revised.length === 0) return;
  const newest = await tx
    .select({ starId: starRevisions.starId, number: sql<number>`max(${starRevisions.number})` })
    .from(starRevisions)
    .where(
      isOneOf(
        starRevisions.starId,
        revised.map(({ starId }) => starId),
      ),
    )
    .groupBy(starRevisions.starId);
  const newestOf = new Map(newest.map(({ starId, number }) => [starId, number]));
  const rows = revised.flatMap(({ starId, actorId, action, before, document }) => {
    const known = newestOf.get(starId) ?? 0;
    const createdAt = sql`(select ${stars.createdAt} from ${stars} where ${stars.id} = ${starId})`;
    const first = { starId, number: 1, actorId: null, action: 'star.add', document: before, createdAt };
    const isUnkept = known === 0 && before !== undefined;
    const number = isUnkept ? 2 : known + 1;
    const now = { starId, number, actorId, action, document, createdAt: sql`now()` };
    return isUnkept ? [first, now] : [now];
  });
  await tx.insert(starRevisions).values(rows);
}

const fields = {
  number: starRevisions.number,
  action: starRevisions.action,
  createdAt: starRevisions.createdAt,
  actorId: users.id,
  actorName: coalesce(users.displayName, users.username),
  document: starRevisions.document,
};

/** Number of the newest revision of a star, 0 while it has none. */
export async function findNewestNumber(starId: number): Promise<number> {
  const [newest] = await database()
    .select({ number: sql<number>`coalesce(max(${starRevisions.number}), 0)` })
    .from(starRevisions)
    .where(eq(starRevisions.starId, starId));
  return newest?.number ?? 0;
}

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
