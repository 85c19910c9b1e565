import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import type { Transaction } from '../../client.ts';
import { articleRewrites, articleStars, articles } from '../../schema/articles.ts';
import { pictures } from '../../schema/media.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { namesOf } from '../../sql.ts';
import {
  type Block,
  inChunks,
  type Progress,
  perLanguage,
  pick,
  randomShare,
  reserveIds,
  textRows,
} from './chunks.ts';
import { lines, type Numbered, paragraphs, titles } from './words.ts';

const articlesPerChunk = 10_000;
/** Whole texts of a chunk. They are made and compressed once; every article of the chunk has one of them, as it lies there. */
const bodiesPerChunk = 500;

/** Title and summary of a rewrite, from the joined texts. */
const rewriteIn = (language: Lang) =>
  `t.${language}, concat_ws(E'\\n', l1.${language}, l2.${language}, l3.${language})`;
/** Paragraphs of a body. */
const bodyIn = (language: Lang) => `array[${[1, 2, 3, 4, 5].map((n) => `p${n}.${language}`).join(', ')}]`;

/** A star of the article: some stars are written about far more often than others. */
const starOf = (block: Block, place: number) =>
  sql`(${block.first}::int + floor(${block.count}::int * power(${randomShare(sql`a.id * 2 + ${sql.raw(String(place))}`)}, 2))::int)`;

const s = alias(stars, 's');
const st = alias(starTranslations, 'st');

/** Three years of articles at even distances, the newest last, each with four rewrites and one or two stars. */
export async function seedSyntheticArticles(
  count: number,
  starBlock: Block,
  progress: Progress,
): Promise<void> {
  const block = await reserveIds(articles, count);
  const texts = { titles: titles(400), lines: lines(2000), paragraphs: paragraphs(1000) };
  const title = sql`t.n = ${pick(sql`a.id + 11`, texts.titles.length)}`;
  const line = (salt: number) => sql`${pick(sql`a.id * 4 + ${sql.raw(String(salt))}`, texts.lines.length)}`;
  const body = sql`b.n = a.id % ${bodiesPerChunk}::int`;
  await inChunks(
    block,
    { size: articlesPerChunk, atOnce: 2, message: 'articles' },
    progress,
    async (tx, { from, to }) => {
      await makeBodies(tx, from, texts.paragraphs);
      const ids = sql`generate_series(${from}::int, ${to}::int) as a(id)`;
      const publishedAt = sql`now() - interval '3 years' * ((${block.first + count}::int - a.id)::float8 / ${count}::int)`;
      await tx.execute(sql`
      with titles as materialized (select * from ${textRows(texts.titles)}),
        drawn as materialized (
          select ${pictures.key} as picture, row_number() over (order by ${pictures.key}) - 1 as n from ${pictures}
          where ${pictures.key} ~ '^article-[0-9]+$')
      insert into ${articles} (${namesOf(
        articles.id,
        articles.entertainmentCategory,
        articles.pictureKey,
        articles.outlet,
        articles.originalUrl,
        articles.originalTitle,
        articles.originalContent,
        articles.originalPublishedAt,
        articles.model,
        articles.publishedAt,
        articles.createdAt,
        articles.updatedAt,
      )}) overriding system value
      select a.id, ${s.category},
        (select picture from drawn where n = a.id % greatest(1, (select count(*) from drawn))),
        '볼륨뉴스', 'https://volume.example/' || a.id, ${s.name} || ' ' || t.ko, b.source,
        ${publishedAt} - interval '1 hour', 'volume', ${publishedAt}, ${publishedAt} - interval '20 minutes', ${publishedAt}
      from ${ids} join ${stars} ${s} on ${s.id} = ${starOf(starBlock, 0)} join titles t on ${title}
      join bodies b on ${body} and b.code = 'ko' order by a.id`);
      await tx.execute(sql`
      with titles as materialized (select * from ${textRows(texts.titles)}),
        lines as materialized (select * from ${textRows(texts.lines)})
      insert into ${articleRewrites} (${namesOf(
        articleRewrites.articleId,
        articleRewrites.language,
        articleRewrites.title,
        articleRewrites.summary,
        articleRewrites.content,
        articleRewrites.contentHtml,
        articleRewrites.createdAt,
      )})
      select a.id, words.language, ${st.name} || ': ' || words.title, words.summary, b.body, b.html, ${publishedAt} - interval '10 minutes'
      from ${ids} join titles t on ${title}
      join lines l1 on l1.n = ${line(1)} join lines l2 on l2.n = ${line(2)} join lines l3 on l3.n = ${line(3)}
      cross join lateral (values ${perLanguage(rewriteIn)}) as words(language, title, summary)
      join bodies b on ${body} and b.code = words.language
      join ${starTranslations} ${st} on ${st.starId} = ${starOf(starBlock, 0)} and ${st.language} = words.language
      order by a.id`);
      // Last: its trigger counts in rows of stars, for which the chunk beside this one would wait.
      await tx.execute(sql`
      insert into ${articleStars} (${namesOf(
        articleStars.articleId,
        articleStars.starId,
        articleStars.position,
        articleStars.publishedAt,
      )})
      select a.id, chosen.star, chosen.place, ${publishedAt}
      from ${ids} cross join lateral (values (${starOf(starBlock, 0)}, 0), (${starOf(starBlock, 1)}, 1)) as chosen(star, place)
      where chosen.place = 0 or (chosen.star <> ${starOf(starBlock, 0)} and ${pick(sql`a.id + 5`, 2)} = 0)`);
    },
  );
}

/** Four or five paragraphs in every language, as text and as HTML, and two that were the original's, in a table of this transaction. */
async function makeBodies(tx: Transaction, seed: number, paragraphs: readonly Numbered[]): Promise<void> {
  const paragraph = (salt: number) =>
    sql`${pick(sql`b.n * 8 + ${seed}::int + ${sql.raw(String(salt))}`, paragraphs.length)}`;
  await tx.execute(sql`
    create temporary table bodies on commit drop as
    select 0 as n, ''::text as code, ''::text as body, ''::text as html, ''::text as source where false`);
  await tx.execute(sql`
    with paragraphs as materialized (select * from ${textRows(paragraphs)})
    insert into bodies
    select b.n, words.code, array_to_string(words.body, E'\n\n'),
      '<p>' || array_to_string(words.body, '</p>' || E'\n' || '<p>') || '</p>', p6.ko || E'\n\n' || p7.ko
    from generate_series(0, ${bodiesPerChunk - 1}::int) as b(n)
    join paragraphs p1 on p1.n = ${paragraph(1)} join paragraphs p2 on p2.n = ${paragraph(2)}
    join paragraphs p3 on p3.n = ${paragraph(3)} join paragraphs p4 on p4.n = ${paragraph(4)}
    left join paragraphs p5 on p5.n = ${paragraph(5)} and b.n % 2 = 0
    join paragraphs p6 on p6.n = ${paragraph(6)} join paragraphs p7 on p7.n = ${paragraph(7)}
    cross join lateral (values ${perLanguage(bodyIn)}) as words(code, body)`);
  // Temporary tables have no statistics unless one asks.
  await tx.execute(sql`analyze bodies`);
}
