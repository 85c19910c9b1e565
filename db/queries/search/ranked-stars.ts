import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { starSearch } from '../../schema/star-search.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { literal } from '../../sql.ts';
import { isShown, s } from '../stars/badge.ts';
import {
  hasStart,
  hasWhole,
  idsOfNamed,
  isNamed,
  k,
  type NameIndex,
  rankOf,
  walkedFor,
  wholeName,
} from './star-names.ts';

const anyName = alias(starTranslations, 'any_name');

/** Whether others than a star itself are found by it, for a star `s`, and their ids by an index as `star`. */
export interface AlsoFound {
  isFound: SQL;
  ids: SQL;
}

interface Ranking {
  index: NameIndex;
  /** Rows that are wanted: a number of the statement's text. */
  limit: number;
  also?: AlsoFound | undefined;
}

/**
 * Common table expressions that find the best stars for a search: `ranked` has their ids as `star` and in `place` their order: by rank (0
 * a name, 1 a word of a name, 2 the start of a word, 3 the rest), and in a rank those with most articles first. Those most written about
 * are looked at first. Where fewer of them have the words than are wanted, few others do, and an index finds all of these; where enough
 * of them do, better ones are still looked for, rank by rank.
 */
export function rankedStars({ index, limit, also }: Ranking): SQL {
  const walked = walkedFor(limit);
  const rows = literal(limit);
  const ofStar = sql`${s.id} as star, ${s.articleCount} as popularity`;
  const withKey = sql`from ${starSearch} ${k} join ${stars} ${s} on ${s.id} = ${k.starId}`;
  const best = sql`order by popularity desc, star limit ${rows}`;
  const isFound = also ? sql`(${isNamed(s)} or ${also.isFound})` : isNamed(s);
  const lacks = (found: SQL) => sql`(select count(*) from (${found}) as found) < ${rows}`;
  const areFew = lacks(sql`select star from walked`);
  const wholeSoFar = sql`select star from called union select star from walked where rank = 1`;
  const startSoFar = sql`select star from called union select star from walked where rank < 3 union select star from whole`;
  return sql`
    called as materialized (
      select ${ofStar}, 0 as rank from ${stars} ${s} where ${isShown()} and ${s.id} in (
        select ${anyName.starId} from ${starTranslations} ${anyName} where lower(${anyName.name}) = ${wholeName})
      ${best}),
    walked as materialized (
      select ${ofStar}, ${rankOf(s)} as rank
      from (select * from ${stars} ${s} where ${isShown()}
        order by ${s.articleCount} desc, ${s.id} limit ${walked}) ${s}
      where ${isFound}),
    others as materialized (
      select ${ofStar}, ${rankOf(s)} as rank from (${idsOfNamed(index)} ${also ? sql`union ${also.ids}` : sql``}) as found
        join ${stars} ${s} on ${s.id} = found.star where ${areFew}),
    whole as materialized (
      select * from (select ${ofStar}, 1 as rank ${withKey} where ${hasWhole(k)} and ${isShown()} offset 0) as candidates
      where not ${areFew} and ${lacks(wholeSoFar)} ${best}),
    start as materialized (
      select * from (select ${ofStar}, 2 as rank ${withKey} where ${hasStart(k)} and ${isShown()} offset 0) as candidates
      where not ${areFew} and ${lacks(startSoFar)} ${best}),
    ranked as materialized (
      select star, row_number() over (order by min(rank), popularity desc, star) as place
      from (select * from called union all select * from walked union all select * from others
        union all select * from whole union all select * from start) as found
      group by star, popularity order by place limit ${rows})`;
}
