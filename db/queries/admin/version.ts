import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * Which version of a row was read: its `updated_at`, which every edit sets, also one of its words. To the microsecond, which
 * a `Date` would cut off, and the same in the time zone of every session.
 */
export const versionOf = (updatedAt: AnyPgColumn) => sql<string>`extract(epoch from ${updatedAt})::text`;
