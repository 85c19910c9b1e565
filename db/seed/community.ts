import { languages } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import type { Transaction } from '../client.ts';
import { channelMembers, channels, channelTranslations, messages } from '../schema/community.ts';
import type { Beginning } from './articles.ts';
import type { ChannelFile, DemoWorld } from './content.ts';
import { resolveDates } from './dates.ts';
import { type Fans, fanId } from './fans.ts';
import { chance } from './random.ts';
import { continueIds, insertRows } from './rows.ts';
import { type StarIdBySlug, starIdOf } from './stars.ts';

const minute = 60_000;
const day = 86_400_000;
/** Share of a star's followers who joined its channel; the talking ones are first among them. */
const joining = 0.86;
const fewest = { popular: 40, other: 10 };

interface Entry {
  id: number;
  starId: number;
  file: ChannelFile;
  description: Record<(typeof languages)[number], string>;
  members: readonly number[];
  talk: readonly Talk[];
}

interface Talk {
  userId: number;
  content: string;
  createdAt: Date;
}

/** Inserts a channel with members and messages for every conversation of the demo; message ids grow with time. */
export async function seedCommunity(
  tx: Transaction,
  world: DemoWorld,
  starIds: StarIdBySlug,
  fans: Fans,
  beginning: Beginning,
): Promise<void> {
  const entries = world.stars.flatMap((star) => {
    const file = world.channels.find((channel) => channel.star === star.slug);
    if (!file) return [];
    const followers = fans.followers.get(star.slug) ?? [];
    const least = star.order <= 12 ? fewest.popular : fewest.other;
    const members = followers.slice(0, Math.max(least, Math.round(followers.length * joining)));
    return [{ file, starId: starIdOf(starIds, star.slug), description: star.channelDescription, members }];
  });
  const numbered = entries.map(
    (entry, index): Entry => ({
      ...entry,
      id: index + 1,
      talk: talkOf(entry.file, fans, beginning),
    }),
  );
  await insertRows(
    tx,
    channels,
    numbered.map((entry) => channelRow(entry, beginning)),
  );
  const words = numbered.flatMap(({ id, description }) =>
    languages.map((language) => ({ channelId: id, language, description: description[language] })),
  );
  await insertRows(tx, channelTranslations, words);
  await insertRows(
    tx,
    channelMembers,
    numbered.flatMap((entry) => memberRows(entry, beginning)),
  );
  const messageRows = numbered
    .flatMap(({ id, talk }) => talk.map((each) => ({ ...each, channelId: id })))
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map((each, index) => ({ ...each, id: index + 1 }));
  await insertRows(tx, messages, messageRows);
  for (const table of [channels, messages]) await continueIds(tx, table);
}

function channelRow({ id, starId, talk }: Entry, { now }: Beginning) {
  const newest = Math.max(...talk.map(({ createdAt }) => createdAt.getTime()));
  return {
    id,
    starId,
    lastActivityAt: talk.length > 0 ? new Date(newest) : null,
    createdAt: new Date(now.getTime() - chance(`channel-${starId}`).int(200 * day, 400 * day)),
  };
}

function memberRows({ id, members, talk }: Entry, { now }: Beginning) {
  const luck = chance(`members-${id}`);
  const oldest = Math.min(now.getTime(), ...talk.map(({ createdAt }) => createdAt.getTime()));
  return members.map((userId) => ({
    channelId: id,
    userId,
    joinedAt: new Date(oldest - luck.int(1, 190 * day)),
  }));
}

/** Messages of one minute keep the order of the file, seven seconds apart. */
function talkOf({ messages: lines }: ChannelFile, fans: Fans, { now, today }: Beginning): Talk[] {
  const later = (index: number) =>
    lines.slice(index + 1).filter((line) => line.minutesAgo === lines[index]?.minutesAgo);
  return lines.map(({ fan, minutesAgo, text }, index) => ({
    userId: fanId(fans.ids, fan),
    content: normalized(resolveDates(text, 'ko', today)),
    createdAt: new Date(now.getTime() - minutesAgo * minute - later(index).length * 7_000),
  }));
}
