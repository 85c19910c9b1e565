import type { Lang } from '#content/locales.ts';
import { listTalkingChannels, type TalkingRow } from '#db/queries/community/community.ts';

/** Channels in which fans talked last, with the newest message (look §5 Home). Newest first. */
export function readTalkingChannels(language: Lang, limit: number): Promise<TalkingRow[]> {
  return listTalkingChannels(language, limit);
}
