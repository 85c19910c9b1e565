import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import type { SourceState } from '../schema/newsroom.ts';
import { recordDecision } from './audit.ts';

/** A source with its health. Instants are UTC; `itemsPerDay` is the mean of the last seven days. */
export interface SourceRow {
  id: number;
  outlet: string;
  feedUrl: string;
  sourceLanguage: string;
  state: SourceState;
  fullText: boolean;
  intervalMinutes: number;
  nextFetchAt: Date;
  lastFetchedAt: Date | null;
  lastSuccessAt: Date | null;
  lastErrorAt: Date | null;
  lastError: string | null;
  failures: number;
  itemsPerDay: number;
  items: number;
  createdAt: Date;
}

const columns = sql`s.id, s.outlet, s.feed_url as "feedUrl", s.source_language as "sourceLanguage", s.state,
  s.full_text as "fullText", s.interval_minutes as "intervalMinutes", s.next_fetch_at as "nextFetchAt",
  s.last_fetched_at as "lastFetchedAt", s.last_success_at as "lastSuccessAt", s.last_error_at as "lastErrorAt",
  s.last_error as "lastError", s.failures, s.created_at as "createdAt",
  (select count(*)::int from items i where i.source_id = s.id) as items,
  round((select count(*) from items i where i.source_id = s.id and i.created_at > now() - interval '7 days')
    / greatest(1, least(7, extract(epoch from now() - s.created_at) / 86400)), 1)::float as "itemsPerDay"`;

const date = (value: Date | null) => value && new Date(value);

const withSourceDates = (row: SourceRow): SourceRow => ({
  ...row,
  nextFetchAt: new Date(row.nextFetchAt),
  createdAt: new Date(row.createdAt),
  lastFetchedAt: date(row.lastFetchedAt),
  lastSuccessAt: date(row.lastSuccessAt),
  lastErrorAt: date(row.lastErrorAt),
});

/** All sources, those in trouble first, then by outlet. */
export async function listSources(): Promise<SourceRow[]> {
  const rows = await database().execute<Record<string, unknown> & SourceRow>(
    sql`select ${columns} from sources s order by s.failures > 0 desc, s.outlet, s.id`,
  );
  return rows.map(withSourceDates);
}

export async function findSource(id: number): Promise<SourceRow | undefined> {
  const [row] = await database().execute<Record<string, unknown> & SourceRow>(
    sql`select ${columns} from sources s where s.id = ${id}`,
  );
  return row && withSourceDates(row);
}

export interface NewSource {
  outlet: string;
  feedUrl: string;
  sourceLanguage: string;
  fullText: boolean;
  intervalMinutes: number;
}

/** Adds a source and notes who did. @returns its id, undefined when the feed is known already */
export function insertSource(source: NewSource, actorId: number): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    const [row] = await tx.execute<{ id: number }>(sql`
      insert into sources (outlet, feed_url, source_language, full_text, interval_minutes, created_by)
      values (${source.outlet}, ${source.feedUrl}, ${source.sourceLanguage}, ${source.fullText},
        ${source.intervalMinutes}, ${actorId})
      on conflict (feed_url) do nothing returning id`);
    if (row) {
      await recordDecision(tx, {
        actorId,
        action: 'source.add',
        subject: 'source',
        subjectId: row.id,
        details: { outlet: source.outlet, feedUrl: source.feedUrl },
      });
    }
    return row?.id;
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
  return database().transaction(async (tx) => {
    const { outlet = null, state = null, fullText = null, intervalMinutes = null } = change;
    const rows = await tx.execute(sql`
      update sources set outlet = coalesce(${outlet}::text, outlet), state = coalesce(${state}::text, state),
        full_text = coalesce(${fullText}::boolean, full_text),
        interval_minutes = coalesce(${intervalMinutes}::int, interval_minutes),
        next_fetch_at = case when ${state}::text = 'active' and state = 'paused' then now() else next_fetch_at end,
        failures = case when ${state}::text = 'active' and state = 'paused' then 0 else failures end,
        updated_at = now()
      where id = ${id} returning id`);
    if (rows.length === 0) return false;
    const action =
      state === 'paused' ? 'source.pause' : state === 'active' ? 'source.resume' : 'source.change';
    await recordDecision(tx, { actorId, action, subject: 'source', subjectId: id, details: { ...change } });
    return true;
  });
}

/** Makes a source due now. @returns false when there is none that is active */
export async function hurrySource(id: number): Promise<boolean> {
  const rows = await database().execute(
    sql`update sources set next_fetch_at = now() where id = ${id} and state = 'active' returning id`,
  );
  return rows.length > 0;
}

/** Ids of active sources whose time has come, the longest waiting first. */
export async function listDueSources(limit: number): Promise<number[]> {
  const rows = await database().execute<{ id: number }>(sql`
    select id from sources where state = 'active' and next_fetch_at <= now() order by next_fetch_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** What a fetch needs to know of a source. */
export interface FetchPlan {
  id: number;
  outlet: string;
  feedUrl: string;
  sourceLanguage: string;
  etag: string | null;
  lastModified: string | null;
}

/** The source as its fetch needs it; undefined when it is gone, paused or not due. */
export async function planFetch(id: number): Promise<FetchPlan | undefined> {
  const [row] = await database().execute<Record<string, unknown> & FetchPlan>(sql`
    select id, outlet, feed_url as "feedUrl", source_language as "sourceLanguage", etag, last_modified as "lastModified"
    from sources where id = ${id} and state = 'active' and next_fetch_at <= now()`);
  return row;
}

/** Notes a fetch that failed: the wait doubles with each failure in a row, at most a day. */
export async function noteFetchFailure(id: number, error: string, notBefore?: Date): Promise<void> {
  await database().execute(sql`
    update sources set failures = failures + 1, last_error = ${error}, last_error_at = now(), last_fetched_at = now(),
      next_fetch_at = greatest(${notBefore?.toISOString() ?? null}::timestamptz,
        now() + least(interval '1 day', interval_minutes * interval '1 minute' * power(2, least(failures, 8)))),
      updated_at = now()
    where id = ${id}`);
}
