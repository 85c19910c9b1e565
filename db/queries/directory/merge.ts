import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../client.ts';
import { follows } from '../../schema/accounts.ts';
import { articleStars } from '../../schema/articles.ts';
import { channelMembers, channelMutes, channels, messages } from '../../schema/community.ts';
import { type FormerStar, starExternalIds, starRedirects } from '../../schema/directory.ts';
import { eventStars, eventSubscriptions, events } from '../../schema/events.ts';
import { storyCandidates, storyStars } from '../../schema/newsroom.ts';
import { reminders } from '../../schema/reminders.ts';
import {
  achievements,
  nameTable,
  photos,
  socialLinks,
  starAliases,
  starMembers,
  starProfiles,
  stars,
  timelineEvents,
} from '../../schema/stars.ts';
import { execute, isOneOf, nameOf, namesOf } from '../../sql.ts';
import { planRemindersOfEvents } from '../reminders/reminders.ts';

const leaving = alias(events, 'leaving');
const staying = alias(events, 'staying');
const r = alias(reminders, 'r');
const own = alias(reminders, 'own');

/** What is done to everything that names one star so that it names another. */

/**
 * Moves all that refers to a star to another one, each once, and ends the star; its number leads there from now on. Both are locked
 * by the caller. Rows that count something leave and come anew, for the triggers that keep the counters.
 * @param former what the star was, by which a file may still know it
 */
export async function moveEverything(
  tx: Transaction,
  from: number,
  into: number,
  former: FormerStar,
): Promise<void> {
  await moveLinks(tx, follows, follows.starId, [follows.userId, follows.createdAt], from, into);
  await moveLinks(
    tx,
    articleStars,
    articleStars.starId,
    [articleStars.articleId, articleStars.position, articleStars.publishedAt],
    from,
    into,
  );
  await moveLinks(tx, eventStars, eventStars.starId, [eventStars.eventId, eventStars.role], from, into);
  await moveLinks(
    tx,
    storyStars,
    storyStars.starId,
    [storyStars.storyId, storyStars.position, storyStars.score],
    from,
    into,
  );
  await moveLinks(
    tx,
    storyCandidates,
    storyCandidates.starId,
    [storyCandidates.storyId, storyCandidates.name, storyCandidates.score],
    from,
    into,
  );
  await moveLinks(tx, starAliases, starAliases.starId, [starAliases.alias], from, into);
  await moveChannel(tx, from, into);
  await moveAnniversaries(tx, from, into);
  await tx.update(events).set({ primaryStarId: into }).where(eq(events.primaryStarId, from));
  await moveMemberships(tx, from, into);
  await tx
    .update(starProfiles)
    .set({ parentId: into })
    .where(and(eq(starProfiles.parentId, from), ne(starProfiles.starId, into)));
  await movePhotos(tx, from, into);
  await tx.update(timelineEvents).set({ starId: into }).where(eq(timelineEvents.starId, from));
  await tx.update(achievements).set({ starId: into }).where(eq(achievements.starId, from));
  const known = sql`(select ${socialLinks.profileUrl} from ${socialLinks} where ${socialLinks.starId} = ${into})`;
  await tx
    .update(socialLinks)
    .set({ starId: into })
    .where(and(eq(socialLinks.starId, from), sql`${socialLinks.profileUrl} not in ${known}`));
  await tx.update(nameTable).set({ starId: into }).where(eq(nameTable.starId, from));
  await tx
    .update(starExternalIds)
    .set({ starId: into, mergedFrom: sql`coalesce(${starExternalIds.mergedFrom}, ${from})` })
    .where(eq(starExternalIds.starId, from));
  await tx.update(starRedirects).set({ intoId: into }).where(eq(starRedirects.intoId, from));
  await tx.insert(starRedirects).values({ fromId: from, intoId: into, former });
  await tx.delete(stars).where(eq(stars.id, from));
}

/** Rows that link a star with something else, once each: those that the other star has already leave. */
async function moveLinks(
  tx: Transaction,
  table: Parameters<Transaction['delete']>[0],
  star: AnyPgColumn,
  rest: AnyPgColumn[],
  from: number,
  into: number,
): Promise<void> {
  const others = sql.join(
    rest.map((column) => sql`moved.${nameOf(column)}`),
    sql`, `,
  );
  await tx.execute(sql`
    with moved as (delete from ${table} where ${star} = ${from} returning *)
    insert into ${table} (${namesOf(star, ...rest)})
    select ${into}::int, ${others} from moved on conflict do nothing`);
}

/** The channel's people and what they wrote. Its own row goes with the star. */
async function moveChannel(tx: Transaction, from: number, into: number): Promise<void> {
  const [source] = await tx
    .select({ id: channels.id, lastActivityAt: channels.lastActivityAt })
    .from(channels)
    .where(eq(channels.starId, from))
    .for('update');
  if (!source) return;
  await tx.insert(channels).values({ starId: into }).onConflictDoNothing();
  const [target] = await tx
    .select({ id: channels.id })
    .from(channels)
    .where(eq(channels.starId, into))
    .for('update');
  if (!target) return;
  await moveLinks(
    tx,
    channelMembers,
    channelMembers.channelId,
    [channelMembers.userId, channelMembers.joinedAt],
    source.id,
    target.id,
  );
  await moveLinks(
    tx,
    channelMutes,
    channelMutes.channelId,
    [
      channelMutes.userId,
      channelMutes.until,
      channelMutes.reason,
      channelMutes.mutedBy,
      channelMutes.createdAt,
    ],
    source.id,
    target.id,
  );
  await tx.update(messages).set({ channelId: target.id }).where(eq(messages.channelId, source.id));
  await tx
    .update(channels)
    .set({
      lastActivityAt: sql`greatest(${channels.lastActivityAt}, (select ${nameOf(channels.lastActivityAt)} from ${channels} as source where source.${nameOf(channels.id)} = ${source.id}))`,
    })
    .where(eq(channels.id, target.id));
}

/**
 * Birthdays and anniversaries that both stars have in a year stay once, with everybody who wants to be reminded of either. What was
 * planned or sent goes along where both are on the same day, so that nobody is told twice.
 */
async function moveAnniversaries(tx: Transaction, from: number, into: number): Promise<void> {
  const pairs = await execute(
    { leaving: leaving.id, staying: staying.id },
    (columns) => sql`
      select ${columns} from ${events} ${leaving} join ${events} ${staying}
        on ${staying.anniversaryFact} = ${leaving.anniversaryFact} and ${staying.anniversaryYear} = ${leaving.anniversaryYear}
      where ${leaving.anniversaryOf} = ${from} and ${staying.anniversaryOf} = ${into}`,
    tx,
  );
  if (pairs.length > 0) {
    const both = pairs.flatMap(({ leaving: left, staying: kept }) => [left, kept]);
    await tx
      .select({ id: events.id })
      .from(events)
      .where(isOneOf(events.id, both))
      .orderBy(events.id)
      .for('update');
    await moveSubscriptions(tx, pairs);
    await tx.delete(events).where(
      isOneOf(
        events.id,
        pairs.map((pair) => pair.leaving),
      ),
    );
  }
  await tx.update(events).set({ anniversaryOf: into }).where(eq(events.anniversaryOf, from));
}

async function moveSubscriptions(
  tx: Transaction,
  pairs: readonly { leaving: number; staying: number }[],
): Promise<void> {
  const { userId, eventId, subscriptionType, email, push, times, createdAt } = eventSubscriptions;
  const settings = [subscriptionType, email, push, times, createdAt];
  const pair = sql`jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as pair(leaving int, staying int)`;
  await tx.execute(sql`
    with moved as (delete from ${eventSubscriptions} using ${pair} where ${eventId} = pair.leaving
      returning pair.staying, ${sql.join([userId, ...settings], sql`, `)})
    insert into ${eventSubscriptions} (${namesOf(eventId, userId, ...settings)})
    select * from moved on conflict do nothing`);
  await tx.execute(sql`
    update ${reminders} ${r} set ${nameOf(r.eventId)} = ${staying.id}, ${nameOf(r.version)} = ${staying.scheduleVersion}
    from ${pair} join ${events} ${leaving} on ${leaving.id} = pair.leaving
      join ${events} ${staying} on ${staying.id} = pair.staying and ${staying.startTime} = ${leaving.startTime}
    where ${r.eventId} = ${leaving.id} and ${r.version} = ${leaving.scheduleVersion} and ${r.changeId} is null
      and not exists (select from ${reminders} ${own} where ${own.eventId} = ${staying.id} and ${own.userId} = ${r.userId}
        and ${own.version} = ${staying.scheduleVersion} and ${own.time} = ${r.time} and ${own.channel} = ${r.channel})`);
  await planRemindersOfEvents(
    tx,
    pairs.map(({ staying: kept }) => kept),
  );
}

/** Members follow those that the other group has; whoever is a member of a group under both numbers stays once. */
async function moveMemberships(tx: Transaction, from: number, into: number): Promise<void> {
  const own = sql`${starMembers} as own where own.${nameOf(starMembers.groupId)}`;
  const isSame = sql`own.${nameOf(starMembers.memberId)} = ${starMembers.memberId}
    or own.${nameOf(starMembers.memberId)} is null and own.${nameOf(starMembers.names)} = ${starMembers.names}`;
  await tx.delete(starMembers).where(
    sql`${starMembers.groupId} = ${from} and (${starMembers.memberId} = ${into}
      or exists (select from ${own} = ${into} and (${isSame})))`,
  );
  await tx
    .update(starMembers)
    .set({ groupId: into, position: after(starMembers.position, starMembers.groupId, into) })
    .where(eq(starMembers.groupId, from));
  await tx.delete(starMembers).where(
    sql`${starMembers.memberId} = ${from} and (${starMembers.groupId} = ${into}
      or exists (select from ${own} = ${starMembers.groupId} and own.${nameOf(starMembers.memberId)} = ${into}))`,
  );
  await tx.update(starMembers).set({ memberId: into }).where(eq(starMembers.memberId, from));
}

async function movePhotos(tx: Transaction, from: number, into: number): Promise<void> {
  await tx
    .update(photos)
    .set({ starId: into, position: after(photos.position, photos.starId, into) })
    .where(eq(photos.starId, from));
}

/** A place behind those that a list has. */
const after = (position: AnyPgColumn, owner: AnyPgColumn, into: number): SQL => sql`${position} + (
  select coalesce(max(last.${nameOf(position)}), -1) + 1 from ${position.table} as last where last.${nameOf(owner)} = ${into})`;

/** What refers to a star, by name, and how often; what would leave with it unnoticed is not counted. */
export async function countReferences(tx: Transaction, id: number): Promise<Record<string, number>> {
  const count = (table: SQL | typeof follows, where: SQL) =>
    sql<number>`(select count(*)::int from ${table} where ${where})`;
  const inChannel = (column: AnyPgColumn) =>
    sql`${column} = (select ${channels.id} from ${channels} where ${channels.starId} = ${id})`;
  const [row] = await execute(
    {
      articles: count(sql`${articleStars}`, sql`${articleStars.starId} = ${id}`),
      stories: count(sql`${storyStars}`, sql`${storyStars.starId} = ${id}`),
      events: count(
        sql`${events}`,
        sql`${events.anniversaryOf} is null and (${events.primaryStarId} = ${id} or exists (
          select from ${eventStars} where ${eventStars.eventId} = ${events.id} and ${eventStars.starId} = ${id}))`,
      ),
      followers: count(sql`${follows}`, sql`${follows.starId} = ${id}`),
      channelMembers: count(sql`${channelMembers}`, inChannel(channelMembers.channelId)),
      messages: count(sql`${messages}`, inChannel(messages.channelId)),
      members: count(
        sql`${starMembers}`,
        sql`${starMembers.groupId} = ${id} and ${starMembers.memberId} is not null`,
      ),
      groups: count(sql`${starMembers}`, sql`${starMembers.memberId} = ${id}`),
      subUnits: count(sql`${starProfiles}`, sql`${starProfiles.parentId} = ${id}`),
      mergedStars: count(sql`${starRedirects}`, sql`${starRedirects.intoId} = ${id}`),
    },
    (columns) => sql`select ${columns}`,
    tx,
  );
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, number]) => number > 0));
}

/** Deletes a star and all that is its own. */
export async function deleteStarRow(tx: Transaction, id: number): Promise<void> {
  await tx.delete(stars).where(eq(stars.id, id));
}
