import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Transaction } from '../client.ts';
import { pictures } from '../schema/media.ts';

const chosen = alias(pictures, 'chosen');

/** What tells whose a picture is, under which licence and where that stands (decision M5). */
export const creditFields = ['credit', 'licence', 'creditUrl'] as const;

/** Why a picture cannot be shown where somebody chose it. */
export type UnavailableReason = 'unknown' | 'withdrawn';

/**
 * Which of these pictures cannot be shown, and why. Until the end of the transaction none of the others is withdrawn or loses its credit.
 * @param isUpload only those of the library count
 */
export async function lockShownPictures(
  tx: Pick<Transaction, 'select'>,
  keys: readonly string[],
  { isUpload = false } = {},
): Promise<Map<string, UnavailableReason>> {
  if (keys.length === 0) return new Map();
  const given = sql`any(array(select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb)))`;
  const rows = await tx
    .select({
      key: pictures.key,
      uploadHash: pictures.uploadHash,
      withdrawnAt: pictures.withdrawnAt,
    })
    .from(pictures)
    .where(sql`${pictures.key} = ${given}`)
    .orderBy(pictures.key)
    .for('share');
  const found = new Map(rows.map((row) => [row.key, row]));
  return new Map(
    keys.flatMap((key): [string, UnavailableReason][] => {
      const picture = found.get(key);
      if (!picture || (isUpload && !picture.uploadHash)) return [[key, 'unknown']];
      if (picture.withdrawnAt) return [[key, 'withdrawn']];
      return [];
    }),
  );
}

/** The key of a picture that somebody chose; null where nobody did, and once it was withdrawn: then what was drawn is shown. */
export const shownKey = (key: AnyPgColumn): SQL<string | null> => sql<
  string | null
>`case when ${key} is not null then (
  select ${chosen.key} from ${pictures} ${chosen} where ${chosen.key} = ${key} and ${chosen.withdrawnAt} is null) end`;
