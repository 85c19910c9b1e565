import { sql } from 'drizzle-orm';
import { languages } from '#content/locales.ts';
import { makeParts, messageSeries } from '../../partitions/by-id.ts';
import { follows, users } from '../../schema/accounts.ts';
import { channelMembers, channels, channelTranslations, messages } from '../../schema/community.ts';
import { nameOf, namesOf } from '../../sql.ts';
import {
  type Block,
  inChunks,
  type Progress,
  perLanguage,
  pick,
  randomShare,
  reserveIds,
  textRows,
} from './chunks.ts';
import { lines } from './words.ts';

const messagesPerChunk = 20_000;
/** Channels that a user joins and stars that a user follows. */
const joined = 5;
const followed = 5;
const stride = 37;

/** Inserts users who cannot log in and whom they follow. */
export async function seedUsers(count: number, stars: Block, progress: Progress): Promise<Block> {
  const block = await reserveIds(users, count);
  const codes = sql.raw(languages.map((language) => `'${language}'`).join(', '));
  await inChunks(block, { size: 5_000, message: 'users' }, progress, async (tx, { from, to }) => {
    const ids = sql`generate_series(${from}::int, ${to}::int) as u(id)`;
    await tx.execute(sql`
      insert into ${users} (${namesOf(users.id, users.username, users.usernameKey, users.language, users.createdAt)})
      overriding system value
      select u.id, 'volume_' || u.id, 'volume_' || u.id, (array[${codes}])[1 + u.id % ${sql.raw(String(languages.length))}],
        now() - interval '2 years' * ${randomShare(sql`u.id`)} from ${ids}`);
    await tx.execute(sql`
      insert into ${follows} (${namesOf(follows.userId, follows.starId)})
      select u.id, ${stars.first}::int + floor(${stars.count}::int * power(${randomShare(sql`u.id * 8 + k`)}, 2))::int
      from ${ids}, generate_series(1, ${followed}::int) as k on conflict do nothing`);
  });
  return block;
}

/** Inserts channels of the first stars of `stars` with their members. */
export async function seedChannels(
  count: number,
  stars: Block,
  fans: Block,
  progress: Progress,
): Promise<Block> {
  const block = await reserveIds(channels, count);
  const texts = lines(200);
  await inChunks(block, { size: count, message: 'channels' }, progress, async (tx, { from, to }) => {
    const ids = sql`generate_series(${from}::int, ${to}::int) as c(id)`;
    await tx.execute(sql`
      insert into ${channels} (${namesOf(channels.id, channels.starId)}) overriding system value
      select c.id, ${stars.first}::int + c.id - ${block.first}::int from ${ids}`);
    await tx.execute(sql`
      insert into ${channelTranslations} (${namesOf(
        channelTranslations.channelId,
        channelTranslations.language,
        channelTranslations.description,
      )})
      select c.id, words.language, words.description from ${ids} join ${textRows(texts)} on texts.n = c.id % ${texts.length}::int
      cross join lateral (values ${perLanguage((lang) => `texts.${lang}`)}) as words(language, description)`);
    await tx.execute(sql`
      insert into ${channelMembers} (${namesOf(channelMembers.channelId, channelMembers.userId)})
      select ${block.first}::int + (u.place + j * ${stride}::int) % ${count}::int, ${fans.first}::int + u.place
      from generate_series(0, ${fans.count - 1}::int) as u(place), generate_series(0, ${joined - 1}::int) as j
      on conflict do nothing`);
  });
  return block;
}

/**
 * Ninety days of messages, the newest last, more in the first channels than in the later ones; every sender is a
 * member of the channel.
 */
export async function seedMessages(
  count: number,
  rooms: Block,
  fans: Block,
  progress: Progress,
): Promise<void> {
  const block = await reserveIds(messages, count);
  await makeParts(messageSeries);
  const texts = lines(1000);
  const room = sql`floor(${rooms.count}::int * power(${randomShare(sql`m.id * 4`)}, 2))::int`;
  const joinedBy = sql`(${pick(sql`m.id * 4 + 1`, joined)} * ${stride}::int)`;
  await inChunks(
    block,
    { size: messagesPerChunk, message: 'messages' },
    progress,
    async (tx, { from, to }) => {
      await tx.execute(sql`
      with texts as materialized (select * from ${textRows(texts)})
      insert into ${messages} (${namesOf(
        messages.id,
        messages.channelId,
        messages.userId,
        messages.content,
        messages.createdAt,
      )}) overriding system value
      select m.id, ${rooms.first}::int + m.room, ${fans.first}::int + m.place + ${rooms.count}::int * floor(
          ((${fans.count - 1}::int - m.place) / ${rooms.count}::int + 1) * ${randomShare(sql`m.id * 4 + 2`)})::int,
        case m.id % 4 when 0 then texts.ko when 1 then texts.en when 2 then texts.ms else texts.vi end,
        now() - interval '90 days' * ((${block.first + count}::int - m.id)::float8 / ${count}::int)
      from (select m.id, m.room, (m.room - m.step % ${rooms.count}::int + ${rooms.count}::int) % ${rooms.count}::int as place
        from (select m.id, ${room} as room, ${joinedBy} as step
          from generate_series(${from}::int, ${to}::int) as m(id)) m) m
      join texts on texts.n = ${pick(sql`m.id * 4 + 3`, texts.length)} order by m.id`);
      await tx.execute(sql`
      update ${channels} set ${nameOf(channels.lastActivityAt)} = newest.at from (
        select ${messages.channelId} as channel, max(${messages.createdAt}) as at from ${messages}
        where ${messages.id} between ${from} and ${to} group by ${messages.channelId}) newest
      where ${channels.id} = newest.channel`);
    },
  );
}
