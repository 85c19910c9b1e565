import { sql } from 'drizzle-orm';
import { alias, type PgTable } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { starAliases, starMembers, starProfiles, stars, starTranslations } from '../../schema/stars.ts';
import { execute, type RowOf } from '../../sql.ts';
import { s, st } from '../stars/badge.ts';

const m = alias(starMembers, 'm');
const sa = alias(starAliases, 'sa');
const p = alias(starProfiles, 'p');

const nameFields = {
  id: s.id,
  /** Raw (Korean) name. */
  name: s.name,
  names: sql<Partial<Record<Lang, string>>>`coalesce((
    select jsonb_object_agg(${st.language}, ${st.name}) from ${starTranslations} ${st} where ${st.starId} = ${s.id}), '{}')`,
  aliases: sql<string[]>`array(select ${sa.alias} from ${starAliases} ${sa} where ${sa.starId} = ${s.id})`,
  realNames: sql<string[]>`array(
    select distinct ${st.realName} from ${starTranslations} ${st} where ${st.starId} = ${s.id} and ${st.realName} is not null)`,
  birthYear: sql<
    number | null
  >`(select left(${p.birthDate}, 4)::int from ${starProfiles} ${p} where ${p.starId} = ${s.id})`,
  isGroup: sql<boolean>`${s.category} = 'K-Pop Group'`,
  /** Stars that it is a member or a unit of, or that are its members or units. */
  related: sql<number[]>`array(
    select ${m.groupId} from ${starMembers} ${m} where ${m.memberId} = ${s.id}
    union select ${m.memberId} from ${starMembers} ${m} where ${m.groupId} = ${s.id} and ${m.memberId} is not null
    union select ${p.parentId} from ${starProfiles} ${p} where ${p.starId} = ${s.id} and ${p.parentId} is not null
    union select ${p.starId} from ${starProfiles} ${p} where ${p.parentId} = ${s.id})`,
  /** Agency, fandom and members without a profile. */
  signs: sql<string[]>`array(
    select distinct sign from ${starTranslations} ${st}
      cross join lateral (values (${st.agency}), (${st.fandomName})) as given(sign)
      where ${st.starId} = ${s.id} and sign is not null
    union select distinct value from ${starMembers} ${m} cross join lateral jsonb_each_text(${m.names})
      where ${m.groupId} = ${s.id} and ${m.memberId} is null)`,
};

/** What a star is called, and what shows that a text is about it. */
export type StarNames = RowOf<typeof nameFields>;

/** All stars by their names. One statement. */
export function listStarNames(): Promise<StarNames[]> {
  return execute(nameFields, (columns) => sql`select ${columns} from ${stars} ${s} order by ${s.id}`);
}

const rows = (table: PgTable) => sql`(select concat(count(*), ':', sum(xmin::text::bigint)) from ${table})`;

/** What changes when a star's names, members or signs do; no counter does. One statement, a twentieth of the list's work. */
export async function findStarNamesState(): Promise<string> {
  const [row] = await execute(
    {
      state: sql<string>`concat_ws(' ', current_database(),
        (select concat(count(*), ':', sum(hashtext(concat(${s.id}, ${s.name}, ${s.category})))) from ${stars} ${s}),
        ${rows(starTranslations)}, ${rows(starAliases)}, ${rows(starMembers)}, ${rows(starProfiles)})`,
    },
    (columns) => sql`select ${columns}`,
  );
  return row?.state ?? '';
}
