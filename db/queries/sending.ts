import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { lastEvent, type MessageRow, messageJson } from './messages.ts';

export interface Sending {
  /** Names the channel. */
  starId: number;
  userId: number;
  /** The sender's key (decision S5); null: every call sends. */
  clientId: string | null;
  content: string;
}

export type Refusal = 'not_member' | 'muted' | 'slow_mode' | 'rate_limited' | 'key_reused';

export type Sent =
  | {
      channelId: number;
      message: MessageRow;
      nextMessageAt: Date | null;
      /** The last event of the channel before those of this transaction; null: the message was stored by an earlier call. */
      previousEventId: number | null;
    }
  | { refusal: Refusal /** Until it may be tried again; 0: that would not help. */; seconds: number };

export interface SendRate {
  count: number;
  seconds: number;
}

type Verdict = Refusal | 'known' | 'stored' | 'again';

interface Row extends Record<string, unknown> {
  place: number;
  channelId: number;
  verdict: Verdict;
  seconds: number;
  message: (Omit<MessageRow, 'createdAt'> & { createdAt: string }) | null;
  nextMessageAt: string | null;
  previousEventId: string;
}

/**
 * Stores messages of different people in their channels, in one transaction that holds the channels' rows: so the ids of a
 * channel grow in the order of commits, whichever process stores them. Membership, mutes, slow mode, the rate per account
 * and the unique key are judged by the same statement that inserts; a known key answers the stored message and counts nothing.
 * @param sendings at most one per account
 * @returns outcomes in the order of `sendings`: 'missing' where the star has no channel, 'again' where another call with the
 * same key was not finished
 */
export async function storeMessages(
  sendings: readonly Sending[],
  rate: SendRate,
): Promise<(Sent | 'again' | 'missing')[]> {
  const starIds = JSON.stringify([...new Set(sendings.map(({ starId }) => starId))]);
  const input = JSON.stringify(sendings.map((sending, place) => ({ ...sending, place })));
  const [channels, rows] = await database().transaction(async (tx) => [
    // In the order of their ids, so that two processes cannot wait for each other.
    await tx.execute<{ starId: number }>(sql`select star_id as "starId" from channels
      where star_id in (select (json_array_elements_text(${starIds}::text::json))::int) order by id for no key update`),
    // A statement of its own: it must see what the holders of the locks before us have committed.
    await tx.execute<Row>(insertion(input, rate)),
  ]);
  const known = new Set(channels.map(({ starId }) => starId));
  const outcomes: (Sent | 'again' | 'missing')[] = sendings.map(({ starId }) =>
    known.has(starId) ? 'again' : 'missing',
  );
  for (const row of rows) outcomes[row.place] = toOutcome(row);
  return outcomes;
}

const insertion = (input: string, rate: SendRate) => sql`
  with input as (
    select i.*, c.id as "channelId", c.slow_mode_seconds as slow
    from jsonb_to_recordset(${input}::text::jsonb)
      as i(place int, "starId" int, "userId" int, "clientId" text, content text)
    join channels c on c.star_id = i."starId"),
  before as materialized (
    select touched.id, ${lastEvent(sql`touched.id`)} as event from (select distinct "channelId" as id from input) touched),
  judged as materialized (
    select i.place, i."channelId" as channel_id, i.slow, i."userId" as user_id, i."clientId" as client_id, i.content, u.role,
      known.id as known_id, mute.until as muted_until, newest.created_at + make_interval(secs => i.slow) as next_at,
      case when known.channel_id = i."channelId" and known.content = i.content then 'known'
        when known.id is not null then 'key_reused'
        when member.user_id is null or u.deleted_at is not null then 'not_member'
        when mute.until > clock_timestamp() then 'muted'
        when newest.created_at + make_interval(secs => i.slow) > clock_timestamp() then 'slow_mode' end as verdict
    from input i join users u on u.id = i."userId"
    left join messages known on known.user_id = i."userId" and known.client_id = i."clientId"
    left join channel_members member on member.channel_id = i."channelId" and member.user_id = i."userId"
    left join channel_mutes mute on mute.channel_id = i."channelId" and mute.user_id = i."userId"
    left join lateral (select created_at from messages where i.slow > 0 and u.role = 'user' and user_id = i."userId"
      and channel_id = i."channelId" order by id desc limit 1) newest on true),
  counted as (
    insert into rate_limits as r (key, window_start)
    select 'message:account:' || user_id, to_timestamp(floor(extract(epoch from now()) / ${rate.seconds}::int) * ${rate.seconds}::int)
    from judged where verdict is null order by 1
    on conflict (key, window_start) do update set count = r.count + 1
    returning key, count, greatest(1, ceil(extract(epoch from window_start - now()) + ${rate.seconds}::int))::int as seconds),
  rated as materialized (
    select j.*, c.seconds as window_seconds,
      case when c.count > ${rate.count}::int then 'rate_limited' else j.verdict end as finding
    from judged j left join counted c on c.key = 'message:account:' || j.user_id),
  stored as (
    insert into messages (channel_id, user_id, client_id, content, created_at)
    select channel_id, user_id, client_id, content, clock_timestamp() from rated where finding is null order by place
    on conflict (user_id, client_id) where client_id is not null do nothing
    returning *),
  moved as (
    update channels set last_activity_at = newest.at
    from (select channel_id, max(created_at) as at from stored group by channel_id) newest
    where channels.id = newest.channel_id)
  select r.place, r.channel_id as "channelId", coalesce(r.finding, case when new.id is null then 'again' else 'stored' end) as verdict,
    case r.finding when 'rate_limited' then r.window_seconds
      when 'muted' then greatest(1, ceil(extract(epoch from r.muted_until - clock_timestamp())))::int
      when 'slow_mode' then greatest(1, ceil(extract(epoch from r.next_at - clock_timestamp())))::int else 0 end as seconds,
    case when m.id is null then null else ${messageJson} end as message,
    case when r.slow > 0 and r.role = 'user' then m.created_at + make_interval(secs => r.slow) end as "nextMessageAt",
    b.event as "previousEventId"
  from rated r join users u on u.id = r.user_id join before b on b.id = r.channel_id
  left join stored new on new.user_id = r.user_id
  left join lateral (
    select id, content, created_at, client_id from messages where id = r.known_id and r.finding = 'known'
    union all select new.id, new.content, new.created_at, new.client_id where new.id is not null) m on true`;

function toOutcome({
  channelId,
  verdict,
  seconds,
  message,
  nextMessageAt,
  previousEventId,
}: Row): Sent | 'again' {
  if (message) {
    return {
      channelId,
      message: { ...message, createdAt: new Date(message.createdAt) },
      nextMessageAt: nextMessageAt === null ? null : new Date(nextMessageAt),
      previousEventId: verdict === 'stored' ? Number(previousEventId) : null,
    };
  }
  return verdict === 'again' || verdict === 'known' || verdict === 'stored'
    ? 'again'
    : { refusal: verdict, seconds };
}
