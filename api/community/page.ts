import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { findChannelOf } from '#db/queries/community/channels.ts';
import { listMessagesOf } from '#db/queries/community/messages.ts';
import { withImageUrl } from '../stars/badge.ts';
import type { StarBadge } from '../stars/model.ts';
import { toChannel } from './channels.ts';
import { toMessage } from './messages.ts';
import type { Channel, MessageList } from './model.ts';

/** A channel's page as it is rendered for everybody (§2 Channel page). */
export interface ChannelPage extends Omit<MessageList, 'deletedIds'> {
  /** `id` is null while nobody opened the channel (decision C1): the page is there, its first visitor's browser opens it. */
  channel: Omit<Channel, 'id'> & { id: number | null; star: StarBadge };
}

/** Header and newest messages of a channel; undefined without such a star. Two statements, side by side. */
export async function readChannelPage(starId: number, language: Lang): Promise<ChannelPage | undefined> {
  const [view, page] = await Promise.all([
    findChannelOf(starId, language),
    listMessagesOf(starId, { limit: limits.messagesPage }),
  ]);
  if (!view || !page) return undefined;
  const { channel, star } = view;
  return {
    channel: channel
      ? toChannel(channel)
      : {
          id: null,
          starId,
          star: withImageUrl(star),
          memberCount: 0,
          activeUsers: 0,
          lastActivityAt: null,
          description: null,
          isMember: false,
          slowModeSeconds: 0,
        },
    messages: page.messages.map(toMessage),
    hasMore: page.hasMore,
    lastEventId: page.lastEventId,
  };
}
