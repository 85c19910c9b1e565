import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { database } from '../../client.ts';
import { items, sources } from '../../schema/newsroom.ts';
import { execute, type RowOf, selectValue } from '../../sql.ts';
import { recordDecision } from '../admin/audit.ts';

const s = alias(sources, 's');
const i = alias(items, 'i');

const sourceFields = {
  id: s.id,
  outlet: s.outlet,
  feedUrl: s.feedUrl,
  sourceLanguage: s.sourceLanguage,
  state: s.state,
  fullText: s.fullText,
  intervalMinutes: s.intervalMinutes,
  nextFetchAt: s.nextFetchAt,
  lastFetchedAt: s.lastFetchedAt,
  lastSuccessAt: s.lastSuccessAt,
  lastErrorAt: s.lastErrorAt,
  lastError: s.lastError,
  failures: s.failures,
  createdAt: s.createdAt,
  items: selectValue(sql<number>`count(*)::int`, sql`from ${items} ${i} where ${i.sourceId} = ${s.id}`),
  itemsPerDay: sql<number>`round(
    (select count(*) from ${items} ${i} where ${i.sourceId} = ${s.id} and ${i.createdAt} > now() - interval '7 days')
    / greatest(1, least(7, extract(epoch from now() - ${s.createdAt}) / 86400)), 1)::float`,
};

/** A source with its health. Instants are UTC; `itemsPerDay` is the mean of the last seven days. */
export type SourceRow = RowOf<typeof sourceFields>;

/** All sources, those in trouble first, then by outlet. */
export function listSources(): Promise<SourceRow[]> {
  return execute(
    sourceFields,
    (columns) =>
      sql`select ${columns} from ${sources} ${s} order by ${s.failures} > 0 desc, ${s.outlet}, ${s.id}`,
  );
}

export async function findSource(id: number): Promise<SourceRow | undefined> {
  const [source] = await execute(
    sourceFields,
    (columns) => sql`select ${columns} from ${sources} ${s} where ${s.id} = ${id}`,
  );
  return source;
}

export type NewSource = Pick<
  SourceRow,
  'outlet' | 'feedUrl' | 'sourceLanguage' | 'fullText' | 'intervalMinutes'
>;

/** Adds a source and notes who did. @returns its id, undefined when the feed is known already */
export function insertSource(source: NewSource, actorId: number): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    const [added] = await tx
      .insert(sources)
      .values({ ...source, createdBy: actorId })
      .onConflictDoNothing({ target: sources.feedUrl })
      .returning({ id: sources.id });
    if (added) {
      await recordDecision(tx, {
        actorId,
        action: 'source.add',
        subject: 'source',
        subjectId: added.id,
        details: { outlet: source.outlet, feedUrl: source.feedUrl },
      });
    }
    return added?.id;
  });
}

/**
 * Pauses or resumes a source, or changes how it is read. What is not given stays. A resumed source is due at once.
 * @returns false when there is none
 */
export function updateSource(
  id: number,
  change: Partial<Pick<SourceRow, 'outlet' | 'state' | 'fullText' | 'intervalMinutes'>>,
  actorId: number,
): Promise<boolean> {
  const { outlet, state, fullText, intervalMinutes } = change;
  const whenResumed = (value: SQL, otherwise: SQL) =>
    sql`case when ${sources.state} = 'paused' then ${value} else ${otherwise} end`;
  return database().transaction(async (tx) => {
    const changed = await tx
      .update(sources)
      .set({
        outlet,
        state,
        fullText,
        intervalMinutes,
        ...(state === 'active' && {
          nextFetchAt: whenResumed(sql`now()`, sql`${sources.nextFetchAt}`),
          failures: whenResumed(sql`0`, sql`${sources.failures}`),
        }),
        updatedAt: sql`now()`,
      })
      .where(eq(sources.id, id))
      .returning({ id: sources.id });
    if (changed.length === 0) return false;
    const action =
      state === 'paused' ? 'source.pause' : state === 'active' ? 'source.resume' : 'source.change';
    await recordDecision(tx, { actorId, action, subject: 'source', subjectId: id, details: { ...change } });
    return true;
  });
}

/** Written out, because a plan for any state cannot use the index of those that are due. */
const isActive = sql`${sources.state} = 'active'`;
const isDue = and(isActive, sql`${sources.nextFetchAt} <= now()`);

/** Makes a source due now. @returns false when there is none that is active */
export function makeSourceDue(id: number, actorId: number): Promise<boolean> {
  return database().transaction(async (tx) => {
    const due = await tx
      .update(sources)
      .set({ nextFetchAt: sql`now()` })
      .where(and(eq(sources.id, id), isActive))
      .returning({ id: sources.id });
    if (due.length === 0) return false;
    await recordDecision(tx, { actorId, action: 'source.fetch', subject: 'source', subjectId: id });
    return true;
  });
}

/** Ids of active sources whose time has come, the longest waiting first. */
export async function listDueSources(limit: number): Promise<number[]> {
  const due = await database()
    .select({ id: sources.id })
    .from(sources)
    .where(isDue)
    .orderBy(asc(sources.nextFetchAt))
    .limit(limit);
  return due.map(({ id }) => id);
}

/** What a fetch needs to know of a source. */
type FetchPlan = Pick<
  typeof sources.$inferSelect,
  'id' | 'outlet' | 'feedUrl' | 'sourceLanguage' | 'etag' | 'lastModified'
>;

/** The source as its fetch needs it; undefined when it is gone, paused or not due. */
export async function planFetch(id: number): Promise<FetchPlan | undefined> {
  const { outlet, feedUrl, sourceLanguage, etag, lastModified } = sources;
  const [plan] = await database()
    .select({ id: sources.id, outlet, feedUrl, sourceLanguage, etag, lastModified })
    .from(sources)
    .where(and(eq(sources.id, id), isDue));
  return plan;
}

/** Lets a source wait without counting it as a failure: others have the turns at its host. */
export async function postponeFetch(id: number, until: Date): Promise<void> {
  await database().update(sources).set({ nextFetchAt: until }).where(eq(sources.id, id));
}

/** Notes a fetch that failed: the wait doubles with each failure in a row, at most a day. */
export async function recordFetchFailure(id: number, error: string, notBefore?: Date): Promise<void> {
  const doubled = sql`${sources.intervalMinutes} * interval '1 minute' * power(2, least(${sources.failures}, 8))`;
  await database()
    .update(sources)
    .set({
      failures: sql`${sources.failures} + 1`,
      lastError: error,
      lastErrorAt: sql`now()`,
      lastFetchedAt: sql`now()`,
      nextFetchAt: sql`greatest(${notBefore?.toISOString() ?? null}::timestamptz,
        now() + least(interval '1 day', ${doubled}))`,
      updatedAt: sql`now()`,
    })
    .where(eq(sources.id, id));
}
