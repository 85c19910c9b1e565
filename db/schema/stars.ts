import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { markStyles } from '#content/art/mark-styles.ts';
import type { FactSource } from '#content/fact-source.ts';
import type { Lang, Translated } from '#content/locales.ts';
import { type SocialPlatform, socialPlatforms } from '#content/social-platforms.ts';
import { createdNow, identity, instant, isPartialDate, language, partialDate } from './columns.ts';
import { pictures } from './media.ts';

export const starCategories = ['K-Pop Group', 'Solo Artist', 'Actor', 'Actress', 'Idol'] as const;
export type StarCategory = (typeof starCategories)[number];

export type { SocialPlatform };

export const photoCategories = [
  'profile',
  'performance',
  'casual',
  'photoshoot',
  'event',
  'behind_scenes',
] as const;
export type PhotoCategory = (typeof photoCategories)[number];

export const timelineTypes = [
  'debut',
  'album_release',
  'concert',
  'award',
  'collaboration',
  'endorsement',
  'milestone',
  'personal',
  'achievement',
  'group_join',
  'group_leave',
  'acting',
] as const;
export type TimelineType = (typeof timelineTypes)[number];

/** What became of a star: shown as a line of its profile. */
export const activities = ['active', 'hiatus', 'ended'] as const;
export type Activity = (typeof activities)[number];

/** §3 Star. `name` is the raw (Korean) name, the fallback of the name table. Counters are kept by triggers. */
export const stars = pgTable(
  'stars',
  {
    id: identity(),
    slug: text().notNull(),
    name: text().notNull(),
    nameKey: text().generatedAlwaysAs(sql`byeol_fold(name)`),
    category: text({ enum: starCategories }).notNull(),
    /** `#rrggbb`, the accent of everything that is this star's. */
    fandomColor: text().notNull(),
    /** Nobody told its fan colour: the accent was drawn for it (`content/art/drawn-colours.ts`), and is called nothing (decision M8). */
    isColorDrawn: boolean().notNull().default(false),
    /** Remote picture of an operator's star; the demo's pictures are drawn (`pictureKey`). */
    imageUrl: text(),
    /** Chosen so that two stars can be told apart where their signs are smallest. */
    markStyle: text({ enum: markStyles }).notNull().default('first'),
    /** A photograph in the place of the round sign. */
    avatarKey: text().references(() => pictures.key),
    heroKey: text().references(() => pictures.key),
    /** Readers get 404 since then; editors still have it. */
    hiddenAt: instant(),
    /** Initial consonants of the Korean name, for search by 초성. */
    initials: text().notNull(),
    /** Names in all languages, aliases, romanisations, and the same without signs (`searchTextOf`); folded by `byeol_fold` when searched. */
    searchText: text().notNull(),
    searchKey: text().generatedAlwaysAs(sql`byeol_fold(search_text)`),
    followerCount: integer().notNull().default(0),
    articleCount: integer().notNull().default(0),
    createdAt: createdNow(),
    updatedAt: createdNow(),
  },
  (t) => [
    uniqueIndex('stars_slug').on(t.slug),
    index('stars_category').on(t.category, t.articleCount.desc().nullsFirst(), t.id),
    index('stars_popular').on(t.articleCount.desc().nullsFirst(), t.id),
    // They are few: lists leave these out, which is less than to look at each of theirs.
    index('stars_hidden').on(t.id).where(sql`hidden_at is not null`),
    check('stars_color', sql`${t.fandomColor} ~ '^#[0-9A-Fa-f]{6}$'`),
  ],
);

/** One row per star and language: the name and every text of the profile. */
export const starTranslations = pgTable(
  'star_translations',
  {
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    language: language(),
    name: text().notNull(),
    nameKey: text().generatedAlwaysAs(sql`byeol_fold(name)`),
    agency: text(),
    realName: text(),
    nationality: text(),
    fandomName: text(),
    biography: text(),
  },
  (t) => [
    primaryKey({ columns: [t.starId, t.language] }),
    // Whoever else has the name.
    index('star_translations_name').on(t.name),
    // Who is called just so, however it is typed.
    index('star_translations_called').on(sql`lower(name)`),
    // Channels by the names of their stars.
    index('star_translations_sorted').on(t.language, t.nameKey, t.starId),
  ],
);

/** Other spellings a fan may type or an article may use. */
export const starAliases = pgTable(
  'star_aliases',
  {
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    alias: text().notNull(),
    aliasKey: text().generatedAlwaysAs(sql`byeol_fold(alias)`),
  },
  (t) => [primaryKey({ columns: [t.starId, t.alias] }), index('star_aliases_key').on(t.aliasKey)],
);

/** §3 Star profile: the facts that are the same in every language. */
export const starProfiles = pgTable(
  'star_profiles',
  {
    starId: integer()
      .primaryKey()
      .references(() => stars.id, { onDelete: 'cascade' }),
    debutDate: partialDate(),
    birthDate: partialDate(),
    activity: text({ enum: activities }).notNull().default('active'),
    /** When a group disbanded or a career ended, where that is known. */
    endDate: partialDate(),
    /** The group that this one is a sub-unit of. */
    parentId: integer().references((): AnyPgColumn => stars.id, { onDelete: 'set null' }),
    /** centimetres */
    height: smallint(),
    bloodType: text(),
    mbti: text(),
    monthlyListeners: integer(),
    totalAlbumSales: integer(),
  },
  (t) => [
    index('star_profiles_parent').on(t.parentId),
    check('star_profiles_debut', isPartialDate(t.debutDate)),
    check('star_profiles_birth', isPartialDate(t.birthDate)),
    check('star_profiles_end', isPartialDate(t.endDate)),
  ],
);

/** Members of a group in their order, former ones too; `memberId` when the member has a profile here. */
export const starMembers = pgTable(
  'star_members',
  {
    id: identity(),
    groupId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    memberId: integer().references((): AnyPgColumn => stars.id, { onDelete: 'set null' }),
    names: jsonb().$type<Partial<Translated>>().notNull(),
    roles: jsonb().$type<Partial<Translated>>(),
    /** When it came and left, where that is known. */
    since: partialDate(),
    until: partialDate(),
    isFormer: boolean().notNull().default(false),
    source: jsonb().$type<FactSource>(),
  },
  (t) => [
    index('star_members_order').on(t.groupId, t.position),
    index('star_members_member').on(t.memberId),
    // Members who are only named.
    index('star_members_named').on(t.groupId).where(sql`member_id is null`),
    check('star_members_since', isPartialDate(t.since)),
    check('star_members_until', isPartialDate(t.until)),
  ],
);

/** §3 Social link. `followerCount` is the platform's own figure at `checkedAt`. */
export const socialLinks = pgTable(
  'social_links',
  {
    id: identity(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    platform: text({ enum: socialPlatforms }).notNull(),
    profileUrl: text().notNull(),
    displayName: text().notNull(),
    platformUserId: text(),
    isVerified: boolean().notNull().default(false),
    isOfficial: boolean().notNull().default(false),
    followerCount: integer(),
    /** The day on which the followers were counted. */
    checkedAt: createdNow(),
    source: jsonb().$type<FactSource>(),
  },
  (t) => [
    uniqueIndex('social_links_url').on(t.starId, t.profileUrl),
    index('social_links_order').on(
      t.starId,
      t.isOfficial.desc().nullsFirst(),
      t.followerCount.desc().nullsLast(),
    ),
  ],
);

/** §3 Photo. */
export const photos = pgTable(
  'photos',
  {
    id: identity(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    category: text({ enum: photoCategories }).notNull(),
    position: smallint().notNull(),
    pictureKey: text()
      .notNull()
      .references(() => pictures.key),
    photographer: text(),
    takenAt: partialDate(),
    viewCount: integer().notNull().default(0),
    likeCount: integer().notNull().default(0),
    isOfficialPhoto: boolean().notNull().default(false),
    createdAt: createdNow(),
  },
  (t) => [index('photos_order').on(t.starId, t.position), check('photos_taken', isPartialDate(t.takenAt))],
);

export const photoTranslations = pgTable(
  'photo_translations',
  {
    photoId: integer()
      .notNull()
      .references(() => photos.id, { onDelete: 'cascade' }),
    language: language(),
    title: text().notNull(),
    description: text(),
  },
  (t) => [primaryKey({ columns: [t.photoId, t.language] })],
);

/** §3 Timeline event and milestone (one list, `type` tells). */
export const timelineEvents = pgTable(
  'timeline_events',
  {
    id: identity(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    date: partialDate().notNull(),
    type: text({ enum: timelineTypes }).notNull(),
    pictureKey: text().references(() => pictures.key),
    relatedUrl: text(),
    isHighlight: boolean().notNull().default(false),
    importance: smallint().notNull().default(5),
    source: jsonb().$type<FactSource>(),
  },
  (t) => [
    check('timeline_events_date', isPartialDate(t.date)),
    index('timeline_events_order').on(t.starId, t.date.desc().nullsFirst(), t.id),
    check('timeline_events_importance', sql`${t.importance} between 1 and 10`),
  ],
);

export const timelineTranslations = pgTable(
  'timeline_translations',
  {
    timelineEventId: integer()
      .notNull()
      .references(() => timelineEvents.id, { onDelete: 'cascade' }),
    language: language(),
    title: text().notNull(),
    description: text(),
  },
  (t) => [primaryKey({ columns: [t.timelineEventId, t.language] })],
);

/** §3 Achievement; `result` is `won` or anything else that was not a win. */
export const achievements = pgTable(
  'achievements',
  {
    id: identity(),
    starId: integer()
      .notNull()
      .references(() => stars.id, { onDelete: 'cascade' }),
    awardDate: partialDate().notNull(),
    result: text({ enum: ['won', 'nominated'] }).notNull(),
    source: jsonb().$type<FactSource>(),
  },
  (t) => [
    check('achievements_date', isPartialDate(t.awardDate)),
    index('achievements_order').on(t.starId, t.awardDate.desc().nullsFirst(), t.id),
  ],
);

export const achievementTranslations = pgTable(
  'achievement_translations',
  {
    achievementId: integer()
      .notNull()
      .references(() => achievements.id, { onDelete: 'cascade' }),
    language: language(),
    achievement: text().notNull(),
    awardName: text().notNull(),
    /** What it was given for, such as Best New Artist. */
    awardCategory: text(),
    organisation: text(),
    workTitle: text(),
  },
  (t) => [primaryKey({ columns: [t.achievementId, t.language] })],
);

/** The fixed name table (§3, decision P2), copied from `content/stars.json` so that ingestion can search it. */
export const nameTable = pgTable(
  'name_table',
  {
    id: identity(),
    kind: text({ enum: ['group', 'person'] }).notNull(),
    names: jsonb().$type<Record<Lang, string>>().notNull(),
    aliases: text().array().notNull().default(sql`'{}'`),
    starId: integer().references(() => stars.id, { onDelete: 'set null' }),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [index('name_table_star').on(t.starId)],
);
