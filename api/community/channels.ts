import { type ChannelListQuery, type ChannelListRow, listChannels } from '#db/queries/channels.ts';

/**
 * A page of channels in one of the three orders of §9, narrowed down by the name of a star as `readQuery` reads it
 * (any language, romanised, initial consonants), and how many match in all.
 */
export function readChannels(page: ChannelListQuery): Promise<{ channels: ChannelListRow[]; total: number }> {
  return listChannels(page);
}
