import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { executeWithOwnPlan } from '../own-plan.ts';
import { intArray, literal } from '../statement.ts';
import { type CardRow, listCardsById } from './articles.ts';
import { bestEventWords, type TicketRow, ticketColumns, withTicketDates } from './events.ts';
import { contains } from './pattern.ts';
import type { StarRow } from './star-badge.ts';

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
function says(text: SQL, words: readonly SearchWord[]): SQL {
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
    spellings.map((spelling) => sql`s.search_key like ${contains(spelling)}`),
    sql` or `,
  )}
  ${initials === undefined ? sql`` : sql`or s.initials like ${`%${initials}%`}`})`;

/** The words as one, for names that are written with other spaces. */
function together(text: string): SQL {
  const joined = text.replaceAll(' ', '');
  return [...joined].length > 3 ? sql`replace(s.search_key, ' ', '') like ${contains(joined)}` : sql`false`;
}

/** True for a star `s` that has every word in its names, also when the spaces differ. Signs that are no words are in no name. */
export const starHasWords = (text: string, words: readonly SearchWord[]): SQL =>
  words.length === 0
    ? sql`false`
    : sql`(${together(text)} or (${sql.join(words.map(namesStar), sql` and `)}))`;

/** How well a star's names fit the whole search: 0 a name, 1 a word of a name, 2 the start of a word, 3 the rest. */
export function starRank(alias: 's' | 'm', text: string): SQL {
  const star = sql.raw(alias);
  return sql`case
    when lower(${star}.name) = lower(${text}) or exists (
      select from star_translations n where n.star_id = ${star}.id and lower(n.name) = lower(${text})) then 0
    when strpos(' ' || ${star}.search_key || ' ', ' ' || byeol_fold(${text}) || ' ') > 0 then 1
    when strpos(' ' || ${star}.search_key, ' ' || byeol_fold(${text})) > 0 then 2 else 3 end`;
}

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
  const asOne = together(text);
  const flags = words.map(
    (word, place) => sql`case when ${namesStar(word)} then 0 else ${1 << place}::int end`,
  );
  const [row] = await executeWithOwnPlan<{
    newest: number;
    stars: (Omit<StarHit, 'missing'> & { missing: number })[];
  }>(sql`
    with marked as (
      select s.*, case when ${asOne} then 0 else ${sql.join(flags, sql` + `)} end as missing from stars s
      where ${sql.join([...words.map(namesStar), asOne], sql` or `)}),
    best as (
      select m.*, row_number() over (
        order by (missing = 0) desc, case when missing = 0 then ${starRank('m', text)} else 3 end, article_count desc, id) as place
      from marked m order by place limit ${mostHits + 1})
    select (select coalesce(max(id), 0) from articles) as newest, coalesce((
      select json_agg(json_build_object('id', b.id, 'slug', b.slug, 'name', coalesce(st.name, b.name),
        'category', b.category, 'fandomColor', b.fandom_color, 'articleCount', b.article_count, 'missing', b.missing,
        'channel', case when c.id is null then null else
          json_build_object('memberCount', c.member_count, 'lastActivityAt', c.last_activity_at) end) order by b.place)
      from best b left join channels c on c.star_id = b.id
      left join star_translations st on st.star_id = b.id and st.language = ${language}), '[]'::json) as stars`);
  const stars = (row?.stars ?? []).map(({ missing, channel, ...star }) => ({
    ...star,
    missing: words.flatMap((_, place) => (missing & (1 << place) ? [place] : [])),
    channel: channel && {
      ...channel,
      lastActivityAt: channel.lastActivityAt === null ? null : new Date(channel.lastActivityAt),
    },
  }));
  return { stars, newestArticle: row?.newest ?? 0 };
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

const idList = (ids: readonly number[]) =>
  sql`array[${sql.join(
    ids.map((id) => sql`${id}::int`),
    sql`, `,
  )}]::int[]`;

/**
 * Articles that say all words in title or summary, in whatever language, or are about a star that has them: those with the
 * words in the title or about the star first, each part newest first. Two statements: the search is planned for its words,
 * its cards are not.
 */
export async function findArticles(query: HitQuery & { newestArticle: number }): Promise<Found<CardRow>> {
  const { language, words, limit, offset } = query;
  const { stages, saying } = textStages(query);
  const [row] = await executeWithOwnPlan<{ total: number; ids: number[] | null }>(sql`
    with ${sql.join(stages, sql`, `)},
    found as (${sql.join([saying, ...articlesOfStars(query)], sql` union all `)}),
    newest as materialized (
      select article_id, bool_or(by_star) as by_star from found group by article_id
      order by article_id desc limit ${mostHits * 3}),
    hits as materialized (
      select newest.article_id as id, a.published_at, newest.by_star from newest
      cross join lateral (select published_at from articles
        where id = newest.article_id and withdrawn_at is null offset 0) a
      order by a.published_at desc, id desc limit ${mostHits + 1}),
    page as (
      select h.id, h.published_at, h.by_star or coalesce((
        select ${says(sql`byeol_fold(r.title)`, words)} from article_rewrites r
        where r.article_id = h.id and ${says(sql`r.search_key`, words)}
        order by (r.language = ${language}) desc limit 1), false) as first
      from (select * from hits limit ${mostHits}) h
      order by first desc, h.published_at desc, h.id desc limit ${limit} offset ${offset})
    select (select count(*)::int from hits) as total,
      (select json_agg(id order by first desc, published_at desc, id desc) from page) as ids`);
  const { total = 0, ids } = row ?? {};
  return found({ total, rows: ids ? await listCardsById(language, ids) : [] }, (card) => card);
}

/** Names of stages, in the order in which they look. */
const stageNames = {
  few: sql.raw('newest_hundreds'),
  some: sql.raw('newest_thousands'),
  rare: sql.raw('everywhere_if_rare'),
  many: sql.raw('newest_ten_thousands'),
  all: sql.raw('everywhere'),
};

/**
 * Common table expressions that look for the words in ever wider windows of articles, each only when the narrower ones
 * had too few hits, and a query that gathers what they found. So a common word costs as little as a rare one: without
 * windows the index would answer with thousands of texts, of which the newest hundred are wanted. A word that is rare in
 * the newest thousands is looked for everywhere at once; should it turn out to be common among older ones, the newest of
 * those are looked for, too. A word too short for the index is only looked for in the narrowest window.
 */
function textStages({ words, newestArticle }: { words: readonly SearchWord[]; newestArticle: number }) {
  const indexed = words.some((word) => word.indexed);
  const text = indexed ? sql`r.search_key` : sql`(r.search_key || '')`;
  const stages = new Map<SQL, SQL>();
  const hitsOf = (stage: SQL) => sql`(select count(distinct article_id) from ${stage})`;
  const add = (name: SQL, articles: SQL, condition = sql`true`) => {
    // What was found everywhere may be any of very many: the newest are still looked for.
    const enough = [...stages.keys()].filter((stage) => stage !== stageNames.rare);
    const conditions = [condition, ...enough.map((stage) => sql`${hitsOf(stage)} <= ${mostHits}`)];
    stages.set(
      name,
      sql`${name} as materialized (select hit.article_id from (${articles}) hit where ${sql.join(conditions, sql` and `)})`,
    );
  };
  /** The last two windows of a size; true when there are no others. */
  const addWindows = (name: SQL, size: number, condition?: SQL): boolean => {
    const last = Math.floor(newestArticle / size);
    // One by one, as a number that PostgreSQL does not know yet: with a list of them it reads the index by the words alone.
    const windows = sql`select r.article_id from unnest(${intArray([last - 1, last])}) as place
      cross join lateral (select article_id from article_rewrites r
        where (r.article_id / ${literal(size)}) = place and ${says(text, words)} offset 0) r`;
    add(name, windows, condition);
    return last < 2;
  };
  const { few, some, rare, many, all } = stageNames;
  const [narrow, wide, widest] = searchWindows;
  const everywhere = sql`select r.article_id from article_rewrites r where ${says(text, words)} limit ${rowsBeyondWindows}`;
  if (!addWindows(few, narrow) && indexed && !addWindows(some, wide)) {
    const isRare = sql`${hitsOf(some)} <= ${rareInThousands}`;
    add(rare, everywhere, isRare);
    const cut = sql`(select count(*) from ${rare}) = ${rowsBeyondWindows}`;
    if (!addWindows(many, widest, sql`(not ${isRare} or ${cut})`)) add(all, everywhere, sql`not ${isRare}`);
  }
  const gathered = [...stages.keys()].map((stage) => sql`select article_id, false as by_star from ${stage}`);
  return { stages: [...stages.values()], saying: sql.join(gathered, sql` union all `) };
}

/** Branches of `found`: the newest articles of the stars, and those of stars in part that say the words that remain. */
function articlesOfStars({ starIds, starsInPart: inPart }: HitQuery): SQL[] {
  const whole = sql`select ast.article_id, true from unnest(${idList(starIds)}) as wanted(id)
    cross join lateral (select article_id from article_stars where star_id = wanted.id
      order by published_at desc, article_id desc limit ${mostHits + 1}) ast`;
  const part = inPart.map(
    ({ id, words }) => sql`select ast.article_id, false
      from (select article_id from article_stars where star_id = ${id}
        order by published_at desc, article_id desc limit ${articlesPerStarInPart}) ast
      where exists (select from article_rewrites r where r.article_id = ast.article_id
        and ${says(sql`(r.search_key || '')`, words)})`,
  );
  return [...(starIds.length > 0 ? [whole] : []), ...part];
}

/**
 * Public events that say all words in title or venue, or are of a star that has them: what is on or comes first, the
 * nearest first, then what is over, the latest first. One statement.
 */
export async function findEvents(query: HitQuery & { now: Date }): Promise<Found<TicketRow>> {
  const { language, words, limit, offset, now } = query;
  const [row] = await executeWithOwnPlan<{ total: number; rows: TicketRow[] }>(sql`
    with found as (
      select et.event_id from event_translations et where ${says(sql`et.search_key`, words)} ${eventsOfStars(query)}),
    hits as materialized (
      select e.id, e.start_time, e.over_at < ${now.toISOString()} as over
      from events e where e.id in (select event_id from found) and e.verification = 'approved'),
    near as materialized (
      select id, row_number() over (
        order by over, case when not over then start_time end, start_time desc, id) as place
      from hits order by place limit ${mostHits + 1})
    select (select count(*)::int from near) as total, coalesce((select json_agg(ticket) from (
      select ${ticketColumns(language)}
      from (select * from near where place <= ${mostHits} order by place limit ${limit} offset ${offset}) n
      join events e on e.id = n.id ${bestEventWords(language)} order by n.place) ticket), '[]'::json) as rows`);
  return found(row, withTicketDates);
}

/** Branches of `found`: the events of the stars, and those of stars in part that say the words that remain. */
function eventsOfStars({ starIds, starsInPart: inPart }: HitQuery): SQL {
  const ofStars = (which: SQL, words: readonly SearchWord[]) => {
    const rest = (event: SQL) =>
      words.length === 0
        ? sql``
        : sql`and exists (select from event_translations et where et.event_id = ${event}
            and ${says(sql`(et.search_key || '')`, words)})`;
    return sql`union all select e.id from events e where e.primary_star_id ${which} ${rest(sql`e.id`)}
      union all select es.event_id from event_stars es where es.star_id ${which} ${rest(sql`es.event_id`)}`;
  };
  const whole = starIds.length > 0 ? [ofStars(sql`= any(${idList(starIds)})`, [])] : [];
  return sql.join([...whole, ...inPart.map(({ id, words }) => ofStars(sql`= ${id}`, words))], sql` `);
}

/** The queries count one hit more than can be reached, to know whether there are others. */
function found<Row>(row: { total: number; rows: Row[] } | undefined, revive: (row: Row) => Row): Found<Row> {
  const { total, rows } = row ?? { total: 0, rows: [] };
  return { rows: rows.map(revive), total: Math.min(total, mostHits), more: total > mostHits };
}
