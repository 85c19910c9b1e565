import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import {
  channelMembers,
  channelMutes,
  channels,
  channelTranslations,
  messages,
} from '../../schema/community.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { onPrimary } from '../../shared-read.ts';
import {
  coalesce,
  type Expression,
  execute,
  isOneOf,
  jsonObject,
  namesOf,
  nullable,
  prepare,
  type RowOf,
  selectValue,
  typedAs,
} from '../../sql.ts';
import { badgeFields, isShown, isShownById, type StarRow, s, st } from '../stars/badge.ts';
import { presentPeople } from './streams.ts';

/** A channel and its words, as the statements about channels name them. */
export const c = alias(channels, 'c');
const ct = alias(channelTranslations, 'ct');

type Placeholder = ReturnType<typeof sql.placeholder>;
/** What a statement is for: values of its own, or placeholders of one that is made once. */
type Language = Lang | Placeholder;
type Visitor = number | Placeholder;

const isMember = (visitor: Visitor | undefined): SQL<boolean> =>
  visitor === undefined
    ? sql`false`
    : sql`exists (
        select from ${channelMembers} where ${channelMembers.channelId} = ${c.id} and ${channelMembers.userId} = ${visitor})`;

export const channelFields = (language: Language, visitor: Visitor | undefined) => ({
  id: c.id,
  memberCount: c.memberCount,
  lastActivityAt: c.lastActivityAt,
  slowModeSeconds: c.slowModeSeconds,
  activeUsers: presentPeople(c.id),
  isMember: isMember(visitor),
  description: nullable(
    selectValue(
      ct.description,
      sql`from ${channelTranslations} ${ct} where ${ct.channelId} = ${c.id} and ${ct.language} in (${language}, 'en')
        order by (${ct.language} = ${language}) desc limit 1`,
    ),
  ),
});

export const withWords = (language: Language): SQL => sql`
  left join ${starTranslations} ${st} on ${st.starId} = ${s.id} and ${st.language} = ${language}`;

/** A channel as lists and its page show it, named and described in the language asked for, else in English. */
export type ChannelListRow = RowOf<ReturnType<typeof channelFields>> & {
  /** In lists with that by which it is told from another star of its name. */
  star: StarRow & { distinction?: string | null };
};

const mutedUntil = (visitor: Visitor): SQL<Date | null> =>
  nullable(
    selectValue(
      channelMutes.until,
      sql`from ${channelMutes} where ${channelMutes.channelId} = ${c.id} and ${channelMutes.userId} = ${visitor}
        and ${channelMutes.until} > now()`,
    ),
  );

/** When slow mode lets its next message through; null: now. */
const nextMessageAt = (visitor: Visitor): SQL<Date | null> =>
  nullable(
    selectValue(
      typedAs(messages.createdAt, sql`${messages.createdAt} + make_interval(secs => ${c.slowModeSeconds})`),
      sql`from ${messages} where ${c.slowModeSeconds} > 0 and ${messages.userId} = ${visitor}
        and ${messages.channelId} = ${c.id} order by ${messages.id} desc limit 1`,
    ),
  );

export interface ChannelView {
  star: StarRow;
  /** Undefined: nobody came yet (decision C1). */
  channel: ChannelListRow | undefined;
  /** What the channel is to the account that asks. */
  viewer: { mutedUntil: Date | null; nextMessageAt: Date | null } | undefined;
}

type ChannelValues = { starId: number; language: Lang; visitor?: number };

/** A star and its channel, by a statement that is made once. */
function channelOf<Viewer extends Expression>(visitor: Placeholder | undefined, viewer: Viewer) {
  const language = sql.placeholder('language');
  const channel = jsonObject(channelFields(language, visitor));
  const fields = {
    star: jsonObject(badgeFields()),
    channel: nullable(typedAs(channel, sql`case when ${c.id} is not null then ${channel} end`)),
    viewer,
  };
  return prepare<typeof fields, ChannelValues>(
    fields,
    (columns) => sql`
      select ${columns} from ${stars} ${s} left join ${channels} ${c} on ${c.starId} = ${s.id} ${withWords(language)}
      where ${s.id} = ${sql.placeholder('starId')} and ${isShown()}`,
  );
}

const visitor = sql.placeholder('visitor');
const selectChannel = channelOf(undefined, sql<null>`null`);
const selectChannelOfVisitor = channelOf(
  visitor,
  jsonObject({ mutedUntil: mutedUntil(visitor), nextMessageAt: nextMessageAt(visitor) }),
);

/** The star and its channel; undefined when there is no such star. One statement; no replica knows who is present (decision D9). */
export async function findChannelOf(
  starId: number,
  language: Lang,
  visitor?: number,
): Promise<ChannelView | undefined> {
  const [row] = await onPrimary(() =>
    visitor === undefined
      ? selectChannel({ starId, language })
      : selectChannelOfVisitor({ starId, language, visitor }),
  );
  if (!row) return undefined;
  const { star, channel, viewer } = row;
  return {
    star,
    channel: channel ? { ...channel, star } : undefined,
    viewer: viewer ? { ...viewer, nextMessageAt: inFuture(viewer.nextMessageAt) } : undefined,
  };
}

const inFuture = (at: Date | null): Date | null => (at && at.getTime() > Date.now() ? at : null);

/** Makes the channel of a star; true for the one call that made it. */
export async function createChannel(starId: number): Promise<boolean> {
  const created = await execute(
    { id: channels.id },
    (columns) => sql`
      insert into ${channels} (${namesOf(channels.starId)}) select ${stars.id} from ${stars}
      where ${stars.id} = ${starId} and ${isShown(stars)}
      on conflict do nothing returning ${columns}`,
  );
  return created.length > 0;
}

/** Makes an account a member of a star's channel, or no member any more. False when it was so before. */
export async function setMembership(starId: number, userId: number, member: boolean): Promise<boolean> {
  const changed = member ? await addMember(starId, userId) : await removeMember(starId, userId);
  return changed.length > 0;
}

const addMember = (starId: number, userId: number) =>
  execute(
    { channelId: channelMembers.channelId },
    (columns) => sql`
      insert into ${channelMembers} (${namesOf(channelMembers.channelId, channelMembers.userId)})
      select ${channels.id}, ${userId}::int from ${channels}
      where ${channels.starId} = ${starId} and ${isShownById(channels.starId)}
      on conflict do nothing returning ${columns}`,
  );

function removeMember(starId: number, userId: number) {
  const channel = database()
    .select({ id: channels.id })
    .from(channels)
    .where(and(eq(channels.starId, starId), isShownById(channels.starId)));
  return database()
    .delete(channelMembers)
    .where(and(inArray(channelMembers.channelId, channel), eq(channelMembers.userId, userId)))
    .returning({ channelId: channelMembers.channelId });
}

/** A star's channel and its members; undefined when there is no such star. */
export async function findMembers(
  starId: number,
): Promise<{ channelId: number | null; memberCount: number } | undefined> {
  const [members] = await database()
    .select({ channelId: channels.id, memberCount: coalesce(channels.memberCount, sql<number>`0`) })
    .from(stars)
    .leftJoin(channels, eq(channels.starId, stars.id))
    .where(and(eq(stars.id, starId), isShown(stars)));
  return members;
}

/** The stars whose channels these are. */
export async function findStarsOfChannels(ids: readonly number[]): Promise<number[]> {
  const rows = await database()
    .select({ starId: channels.starId })
    .from(channels)
    .where(isOneOf(channels.id, ids));
  return rows.map(({ starId }) => starId);
}
