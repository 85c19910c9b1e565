import { getTableName, sql } from 'drizzle-orm';
import { settleBulkLoad } from '../../bulk-load.ts';
import { connection, database, type Transaction } from '../../client.ts';
import { auditLog } from '../../schema/accounts.ts';
import {
  type FormerStar,
  starExternalIds,
  starFacts,
  starRedirects,
  starRevisions,
} from '../../schema/directory.ts';
import { eventStars, events, eventTranslations } from '../../schema/events.ts';
import { starSearch } from '../../schema/star-search.ts';
import {
  achievements,
  achievementTranslations,
  socialLinks,
  starAliases,
  starMembers,
  starProfiles,
  stars,
  starTranslations,
  timelineEvents,
  timelineTranslations,
} from '../../schema/stars.ts';
import { execute, isOneOf } from '../../sql.ts';
import type { Reader } from './document.ts';

const importLock = sql`hashtext('directory import')`;

/**
 * Keeps other imports out until the transaction ends, however long it waits for what is written in others meanwhile.
 * @returns false: one is under way
 */
export async function lockImports(tx: Transaction): Promise<boolean> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  const locked = sql<boolean>`pg_try_advisory_xact_lock(${importLock})`;
  const [row] = await execute({ locked }, (columns) => sql`select ${columns}`, tx);
  return row?.locked === true;
}

/** Whether an import is under way anywhere. */
export async function isImportRunning(): Promise<boolean> {
  const running = sql<boolean>`exists (select from pg_locks where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = ${importLock}::bigint)`;
  const [row] = await execute({ running }, (columns) => sql`select ${columns}`, database());
  return row?.running === true;
}

export type FactWriter = 'person' | 'import';

/** Who last wrote the fields of stars, by star and field. */
export async function findFactWriters(reader: Reader): Promise<Map<number, Map<string, FactWriter>>> {
  const rows = await reader
    .select({ starId: starFacts.starId, field: starFacts.field, editedAt: starFacts.editedAt })
    .from(starFacts);
  const writers = new Map<number, Map<string, FactWriter>>();
  for (const { starId, field, editedAt } of rows) {
    const own = writers.get(starId) ?? new Map<string, FactWriter>();
    writers.set(starId, own.set(field, editedAt === null ? 'import' : 'person'));
  }
  return writers;
}

/** Stars that were merged into others, as they were, each with the other's id. */
export async function findFormerStars(reader: Reader): Promise<{ former: FormerStar; into: number }[]> {
  const rows = await reader
    .select({ former: starRedirects.former, into: starRedirects.intoId })
    .from(starRedirects)
    .orderBy(starRedirects.fromId);
  return rows.flatMap(({ former, into }) => (former ? [{ former, into }] : []));
}

/** What these stars are called in addresses. */
export async function findSlugsOf(ids: readonly number[], reader: Reader): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .select({ id: stars.id, slug: stars.slug })
    .from(stars)
    .where(isOneOf(stars.id, ids));
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

/** What an import of many stars fills, the anniversaries of their facts among it. */
const filledTables = [
  stars,
  starTranslations,
  starAliases,
  starProfiles,
  starMembers,
  starSearch,
  socialLinks,
  timelineEvents,
  timelineTranslations,
  achievements,
  achievementTranslations,
  starFacts,
  starExternalIds,
  starRevisions,
  events,
  eventTranslations,
  eventStars,
  auditLog,
];

/** After many stars came in: lists of them are planned for as many, and searches need not wait for the first reader. */
export const settleImport = (): Promise<void> => settleBulkLoad(connection(), filledTables.map(getTableName));
