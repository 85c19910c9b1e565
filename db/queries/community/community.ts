import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { channels, messages } from '../../schema/community.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { jsonObject, literal, prepare, type RowOf } from '../../sql.ts';
import { badgeFields, isShownById, s, st, wordsIn } from '../stars/badge.ts';

const c = alias(channels, 'c');
const m = alias(messages, 'm');

const talkingFields = {
  star: jsonObject(badgeFields()),
  memberCount: c.memberCount,
  lastMessage: m.content,
  lastActivityAt: m.createdAt,
};

export type TalkingRow = RowOf<typeof talkingFields>;

const talkingChannels = memoize(({ language, limit }: { language: Lang; limit: number }) =>
  prepare(
    talkingFields,
    (columns) => sql`
      select ${columns}
      from (select * from ${channels} where ${channels.lastActivityAt} is not null and ${isShownById(channels.starId)}
        order by ${channels.lastActivityAt} desc, ${channels.id} limit ${literal(limit)}) ${c}
      join ${stars} ${s} on ${s.id} = ${c.starId}
      left join ${starTranslations} ${st} on ${wordsIn(language)}
      join lateral (select ${m.content}, ${m.createdAt} from ${messages} ${m}
        where ${m.channelId} = ${c.id} and ${m.deletedAt} is null order by ${m.id} desc limit 1) ${m} on true
      order by ${c.lastActivityAt} desc, ${c.id}`,
  ),
);

/** The channels with the newest messages and what was said last, newest first (look §5 Home, "talking now"). */
export function listTalkingChannels(language: Lang, limit: number): Promise<TalkingRow[]> {
  return talkingChannels({ language, limit })({});
}
