import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { unprepared } from '../../client.ts';
import { memoize } from '../../memoize.ts';
import { starMembers, stars, starTranslations } from '../../schema/stars.ts';
import { execute, jsonArray, prerender, type RowOf, selectValue } from '../../sql.ts';
import { contains } from '../pattern.ts';
import { badgeFields, isShown, isShownById, memberName, s, shownName, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import type { SearchWord } from './query.ts';
import { starHasWords, starRank } from './stars.ts';

const m = alias(starMembers, 'm');
const anyName = alias(starTranslations, 'any_name');
const member = alias(stars, 'member');
const group = alias(stars, 'group');
const groupWords = alias(starTranslations, 'group_words');

const conjoining =
  '\u1100\u1101\u1102\u1103\u1104\u1105\u1106\u1107\u1108\u1109\u110a\u110b\u110c\u110d\u110e\u110f\u1110\u1111\u1112';
const consonants = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';

/** The initial consonants (초성) of a Korean name: its syllables taken apart, their first letters kept. */
const initialsOf = (name: SQL): SQL =>
  sql`translate(regexp_replace(normalize(${name}, NFD), '[^\u1100-\u1112]', '', 'g'), ${conjoining}, ${consonants})`;

type Fits = (name: SQL) => SQL;

const ownNames = prerender(sql`select from ${starTranslations} ${anyName} where ${anyName.starId} = ${s.id}`);
const ownName = prerender(sql`${anyName.name}`);
/** A member without a star of its own is named in the group alone. */
const isMemberShown = prerender(sql`(${m.memberId} is null or ${isShownById(m.memberId)})`);
const nameOfMember = memoize((language: Lang) =>
  prerender(sql`select ${memberName(m.names, language)} from ${starMembers} ${m}
    where ${m.groupId} = ${s.id} and ${isMemberShown}`),
);
const groupsOfMember = memoize((language: Lang) =>
  prerender(
    selectValue(
      jsonArray(shownName(group, groupWords), {
        orderBy: sql`${group.articleCount} desc, ${group.id}`,
      }),
      sql`from ${starMembers} ${m} join ${stars} ${group} on ${group.id} = ${m.groupId} and ${isShown(group)}
        left join ${starTranslations} ${groupWords} on ${wordsIn(language, group, groupWords)}
        where ${m.memberId} = ${s.id}`,
    ),
  ),
);

const suggestedFields = (language: Lang, fits: Fits) => ({
  ...badgeFields(),
  distinction: distinctionIn(language, s, badgeFields().name),
  /** The member by whose name a group was found, in `language`; null when a name of its own fits. */
  member: sql<string | null>`case when exists (${ownNames} and ${fits(ownName)}) then null
    else (${nameOfMember(language)}
      and exists (select from jsonb_each_text(${m.names}) each where ${fits(sql`each.value`)})
      order by ${m.position} limit 1) end`,
  /** Names of the groups that the star is in, in `language`. */
  groups: groupsOfMember(language),
});

export type StarSuggested = RowOf<ReturnType<typeof suggestedFields>>;

/**
 * Stars whose names have what was typed, best first; groups also by their members. One statement: the stars' trigram index,
 * and for initials, which are in no index, those of the members, read off their names where they have no profile.
 * @param text the whole search, for the order (`starRank`)
 */
export function findSuggestions(
  language: Lang,
  text: string,
  words: readonly SearchWord[],
  limit: number,
): Promise<StarSuggested[]> {
  const [word] = words;
  const initials = words.length === 1 ? word?.initials : undefined;
  const fits: Fits = (name) =>
    initials === undefined
      ? sql`byeol_fold(${name}) like ${contains(text)}`
      : sql`${initialsOf(name)} like ${`%${initials}%`}`;
  const hasMember =
    initials === undefined
      ? sql``
      : sql`or ${s.id} in (
          select ${m.groupId} from ${starMembers} ${m} left join ${stars} ${member} on ${member.id} = ${m.memberId}
          where case when ${member.id} is null then ${fits(sql`(${m.names} ->> 'ko')`)}
            else ${member.initials} like ${`%${initials}%`} end and ${isMemberShown})`;
  return execute(
    suggestedFields(language, fits),
    (columns) => sql`
      with best as (
        select ${s}.*, row_number() over (order by ${starRank(text)}, ${s.articleCount} desc, ${s.id}) as place
        from ${stars} ${s} where (${starHasWords(text, words)} ${hasMember}) and ${isShown()}
        order by place limit ${limit})
      select ${columns} from best ${s} left join ${starTranslations} ${st} on ${wordsIn(language)}
      order by place`,
    unprepared(),
  );
}
