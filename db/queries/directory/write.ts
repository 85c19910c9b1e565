import { and, eq, inArray, isNotNull, like, not, or, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import { type Lang, languages } from '#content/locales.ts';
import type { Transaction } from '../../client.ts';
import { starExternalIds } from '../../schema/directory.ts';
import { pictures } from '../../schema/media.ts';
import {
  achievements,
  achievementTranslations,
  photos,
  photoTranslations,
  socialLinks,
  starAliases,
  starMembers,
  starProfiles,
  stars,
  starTranslations,
  timelineEvents,
  timelineTranslations,
} from '../../schema/stars.ts';
import { intArray, isOneOf, nameOf } from '../../sql.ts';
import {
  drawnHeroKey,
  type StoredAchievement,
  type StoredDocument,
  type StoredMember,
  type StoredPhoto,
  type StoredSocialLink,
  type StoredTimelineEvent,
  type StoredWords,
} from './document.ts';

/** Rows of a star's document. What may stand in them was decided before (`api/directory/write-star.ts`). */

/** What is worked out from a star's names: `name` is the Korean one, else the English one. */
export type StarSearchWords = Pick<typeof stars.$inferSelect, 'name' | 'initials' | 'searchText'>;

/** An entry of a list as it is to stand; without an id it is new. */
export interface ItemWrite<Item> {
  id: number | undefined;
  item: Item;
  isChanged: boolean;
}

/**
 * Makes sure that nobody else writes this star before the transaction ends. Others may refer to it meanwhile, so that two stars
 * that name each other are written at once without waiting for one another, unless it is to go.
 * @returns false when there is no such star
 */
export async function lockStar(
  tx: Transaction,
  id: number,
  { isLeaving = false }: { isLeaving?: boolean } = {},
): Promise<boolean> {
  const strength = isLeaving ? 'update' : 'no key update';
  const rows = await tx.select({ id: stars.id }).from(stars).where(eq(stars.id, id)).for(strength);
  return rows.length > 0;
}

/** The slugs that begin so. */
export async function findSlugs(tx: Transaction, start: string): Promise<Set<string>> {
  const rows = await tx
    .select({ slug: stars.slug })
    .from(stars)
    .where(or(eq(stars.slug, start), sql`starts_with(${stars.slug}, ${`${start}-`})`));
  return new Set(rows.map(({ slug }) => slug));
}

/** The same of stars that are gone, too: the pictures that were drawn for them stay, here and in browsers. */
export async function findSlugsEver(tx: Transaction, start: string): Promise<Set<string>> {
  const drawn = await tx
    .select({ slug: sql<string>`substring(${pictures.key} from '^star-(.*)-hero$')` })
    .from(pictures)
    .where(and(isNotNull(pictures.art), like(pictures.key, `star-${start}-%hero`)));
  return new Set([...(await findSlugs(tx, start)), ...drawn.map(({ slug }) => slug)]);
}

/** How a star looks where no photograph of it is shown. */
export interface StarLook {
  /** `#rrggbb`: its fan colour, else one that was drawn for it. */
  accent: string;
  isColorDrawn: boolean;
  markStyle: MarkStyle;
}

const lookColumns = ({ accent, isColorDrawn, markStyle }: StarLook) => ({
  fandomColor: accent,
  isColorDrawn,
  markStyle,
});

/** Adds a star, with the pictures that are drawn from its name. @returns its id; undefined: the slug is taken */
export async function insertStar(
  tx: Transaction,
  {
    slug,
    category,
    look,
    placeholder,
    ...names
  }: StarSearchWords & Pick<StoredDocument, 'slug' | 'category'> & { look: StarLook; placeholder: string },
): Promise<number | undefined> {
  const [added] = await tx
    .insert(stars)
    .values({ ...names, slug, category, ...lookColumns(look) })
    .onConflictDoNothing({ target: stars.slug })
    .returning({ id: stars.id });
  if (!added) return undefined;
  const picture = (kind: 'hero' | 'chart', recipe: string) => ({
    key: kind === 'hero' ? drawnHeroKey(slug) : `star-${slug}-chart`,
    art: { name: names.name, fandomColor: look.accent, recipe, seed: `star-${slug}-${kind}` },
    aspect: kind === 'hero' ? '12:5' : '3:2',
    placeholder,
  });
  await tx
    .insert(pictures)
    .values([picture('hero', 'portrait'), picture('chart', 'chart')])
    // Of a star of that name which is gone.
    .onConflictDoUpdate({
      target: pictures.key,
      set: { art: proposed(pictures.art), placeholder: proposed(pictures.placeholder) },
    });
  return added.id;
}

/** Writes the columns of the star itself. */
export async function writeStarRow(
  tx: Transaction,
  id: number,
  { slug, category, hero, avatar }: StoredDocument,
  names: StarSearchWords,
  look: StarLook | undefined,
): Promise<void> {
  await tx
    .update(stars)
    .set({
      ...names,
      category,
      heroKey:
        hero?.key ??
        sql`(select ${pictures.key} from ${pictures} where ${pictures.key} = ${drawnHeroKey(slug)})`,
      avatarKey: avatar?.key ?? null,
      ...(look && lookColumns(look)),
      updatedAt: sql`clock_timestamp()`,
    })
    .where(eq(stars.id, id));
}

/** Writes what a star is found by, and nothing else of it. */
export async function writeSearchWords(tx: Transaction, id: number, words: StarSearchWords): Promise<void> {
  await tx.update(stars).set(words).where(eq(stars.id, id));
}

/** Which of the stars of these slugs are hidden from readers. */
export async function findHiddenStars(tx: Transaction, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set();
  const rows = await tx
    .select({ slug: stars.slug })
    .from(stars)
    .where(and(inArray(stars.slug, [...slugs]), isNotNull(stars.hiddenAt)));
  return new Set(rows.map(({ slug }) => slug));
}

/** The groups that name a star as a member of theirs, in the order of their ids. */
export async function findGroups(tx: Transaction, member: number): Promise<number[]> {
  const rows = await tx
    .selectDistinct({ id: starMembers.groupId })
    .from(starMembers)
    .where(eq(starMembers.memberId, member))
    .orderBy(starMembers.groupId);
  return rows.map(({ id }) => id);
}

/** Writes the facts that are the same in every language. */
export async function writeProfile(
  tx: Transaction,
  starId: number,
  document: StoredDocument,
  parentId: number | null,
): Promise<void> {
  const profile = {
    debutDate: document.debutDate ?? null,
    birthDate: document.birthDate ?? null,
    endDate: document.endDate ?? null,
    activity: document.activity,
    parentId,
    height: document.height ?? null,
    bloodType: document.bloodType ?? null,
    mbti: document.mbti ?? null,
    monthlyListeners: document.monthlyListeners ?? null,
    totalAlbumSales: document.totalAlbumSales ?? null,
  };
  await tx
    .insert(starProfiles)
    .values({ starId, ...profile })
    .onConflictDoUpdate({ target: starProfiles.starId, set: profile });
}

/** Writes a star's words in the languages that it has; the others leave. */
export async function writeWords(
  tx: Transaction,
  starId: number,
  words: Partial<Record<Lang, StoredWords>>,
): Promise<void> {
  await tx.delete(starTranslations).where(eq(starTranslations.starId, starId));
  const rows = languages.flatMap((language) => {
    const own = words[language];
    return own ? [{ starId, language, ...own }] : [];
  });
  if (rows.length > 0) await tx.insert(starTranslations).values(rows);
}

/** Writes a star's other spellings. */
export async function writeAliases(
  tx: Transaction,
  starId: number,
  aliases: readonly string[],
): Promise<void> {
  await tx.delete(starAliases).where(eq(starAliases.starId, starId));
  if (aliases.length > 0)
    await tx
      .insert(starAliases)
      .values(aliases.map((alias) => ({ starId, alias })))
      .onConflictDoNothing();
}

/** Notes what a star is called in other directories. A number that another star has stays with it. */
export async function addExternalIds(
  tx: Transaction,
  starId: number,
  ids: NonNullable<StoredDocument['externalIds']>,
): Promise<void> {
  const rows = Object.entries(ids) as [keyof typeof ids, string][];
  if (rows.length === 0) return;
  await tx
    .insert(starExternalIds)
    .values(rows.map(([source, externalId]) => ({ starId, source, externalId })))
    .onConflictDoNothing();
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

function wordRows<Words extends object>(words: Partial<Record<Lang, Words>>): ({ language: Lang } & Words)[] {
  return languages.flatMap((language) => {
    const own = words[language];
    return own ? [{ language, ...own }] : [];
  });
}

/** What a row that is there already would have got. */
const proposed = (column: AnyPgColumn) => sql`excluded.${nameOf(column)}`;
