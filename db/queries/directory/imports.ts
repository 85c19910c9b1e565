import { and, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import {
  directoryImports as imports,
  type RowOutcome,
  directoryImportStars as taken,
} from '../../schema/directory.ts';
import type { Reader } from './document.ts';

type Row = typeof imports.$inferSelect;

const fields = {
  id: imports.id,
  fileName: imports.fileName,
  format: imports.format,
  state: imports.state,
  rowByRow: imports.rowByRow,
  counts: imports.counts,
  progress: imports.progress,
  createdAt: imports.createdAt,
  endedAt: imports.endedAt,
};

/** A file of stars without what is in it. */
export type FileImport = Pick<Row, keyof typeof fields>;

/** Keeps a file with what it would do. @returns its id */
export async function insertImport(
  tx: Transaction,
  row: Pick<Row, 'actorId' | 'fileName' | 'format' | 'rows' | 'counts'> & { file: Uint8Array },
): Promise<number> {
  const [added] = await tx.insert(imports).values(row).returning({ id: imports.id });
  if (!added) throw new Error('the file was not kept');
  return added.id;
}

/** Forgets files that were handed over longer ago than so many days. */
export async function deleteOldImports(days: number): Promise<void> {
  await database()
    .delete(imports)
    .where(lt(imports.createdAt, sql`now() - make_interval(days => ${days})`));
}

/** The newest of them. */
export function listImports(limit: number): Promise<FileImport[]> {
  return database().select(fields).from(imports).orderBy(desc(imports.id)).limit(limit);
}

/** One of them; undefined when there is none. */
export async function findImport(id: number): Promise<FileImport | undefined> {
  const [row] = await database().select(fields).from(imports).where(eq(imports.id, id));
  return row;
}

/** What it makes of each star of its file. */
export async function findImportRows(id: number): Promise<Row['rows']> {
  const [row] = await database().select({ rows: imports.rows }).from(imports).where(eq(imports.id, id));
  return row?.rows ?? [];
}

/**
 * Says that it is to be taken in, once, by whoever said so last: the changes are theirs.
 * @returns false when it is under way or was taken in already
 */
export async function startImport(
  tx: Transaction,
  id: number,
  { actorId, rowByRow }: Pick<Row, 'rowByRow'> & { actorId: number },
): Promise<boolean> {
  const started = await tx
    .update(imports)
    .set({ state: 'running', actorId, rowByRow, progress: 0, endedAt: null })
    .where(
      and(
        eq(imports.id, id),
        inArray(imports.state, ['ready', 'refused', 'failed']),
        isNotNull(imports.file),
      ),
    )
    .returning({ id: imports.id });
  return started.length > 0;
}

/** What is to be taken in now; undefined when it is not. */
export async function findRunningImport(
  id: number,
): Promise<Pick<Row, 'actorId' | 'format' | 'file' | 'rowByRow'> | undefined> {
  const [row] = await database()
    .select({
      actorId: imports.actorId,
      format: imports.format,
      file: imports.file,
      rowByRow: imports.rowByRow,
    })
    .from(imports)
    .where(and(eq(imports.id, id), eq(imports.state, 'running')));
  return row;
}

/** Notes how far it is. */
export async function noteProgress(id: number, progress: number): Promise<void> {
  await database().update(imports).set({ progress }).where(eq(imports.id, id));
}

/** Notes what became of it. The file is kept as long as it can be tried again. */
export async function endImport(
  id: number,
  end: { state: 'done' | 'refused'; rows: Row['rows']; counts: Row['counts'] } | { state: 'failed' },
): Promise<void> {
  await database()
    .update(imports)
    .set({
      ...end,
      endedAt: sql`now()`,
      ...(end.state === 'done' && { file: null, progress: end.rows.length }),
    })
    .where(eq(imports.id, id));
}

/** Rows of a file that are through, by their lines: which star each is, and what became of it. */
export type TakenRows = ReadonlyMap<number, { starId: number; outcome: RowOutcome }>;

/** Those of an import that goes on. */
export async function findTakenRows(importId: number, reader: Reader): Promise<TakenRows> {
  const rows = await reader
    .select({ line: taken.line, starId: taken.starId, outcome: taken.outcome })
    .from(taken)
    .where(eq(taken.importId, importId));
  return new Map(rows.map(({ line, ...row }) => [line, row]));
}

/** Notes that a row is through, in the transaction that wrote its star. What became of it first stays. */
export async function noteTakenRow(tx: Transaction, row: typeof taken.$inferInsert): Promise<void> {
  await tx.insert(taken).values(row).onConflictDoNothing();
}
