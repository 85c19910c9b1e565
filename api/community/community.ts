import type { Lang } from '#content/locales.ts';
import {
  type ChannelRow,
  findChannel,
  listMessages,
  listTalkingChannels,
  type MessageRow,
  type TalkingRow,
} from '#db/queries/community.ts';

/** Channels in which fans talked last, with the newest message (look §5 Home). Newest first. */
export function readTalkingChannels(language: Lang, limit: number): Promise<TalkingRow[]> {
  return listTalkingChannels(language, limit);
}

/** A star's channel and its last 50 messages, oldest first (§9); undefined when nobody opened it yet. */
export async function readChannel(
  starId: number,
  language: Lang,
): Promise<{ channel: ChannelRow; messages: MessageRow[] } | undefined> {
  const channel = await findChannel(starId, language);
  return channel && { channel, messages: await listMessages(channel.id, 50) };
}
