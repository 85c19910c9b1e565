import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { executeWithOwnPlan } from '../own-plan.ts';
import { contains } from './pattern.ts';
import { type SearchWord, starHasWords, starRank } from './search.ts';
import type { StarRow } from './star-badge.ts';

export interface StarSuggested extends StarRow {
  /** The member by whose name a group was found, in `language`; null when a name of its own fits. */
  member: string | null;
  /** Names of the groups that the star is in, in `language`. */
  groups: string[];
}

const conjoining =
  '\u1100\u1101\u1102\u1103\u1104\u1105\u1106\u1107\u1108\u1109\u110a\u110b\u110c\u110d\u110e\u110f\u1110\u1111\u1112';
const consonants = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';

/** The initial consonants (초성) of a Korean name: its syllables taken apart, their first letters kept. */
const initialsOf = (name: SQL): SQL =>
  sql`translate(regexp_replace(normalize(${name}, NFD), '[^\u1100-\u1112]', '', 'g'), ${conjoining}, ${consonants})`;

/**
 * Stars whose names have what was typed, best first; groups also by their members. One statement: the stars' trigram index,
 * and the members' names only for initials, which are in no index.
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
  const fits = (name: SQL) =>
    initials === undefined
      ? sql`byeol_fold(${name}) like ${contains(text)}`
      : sql`${initialsOf(name)} like ${`%${initials}%`}`;
  const memberFits = sql`exists (select from jsonb_each_text(m.names) each where ${fits(sql`each.value`)})`;
  const byMember =
    initials === undefined
      ? sql``
      : sql`or s.id in (select m.group_id from star_members m where ${fits(sql`(m.names ->> 'ko')`)})`;
  return executeWithOwnPlan<StarSuggested>(sql`
    with best as (
      select s.*, row_number() over (order by ${starRank('s', text)}, s.article_count desc, s.id) as place
      from stars s where ${starHasWords(text, words)} ${byMember}
      order by place limit ${limit})
    select b.id, b.slug, coalesce(st.name, b.name) as name, b.category, b.fandom_color as "fandomColor",
      case when exists (select from star_translations own where own.star_id = b.id and ${fits(sql`own.name`)}) then null
        else (select coalesce(m.names ->> ${language}, m.names ->> 'ko') from star_members m
          where m.group_id = b.id and ${memberFits} order by m.position limit 1) end as member,
      coalesce((select json_agg(coalesce(gt.name, g.name) order by g.article_count desc, g.id)
        from star_members m join stars g on g.id = m.group_id
        left join star_translations gt on gt.star_id = g.id and gt.language = ${language}
        where m.member_id = b.id), '[]'::json) as groups
    from best b left join star_translations st on st.star_id = b.id and st.language = ${language}
    order by b.place`);
}
