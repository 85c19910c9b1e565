import { type SQL, sql } from 'drizzle-orm';
import { type Lang, languages } from '#content/locales.ts';
import { database, type Transaction } from '../../client.ts';
import { execute } from '../../sql.ts';
import { sequenceOf, type TableWithId } from '../rows.ts';
import type { Numbered } from './words.ts';

export type Progress = (message: string, done: number, total: number) => void;

/** Ids from `first` on, as many as were asked for. */
export interface Block {
  first: number;
  count: number;
}

/** Takes a block of ids out of a table's sequence, so that rows and what refers to them can be made in SQL. */
export async function reserveIds(table: TableWithId, count: number): Promise<Block> {
  const sequence = sequenceOf(table);
  const [row] = await execute(
    { first: sql<string>`setval(${sequence}, nextval(${sequence}) + ${count - 1}) - ${count - 1}` },
    (columns) => sql`select ${columns}`,
  );
  return { first: Number(row?.first), count };
}

interface Chunks {
  /** Rows of a chunk. */
  size: number;
  /** Chunks at a time: 1 unless it is said. */
  atOnce?: number;
  /** What is being made. */
  message: string;
}

/**
 * Runs `work` for the parts of the block, each in its own transaction. Trigram indexes collect their
 * new entries in a larger pending list here than in daily work: merging it is then a long sorted walk.
 */
export async function inChunks(
  { first, count }: Block,
  { size, atOnce = 1, message }: Chunks,
  progress: Progress,
  work: (tx: Transaction, part: { from: number; to: number }) => Promise<void>,
): Promise<void> {
  progress(message, 0, count);
  let next = first;
  let done = 0;
  const takeTurns = async () => {
    while (next < first + count) {
      const from = next;
      next = Math.min(from + size, first + count);
      const to = next - 1;
      await database().transaction(async (tx) => {
        await tx.execute(sql`set local statement_timeout = 0`);
        await tx.execute(sql`set local work_mem = '128MB'`);
        await tx.execute(sql`set local gin_pending_list_limit = '64MB'`);
        await work(tx, { from, to });
      });
      done += to - from + 1;
      progress(message, done, count);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
}

/** A number from 0 to `size` − 1 that depends on nothing but `seed`: chance that can be asked for again. */
export function pick(seed: SQL, size: number): SQL {
  return sql`((hashint4((${seed})::int) & 2147483647) % ${sql.raw(String(size))})`;
}

/** From 0 to 1, by `seed`. */
export function randomShare(seed: SQL): SQL {
  return sql`((hashint4((${seed})::int) & 2147483647) / 2147483648.0)`;
}

/** Prepared texts as rows `(n, ko, en, ms, vi)`. */
export function textRows(texts: readonly Numbered[]): SQL {
  const columns = sql.raw(languages.map((language) => `${language} text`).join(', '));
  return sql`jsonb_to_recordset(${JSON.stringify(texts)}::text::jsonb) as texts(n int, ${columns})`;
}

/** The rows of a `values` list that has one for each language: its code, then what `columnsOf` says of it, as SQL. */
export const perLanguage = (columnsOf: (language: Lang) => string): SQL =>
  sql.raw(languages.map((language) => `('${language}', ${columnsOf(language)})`).join(', '));
