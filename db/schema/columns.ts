import { sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, integer, text, timestamp } from 'drizzle-orm/pg-core';
import { languages } from '#content/locales.ts';
import type { PartialDate } from '#content/partial-date.ts';

/** Positive 32-bit identity, the `id` of every public thing (decision M1). */
export const identity = () => integer().primaryKey().generatedAlwaysAsIdentity();

/** Instant in UTC with microseconds; JavaScript sees a `Date`. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Instant that defaults to the start of the transaction. */
export const createdNow = () => instant().notNull().defaultNow();

/** Language code of a translation row; adding a language adds no migration. */
export const language = () => text({ enum: languages }).notNull();

/**
 * A date as precisely as it is known: `2001`, `2001-02` or `2001-02-28`, in the order of time when sorted as text. That the day
 * exists is for whoever writes it (`content/partial-date.ts`); its shape is the table's (`isPartialDate`).
 */
export const partialDate = () => text().$type<PartialDate>();

/** The check behind a column of partial dates. */
export const isPartialDate = (column: AnyPgColumn) =>
  sql`${column} ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$'`;

/** bytea, for hashes. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** bytea that is sent on as it is. */
export const ownBytes = customType<{ data: Uint8Array<ArrayBuffer> }>({ dataType: () => 'bytea' });
