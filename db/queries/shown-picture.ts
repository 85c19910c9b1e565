import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { pictures } from '../schema/media.ts';

const chosen = alias(pictures, 'chosen');

/** The key of a picture that somebody chose; null where nobody did, and once it was withdrawn: then what was drawn is shown. */
export const shownKey = (key: AnyPgColumn): SQL<string | null> => sql<
  string | null
>`case when ${key} is not null then (
  select ${chosen.key} from ${pictures} ${chosen} where ${chosen.key} = ${key} and ${chosen.withdrawnAt} is null) end`;
