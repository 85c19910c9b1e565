import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import { executeWithOwnPlan } from '../own-plan.ts';
import { type SearchWord, starHasWords } from './search.ts';
import type { StarRow } from './star-badge.ts';
import { presentPeople } from './streams.ts';

/** Orders of the channel list (§9). */
export const channelSorts = ['popular', 'latest', 'name'] as const;
export type ChannelSort = (typeof channelSorts)[number];

/** A channel as lists and its page show it, named and described in the language asked for, else in English. */
export interface ChannelListRow {
  id: number;
  star: StarRow;
  description: string | null;
  memberCount: number;
  activeUsers: number;
  lastActivityAt: Date | null;
  slowModeSeconds: number;
  isMember: boolean;
}

type Stored = Omit<ChannelListRow, 'lastActivityAt'> & { lastActivityAt: string | null };

const revive = (row: Stored): ChannelListRow => ({
  ...row,
  lastActivityAt: row.lastActivityAt === null ? null : new Date(row.lastActivityAt),
});

const memberOf = (channel: SQL, visitor: number | undefined) =>
  visitor === undefined
    ? sql`false`
    : sql`exists (select from channel_members where channel_id = ${channel} and user_id = ${visitor})`;

/** Columns of a channel; goes with `channels c`, `stars s` and the translation `st` of the star. */
const columns = (language: Lang, visitor: number | undefined) => sql`
  c.id, c.member_count as "memberCount", c.last_activity_at as "lastActivityAt",
  c.slow_mode_seconds as "slowModeSeconds", ${presentPeople(sql`c.id`)} as "activeUsers",
  ${memberOf(sql`c.id`, visitor)} as "isMember",
  (select description from channel_translations where channel_id = c.id and language in (${language}, 'en')
    order by (language = ${language}) desc limit 1) as description,
  json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name), 'category', s.category,
    'fandomColor', s.fandom_color) as star`;

const orders: Record<ChannelSort, SQL> = {
  popular: sql`c.member_count desc, c.id`,
  latest: sql`c.last_activity_at desc nulls last, c.id`,
  name: sql`byeol_fold(coalesce(st.name, s.name)), c.id`,
};

export interface ChannelListQuery {
  language: Lang;
  sort: ChannelSort;
  /** What is searched for: every word must be in the star's names or be the initials of its Korean name. */
  search?: { text: string; words: readonly SearchWord[] } | undefined;
  limit: number;
  offset: number;
  /** Account that asks, for `isMember`; pages, which are the same for everybody, leave it out. */
  visitor?: number | undefined;
}

/** A page of the channels and how many there are. One statement. */
export async function listChannels({
  language,
  sort,
  search,
  limit,
  offset,
  visitor,
}: ChannelListQuery): Promise<{ channels: ChannelListRow[]; total: number }> {
  const found = search ? sql`where ${starHasWords(search.text, search.words)}` : sql``;
  const from = sql`channels c join stars s on s.id = c.star_id
    left join star_translations st on st.star_id = s.id and st.language = ${language} ${found}`;
  const [row] = await executeWithOwnPlan<{ total: number; channels: Stored[] }>(sql`
    with page as materialized (select c.id, row_number() over (order by ${orders[sort]}) as place from ${from}
      order by place limit ${limit} offset ${offset})
    select (select count(*)::int from ${from}) as total, coalesce((select json_agg(channel) from (
      select ${columns(language, visitor)} from page join channels c on c.id = page.id join stars s on s.id = c.star_id
      left join star_translations st on st.star_id = s.id and st.language = ${language}
      order by page.place) channel), '[]'::json) as channels`);
  return { total: row?.total ?? 0, channels: (row?.channels ?? []).map(revive) };
}

/** What a channel is to an account. */
export interface ChannelViewerRow {
  mutedUntil: Date | null;
  /** When slow mode lets its next message through; null: now. */
  nextMessageAt: Date | null;
}

export interface FoundChannel {
  star: StarRow;
  /** Undefined: nobody came yet (decision C1). */
  channel: ChannelListRow | undefined;
  viewer: ChannelViewerRow | undefined;
}

/** The star and its channel; undefined when there is no such star. One statement. */
export async function findChannelOf(
  starId: number,
  language: Lang,
  visitor?: number,
): Promise<FoundChannel | undefined> {
  const viewer =
    visitor === undefined
      ? sql`null::json`
      : sql`json_build_object(
          'mutedUntil', (select until from channel_mutes where channel_id = c.id and user_id = ${visitor} and until > now()),
          'nextMessageAt', (select m.created_at + make_interval(secs => c.slow_mode_seconds) from messages m
            where c.slow_mode_seconds > 0 and m.user_id = ${visitor} and m.channel_id = c.id order by m.id desc limit 1))`;
  const [row] = await database().execute<
    Record<string, unknown> &
      Omit<Stored, 'id'> & {
        id: number | null;
        viewer: { mutedUntil: string | null; nextMessageAt: string | null } | null;
      }
  >(sql`
    select ${columns(language, visitor)}, ${viewer} as viewer
    from stars s left join channels c on c.star_id = s.id
    left join star_translations st on st.star_id = s.id and st.language = ${language}
    where s.id = ${starId}`);
  if (!row) return undefined;
  const { id, viewer: seen, ...rest } = row;
  return {
    star: row.star,
    channel: id === null ? undefined : revive({ ...rest, id }),
    viewer: seen
      ? { mutedUntil: instant(seen.mutedUntil), nextMessageAt: future(seen.nextMessageAt) }
      : undefined,
  };
}

const instant = (text: string | null) => (text === null ? null : new Date(text));

function future(text: string | null): Date | null {
  const at = instant(text);
  return at && at.getTime() > Date.now() ? at : null;
}

/** Makes the channel of a star; true for the one call that made it. */
export async function createChannel(starId: number): Promise<boolean> {
  const rows = await database().execute(
    sql`insert into channels (star_id) select id from stars where id = ${starId} on conflict do nothing returning 1`,
  );
  return rows.length > 0;
}

/** Makes an account a member of a star's channel, or no member any more. False when it was so before. */
export async function setMembership(starId: number, userId: number, member: boolean): Promise<boolean> {
  const channel = sql`(select id from channels where star_id = ${starId})`;
  const rows = await database().execute(
    member
      ? sql`insert into channel_members (channel_id, user_id) select id, ${userId}::int from channels
          where star_id = ${starId} on conflict do nothing returning 1`
      : sql`delete from channel_members where channel_id = ${channel} and user_id = ${userId} returning 1`,
  );
  return rows.length > 0;
}

/** A star's channel and its members; undefined when there is no such star. */
export async function findMembers(
  starId: number,
): Promise<{ channelId: number | null; memberCount: number } | undefined> {
  const [row] = await database().execute<{ channelId: number | null; memberCount: number }>(sql`
    select c.id as "channelId", coalesce(c.member_count, 0) as "memberCount"
    from stars s left join channels c on c.star_id = s.id where s.id = ${starId}`);
  return row;
}
