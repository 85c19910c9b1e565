import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { starMembers, starProfiles, stars, starTranslations } from '../../schema/stars.ts';
import { isShown, shownName, wordsIn } from './badge.ts';
import { hasLeft } from './membership.ts';

const twin = alias(stars, 'twin');
/** Whoever has the name in some language, and what it is called in the one that is read. */
const sameName = alias(starTranslations, 'same_name');
const twinName = alias(starTranslations, 'twin_name');
const m = alias(starMembers, 'own_membership');
const group = alias(stars, 'own_group');
const groupName = alias(starTranslations, 'own_group_name');
const profile = alias(starProfiles, 'own_profile');

/**
 * By what a star of a list is told from another one that is shown under the same name: its group and the year of its birth, else of
 * its debut, such as `뉴진스 · 2004`. Null where the name is its only one, or nothing of this is known. A few probes of indexes.
 * @param name as the list shows it in `language`
 */
export const distinctionIn = (
  language: Lang,
  star: { id: AnyPgColumn },
  name: SQL<string>,
): SQL<string | null> => sql<string | null>`case when exists (
    select from ${starTranslations} ${sameName} join ${stars} ${twin} on ${twin.id} = ${sameName.starId} and ${isShown(twin)}
    left join ${starTranslations} ${twinName} on ${wordsIn(language, twin, twinName)}
    where ${sameName.name} = ${name} and ${twin.id} <> ${star.id} and ${shownName(twin, twinName)} = ${name})
  then nullif(concat_ws(' · ',
    (select ${shownName(group, groupName)} from ${starMembers} ${m}
      join ${stars} ${group} on ${group.id} = ${m.groupId} and ${isShown(group)}
      left join ${starTranslations} ${groupName} on ${wordsIn(language, group, groupName)}
      where ${m.memberId} = ${star.id} order by ${hasLeft(m)}, ${group.articleCount} desc, ${group.id} limit 1),
    (select left(coalesce(${profile.birthDate}, ${profile.debutDate}), 4) from ${starProfiles} ${profile}
      where ${profile.starId} = ${star.id})), '') end`;
