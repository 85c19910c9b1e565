import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
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
import { lines, paragraphs, titles } from './words.ts';

const articlesPerChunk = 2_500;

/** Title, summary and body of a rewrite, from the joined texts. */
const rewriteIn = (language: Lang) => {
  const of = (names: readonly string[]) => names.map((name) => `${name}.${language}`).join(', ');
  return `t.${language}, concat_ws(E'\\n', ${of(['l1', 'l2', 'l3'])}), array[${of(['p1', 'p2', 'p3', 'p4', 'p5'])}]`;
};

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
  const paragraph = (salt: number) =>
    sql`${pick(sql`a.id * 8 + ${sql.raw(String(salt))}`, texts.paragraphs.length)}`;
  await inChunks(block, articlesPerChunk, 'articles', progress, async (tx, { from, to }) => {
    const ids = sql`generate_series(${from}::int, ${to}::int) as a(id)`;
    const publishedAt = sql`now() - interval '3 years' * ((${block.first + count}::int - a.id)::float8 / ${count}::int)`;
    await tx.execute(sql`
      with titles as materialized (select * from ${textRows(texts.titles)}),
        paragraphs as materialized (select * from ${textRows(texts.paragraphs)}),
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
        '볼륨뉴스', 'https://volume.example/' || a.id, ${s.name} || ' ' || t.ko, p1.ko || E'\n\n' || p2.ko,
        ${publishedAt} - interval '1 hour', 'volume', ${publishedAt}, ${publishedAt} - interval '20 minutes', ${publishedAt}
      from ${ids} join ${stars} ${s} on ${s.id} = ${starOf(starBlock, 0)} join titles t on ${title}
      join paragraphs p1 on p1.n = ${paragraph(6)} join paragraphs p2 on p2.n = ${paragraph(7)} order by a.id`);
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
    await tx.execute(sql`
      with titles as materialized (select * from ${textRows(texts.titles)}),
        lines as materialized (select * from ${textRows(texts.lines)}),
        paragraphs as materialized (select * from ${textRows(texts.paragraphs)})
      insert into ${articleRewrites} (${namesOf(
        articleRewrites.articleId,
        articleRewrites.language,
        articleRewrites.title,
        articleRewrites.summary,
        articleRewrites.content,
        articleRewrites.contentHtml,
        articleRewrites.createdAt,
      )})
      select a.id, words.language, ${st.name} || ': ' || words.title, words.summary,
        array_to_string(words.body, E'\n\n'), '<p>' || array_to_string(words.body, '</p>' || E'\n' || '<p>') || '</p>',
        ${publishedAt} - interval '10 minutes'
      from ${ids} join titles t on ${title}
      join lines l1 on l1.n = ${line(1)} join lines l2 on l2.n = ${line(2)} join lines l3 on l3.n = ${line(3)}
      join paragraphs p1 on p1.n = ${paragraph(1)} join paragraphs p2 on p2.n = ${paragraph(2)}
      join paragraphs p3 on p3.n = ${paragraph(3)} join paragraphs p4 on p4.n = ${paragraph(4)}
      left join paragraphs p5 on p5.n = ${paragraph(5)} and a.id % 2 = 0
      cross join lateral (values ${perLanguage(rewriteIn)}) as words(language, title, summary, body)
      join ${starTranslations} ${st} on ${st.starId} = ${starOf(starBlock, 0)} and ${st.language} = words.language
      order by a.id`);
  });
}
