import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarRow } from './articles.ts';
import { contains } from './pattern.ts';
import { namesStar, type SearchWord } from './search.ts';

/** Orders of the channel list (§9). */
export const channelSorts = ['popular', 'latest', 'name'] as const;
export type ChannelSort = (typeof channelSorts)[number];

export interface ChannelListRow {
  id: number;
  star: StarRow;
  memberCount: number;
  lastActivityAt: Date | null;
}

export interface ChannelListQuery {
  language: Lang;
  sort: ChannelSort;
  /** What is searched for: every word must be in the star's names or be the initials of its Korean name. */
  search?: { text: string; words: readonly SearchWord[] } | undefined;
  limit: number;
  offset: number;
}

const orders: Record<ChannelSort, SQL> = {
  popular: sql`c.member_count desc, c.id`,
  latest: sql`c.last_activity_at desc nulls last, c.id`,
  name: sql`byeol_fold(coalesce(st.name, s.name)), c.id`,
};

/** The star has all words, or the whole text when spaces are left out. */
function names({ text, words }: { text: string; words: readonly SearchWord[] }): SQL {
  if (words.length === 0) return sql`where false`;
  const joined = text.toLowerCase().replaceAll(' ', '');
  const together =
    [...joined].length > 3 ? sql`or replace(s.search_key, ' ', '') like ${contains(joined)}` : sql``;
  return sql`where (${sql.join(words.map(namesStar), sql` and `)}) ${together}`;
}

/** A page of the channels and how many there are in all (§7 channels). One statement. */
export async function listChannels(
  query: ChannelListQuery,
): Promise<{ channels: ChannelListRow[]; total: number }> {
  const { language, sort, search, limit, offset } = query;
  const where = search ? names(search) : sql``;
  const order = orders[sort];
  const [row] = await database().execute<{ channels: ChannelListRow[]; total: number }>(sql`
    with page as materialized (
      select c.id, c.member_count, c.last_activity_at, s.id as star_id, s.slug, coalesce(st.name, s.name) as name,
        s.category, s.fandom_color, row_number() over (order by ${order}) as place
      from channels c join stars s on s.id = c.star_id
      left join star_translations st on st.star_id = s.id and st.language = ${language}
      ${where} order by ${order} limit ${limit} offset ${offset})
    select (select count(*)::int from channels c join stars s on s.id = c.star_id ${where}) as total,
      (select coalesce(json_agg(json_build_object('id', p.id, 'memberCount', p.member_count,
          'lastActivityAt', p.last_activity_at, 'star', json_build_object('id', p.star_id, 'slug', p.slug,
          'name', p.name, 'category', p.category, 'fandomColor', p.fandom_color)) order by p.place), '[]'::json)
        from page p) as channels`);
  const channels = (row?.channels ?? []).map((channel) => ({
    ...channel,
    lastActivityAt: channel.lastActivityAt === null ? null : new Date(channel.lastActivityAt),
  }));
  return { channels, total: row?.total ?? 0 };
}
