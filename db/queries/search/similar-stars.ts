import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { starSearch } from '../../schema/star-search.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { literal, prepare, type RowOf } from '../../sql.ts';
import { contains, escaped, once } from '../pattern.ts';
import { badgeFields, isShown, s, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import { k } from './star-names.ts';

/** Stars that share the rarest trigrams with the text, whose names are compared with it. */
const compared = literal(50);
/** As many stars are read for a trigram: what more have tells nobody from another. */
const readForEach = literal(200);
/** One wrong letter of five leaves half of the trigrams. */
const leastSimilarity = sql`0.45`;

const folded = once(sql`byeol_fold(${sql.placeholder('text')}::text)`);

const similarFields = (language: Lang) => ({
  ...badgeFields(),
  distinction: distinctionIn(language, s, badgeFields().name),
  articleCount: s.articleCount,
});

const similarStars = memoize(({ language, limit }: { language: Lang; limit: number }) =>
  prepare<ReturnType<typeof similarFields>, { text: string }>(
    similarFields(language),
    (columns) => sql`
      with trigrams as materialized (
        select distinct substr(padded, at, 3) as trigram
        from (select ' ' || ${folded} || ' ' as padded) as given, generate_series(1, length(padded) - 2) at
        where substr(padded, at + 1, 1) <> ' ' and substr(padded, at, 3) not like ' _ '),
      patterns as materialized (
        select ${contains(sql`trigram`)} as pattern from trigrams
        union select ${escaped(sql`ltrim(trigram)`)} || '%' from trigrams where trigram like ' %'),
      sharing as materialized (
        select star from patterns cross join lateral (
          select star, count(*) over () as sharers from (
            select ${k.starId} as star from ${starSearch} ${k} where ${k.searchKey} like pattern limit ${readForEach}) as read) as each
        group by star order by sum(1.0 / sharers) desc, star limit ${compared}),
      likened as materialized (
        select star, word_similarity(${folded}, ${k.searchKey}) as similarity
        from sharing join ${starSearch} ${k} on ${k.starId} = star)
      select ${columns} from likened join ${stars} ${s} on ${s.id} = star and ${isShown()}
        left join ${starTranslations} ${st} on ${wordsIn(language)}
      where similarity >= ${leastSimilarity}
      order by similarity desc, ${s.articleCount} desc, ${s.id} limit ${literal(limit)}`,
  ),
);

export type SimilarStar = RowOf<ReturnType<typeof similarFields>>;

/** Stars with a name that is nearly what was typed, nearest first, for a search that found nothing (decision L5). One statement. */
export const findSimilarStars = (language: Lang, text: string, limit: number): Promise<SimilarStar[]> =>
  similarStars({ language, limit })({ text });
