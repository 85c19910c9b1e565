import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarRow } from './articles.ts';

export interface TalkingRow {
  star: StarRow;
  memberCount: number;
  lastMessage: string;
  lastActivityAt: Date;
}

/** The channels with the newest messages and what was said last, newest first (look §5 Home, "talking now"). */
export async function listTalkingChannels(language: Lang, limit: number): Promise<TalkingRow[]> {
  const rows = await database().execute<Record<string, unknown> & TalkingRow>(sql`
    select json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name), 'category', s.category,
        'fandomColor', s.fandom_color) as star,
      c.member_count as "memberCount", m.content as "lastMessage", m.created_at as "lastActivityAt"
    from (select * from channels where last_activity_at is not null order by last_activity_at desc, id limit ${limit}) c
    join stars s on s.id = c.star_id
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    join lateral (select content, created_at from messages where channel_id = c.id and deleted_at is null
      order by id desc limit 1) m on true
    order by c.last_activity_at desc, c.id`);
  return rows.map((row) => ({ ...row, lastActivityAt: new Date(row.lastActivityAt) }));
}

export interface ChannelRow {
  id: number;
  star: StarRow;
  description: string | null;
  memberCount: number;
}

/** The channel of a star with its description in `language`, else English; undefined when there is none yet. */
export async function findChannel(starId: number, language: Lang): Promise<ChannelRow | undefined> {
  const [row] = await database().execute<Record<string, unknown> & ChannelRow>(sql`
    select c.id, c.member_count as "memberCount", ct.description,
      json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name), 'category', s.category,
        'fandomColor', s.fandom_color) as star
    from channels c join stars s on s.id = c.star_id
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    left join lateral (select description from channel_translations where channel_id = c.id
      and language in (${language}, 'en') order by (language = ${language}) desc limit 1) ct on true
    where c.star_id = ${starId}`);
  return row;
}

export interface MessageRow {
  id: number;
  content: string;
  createdAt: Date;
  author: string;
}

/** The newest messages of a channel that were not deleted, oldest first. */
export async function listMessages(channelId: number, limit: number): Promise<MessageRow[]> {
  const rows = await database().execute<Record<string, unknown> & MessageRow>(sql`
    select m.id, m.content, m.created_at as "createdAt", coalesce(u.display_name, u.username) as author
    from (select * from messages where channel_id = ${channelId} and deleted_at is null
      order by id desc limit ${limit}) m
    join users u on u.id = m.user_id order by m.id`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}
