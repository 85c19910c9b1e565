import { type SQL, sql } from 'drizzle-orm';
import type { Lang, Translated } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarCategory } from '../schema/stars.ts';
import { bestRewrite, type CardRow, cardColumns, withDates } from './articles.ts';

/** Languages of `articles a` (decision L10): those of its rewrites, Korean when there is only the original. */
const languagesOfArticle = sql`(select coalesce(json_agg(language), '["ko"]'::json) from article_rewrites
  where article_id = a.id)`;

const existsIn = (language: Lang): SQL => sql`(
  exists (select from article_rewrites where article_id = a.id and language = ${language})
  ${language === 'ko' ? sql`or not exists (select from article_rewrites where article_id = a.id)` : sql``})`;

/** An article as a feed tells it, with what is said of the machine's help (decision P4). */
export interface FeedEntryRow extends CardRow {
  category: StarCategory;
  outlet: string;
  reviewer: Translated | null;
  updatedAt: Date;
}

/** The newest public articles that exist in a language, for its feeds. One statement. */
export async function listFeedEntries(language: Lang, limit: number): Promise<FeedEntryRow[]> {
  const rows = await database().execute<Record<string, unknown> & FeedEntryRow>(sql`
    with page as materialized (
      select a.id from articles a where a.withdrawn_at is null and ${existsIn(language)}
      order by a.published_at desc, a.id desc limit ${limit})
    select ${cardColumns(language)}, a.entertainment_category as category, a.outlet, a.reviewer,
      a.updated_at as "updatedAt"
    from page join articles a on a.id = page.id
    ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
    order by a.published_at desc, a.id desc`);
  return rows.map((row) => ({ ...withDates(row), updatedAt: new Date(row.updatedAt) }));
}

/** A range of ids: after `after`, up to and including `upTo`. */
export interface IdRange {
  after: number;
  upTo: number;
}

const within = (id: SQL, { after, upTo }: IdRange) => sql`${id} > ${after} and ${id} <= ${upTo}`;

export interface ArticleAddress {
  id: number;
  languages: Lang[];
  updatedAt: Date;
}

/** The public articles of a range of ids that exist in a language. One statement. */
export async function listArticleAddresses(language: Lang, range: IdRange): Promise<ArticleAddress[]> {
  const rows = await database().execute<Record<string, unknown> & ArticleAddress>(sql`
    select a.id, ${languagesOfArticle} as languages, a.updated_at as "updatedAt" from articles a
    where ${within(sql`a.id`, range)} and a.withdrawn_at is null and ${existsIn(language)} order by a.id`);
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }));
}

export interface StarAddress {
  id: number;
  updatedAt: Date;
  /** When the star's channel last changed; null when nobody opened it yet. */
  channelAt: Date | null;
}

/** The stars of a range of ids and whether they have a channel. One statement. */
export async function listStarAddresses(range: IdRange): Promise<StarAddress[]> {
  const rows = await database().execute<Record<string, unknown> & StarAddress>(sql`
    select s.id, s.updated_at as "updatedAt", coalesce(c.last_activity_at, c.created_at) as "channelAt"
    from stars s left join channels c on c.star_id = s.id where ${within(sql`s.id`, range)} order by s.id`);
  return rows.map((row) => ({
    ...row,
    updatedAt: new Date(row.updatedAt),
    channelAt: row.channelAt && new Date(row.channelAt),
  }));
}

/** The highest id of a star; 0 when there is none. */
export async function findLastStarId(): Promise<number> {
  const [row] = await database().execute<{ id: number }>(sql`select coalesce(max(id), 0) as id from stars`);
  return row?.id ?? 0;
}

export interface AddressBlock {
  language: Lang;
  /** Zero-based: ids from `block * size + 1` to `(block + 1) * size`. */
  block: number;
  updatedAt: Date;
}

/** Which blocks of `size` ids hold public articles in which language, and when one of them last changed. One statement. */
export async function listArticleBlocks(size: number): Promise<AddressBlock[]> {
  const rows = await database().execute<Record<string, unknown> & AddressBlock>(sql`
    select coalesce(r.language, 'ko') as language, (a.id - 1) / ${size}::int as block, max(a.updated_at) as "updatedAt"
    from articles a left join article_rewrites r on r.article_id = a.id
    where a.withdrawn_at is null group by 1, 2 order by 1, 2`);
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }));
}

export interface NewsAddress {
  id: number;
  language: Lang;
  title: string;
  publishedAt: Date;
}

/** Public articles since an instant, newest first, once per language in which they exist. One statement. */
export async function listNewsAddresses(since: Date, limit: number): Promise<NewsAddress[]> {
  const rows = await database().execute<Record<string, unknown> & NewsAddress>(sql`
    select a.id, coalesce(r.language, 'ko') as language, coalesce(r.title, a.original_title) as title,
      a.published_at as "publishedAt"
    from articles a left join article_rewrites r on r.article_id = a.id
    where a.withdrawn_at is null and a.published_at > ${since.toISOString()}
    order by a.published_at desc, a.id desc, language limit ${limit}`);
  return rows.map(withDates);
}

export interface EventAddress {
  id: number;
  updatedAt: Date;
  /** Languages that have words of their own. */
  languages: Lang[];
}

/** Public events with words in a language that are not over since long, soonest first. */
export async function listEventAddresses(
  language: Lang,
  { overAfter, limit }: { overAfter: Date; limit: number },
): Promise<EventAddress[]> {
  const rows = await database().execute<Record<string, unknown> & EventAddress>(sql`
    select e.id, e.updated_at as "updatedAt",
      array(select language from event_translations where event_id = e.id) as languages
    from events e
    where e.verification = 'approved' and e.over_at > ${overAfter.toISOString()}
      and exists (select from event_translations et where et.event_id = e.id and et.language = ${language})
    order by e.start_time, e.id limit ${limit}`);
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }));
}
