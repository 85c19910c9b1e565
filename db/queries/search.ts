import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { unprepared } from '../client.ts';
import { memoize } from '../memoize.ts';
import { articleRewrites, articleStars, articles } from '../schema/articles.ts';
import { channels } from '../schema/community.ts';
import { eventStars, events, eventTranslations } from '../schema/events.ts';
import { stars, starTranslations } from '../schema/stars.ts';
import {
  derived,
  execute,
  intArray,
  isOneOf,
  jsonArray,
  jsonObject,
  literal,
  nullable,
  prerender,
  selectValue,
  typedAs,
} from '../sql.ts';
import { type CardRow, listCardsById } from './articles.ts';
import { bestEventWords, e, et, isPublic, type TicketRow, ticketFields } from './events.ts';
import { contains } from './pattern.ts';
import { badgeFields, type StarRow, s, st, wordsIn } from './star-badge.ts';

const a = alias(articles, 'a');
const ast = alias(articleStars, 'ast');
const c = alias(channels, 'c');
const es = alias(eventStars, 'es');
const r = alias(articleRewrites, 'r');
const anyName = alias(starTranslations, 'any_name');

/** What words are looked for in. Without an index, for words that are too short for it or where few rows are left to read. */
const keyOfStar = prerender(sql`${s.searchKey}`);
const keyOfRewrite = prerender(sql`${r.searchKey}`);
const keyOfRewriteUnindexed = prerender(sql`(${r.searchKey} || '')`);
const keyOfEvent = prerender(sql`${et.searchKey}`);
const keyOfEventUnindexed = prerender(sql`(${et.searchKey} || '')`);

/** One word of a search. It is found where any of its spellings is. */
export interface SearchWord {
  spellings: readonly string[];
  /** Set when the word is only initial consonants (초성). */
  initials?: string | undefined;
  /** The trigram index can look all of its spellings up. */
  indexed: boolean;
}

/** What a list found: `total` counts up to `mostHits`, `more` tells that there are others beyond. */
export interface Found<Row> {
  rows: Row[];
  total: number;
  more: boolean;
}

/** Hits of a kind that can be reached and counted. Beyond it another word helps more than another page. */
export const mostHits = 100;

/**
 * Ids per window of the index `article_rewrites_search`. Ids grow as articles arrive, so the newest windows hold the
 * newest articles.
 */
const searchWindows = [512, 4096, 32_768] as const;
/** Texts that are read outside the windows. Only words that are rare there come so far. */
const rowsBeyondWindows = 5000;
/** Hits among the newest eight thousand articles at most, of a word that is rare. */
const rareInThousands = 8;
/** Stars whose articles and events count as hits, and how far back those of a star that matches some words are read. */
export const starsThatCount = 20;
export const starsInPart = 5;
const articlesPerStarInPart = 200;

/** True for text (folded) that has every word. */
function says(text: SQLWrapper, words: readonly SearchWord[]): SQL {
  const each = words.map(
    ({ spellings }) =>
      sql`(${sql.join(
        spellings.map((spelling) => sql`${text} like ${contains(spelling)}`),
        sql` or `,
      )})`,
  );
  return each.length > 0 ? sql.join(each, sql` and `) : sql`true`;
}

export interface StarHit extends StarRow {
  articleCount: number;
  /** Places of the words that the star does not have; empty when the star is what was searched for. */
  missing: number[];
  /** The star's channel, when somebody opened it before (decision C1). */
  channel: { memberCount: number; lastActivityAt: Date | null } | null;
}

/** One word in a star: in its names and aliases, or as the initials of its Korean name. */
export const namesStar = ({ spellings, initials }: SearchWord) => sql`(
  ${sql.join(
    spellings.map((spelling) => sql`${keyOfStar} like ${contains(spelling)}`),
    sql` or `,
  )}
  ${initials === undefined ? sql`` : sql`or ${s.initials} like ${`%${initials}%`}`})`;

/** The words as one, for names that are written with other spaces. */
function namesStarJoined(text: string): SQL {
  const joined = text.replaceAll(' ', '');
  return [...joined].length > 3 ? sql`replace(${keyOfStar}, ' ', '') like ${contains(joined)}` : sql`false`;
}

/** True for a star `s` that has every word in its names, also when the spaces differ. Signs that are no words are in no name. */
export const starHasWords = (text: string, words: readonly SearchWord[]): SQL =>
  words.length === 0
    ? sql`false`
    : sql`(${namesStarJoined(text)} or (${sql.join(words.map(namesStar), sql` and `)}))`;

const starName = prerender(sql`lower(${s.name})`);
const starNames = prerender(
  sql`select lower(${anyName.name}) from ${starTranslations} ${anyName} where ${anyName.starId} = ${s.id}`,
);

/** How well the names of a star `s` fit the whole search: 0 a name, 1 a word of a name, 2 the start of a word, 3 the rest. */
export const starRank = (text: string): SQL => sql`case
  when lower(${text}) = ${starName} or lower(${text}) in (${starNames}) then 0
  when strpos(' ' || ${keyOfStar} || ' ', ' ' || byeol_fold(${text}) || ' ') > 0 then 1
  when strpos(' ' || ${keyOfStar}, ' ' || byeol_fold(${text})) > 0 then 2 else 3 end`;

const channelOfHit = jsonObject({ memberCount: c.memberCount, lastActivityAt: c.lastActivityAt });
const starHit = jsonObject({
  ...badgeFields(),
  articleCount: s.articleCount,
  /** A bit for each word that the star does not have. */
  missing: sql<number>`missing`,
  channel: typedAs(nullable(channelOfHit), sql`case when ${c.id} is null then null else ${channelOfHit} end`),
});

const starHitFields = memoize((language: Lang) => ({
  newestArticle: prerender(sql<number>`(select coalesce(max(${a.id}), 0) from ${articles} ${a})`),
  stars: prerender(
    selectValue(
      jsonArray(starHit, { orderBy: sql`place` }),
      sql`from best ${s} left join ${channels} ${c} on ${c.starId} = ${s.id}
        left join ${starTranslations} ${st} on ${wordsIn(language)}`,
    ),
  ),
}));
const starPlace = prerender(sql`${s.articleCount} desc, ${s.id}`);

/**
 * Stars that have all words in their names (also when the spaces differ), best first, then those that have some. At most
 * `mostHits` + 1 rows. With them the newest article's id, from which `findArticles` measures. One statement.
 * @param text the whole search, for the order: a name, a word of a name, the start of a word, the rest
 */
export async function findStars(
  language: Lang,
  text: string,
  words: readonly SearchWord[],
): Promise<{ stars: StarHit[]; newestArticle: number }> {
  const hasJoined = namesStarJoined(text);
  const bits = words.map(
    (word, place) => sql`case when ${namesStar(word)} then 0 else ${1 << place}::int end`,
  );
  const [row] = await execute(
    starHitFields(language),
    (columns) => sql`
      with marked as (
        select ${s}.*, case when ${hasJoined} then 0 else ${sql.join(bits, sql` + `)} end as missing from ${stars} ${s}
        where ${sql.join([...words.map(namesStar), hasJoined], sql` or `)}),
      best as (
        select ${s}.*, row_number() over (
          order by (missing = 0) desc, case when missing = 0 then ${starRank(text)} else 3 end, ${starPlace}) as place
        from marked ${s} order by place limit ${mostHits + 1})
      select ${columns}`,
    unprepared(),
  );
  const { stars: starHits = [], newestArticle = 0 } = row ?? {};
  return {
    stars: starHits.map(({ missing, ...star }) => ({
      ...star,
      missing: words.flatMap((_, place) => (missing & (1 << place) ? [place] : [])),
    })),
    newestArticle,
  };
}

/** A star that has some of the words, and the words that remain to be found in the text. */
export interface StarInPart {
  id: number;
  words: readonly SearchWord[];
}

export interface HitQuery {
  language: Lang;
  words: readonly SearchWord[];
  /** Stars that have all words: whatever is about them is a hit. */
  starIds: readonly number[];
  starsInPart: readonly StarInPart[];
  limit: number;
  offset: number;
}

const hit = derived('hit', { articleId: r.articleId });
const hitsIn = prerender(sql`select ${hit.name}.* from`);
const rewriteHits = prerender(sql`select ${hit.columns} from ${articleRewrites} ${r}`);
const articleOfRewrite = prerender(sql`${r.articleId}`);

/** The steps of a search for articles: what was found, the newest of it, of those the public ones, and a page of them. */
const foundBy = (articleId: SQL<number>) => derived('found', { articleId, byStar: sql<boolean>`false` });
const found = foundBy(hit.fields.articleId);
const newest = derived('newest', {
  articleId: found.fields.articleId,
  byStar: sql<boolean>`bool_or(${found.fields.byStar})`,
});
const hits = derived('hits', {
  id: newest.fields.articleId,
  publishedAt: a.publishedAt,
  byStar: newest.fields.byStar,
});
const hitPage = derived('page', { id: hits.fields.id, publishedAt: hits.fields.publishedAt });

const newestHits = prerender(sql`
  ${newest.name} as materialized (
    select ${newest.columns} from ${found.name} group by ${found.fields.articleId}
    order by ${found.fields.articleId} desc limit ${mostHits * 3}),
  ${hits.name} as materialized (
    select ${hits.columns} from ${newest.name}
    cross join lateral (select ${a.publishedAt} from ${articles} ${a}
      where ${a.id} = ${newest.fields.articleId} and ${a.withdrawnAt} is null offset 0) ${a}
    order by ${a.publishedAt} desc, ${newest.fields.articleId} desc limit ${mostHits + 1})`);
const hitOrder = sql`first desc, ${hitPage.fields.publishedAt} desc, ${hitPage.fields.id} desc`;
const articleHitFields = {
  total: prerender(sql<number>`(select count(*)::int from ${hits.name})`),
  ids: prerender(selectValue(jsonArray(hitPage.fields.id, { orderBy: hitOrder }), sql`from ${hitPage.name}`)),
};
const hitColumns = prerender(hitPage.columns);
const rewritesOfHit = prerender(sql`from ${articleRewrites} ${r} where ${r.articleId} = ${hits.fields.id}`);
const titleOfRewrite = prerender(sql`byeol_fold(${r.title})`);

/**
 * Articles that say all words in title or summary, in whatever language, or are about a star that has them: those with the
 * words in the title or about the star first, each part newest first. Two statements: the search is planned for its words,
 * its cards are not.
 */
export async function findArticles(query: HitQuery & { newestArticle: number }): Promise<Found<CardRow>> {
  const { language, words, limit, offset } = query;
  const { stages, branches } = textStages(query);
  const [row] = await execute(
    articleHitFields,
    (columns) => sql`
      with ${sql.join(stages, sql`, `)},
      ${found.name} as (${sql.join([...branches, ...articlesOfStars(query)], sql` union all `)}),
      ${newestHits},
      ${hitPage.name} as (
        select ${hitColumns}, ${hits.fields.byStar} or coalesce((
          select ${says(titleOfRewrite, words)} ${rewritesOfHit} and ${says(keyOfRewrite, words)}
          order by (${r.language} = ${language}) desc limit 1), false) as first
        from (select * from ${hits.name} limit ${mostHits}) ${hits.name}
        order by first desc, ${hits.fields.publishedAt} desc, ${hits.fields.id} desc limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  const { total = 0, ids = [] } = row ?? {};
  return reachable(total, ids.length > 0 ? await listCardsById(language, ids) : []);
}

/** Where a search looks for words, in the order in which it does. */
function stage(text: string) {
  const { name, fields } = derived(text, { articleId: r.articleId });
  return {
    name: prerender(name),
    articles: prerender(sql`(select count(distinct ${fields.articleId}) from ${name})`),
    rows: prerender(sql`(select count(*) from ${name})`),
    /** What of it goes into `found`. */
    branch: prerender(sql`select ${foundBy(fields.articleId).columns} from ${name}`),
  };
}
type Stage = ReturnType<typeof stage>;
const few = stage('newest_hundreds');
const some = stage('newest_thousands');
const rare = stage('everywhere_if_rare');
const many = stage('newest_ten_thousands');
const everywhere = stage('everywhere');

/**
 * Common table expressions that look for the words in ever wider windows of articles, each only when the narrower ones
 * had too few hits, and branches of `found` that gather what they found. So a common word costs as little as a rare one:
 * without windows the index would answer with thousands of texts, of which the newest hundred are wanted. A word that is rare
 * in the newest thousands is looked for everywhere at once; should it turn out to be common among older ones, the newest of
 * those are looked for, too. A word too short for the index is only looked for in the narrowest window.
 */
function textStages({ words, newestArticle }: { words: readonly SearchWord[]; newestArticle: number }) {
  const isIndexed = words.some((word) => word.indexed);
  const text = isIndexed ? keyOfRewrite : keyOfRewriteUnindexed;
  const stages = new Map<Stage, SQL>();
  const add = (stage: Stage, matches: SQL, condition = sql`true`) => {
    // What was found everywhere may be any of very many: the newest are still looked for.
    const enough = [...stages.keys()].filter((each) => each !== rare);
    const conditions = [condition, ...enough.map((each) => sql`${each.articles} <= ${mostHits}`)];
    stages.set(
      stage,
      sql`${stage.name} as materialized (
        ${hitsIn} (${matches}) ${hit.name} where ${sql.join(conditions, sql` and `)})`,
    );
  };
  /** The last two windows of a size; true when there are no others. */
  const addWindows = (stage: Stage, size: number, condition?: SQL): boolean => {
    const last = Math.floor(newestArticle / size);
    // One by one, as a number that PostgreSQL does not know yet: with a list of them it reads the index by the words alone.
    const windows = sql`${hitsIn} unnest(${intArray([last - 1, last])}) as place
      cross join lateral (${rewriteHits}
        where (${articleOfRewrite} / ${literal(size)}) = place and ${says(text, words)} offset 0) ${hit.name}`;
    add(stage, windows, condition);
    return last < 2;
  };
  const [narrow, wide, widest] = searchWindows;
  const anywhere = sql`${rewriteHits} where ${says(text, words)} limit ${rowsBeyondWindows}`;
  if (!addWindows(few, narrow) && isIndexed && !addWindows(some, wide)) {
    const isRare = sql`${some.articles} <= ${rareInThousands}`;
    add(rare, anywhere, isRare);
    const isCut = sql`${rare.rows} = ${rowsBeyondWindows}`;
    if (!addWindows(many, widest, sql`(not ${isRare} or ${isCut})`)) {
      add(everywhere, anywhere, sql`not ${isRare}`);
    }
  }
  return { stages: [...stages.values()], branches: [...stages.keys()].map(({ branch }) => branch) };
}

const articlesOfStar = prerender(
  sql`select ${ast.articleId} from ${articleStars} ${ast} where ${ast.starId}`,
);
const newestOfStar = prerender(sql`order by ${ast.publishedAt} desc, ${ast.articleId} desc`);
const rewritesOfStar = prerender(
  sql`select from ${articleRewrites} ${r} where ${r.articleId} = ${ast.articleId}`,
);

/** Branches of `found`: the newest articles of the stars, and those of stars in part that say the words that remain. */
function articlesOfStars({ starIds, starsInPart: inPart }: HitQuery): SQL[] {
  const newestOf = (starId: SQLWrapper, limit: number) =>
    sql`(${articlesOfStar} = ${starId} ${newestOfStar} limit ${limit}) ${ast}`;
  const whole = sql`select ${ast.articleId}, true from unnest(${intArray(starIds)}) as wanted(star)
    cross join lateral ${newestOf(sql`wanted.star`, mostHits + 1)}`;
  const part = inPart.map(
    ({ id, words }) => sql`select ${ast.articleId}, false from ${newestOf(sql`${id}`, articlesPerStarInPart)}
      where exists (${rewritesOfStar} and ${says(keyOfRewriteUnindexed, words)})`,
  );
  return [...(starIds.length > 0 ? [whole] : []), ...part];
}

const eventHits = derived('hits', { id: e.id, startTime: e.startTime });
const eventHitColumns = prerender(eventHits.columns);
const near = derived('near', { id: eventHits.fields.id });

const { id: hitId, startTime: hitStart } = eventHits.fields;
const nearestHits = prerender(sql`
  ${near.name} as materialized (
    select ${near.columns}, row_number() over (
      order by over, case when not over then ${hitStart} end, ${hitStart} desc, ${hitId}) as place
    from ${eventHits.name} order by place limit ${mostHits + 1})`);
const eventHitCount = prerender(sql<number>`(select count(*)::int from ${near.name})`);
const tickets = memoize((language: Lang) =>
  prerender(jsonArray(jsonObject(ticketFields(language)), { orderBy: sql`place` })),
);
const eventOfHit = memoize((language: Lang) =>
  prerender(sql`join ${events} ${e} on ${e.id} = ${near.fields.id} ${bestEventWords(language)}`),
);

/**
 * Public events that say all words in title or venue, or are of a star that has them: what is on or comes first, the
 * nearest first, then what is over, the latest first. One statement.
 */
export async function findEvents(query: HitQuery & { now: Date }): Promise<Found<TicketRow>> {
  const { language, words, limit, offset, now } = query;
  const [row] = await execute(
    {
      total: eventHitCount,
      tickets: selectValue(
        tickets(language),
        sql`from (select * from ${near.name} where place <= ${mostHits} order by place limit ${limit} offset ${offset}) ${near.name}
          ${eventOfHit(language)}`,
      ),
    },
    (columns) => sql`
      with found as (
        select ${et.eventId} as id from ${eventTranslations} ${et} where ${says(keyOfEvent, words)} ${eventsOfStars(query)}),
      ${eventHits.name} as materialized (
        select ${eventHitColumns}, ${e.overAt} < ${now.toISOString()} as over
        from ${events} ${e} where ${e.id} in (select id from found) and ${isPublic()}),
      ${nearestHits}
      select ${columns}`,
    unprepared(),
  );
  return reachable(row?.total ?? 0, row?.tickets ?? []);
}

/** Branches of `found`: the events of the stars, and those of stars in part that say the words that remain. */
function eventsOfStars({ starIds, starsInPart: inPart }: HitQuery): SQL {
  const ofStars = (ids: readonly number[], words: readonly SearchWord[]) => {
    const rest = (eventId: SQLWrapper) =>
      words.length === 0
        ? sql``
        : sql`and exists (select from ${eventTranslations} ${et} where ${et.eventId} = ${eventId}
            and ${says(keyOfEventUnindexed, words)})`;
    return sql`
      union all select ${e.id} from ${events} ${e} where ${isOneOf(e.primaryStarId, ids)} ${rest(e.id)}
      union all select ${es.eventId} from ${eventStars} ${es} where ${isOneOf(es.starId, ids)} ${rest(es.eventId)}`;
  };
  const whole = starIds.length > 0 ? [ofStars(starIds, [])] : [];
  return sql.join([...whole, ...inPart.map(({ id, words }) => ofStars([id], words))], sql` `);
}

/** The statements count one hit more than can be reached, to know whether there are others. */
const reachable = <Row>(total: number, rows: Row[]): Found<Row> => ({
  rows,
  total: Math.min(total, mostHits),
  more: total > mostHits,
});
