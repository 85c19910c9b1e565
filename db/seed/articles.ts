import { languages } from '#content/locales.ts';
import type { Transaction } from '../client.ts';
import { articleRewrites, articleStars, articles, embeds, embedTranslations } from '../schema/articles.ts';
import type { ArticleFile, DemoWorld, StarFile } from './content.ts';
import { resolveDates } from './dates.ts';
import { pictureKeys } from './pictures.ts';
import { chance } from './random.ts';
import { continueIds, insertRows } from './rows.ts';
import { type StarIdBySlug, starIdOf } from './stars.ts';

/** When the demo begins: the instant, and its day in Korea from which the texts count. */
export interface Beginning {
  now: Date;
  today: string;
}

interface SeededArticle {
  id: number;
  publishedAt: Date;
}

/** What later parts of the seed know of the articles, by order (1 is the newest). */
export type ArticlesByOrder = ReadonlyMap<number, SeededArticle>;

const minute = 60_000;

interface Entry extends SeededArticle {
  file: ArticleFile;
  original: Date;
}

/** Inserts articles with rewrites, stars and embeds, the oldest first, so that ids grow with time. */
export async function seedArticles(
  tx: Transaction,
  world: DemoWorld,
  starIds: StarIdBySlug,
  { now, today }: Beginning,
  renderMarkdown: (markdown: string) => string,
): Promise<ArticlesByOrder> {
  const entries = world.articles.map((file, index): Entry => {
    const publishedAt = new Date(now.getTime() - file.hoursAgo * 60 * minute);
    const before = chance(`article-${file.order}-times`).int(40, 90);
    return { id: index + 1, file, publishedAt, original: new Date(publishedAt.getTime() - before * minute) };
  });
  const rows = entries.map(({ id, file, publishedAt, original }) => ({
    id,
    entertainmentCategory: primaryStar(file, world.stars).category,
    pictureKey: pictureKeys.article(file.order),
    outlet: file.outlet,
    originalUrl: file.originalUrl,
    originalTitle: resolveDates(file.original.title, 'ko', today),
    originalContent: resolveDates(file.original.content, 'ko', today),
    originalPublishedAt: original,
    model: file.model,
    reviewer: file.reviewer,
    publishedAt,
    createdAt: between(original, publishedAt, 0.2),
    updatedAt: publishedAt,
  }));
  await insertRows(tx, articles, rows);
  await insertRows(
    tx,
    articleRewrites,
    entries.flatMap((entry) => rewritesOf(entry, today, renderMarkdown)),
  );
  await insertRows(
    tx,
    articleStars,
    entries.flatMap((entry) => starsOf(entry, starIds)),
  );
  await seedEmbeds(tx, entries, today);
  await continueIds(tx, articles);
  return new Map(entries.map(({ id, publishedAt, file }) => [file.order, { id, publishedAt }]));
}

function primaryStar(file: ArticleFile, stars: readonly StarFile[]): StarFile {
  const star = stars.find(({ slug }) => slug === file.stars[0]);
  if (!star) throw new Error(`article ${file.order} of content/demo has no star with a file`);
  return star;
}

/** The instant at a share of the way from `start` to `end`. */
function between(start: Date, end: Date, share: number): Date {
  return new Date(start.getTime() + (end.getTime() - start.getTime()) * share);
}

function rewritesOf(
  { id, file, original, publishedAt }: Entry,
  today: string,
  renderMarkdown: (markdown: string) => string,
) {
  return languages.map((language, index) => {
    const { title, summary, content: markdown } = file.rewrites[language];
    const content = resolveDates(markdown, language, today);
    return {
      articleId: id,
      language,
      title: resolveDates(title, language, today),
      summary: resolveDates(summary, language, today),
      content,
      contentHtml: renderMarkdown(content),
      createdAt: between(original, publishedAt, 0.4 + index * 0.1),
    };
  });
}

function starsOf({ id, file, publishedAt }: Entry, starIds: StarIdBySlug) {
  return file.stars.map((slug, position) => ({
    articleId: id,
    starId: starIdOf(starIds, slug),
    position,
    publishedAt,
  }));
}

async function seedEmbeds(tx: Transaction, entries: readonly Entry[], today: string): Promise<void> {
  const embedRows = entries
    .flatMap(({ id, file, publishedAt }) =>
      file.embeds.map((embed, position) => ({
        articleId: id,
        order: file.order,
        publishedAt,
        embed,
        position,
      })),
    )
    .map((each, index) => ({ ...each, id: index + 1 }));
  await insertRows(
    tx,
    embeds,
    embedRows.map(({ id, articleId, order, publishedAt, embed, position }) => ({
      id,
      articleId,
      platform: embed.platform,
      embedType: embed.embedType,
      embedId: embed.embedId,
      embedUrl: embed.embedUrl,
      pictureKey: pictureKeys.embed(order, position + 1),
      metadata: embed.metadata,
      position,
      createdAt: publishedAt,
      updatedAt: publishedAt,
    })),
  );
  const words = embedRows.flatMap(({ id, embed }) =>
    languages.map((language) => ({
      embedId: id,
      language,
      title: resolveDates(embed.title[language], language, today),
      description: embed.description && resolveDates(embed.description[language], language, today),
    })),
  );
  await insertRows(tx, embedTranslations, words);
  await continueIds(tx, embeds);
}
