import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { channels } from '../../schema/community.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { onPrimary } from '../../shared-read.ts';
import {
  type Expression,
  jsonArray,
  jsonObject,
  literal,
  prepare,
  roundedLimit,
  selectValue,
} from '../../sql.ts';
import type { SearchWord } from '../search/query.ts';
import { areMany, findNamed, isNamed, type NameIndex, readNames, walkedFor } from '../search/star-names.ts';
import { badgeFields, isNoneHidden, isShown, s, shownNameKey } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import { type ChannelListRow, c, channelFields, withWords } from './channels.ts';

/** Orders of the channel list (§9). */
export const channelSorts = ['popular', 'latest', 'name'] as const;
export type ChannelSort = (typeof channelSorts)[number];

/** By what a list is ordered, before the ids of its channels. */
const orders: Record<ChannelSort, (by: Expression) => SQL> = {
  popular: (by) => sql`${by} desc`,
  latest: (by) => sql`${by} desc nulls last`,
  name: (by) => sql`${by}`,
};
const orderedBy: Record<ChannelSort, Expression> = {
  popular: c.memberCount,
  latest: c.lastActivityAt,
  name: shownNameKey(),
};
const place = sql`place`;

export interface ChannelListQuery {
  language: Lang;
  sort: ChannelSort;
  /** What is searched for: every word must be in the star's names or be the initials of its Korean name. */
  search?: { text: string; words: readonly SearchWord[] } | undefined;
  limit: number;
  offset: number;
  /** Account that asks, for `isMember`; pages, which are the same for everybody, leave it out. */
  visitor?: number | undefined;
}

interface ListShape {
  language: Lang;
  sort: ChannelSort;
  index: NameIndex | undefined;
  hasVisitor: boolean;
  limit: number;
}

const offset = sql`${sql.placeholder('offset')}::int`;
const hidden = alias(stars, 'hidden_star');
const named = alias(starTranslations, 'named');
const own = alias(starTranslations, 'own');

/** Where one star of so many lacks a name in the language, it is quicker to walk the English names than to find those. */
const oneOf = 4;

/** Selects channels of shown stars from the index of their order, ids as `channel` and by what they are ordered as `place`. */
function inOrder(sort: ChannelSort, language: Lang, rows: SQL, skipped: SQL): SQL {
  if (sort === 'name') return byName(language, rows, skipped);
  return sql`
    select ${c.id} as channel, ${orderedBy[sort]} as place from ${channels} ${c} where ${isNoneHidden(c.starId)}
    order by ${orders[sort](place)}, channel limit ${rows} offset ${skipped}`;
}

/**
 * By the names that are shown (`shownName`): those in the language and the English ones of stars without one, both from an index, and
 * the raw ones of stars without either, which are few. How many there can be, the numbers of names tell: nothing is looked for in vain,
 * and where few lack a name in the language, these are found and sorted.
 */
function byName(language: Lang, rows: SQL, skipped: SQL): SQL {
  const first = sql`order by place, channel limit ${rows} + ${skipped}`;
  const called = (by: Lang, condition: SQL) => sql`
    (select ${c.id} as channel, ${named.nameKey} as place from ${starTranslations} ${named}
      join ${channels} ${c} on ${c.starId} = ${named.starId}
      where ${named.language} = ${by} and ${isNoneHidden(named.starId)} and ${condition} ${first})`;
  const betterOf = (star: Expression, languages: SQL) => sql`
    from ${starTranslations} ${own} where ${own.starId} = ${star} and ${own.language} in (${languages})`;
  const betterThanEnglish = betterOf(named.starId, sql`${language}`);
  const areMany = sql`(select unnamed * ${literal(oneOf)} > total from numbers)`;
  const isEnglish = language === 'en';
  const inEnglish = sql`
    union all ${called('en', sql`not exists (select ${betterThanEnglish}) and (select unnamed > 0 from numbers) and not ${areMany}`)}
    union all ${called('en', sql`(select true ${betterThanEnglish}) is null and ${areMany}`)}`;
  const betterThanRaw = betterOf(s.id, isEnglish ? sql`'en'` : sql`${language}, 'en'`);
  const without = (spoken: SQL) =>
    sql`total - (select count(*) from ${starTranslations} ${named} where ${named.language} = ${spoken})`;
  return sql`
    with numbers as materialized (
      select total, ${without(sql`${language}`)} as unnamed, ${isEnglish ? sql`total` : without(sql`'en'`)} as without_english
      from (select count(*) as total from ${stars}) as counted)
    select channel, place from (
      ${called(language, sql`true`)} ${isEnglish ? sql`` : inEnglish}
      union all (select ${c.id} as channel, ${s.nameKey} as place from ${stars} ${s} join ${channels} ${c} on ${c.starId} = ${s.id}
        where ${isShown()} and not exists (select ${betterThanRaw}) and (select least(unnamed, without_english) > 0 from numbers) ${first}))
      as ordered
    order by place, channel limit ${rows} offset ${skipped}`;
}

const listOf = memoize(({ language, sort, index, hasVisitor, limit }: ListShape) => {
  const rows = literal(limit);
  const withStar = sql`join ${stars} ${s} on ${s.id} = ${c.starId} ${withWords(language)}`;
  const star = { ...badgeFields(), distinction: distinctionIn(language, s, badgeFields().name) };
  const visitor = hasVisitor ? sql.placeholder('visitor') : undefined;
  const channel = jsonObject({ ...channelFields(language, visitor), star: jsonObject(star) });
  const hasEnough = sql`(select count(*) from walked) >= ${offset} + ${rows}`;
  const ofFound = sql`from found join ${channels} ${c} on ${c.starId} = found.star`;
  const numbered = (from: SQL, skipped: SQL) => sql`
    page as materialized (
      select channel, row_number() over (order by ${orders[sort](orderedBy[sort])}, ${c.id}) as place
      from (${from}) as candidates join ${channels} ${c} on ${c.id} = channel ${withStar}
      order by place offset ${skipped} limit least(${sql.placeholder('limit')}::int, ${rows}))`;
  const none = literal(0);
  const page = index
    ? sql`
      ${findNamed(index)},
      walked as materialized (
        select channel from (${inOrder(sort, language, walkedFor(limit), none)}) as first
        where ${areMany} and (
          select ${isNamed(s)} from ${channels} ${c} join ${stars} ${s} on ${s.id} = ${c.starId} where ${c.id} = channel)
        order by ${orders[sort](place)}, channel limit ${offset} + ${rows}),
      ${numbered(
        sql`select channel from walked where ${hasEnough} union all select ${c.id} ${ofFound} where not ${hasEnough}`,
        offset,
      )}`
    : numbered(inOrder(sort, language, rows, offset), none);
  return prepare(
    {
      total: index
        ? sql<number>`case when ${areMany} then (select count(*)::int from ${channels} ${c} where (${c.starId} in (select star from found)) is true)
            else (select count(*)::int ${ofFound}) end`
        : sql<number>`(select count(*)::int from ${channels}) - (select count(*)::int from ${stars} ${hidden}
            join ${channels} ${c} on ${c.starId} = ${hidden.id} where ${hidden.hiddenAt} is not null)`,
      channels: selectValue(
        jsonArray(channel, { orderBy: sql`place` }),
        sql`from page join ${channels} ${c} on ${c.id} = page.channel ${withStar}`,
      ),
    },
    (columns) => sql`with ${page} select ${columns}`,
  );
});

/** A page of the channels and how many there are. One statement, made once for any search; no replica knows who is present (decision D9). */
export async function listChannels({
  language,
  sort,
  search,
  limit,
  offset: skipped,
  visitor,
}: ChannelListQuery): Promise<{ channels: ChannelListRow[]; total: number }> {
  // Signs that are no words are in no name.
  if (search && search.words.length === 0) return { channels: [], total: 0 };
  const names = search && readNames(search.words, search.text);
  const hasVisitor = visitor !== undefined;
  const read = listOf({ language, sort, index: names?.index, hasVisitor, limit: roundedLimit(limit) });
  const values = { ...names?.values, limit, offset: skipped, visitor: visitor ?? null };
  const [row] = await onPrimary(() => read(values));
  return row ?? { channels: [], total: 0 };
}
