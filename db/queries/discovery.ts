import { and, asc, eq, gt, lte, max, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { articleRewrites, articles } from '../schema/articles.ts';
import { channels } from '../schema/community.ts';
import { events, eventTranslations } from '../schema/events.ts';
import { stars } from '../schema/stars.ts';
import { coalesce, derived, execute, literal, type RowOf, typedAs } from '../sql.ts';
import { a, articleJoins, cardFields, languagesOfArticle, r, shownLanguage } from './articles/fields.ts';
import { e, et, isPublic } from './events/fields.ts';
import { isShown } from './stars/badge.ts';

const own = alias(articleRewrites, 'own');

const existsIn = (language: Lang): SQL => {
  const rewrites = sql`select from ${articleRewrites} ${own} where ${own.articleId} = ${a.id}`;
  return sql`(exists (${rewrites} and ${own.language} = ${language})
    ${language === 'ko' ? sql`or not exists (${rewrites})` : sql``})`;
};

const feedEntryFields = (language: Lang) => ({
  ...cardFields(language),
  entertainmentCategory: a.entertainmentCategory,
  outlet: a.outlet,
  reviewer: a.reviewer,
  updatedAt: a.updatedAt,
});

/** An article as a feed tells it, with what is said of the machine's help (decision P4). */
export type FeedEntryRow = RowOf<ReturnType<typeof feedEntryFields>>;

/** The newest public articles that exist in a language, for its feeds. One statement. */
export function listFeedEntries(language: Lang, limit: number): Promise<FeedEntryRow[]> {
  const page = derived('page', { id: a.id });
  return execute(
    feedEntryFields(language),
    (columns) => sql`
      with ${page.name} as materialized (
        select ${page.columns} from ${articles} ${a} where ${a.withdrawnAt} is null and ${existsIn(language)}
        order by ${a.publishedAt} desc, ${a.id} desc limit ${literal(limit)})
      select ${columns} from ${page.name} join ${articles} ${a} on ${a.id} = ${page.fields.id} ${articleJoins(language)}
      order by ${a.publishedAt} desc, ${a.id} desc`,
  );
}

/** A range of ids: after `after`, up to and including `upTo`. */
interface IdRange {
  after: number;
  upTo: number;
}

const within = (id: AnyPgColumn, { after, upTo }: IdRange) => and(gt(id, after), lte(id, upTo));

const articleAddressFields = { id: a.id, languages: languagesOfArticle, updatedAt: a.updatedAt };

type ArticleAddress = RowOf<typeof articleAddressFields>;

/** The public articles of a range of ids that exist in a language. One statement. */
export function listArticleAddresses(language: Lang, range: IdRange): Promise<ArticleAddress[]> {
  return execute(
    articleAddressFields,
    (columns) => sql`
      select ${columns} from ${articles} ${a}
      where ${within(a.id, range)} and ${a.withdrawnAt} is null and ${existsIn(language)} order by ${a.id}`,
  );
}

interface StarAddress {
  id: number;
  updatedAt: Date;
  /** When the star's channel last changed; null when nobody opened it yet. */
  channelAt: Date | null;
}

/** The stars of a range of ids and whether they have a channel. One statement. */
export function listStarAddresses(range: IdRange): Promise<StarAddress[]> {
  return database()
    .select({
      id: stars.id,
      updatedAt: stars.updatedAt,
      channelAt: typedAs(
        channels.lastActivityAt,
        sql`coalesce(${channels.lastActivityAt}, ${channels.createdAt})`,
      ),
    })
    .from(stars)
    .leftJoin(channels, eq(channels.starId, stars.id))
    .where(and(within(stars.id, range), isShown(stars)))
    .orderBy(asc(stars.id));
}

/** The highest id of a star; 0 when there is none. */
export async function findLastStarId(): Promise<number> {
  const [last] = await database()
    .select({ id: max(stars.id) })
    .from(stars);
  return last?.id ?? 0;
}

interface AddressBlock {
  language: Lang;
  /** Zero-based: ids from `block * size + 1` to `(block + 1) * size`. */
  block: number;
  updatedAt: Date;
}

/** Which blocks of `size` ids hold public articles in which language, and when one of them last changed. One statement. */
export function listArticleBlocks(size: number): Promise<AddressBlock[]> {
  return execute(
    {
      language: shownLanguage,
      block: sql<number>`(${a.id} - 1) / ${literal(size)}`,
      updatedAt: typedAs(articles.updatedAt, sql`max(${a.updatedAt})`),
    },
    (columns) => sql`
      select ${columns} from ${articles} ${a} left join ${articleRewrites} ${r} on ${r.articleId} = ${a.id}
      where ${a.withdrawnAt} is null group by 1, 2 order by 1, 2`,
  );
}

interface NewsAddress {
  id: number;
  language: Lang;
  title: string;
  publishedAt: Date;
}

/** Public articles since an instant, newest first, once per language in which they exist. One statement. */
export function listNewsAddresses(since: Date, limit: number): Promise<NewsAddress[]> {
  return execute(
    {
      id: a.id,
      language: shownLanguage,
      title: coalesce(r.title, a.originalTitle),
      publishedAt: a.publishedAt,
    },
    (columns) => sql`
      select ${columns} from ${articles} ${a} left join ${articleRewrites} ${r} on ${r.articleId} = ${a.id}
      where ${a.withdrawnAt} is null and ${a.publishedAt} > ${since.toISOString()}
      order by ${a.publishedAt} desc, ${a.id} desc, ${shownLanguage} limit ${literal(limit)}`,
  );
}

interface EventAddress {
  id: number;
  updatedAt: Date;
  /** Languages that have words of their own. */
  languages: Lang[];
}

/** Public events with words in a language that are not over since long, soonest first. */
export function listEventAddresses(
  language: Lang,
  { overAfter, limit }: { overAfter: Date; limit: number },
): Promise<EventAddress[]> {
  const ownWords = sql`from ${eventTranslations} ${et} where ${et.eventId} = ${e.id}`;
  return execute(
    {
      id: e.id,
      updatedAt: e.updatedAt,
      languages: sql<Lang[]>`array(select ${et.language} ${ownWords})`,
    },
    (columns) => sql`
      select ${columns} from ${events} ${e}
      where ${isPublic()} and ${e.overAt} > ${overAfter.toISOString()}
        and exists (select ${ownWords} and ${et.language} = ${language})
      order by ${e.startTime}, ${e.id} limit ${literal(limit)}`,
  );
}
