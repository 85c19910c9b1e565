import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { database } from '../../client.ts';
import { deleteInPieces } from '../../in-pieces.ts';
import { isWithoutPart, makeParts, messageSeries } from '../../partitions/by-id.ts';
import { users } from '../../schema/accounts.ts';
import { channels, messageKeys, messages } from '../../schema/community.ts';
import { execute, isOneOf, nullable, prepare, type RowOf, typedAs } from '../../sql.ts';
import { isShownById } from '../stars/badge.ts';
import type { MessageRow } from './messages.ts';

export interface Sending {
  /** Names the channel. */
  starId: number;
  userId: number;
  /** The sender's key (decision S5); null: every call sends. */
  clientId: string | null;
  content: string;
}

type SendRefusal = 'not_member' | 'muted' | 'slow_mode' | 'rate_limited' | 'key_reused';

export type SendOutcome =
  | {
      channelId: number;
      message: MessageRow;
      nextMessageAt: Date | null;
      /** The last event of the channel before those of this transaction; null: the message was stored by an earlier call. */
      previousEventId: number | null;
    }
  | { refusal: SendRefusal /** Until it may be tried again; 0: that would not help. */; seconds: number };

export interface SendRate {
  count: number;
  seconds: number;
}

type Verdict = SendRefusal | 'known' | 'stored' | 'again';

/** What `byeol_store_messages` answers. */
const outcomeFields = {
  place: sql<number>`place`,
  channelId: typedAs(channels.id, sql`channel_id`),
  verdict: sql<Verdict>`verdict`,
  seconds: sql<number>`seconds`,
  messageId: nullable(typedAs(messages.id, sql`message_id`)),
  createdAt: nullable(typedAs(messages.createdAt, sql`created_at`)),
  nextAt: nullable(typedAs(messages.createdAt, sql`next_at`)),
  previousEventId: typedAs(messages.id, sql`previous_event`),
  username: typedAs(users.username, sql`username`),
  displayName: typedAs(users.displayName, sql`display_name`),
  profileImageUrl: typedAs(users.profileImageUrl, sql`profile_image_url`),
  role: typedAs(users.role, sql`role`),
};
type OutcomeRow = RowOf<typeof outcomeFields>;

/**
 * Stores messages of different people in their channels, in one transaction that holds the channels' rows: so the ids of a
 * channel grow in the order of commits, whichever process stores them. Membership, mutes, slow mode, the rates and the unique
 * key are judged by the same statement that inserts; a known key answers the stored message and counts nothing.
 * One trip to the database (`db/functions/byeol_store_messages.sql`).
 * @param sendings at most one per account
 * @param lockWait milliseconds for which it waits for what others have locked, instead of those of the connection
 * @returns outcomes in the order of `sendings`: 'missing' where the star has no channel, 'again' where another call with the
 * same key was not finished
 */
export async function storeMessages(
  sendings: readonly Sending[],
  rates: { account: SendRate; calls: SendRate },
  lockWait?: number,
): Promise<(SendOutcome | 'again' | 'missing')[]> {
  const sendingsJson = JSON.stringify(sendings.map((sending, place) => ({ ...sending, place })));
  const { account, calls } = rates;
  const values = {
    given: sendingsJson,
    accountCount: account.count,
    accountSeconds: account.seconds,
    callCount: calls.count,
    callSeconds: calls.seconds,
  };
  const storeOnce = () => (lockWait === undefined ? store(values) : storeWithin(lockWait, values));
  const rows = await storeOnce().catch(async (error: unknown) => {
    if (!isWithoutPart(error)) throw error;
    // Nobody made the next part in time: nothing was stored, and whoever comes first makes it.
    await makeParts(messageSeries);
    return storeOnce();
  });
  const outcomes = sendings.map((): SendOutcome | 'again' | 'missing' => 'missing');
  for (const row of rows) {
    const sending = sendings[row.place];
    if (sending) outcomes[row.place] = toOutcome(row, sending);
  }
  return outcomes;
}

type Values = Record<'accountCount' | 'accountSeconds' | 'callCount' | 'callSeconds', number> & {
  given: string;
};

/** @returns those of these stars whose channels somebody has locked at this moment, if only to store messages */
export async function listLockedChannels(starIds: readonly number[]): Promise<number[]> {
  const free = sql`select ${channels.id} from ${channels} where ${isOneOf(channels.starId, starIds)}
    for no key update skip locked`;
  const rows = await execute(
    { starId: channels.starId },
    (columns) => sql`with free as materialized (${free})
      select ${columns} from ${channels} where ${isOneOf(channels.starId, starIds)}
        and ${channels.id} not in (select id from free)`,
  );
  return rows.map(({ starId }) => starId);
}

/** Forgets the keys of messages that were sent so many days ago. */
export async function forgetMessageKeys(days: number, signal?: AbortSignal): Promise<void> {
  const { createdAt } = messageKeys;
  const old = sql`where ${createdAt} < now() - make_interval(days => ${days}::int) order by ${createdAt}`;
  await deleteInPieces(messageKeys, old, signal);
}

const storing = (columns: SQL, parameter: (name: keyof Values) => Placeholder | SQL) => sql`
  select ${columns} from byeol_store_messages(${ofShownStars(parameter('given'))},
    ${parameter('accountCount')}::int, ${parameter('accountSeconds')}::int,
    ${parameter('callCount')}::int, ${parameter('callSeconds')}::int)`;

/** A channel of a star that readers do not see is as good as none. */
const ofShownStars = (given: Placeholder | SQL) => sql`(select coalesce(jsonb_agg(given.sending), '[]')
  from jsonb_array_elements(${given}::text::jsonb) as given(sending)
  where ${isShownById(sql`(given.sending ->> 'starId')::int`)})`;

const store = prepare<typeof outcomeFields, Values>(outcomeFields, (columns) =>
  storing(columns, (name) => sql.placeholder(name)),
);

const storeWithin = (lockWait: number, values: Values): Promise<OutcomeRow[]> =>
  database().transaction(async (tx) => {
    await tx.execute(sql`select set_config('lock_timeout', ${`${lockWait}ms`}, true)`);
    return execute(outcomeFields, (columns) => storing(columns, (name) => sql`${values[name]}`), tx);
  });

function toOutcome(row: OutcomeRow, { userId, clientId, content }: Sending): SendOutcome | 'again' {
  const { channelId, verdict, seconds, messageId, createdAt } = row;
  if (messageId !== null && createdAt !== null) {
    const { username, displayName, profileImageUrl, role } = row;
    const isModerator = role !== 'user';
    const user = { id: userId, username, displayName, profileImageUrl, isModerator, isDeleted: false };
    return {
      channelId,
      message: { id: messageId, content, createdAt, clientId, user },
      nextMessageAt: row.nextAt,
      previousEventId: verdict === 'stored' ? row.previousEventId : null,
    };
  }
  return verdict === 'again' || verdict === 'known' || verdict === 'stored'
    ? 'again'
    : { refusal: verdict, seconds };
}
