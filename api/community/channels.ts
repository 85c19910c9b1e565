import type { Lang } from '#content/locales.ts';
import { type ChannelListQuery, listChannels } from '#db/queries/community/channel-list.ts';
import {
  type ChannelListRow,
  type ChannelView,
  createChannel,
  findChannelOf,
  findMembers,
  setMembership,
} from '#db/queries/community/channels.ts';
import { pagination } from '../admin/paging.ts';
import { missingStar } from '../directory/missing-star.ts';
import { invalidate } from '../invalidation.ts';
import type { Visitor } from '../plugins/session.ts';
import { withImageUrl } from '../stars/badge.ts';
import type { StarBadge } from '../stars/model.ts';
import { invalidateChannel } from '../throttled-invalidation.ts';
import { publishState } from './live/live.ts';
import type { Channel, ChannelAnswer, ChannelList, Membership } from './model.ts';

/** A stored channel as the contract has it, its star with what pages draw it by. */
export function toChannel({ star, lastActivityAt, ...row }: ChannelListRow): Channel & { star: StarBadge } {
  return {
    ...row,
    starId: star.id,
    star: withImageUrl(star),
    lastActivityAt: lastActivityAt?.toISOString() ?? null,
  };
}

/**
 * A page of channels in one of the three orders of §9, narrowed down by the name of a star as `readQuery` reads it
 * (any language, romanised, initial consonants), and how many match in all.
 */
export function readChannels(page: ChannelListQuery): Promise<{ channels: ChannelListRow[]; total: number }> {
  return listChannels(page);
}

/** The same as the contract has it (§7). */
export async function answerChannels(query: ChannelListQuery): Promise<ChannelList> {
  const { channels, total } = await listChannels(query);
  const page = query.offset / query.limit + 1;
  return { channels: channels.map(toChannel), total, pagination: pagination(page, query.limit, total) };
}

/**
 * A star's channel for the one who asks (§7), made when a person comes first (decision C1).
 * @param visit the call is a person's, by `isVisit`
 * @throws NotFound without such a star, or before the first person
 */
export async function visitChannel(
  starId: number,
  language: Lang,
  visit: boolean,
  visitor: Visitor | undefined,
): Promise<ChannelAnswer> {
  let view = await findChannelOf(starId, language, visitor?.id);
  if (!view) throw await missingStar(starId, 'Channel');
  let isNewlyCreated = false;
  if (!view.channel && visit) {
    isNewlyCreated = await openChannel(starId);
    view = await findChannelOf(starId, language, visitor?.id);
  }
  if (!view?.channel) throw await missingStar(starId, 'Channel');
  return { channel: toChannel(view.channel), isNewlyCreated, viewer: viewerOf(view, visitor) };
}

function viewerOf({ channel, viewer }: ChannelView, visitor: Visitor | undefined): ChannelAnswer['viewer'] {
  if (!visitor || !viewer) return null;
  const canModerate = visitor.role !== 'user';
  return {
    userId: visitor.id,
    isMember: channel?.isMember ?? false,
    canModerate,
    mutedUntil: viewer.mutedUntil?.toISOString() ?? null,
    nextMessageAt: canModerate ? null : (viewer.nextMessageAt?.toISOString() ?? null),
  };
}

async function openChannel(starId: number): Promise<boolean> {
  const created = await createChannel(starId);
  if (created) await invalidate([`channel:${starId}`, 'channels']);
  return created;
}

/**
 * Makes an account a member (§4), of a channel that it opens if nobody did. A repeat changes nothing.
 * @throws NotFound without such a star
 */
export async function joinChannel(starId: number, userId: number): Promise<Membership> {
  const channel = await findMembers(starId);
  if (!channel) throw await missingStar(starId, 'Channel');
  const isNewlyCreated = channel.channelId === null && (await openChannel(starId));
  const changed = await setMembership(starId, userId, true);
  return { isMember: true, memberCount: await membersAfter(starId, changed), isNewlyCreated };
}

/** Ends a membership; a repeat changes nothing. @throws NotFound without such a channel */
export async function leaveChannel(starId: number, userId: number): Promise<Membership> {
  const changed = await setMembership(starId, userId, false);
  return { isMember: false, memberCount: await membersAfter(starId, changed), isNewlyCreated: false };
}

/** The counter is written by a trigger after the statement: another one sees it. */
async function membersAfter(starId: number, changed: boolean): Promise<number> {
  const channel = await findMembers(starId);
  if (!channel?.channelId) throw await missingStar(starId, 'Channel');
  if (changed) {
    invalidateChannel(starId);
    publishState(channel.channelId);
  }
  return channel.memberCount;
}
