import { customType, integer, text, timestamp } from 'drizzle-orm/pg-core';
import { languages } from '#content/locales.ts';

/** Positive 32-bit identity, the `id` of every public thing (decision M1). */
export const identity = () => integer().primaryKey().generatedAlwaysAsIdentity();

/** Instant in UTC with microseconds; JavaScript sees a `Date`. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Instant that defaults to the start of the transaction. */
export const createdNow = () => instant().notNull().defaultNow();

/** Language code of a translation row; adding a language adds no migration. */
export const language = () => text({ enum: languages }).notNull();

/** bytea, for hashes. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
