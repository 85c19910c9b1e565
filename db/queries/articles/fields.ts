import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { articleRewrites, articleStars, articles } from '../../schema/articles.ts';
import { pictures } from '../../schema/media.ts';
import { articleCorrections, items, sources, stories } from '../../schema/newsroom.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { coalesce, jsonArray, jsonObject, nullable, type RowOf, selectValue, typedAs } from '../../sql.ts';
import { creditOf, isShownAs } from '../media.ts';
import { shownKey } from '../shown-picture.ts';
import { badgeFields, isShown, s, st, wordsIn } from '../stars/badge.ts';
import { embedsOfArticle } from './embeds.ts';

/** The fields of an article, each under its one name, and the parts of them that statements select. */

/** An article, the rewrite that is shown of it, and its picture, as the statements about articles name them. */
export const a = alias(articles, 'a');
export const r = alias(articleRewrites, 'r');
const p = alias(pictures, 'p');
const anyRewrite = alias(articleRewrites, 'any_rewrite');
const ast = alias(articleStars, 'ast');
const c = alias(articleCorrections, 'c');
const item = alias(items, 'item');
const source = alias(sources, 'source');
const story = alias(stories, 'story');

/** JSON of an article's stars in their order, named in `language`. */
const starsOfArticle = (language: Lang) =>
  selectValue(
    jsonArray(jsonObject(badgeFields()), { orderBy: sql`${ast.position}` }),
    sql`from ${articleStars} ${ast} join ${stars} ${s} on ${s.id} = ${ast.starId} and ${isShown()}
      left join ${starTranslations} ${st} on ${wordsIn(language)} where ${ast.articleId} = ${a.id}`,
  );

/** Joins the rewrite that is shown (L1): the language's own, else the English one; no row means the original. */
const bestRewrite = (language: Lang) => sql`
  left join lateral (
    select ${r.language}, ${r.title}, ${r.summary}, ${r.content}, ${r.contentHtml}, ${r.readingTime}, ${r.createdAt}
    from ${articleRewrites} ${r} where ${r.articleId} = ${a.id} and ${r.language} in (${language}, 'en')
    order by (${r.language} = ${language}) desc limit 1) ${r} on true`;

/** Joins what cards and pages read beside the article. */
export const articleJoins = (language: Lang) => sql`
  ${bestRewrite(language)} left join ${pictures} ${p} on ${isShownAs(p, coalesce(shownKey(a.photoKey), a.pictureKey))}`;

export const shownLanguage = coalesce(r.language, sql<Lang>`'ko'`);

/** What every part has. */
const commonFields = (language: Lang) => ({
  id: a.id,
  language: shownLanguage,
  publishedAt: a.publishedAt,
  readingTime: coalesce(r.readingTime, a.readingTime),
  model: a.model,
  pictureKey: nullable(p.key),
  stars: starsOfArticle(language),
});

/** What a card shows, and all that a list of cards reads: no bodies. */
export const cardFields = (language: Lang) => ({
  ...commonFields(language),
  title: coalesce(r.title, a.originalTitle),
  summary: coalesce(r.summary, sql<string>`left(${a.originalContent}, 200)`),
  placeholder: nullable(p.placeholder),
});

/** One card of a feed. The words are in `language`: the one asked for, else English, else the original (L1). */
export type CardRow = RowOf<ReturnType<typeof cardFields>>;

/** What both a page and a call tell of a whole article. */
const wholeFields = (language: Lang) => ({
  entertainmentCategory: a.entertainmentCategory,
  outlet: a.outlet,
  originalUrl: a.originalUrl,
  originalTitle: a.originalTitle,
  multimediaEmbeds: embedsOfArticle(a.id, language),
});

/**
 * An article as the contract has it (§3), but for its rewrites, which bring the words of one that has any. Goes with
 * `articleJoins`.
 */
export const articleContractFields = (language: Lang) => ({
  ...commonFields(language),
  ...wholeFields(language),
  createdAt: a.createdAt,
  /** Only of an article that has no rewrite to show. */
  originalContent: sql<string | null>`case when ${r.language} is null then ${a.originalContent} end`,
});

/** Languages in which an article exists (decision L10): those of its rewrites, Korean when there is only the original. */
export const languagesOfArticle = selectValue(
  sql<Lang[]>`coalesce(json_agg(${anyRewrite.language}), '["ko"]'::json)`,
  sql`from ${articleRewrites} ${anyRewrite} where ${anyRewrite.articleId} = ${a.id}`,
);

const correctionsOfArticle = (language: Lang) => {
  const corrections = jsonArray(
    jsonObject({
      kind: c.kind,
      note: sql<string | null>`${c.note} ->> ${language}::text`,
      at: c.createdAt,
    }),
    { orderBy: sql`${c.id} desc` },
  );
  return typedAs(
    corrections,
    sql`case when ${a.amendedAt} is null then '[]'::json else (
      select ${corrections} from ${articleCorrections} ${c} where ${c.articleId} = ${a.id}) end`,
  );
};

/** An article as its page has it: one body, in the language that is shown, and how it was made. */
export const articlePageFields = (language: Lang) => ({
  ...cardFields(language),
  ...wholeFields(language),
  /** What a photograph shows, in the language asked for, and whose it is. */
  pictureAlt: sql<string | null>`${p.alt} ->> ${language}::text`,
  pictureCredit: creditOf(p),
  contentHtml: nullable(r.contentHtml),
  /** The words as they were written, when nobody made HTML of them. */
  contentWithoutHtml: sql<
    string | null
  >`case when ${r.contentHtml} is null then coalesce(${r.content}, ${a.originalContent}) end`,
  originalPublishedAt: a.originalPublishedAt,
  reviewer: a.reviewer,
  updatedAt: a.updatedAt,
  /** When the rewrite that is shown was made. */
  rewrittenAt: nullable(r.createdAt),
  languages: languagesOfArticle,
  /** Version of the model's prompt. */
  promptVersion: a.promptVersion,
  /** Other outlets that told the same story. */
  otherOutlets: sql<string[]>`array(
    select distinct ${source.outlet} from ${stories} ${story} join ${items} ${item} on ${item.storyId} = ${story.id}
    join ${sources} ${source} on ${source.id} = ${item.sourceId}
    where ${story.articleId} = ${a.id} and ${source.outlet} <> ${a.outlet} order by ${source.outlet})`,
  /** What was said about it since it was published, the newest first; notes in the language asked for. */
  corrections: correctionsOfArticle(language),
});
