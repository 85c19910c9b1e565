import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { unprepared } from '../../client.ts';
import { articleRewrites, articleStars, articles } from '../../schema/articles.ts';
import { derived, execute, intArray, jsonArray, literal, prerender, selectValue } from '../../sql.ts';
import { articleCards, listArticlesById } from '../articles/articles.ts';
import type { CardRow } from '../articles/fields.ts';
import { type HitQuery, type Hits, hasAllWords, maxHits, type SearchWord, toHits } from './query.ts';

const a = alias(articles, 'a');
const ast = alias(articleStars, 'ast');
const r = alias(articleRewrites, 'r');

const keyOfRewrite = prerender(sql`${r.searchKey}`);
/** For words that are too short for the index, or where few rows are left to read. */
const keyOfRewriteUnindexed = prerender(sql`(${r.searchKey} || '')`);

/**
 * Ids per window of the index `article_rewrites_search`. Ids grow as articles arrive, so the newest windows hold the
 * newest articles.
 */
const searchWindows = [512, 4096, 32_768] as const;
/** Texts that are read outside the windows. Only words that are rare there come so far. */
const rowsBeyondWindows = 5000;
/** Hits among the newest eight thousand articles at most, of a word that is rare. */
const rareInThousands = 8;
/** How far back the articles of a star that matches some words are read. */
const articlesPerStarInPart = 200;

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
    order by ${found.fields.articleId} desc limit ${maxHits * 3}),
  ${hits.name} as materialized (
    select ${hits.columns} from ${newest.name}
    cross join lateral (select ${a.publishedAt} from ${articles} ${a}
      where ${a.id} = ${newest.fields.articleId} and ${a.withdrawnAt} is null offset 0) ${a}
    order by ${a.publishedAt} desc, ${newest.fields.articleId} desc limit ${maxHits + 1})`);
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
export async function findArticles(query: HitQuery & { newestArticle: number }): Promise<Hits<CardRow>> {
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
          select ${hasAllWords(titleOfRewrite, words)} ${rewritesOfHit} and ${hasAllWords(keyOfRewrite, words)}
          order by (${r.language} = ${language}) desc limit 1), false) as first
        from (select * from ${hits.name} limit ${maxHits}) ${hits.name}
        order by first desc, ${hits.fields.publishedAt} desc, ${hits.fields.id} desc limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  const { total = 0, ids = [] } = row ?? {};
  return toHits(total, ids.length > 0 ? await listArticlesById(articleCards, language, ids) : []);
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
    const conditions = [condition, ...enough.map((each) => sql`${each.articles} <= ${maxHits}`)];
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
        where (${articleOfRewrite} / ${literal(size)}) = place and ${hasAllWords(text, words)} offset 0) ${hit.name}`;
    add(stage, windows, condition);
    return last < 2;
  };
  const [narrow, wide, widest] = searchWindows;
  const anywhere = sql`${rewriteHits} where ${hasAllWords(text, words)} limit ${rowsBeyondWindows}`;
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
  const ofWholeMatches = sql`select ${ast.articleId}, true from unnest(${intArray(starIds)}) as wanted(star)
    cross join lateral ${newestOf(sql`wanted.star`, maxHits + 1)}`;
  const ofPartMatches = inPart.map(
    ({ id, words }) => sql`select ${ast.articleId}, false from ${newestOf(sql`${id}`, articlesPerStarInPart)}
      where exists (${rewritesOfStar} and ${hasAllWords(keyOfRewriteUnindexed, words)})`,
  );
  return [...(starIds.length > 0 ? [ofWholeMatches] : []), ...ofPartMatches];
}
