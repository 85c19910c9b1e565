import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { starSearch } from '../../schema/star-search.ts';
import { starMembers, stars, starTranslations } from '../../schema/stars.ts';
import { jsonArray, prepare, prerender, type RowOf, roundedLimit, selectValue } from '../../sql.ts';
import { contains, once } from '../pattern.ts';
import { badgeFields, isShown, isShownById, memberName, s, shownName, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import type { SearchWord } from './query.ts';
import { type AlsoFound, rankedStars } from './ranked-stars.ts';
import { k, type NameIndex, readNames } from './star-names.ts';

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

/** True where a name, or one that is folded already, has what was typed. */
type Fits = (name: SQL, folded?: SQL) => SQL;

const ownNames = prerender(sql`select from ${starTranslations} ${anyName} where ${anyName.starId} = ${s.id}`);
const ownName = prerender(sql`${anyName.name}`);
const ownKey = prerender(sql`${anyName.nameKey}`);
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
  member: sql<string | null>`case when exists (${ownNames} and ${fits(ownName, ownKey)}) then null
    else (${nameOfMember(language)}
      and exists (select from jsonb_each_text(${m.names}) each where ${fits(sql`each.value`)})
      order by ${m.position} limit 1) end`,
  /** Names of the groups that the star is in, in `language`. */
  groups: groupsOfMember(language),
});

export type StarSuggested = RowOf<ReturnType<typeof suggestedFields>>;

const typed = sql`${sql.placeholder('name')}::text`;
const initials = sql`${sql.placeholder('initials')}::text`;
const initialsPattern = once(sql`'%' || ${initials} || '%'`);
const textPattern = once(contains(typed));

const fitsBy = (isInitials: boolean): Fits =>
  isInitials
    ? (name) => sql`${initialsOf(name)} like ${initialsPattern}`
    : (name, folded = sql`byeol_fold(${name})`) => sql`${folded} like ${textPattern}`;

const hasInitials = sql`case when ${member.id} is null then ${initialsOf(sql`(${m.names} ->> 'ko')`)} else ${member.initials} end
  like ${initialsPattern}`;
/** Groups are found by initials of their members, too, which are in no text of theirs. */
const groupsByInitials: AlsoFound = {
  isFound: sql`exists (
    select from ${starMembers} ${m} left join ${stars} ${member} on ${member.id} = ${m.memberId}
    where ${m.groupId} = ${s.id} and ${hasInitials} and ${isMemberShown})`,
  ids: sql`
    select ${m.groupId} from ${starSearch} ${k} join ${stars} ${member} on ${member.id} = ${k.starId}
      join ${starMembers} ${m} on ${m.memberId} = ${member.id}
    where ${k.initialGrams} @> ${once(sql`byeol_grams(${initials})`)} and ${hasInitials} and ${isShown(member)} and ${isShownById(m.groupId)}
    union select ${m.groupId} from ${starMembers} ${m} left join ${stars} ${member} on false
    where ${m.memberId} is null and ${hasInitials} and ${isShownById(m.groupId)}`,
};

interface SuggestionShape {
  language: Lang;
  index: NameIndex;
  isInitials: boolean;
  limit: number;
}

const suggested = memoize(({ language, index, isInitials, limit }: SuggestionShape) => {
  const also = isInitials ? groupsByInitials : undefined;
  return prepare(
    suggestedFields(language, fitsBy(isInitials)),
    (columns) => sql`
      with ${rankedStars({ index, limit, also })}
      select ${columns} from ranked join ${stars} ${s} on ${s.id} = star left join ${starTranslations} ${st} on ${wordsIn(language)}
      order by place`,
  );
});

/**
 * Stars whose names have what was typed, best first; groups also by their members, whose names a group's text has, and by the
 * initials of these. One statement.
 * @param text the whole search, for the order (`rankedStars`)
 */
export async function findSuggestions(
  language: Lang,
  text: string,
  words: readonly SearchWord[],
  limit: number,
): Promise<StarSuggested[]> {
  const { index, values } = readNames(words, text);
  const isInitials = values.initials !== '';
  const rows = await suggested({ language, index, isInitials, limit: roundedLimit(limit) })(values);
  return rows.slice(0, limit);
}
