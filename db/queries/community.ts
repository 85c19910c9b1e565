import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarRow } from './star-badge.ts';

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
