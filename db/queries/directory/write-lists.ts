import { and, eq, not, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../client.ts';
import {
  achievements,
  achievementTranslations,
  photos,
  photoTranslations,
  socialLinks,
  starMembers,
  timelineEvents,
  timelineTranslations,
} from '../../schema/stars.ts';
import { intArray, isOneOf, nameOf } from '../../sql.ts';
import type {
  StoredAchievement,
  StoredMember,
  StoredPhoto,
  StoredSocialLink,
  StoredTimelineEvent,
} from './document.ts';
import { wordRows } from './write.ts';

/** Rows of the lists of a star's document. What may stand in them was decided before (`api/directory/write-lists.ts`). */

/** An entry of a list as it is to stand; without an id it is new. */
export interface ItemWrite<Item> {
  id: number | undefined;
  item: Item;
  isChanged: boolean;
}

/** Writes the members of a group in their order. @returns their ids in that order */
export async function writeMembers(
  tx: Transaction,
  groupId: number,
  items: readonly ItemWrite<StoredMember & { memberId: number | null }>[],
): Promise<number[]> {
  await deleteOthers(tx, starMembers, starMembers.groupId, groupId, items);
  const row = ({
    memberId,
    names,
    roles,
    since,
    until,
    isFormer,
    source,
  }: (typeof items)[number]['item']) => ({
    memberId,
    names,
    roles: roles ?? null,
    since: since ?? null,
    until: until ?? null,
    isFormer,
    source: source ?? null,
  });
  for (const { id, item } of changedOf(items))
    await tx.update(starMembers).set(row(item)).where(eq(starMembers.id, id));
  const added = await insertNew(items, (news) =>
    tx
      .insert(starMembers)
      .values(news.map((item) => ({ groupId, position: 0, ...row(item) })))
      .returning({ id: starMembers.id }),
  );
  const ids = idsInOrder(items, added);
  await tx.execute(sql`
    update ${starMembers} set ${nameOf(starMembers.position)} = given.place - 1
    from unnest(${intArray(ids)}) with ordinality as given(id, place)
    where ${starMembers.id} = given.id and ${starMembers.position} <> given.place - 1`);
  return ids;
}

/** Writes the photos of a star in their order; those that stay keep what was counted. @returns their ids in that order */
export async function writePhotos(
  tx: Transaction,
  starId: number,
  items: readonly ItemWrite<StoredPhoto>[],
): Promise<number[]> {
  await deleteOthers(tx, photos, photos.starId, starId, items);
  const row = ({ picture, category, photographer, takenAt, isOfficial }: StoredPhoto) => ({
    pictureKey: picture.key,
    category,
    photographer: photographer ?? null,
    takenAt: takenAt ?? null,
    isOfficialPhoto: isOfficial,
  });
  for (const { id, item } of changedOf(items))
    await tx.update(photos).set(row(item)).where(eq(photos.id, id));
  const added = await insertNew(items, (news) =>
    tx
      .insert(photos)
      .values(news.map((item) => ({ starId, position: 0, ...row(item) })))
      .returning({ id: photos.id }),
  );
  const ids = idsInOrder(items, added);
  const written = writtenOf(items, ids);
  await tx.delete(photoTranslations).where(
    isOneOf(
      photoTranslations.photoId,
      written.map(({ id }) => id),
    ),
  );
  const words = written.flatMap(({ id, item }) =>
    wordRows(item.words).map((own) => ({ photoId: id, ...own })),
  );
  if (words.length > 0) await tx.insert(photoTranslations).values(words);
  await tx.execute(sql`
    update ${photos} set ${nameOf(photos.position)} = given.place - 1
    from unnest(${intArray(ids)}) with ordinality as given(id, place)
    where ${photos.id} = given.id and ${photos.position} <> given.place - 1`);
  return ids;
}

/** Writes the timeline of a star. @returns the ids of its entries in the order given */
export async function writeTimeline(
  tx: Transaction,
  starId: number,
  items: readonly ItemWrite<StoredTimelineEvent>[],
): Promise<number[]> {
  await deleteOthers(tx, timelineEvents, timelineEvents.starId, starId, items);
  const row = ({
    date,
    type,
    importance,
    isHighlight,
    picture,
    relatedUrl,
    source,
  }: StoredTimelineEvent) => ({
    date,
    type,
    importance,
    isHighlight,
    pictureKey: picture?.key ?? null,
    relatedUrl: relatedUrl ?? null,
    source: source ?? null,
  });
  for (const { id, item } of changedOf(items))
    await tx.update(timelineEvents).set(row(item)).where(eq(timelineEvents.id, id));
  const added = await insertNew(items, (news) =>
    tx
      .insert(timelineEvents)
      .values(news.map((item) => ({ starId, ...row(item) })))
      .returning({ id: timelineEvents.id }),
  );
  const ids = idsInOrder(items, added);
  const written = writtenOf(items, ids);
  await tx.delete(timelineTranslations).where(
    isOneOf(
      timelineTranslations.timelineEventId,
      written.map(({ id }) => id),
    ),
  );
  const words = written.flatMap(({ id, item }) =>
    wordRows(item.words).map((own) => ({ timelineEventId: id, ...own })),
  );
  if (words.length > 0) await tx.insert(timelineTranslations).values(words);
  return ids;
}

/** Writes the awards of a star. @returns their ids in the order given */
export async function writeAchievements(
  tx: Transaction,
  starId: number,
  items: readonly ItemWrite<StoredAchievement>[],
): Promise<number[]> {
  await deleteOthers(tx, achievements, achievements.starId, starId, items);
  const row = ({ awardDate, result, source }: StoredAchievement) => ({
    awardDate,
    result,
    source: source ?? null,
  });
  for (const { id, item } of changedOf(items))
    await tx.update(achievements).set(row(item)).where(eq(achievements.id, id));
  const added = await insertNew(items, (news) =>
    tx
      .insert(achievements)
      .values(news.map((item) => ({ starId, ...row(item) })))
      .returning({ id: achievements.id }),
  );
  const ids = idsInOrder(items, added);
  const written = writtenOf(items, ids);
  await tx.delete(achievementTranslations).where(
    isOneOf(
      achievementTranslations.achievementId,
      written.map(({ id }) => id),
    ),
  );
  const words = written.flatMap(({ id, item }) =>
    wordRows(item.words).map((own) => ({ achievementId: id, ...own })),
  );
  if (words.length > 0) await tx.insert(achievementTranslations).values(words);
  return ids;
}

/** Writes the accounts of a star. @returns their ids in the order given */
export async function writeSocialLinks(
  tx: Transaction,
  starId: number,
  items: readonly ItemWrite<StoredSocialLink>[],
): Promise<number[]> {
  await deleteOthers(tx, socialLinks, socialLinks.starId, starId, items);
  const row = ({ countedOn, platformUserId, followerCount, source, ...rest }: StoredSocialLink) => ({
    ...rest,
    platformUserId: platformUserId ?? null,
    followerCount: followerCount ?? null,
    checkedAt: countedOn === undefined ? sql`now()` : sql`(${countedOn}::date)::timestamp at time zone 'UTC'`,
    source: source ?? null,
  });
  for (const { id, item } of changedOf(items))
    await tx.update(socialLinks).set(row(item)).where(eq(socialLinks.id, id));
  const added = await insertNew(items, (news) =>
    tx
      .insert(socialLinks)
      .values(news.map((item) => ({ starId, ...row(item) })))
      .returning({ id: socialLinks.id }),
  );
  return idsInOrder(items, added);
}

async function deleteOthers(
  tx: Transaction,
  table: Parameters<Transaction['delete']>[0] & { id: AnyPgColumn },
  owner: AnyPgColumn,
  starId: number,
  items: readonly ItemWrite<unknown>[],
): Promise<void> {
  const kept = items.flatMap(({ id }) => (id === undefined ? [] : [id]));
  await tx.delete(table).where(and(eq(owner, starId), not(isOneOf(table.id, kept))));
}

function changedOf<Item>(items: readonly ItemWrite<Item>[]): { id: number; item: Item }[] {
  return items.flatMap(({ id, item, isChanged }) => (id !== undefined && isChanged ? [{ id, item }] : []));
}

/** New rows come back in the order in which they were given. */
async function insertNew<Item>(
  items: readonly ItemWrite<Item>[],
  insert: (news: Item[]) => PromiseLike<{ id: number }[]>,
): Promise<number[]> {
  const news = items.flatMap(({ id, item }) => (id === undefined ? [item] : []));
  if (news.length === 0) return [];
  return (await insert(news)).map(({ id }) => id);
}

function idsInOrder(items: readonly ItemWrite<unknown>[], added: readonly number[]): number[] {
  const rest = added.values();
  return items.flatMap(({ id }) => id ?? rest.next().value ?? []);
}

/** The entries that are new or changed, with their ids. */
function writtenOf<Item>(
  items: readonly ItemWrite<Item>[],
  ids: readonly number[],
): { id: number; item: Item }[] {
  return items.flatMap(({ item, isChanged }, index) => {
    const id = ids[index];
    return isChanged && id !== undefined ? [{ id, item }] : [];
  });
}
