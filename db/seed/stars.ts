import { allInitials } from '#content/art/sign.ts';
import { languages } from '#content/locales.ts';
import { searchTextOf } from '#content/plain-name.ts';
import { romanizations } from '#content/romanization.ts';
import type { Transaction } from '../client.ts';
import {
  achievements,
  achievementTranslations,
  nameTable,
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
} from '../schema/stars.ts';
import type { DemoWorld, NameFile, PicturesFile, StarFile } from './content.ts';
import { pictureKeys } from './pictures.ts';
import { continueIds, insertRows } from './rows.ts';

/** Ids of the demo's stars by slug. */
export type StarIdBySlug = ReadonlyMap<string, number>;

/** The id of a star that the demo's files name. */
export function starIdOf(ids: StarIdBySlug, slug: string): number {
  const id = ids.get(slug);
  if (id === undefined) throw new Error(`content/demo names a star that has no file: ${slug}`);
  return id;
}

/** Inserts the stars with everything that belongs to a star, in roster order from id 1, and the name table. */
export async function seedStars(tx: Transaction, world: DemoWorld): Promise<StarIdBySlug> {
  const ids = new Map(world.stars.map((star, index) => [star.slug, index + 1]));
  const entries = world.stars.map((star, index): Entry => ({ id: index + 1, star }));
  await insertRows(
    tx,
    stars,
    entries.map((entry) => starRow(entry, world.pictures)),
  );
  await seedNames(tx, entries, ids);
  await seedTimelines(tx, entries);
  await seedAchievements(tx, entries);
  await seedPhotos(tx, entries);
  await insertRows(tx, nameTable, nameRows(world.names, world.stars, ids));
  for (const table of [stars, timelineEvents, achievements, photos, socialLinks, nameTable]) {
    await continueIds(tx, table);
  }
  return ids;
}

interface Entry {
  id: number;
  star: StarFile;
}

function starRow({ id, star }: Entry, { marks }: PicturesFile) {
  return {
    id,
    slug: star.slug,
    name: star.names.ko,
    category: star.category,
    fandomColor: star.fandomColor,
    markStyle: marks[star.slug]?.style ?? ('first' as const),
    heroKey: pictureKeys.hero(star.slug),
    initials: allInitials(star.names.ko).join(''),
    searchText: searchText(star),
  };
}

/** Every word by which a fan may look for a star, each once. */
function searchText({ names, aliases, members = [], profile }: StarFile): string {
  return searchTextOf([
    ...Object.values(names),
    ...aliases,
    ...romanizations(names.ko),
    allInitials(names.ko).join(''),
    ...members.flatMap((member) => Object.values(member.names)),
    ...Object.values(profile.fandomName ?? {}),
  ]);
}

async function seedNames(tx: Transaction, entries: readonly Entry[], ids: StarIdBySlug): Promise<void> {
  const translations = entries.flatMap(({ id, star: { names, profile } }) =>
    languages.map((language) => ({
      starId: id,
      language,
      name: names[language],
      agency: profile.agency?.[language],
      realName: profile.realName?.[language],
      nationality: profile.nationality?.[language],
      fandomName: profile.fandomName?.[language],
      biography: profile.biography[language],
    })),
  );
  const aliases = entries.flatMap(({ id, star }) =>
    [...new Set(star.aliases)].map((alias) => ({ starId: id, alias })),
  );
  const members = entries.flatMap(({ id, star }) =>
    (star.members ?? []).map(({ slug, names, role }, position) => ({
      groupId: id,
      position,
      memberId: slug === null ? null : starIdOf(ids, slug),
      names,
      roles: role,
    })),
  );
  const profiles = entries.map(({ id, star: { profile } }) => ({
    starId: id,
    debutDate: profile.debutDate,
    birthDate: profile.birthDate,
    height: profile.height,
    bloodType: profile.bloodType,
    mbti: profile.mbti,
    monthlyListeners: profile.monthlyListeners,
    totalAlbumSales: profile.totalAlbumSales,
  }));
  const links = entries
    .flatMap(({ id, star }) => star.social.map((link) => ({ starId: id, link })))
    .map(({ starId, link }, index) => ({
      id: index + 1,
      starId,
      platform: link.platform,
      profileUrl: link.url,
      displayName: link.displayName,
      platformUserId: link.handle,
      isVerified: link.isVerified,
      isOfficial: link.isOfficial,
      followerCount: link.followerCount,
    }));
  await insertRows(tx, starTranslations, translations);
  await insertRows(tx, starAliases, aliases);
  await insertRows(tx, starMembers, members);
  await insertRows(tx, starProfiles, profiles);
  await insertRows(tx, socialLinks, links);
}

/** A star's list with ids that run through all stars. */
function numbered<Item>(entries: readonly Entry[], list: (star: StarFile) => readonly Item[]) {
  return entries
    .flatMap(({ id, star }) =>
      list(star).map((item, place) => ({ starId: id, slug: star.slug, item, place })),
    )
    .map((entry, index) => ({ ...entry, id: index + 1 }));
}

async function seedTimelines(tx: Transaction, entries: readonly Entry[]): Promise<void> {
  const timeline = numbered(entries, (star) => star.timeline);
  await insertRows(
    tx,
    timelineEvents,
    timeline.map(({ id, starId, item: { date, type, isHighlight, importance } }) => ({
      id,
      starId,
      date,
      type,
      isHighlight,
      importance,
    })),
  );
  const words = timeline.flatMap(({ id, item }) =>
    languages.map((language) => ({
      timelineEventId: id,
      language,
      title: item.title[language],
      description: item.description?.[language],
    })),
  );
  await insertRows(tx, timelineTranslations, words);
}

async function seedAchievements(tx: Transaction, entries: readonly Entry[]): Promise<void> {
  const awards = numbered(entries, (star) => star.achievements);
  await insertRows(
    tx,
    achievements,
    awards.map(({ id, starId, item: { date, result } }) => ({ id, starId, awardDate: date, result })),
  );
  const words = awards.flatMap(({ id, item }) =>
    languages.map((language) => ({
      achievementId: id,
      language,
      achievement: item.award[language],
      awardName: item.awardName[language],
      workTitle: item.work?.[language],
    })),
  );
  await insertRows(tx, achievementTranslations, words);
}

async function seedPhotos(tx: Transaction, entries: readonly Entry[]): Promise<void> {
  const entriesWithPhotos = numbered(entries, (star) => star.photos);
  await insertRows(
    tx,
    photos,
    entriesWithPhotos.map(({ id, starId, slug, place, item }) => ({
      id,
      starId,
      category: item.category,
      position: place,
      pictureKey: pictureKeys.photo(slug, place + 1),
      photographer: item.photographer,
      takenAt: item.takenAt,
      isOfficialPhoto: item.isOfficial,
    })),
  );
  const words = entriesWithPhotos.flatMap(({ id, item }) =>
    languages.map((language) => ({
      photoId: id,
      language,
      title: item.title[language],
      description: item.description?.[language],
    })),
  );
  await insertRows(tx, photoTranslations, words);
}

function nameRows(names: readonly NameFile[], demo: readonly StarFile[], ids: StarIdBySlug) {
  const slugs = new Map(demo.map((star) => [star.names.ko, star.slug]));
  return names.map(({ kind, names: translated, aliases }, index) => ({
    id: index + 1,
    kind,
    names: translated,
    aliases,
    starId: ids.get(slugs.get(translated.ko) ?? ''),
  }));
}
