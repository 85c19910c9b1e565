import { t } from 'elysia';
import type { Lang, Translated } from '#content/locales.ts';
import { socialPlatforms } from '#content/social-platforms.ts';
import { activities, photoCategories, starCategories, timelineTypes } from '#db/schema/stars.ts';
import { integer, nullable, oneOf } from '../shapes.ts';

/** §3 Star as it stands in lists and badges. Instants are ISO 8601 in UTC, dates `2001`, `2001-02` or `2001-02-28`. */
export const StarSummary = t.Object({
  id: integer(),
  name: t.String(),
  category: oneOf(starCategories),
  /** Square picture of the star on this origin. */
  imageUrl: t.String(),
  /** The accent of all that is the star's: its fan colour, else one that is drawn. */
  fandomColor: t.String(),
});
export type StarSummary = typeof StarSummary.static;

/** A star where it is only named: enough for a badge in the star's colour, with what its picture is. Never leaves by the API. */
export interface StarBadge extends Omit<StarSummary, 'imageUrl'> {
  /** Of its sign. */
  slug: string;
  /** The photograph in the place of the sign. */
  avatarKey: string | null;
}

/** By what a star of a list is told from another one of its name, such as `뉴진스 · 2004`; null where there is none. */
export const Distinction = nullable(
  t.String({ description: 'Group and year, where another star has the same name; else null.' }),
);

/** `articleCount` is there with `withCount=true`. */
export const StarListItem = t.Composite([
  StarSummary,
  t.Object({ distinction: Distinction, articleCount: t.Optional(integer()) }),
]);
export type StarListItem = typeof StarListItem.static;

/** A star in a list. Never leaves by the API. */
export interface StarCard extends StarBadge {
  distinction: string | null;
  articleCount: number;
}

export const SocialLink = t.Object({
  id: integer(),
  platform: oneOf(socialPlatforms),
  profileUrl: t.String(),
  displayName: t.String(),
  platformUserId: nullable(t.String()),
  isVerified: t.Boolean(),
  isOfficial: t.Boolean(),
  followerCount: nullable(integer()),
});
export type SocialLink = typeof SocialLink.static;

/** Whose a picture is, and where that is told. */
export const PictureCredit = t.Object({
  name: t.String(),
  licence: nullable(t.String()),
  url: nullable(t.String()),
});
export type PictureCredit = typeof PictureCredit.static;

/** Where a fact is from. */
export const FactSource = t.Object({
  name: t.String(),
  url: t.Optional(t.String()),
  readOn: t.Optional(t.String({ description: 'The day on which it was read, `YYYY-MM-DD`' })),
});

export const TimelineEvent = t.Object({
  id: integer(),
  title: t.String(),
  description: nullable(t.String()),
  date: t.String(),
  type: oneOf(timelineTypes),
  imageUrl: nullable(t.String()),
  /** What its picture shows, where that is said in the language asked for. */
  imageAlt: nullable(t.String()),
  relatedUrl: nullable(t.String()),
  isHighlight: t.Boolean(),
  importance: integer(),
  source: nullable(FactSource),
  /** Of its picture. */
  credit: nullable(PictureCredit),
});
export type TimelineEvent = typeof TimelineEvent.static;

/** §3: a milestone is a timeline event whose date is called `milestoneDate`. */
const Milestone = t.Composite([t.Omit(TimelineEvent, ['date']), t.Object({ milestoneDate: t.String() })]);

export const Photo = t.Object({
  id: integer(),
  title: t.String(),
  description: nullable(t.String()),
  category: oneOf(photoCategories),
  photoUrl: t.String(),
  thumbnailUrl: t.String(),
  photographer: nullable(t.String()),
  licence: nullable(t.String()),
  /** Page where picture and licence are told. */
  creditUrl: nullable(t.String()),
  takenAt: nullable(t.String()),
  viewCount: integer(),
  likeCount: integer(),
  isOfficialPhoto: t.Boolean(),
  /** For pages: where the picture is and its aspect such as `3:2`. */
  pictureKey: t.String(),
  aspect: t.String(),
  placeholder: t.String(),
});
export type Photo = typeof Photo.static;

const Achievement = t.Object({
  id: integer(),
  achievement: t.String(),
  awardName: t.String(),
  awardDate: t.String(),
  workTitle: nullable(t.String()),
  result: oneOf(['won', 'nominated'] as const),
  source: nullable(FactSource),
});

const GroupMember = t.Object({
  name: t.String(),
  role: nullable(t.String()),
  starId: nullable(integer()),
  since: nullable(t.String()),
  until: nullable(t.String()),
  isFormer: t.Boolean(),
  periods: t.Array(t.Object({ since: nullable(t.String()), until: nullable(t.String()) }), {
    description: 'Each time that it was a member, in their order; `since` and `until` are of the last one.',
  }),
  source: nullable(FactSource),
});

/** §3 Star profile. Names and agency are in the language asked for (default Korean). */
export const StarProfile = t.Composite([
  StarSummary,
  t.Object({
    followerCount: integer(),
    /** Of the visitor who asks; false without a session. */
    isFollowing: t.Boolean(),
    profile: t.Object({
      agency: nullable(t.String()),
      debutDate: nullable(t.String()),
      realName: nullable(t.String()),
      birthDate: nullable(t.String()),
      activity: oneOf(activities),
      endDate: nullable(t.String()),
      nationality: nullable(t.String()),
      height: nullable(integer()),
      bloodType: nullable(t.String()),
      mbti: nullable(t.String()),
      fandomName: nullable(t.String()),
      fandomColor: nullable(
        t.String({ description: 'null: nobody told it, and the star’s own `fandomColor` is drawn.' }),
      ),
      biographyEn: nullable(t.String()),
      biographyKo: nullable(t.String()),
      biographyMs: nullable(t.String()),
      biographyVi: nullable(t.String()),
      monthlyListeners: nullable(integer()),
      totalAlbumSales: nullable(integer()),
    }),
    socialMedia: t.Array(SocialLink),
    milestones: t.Array(Milestone),
    photos: t.Array(Photo),
    achievements: t.Array(Achievement),
    members: t.Array(GroupMember),
    groups: t.Array(t.Composite([StarSummary, t.Object({ isFormer: t.Boolean() })])),
    /** Of its other facts, by their names in the star's document: `birthDate`, `words.ko.agency`. */
    sources: t.Array(t.Object({ field: t.String(), source: FactSource })),
  }),
]);
export type StarProfile = typeof StarProfile.static;

/** §7 photos, grouped by category in the order of the filters. */
export const StarPhotos = t.Object({
  starId: integer(),
  categories: t.Array(t.Object({ category: oneOf(photoCategories), photos: t.Array(Photo) })),
  totalPhotos: integer(),
});
export type StarPhotos = typeof StarPhotos.static;

/** §7 timeline, newest first. */
export const StarTimeline = t.Object({ starId: integer(), events: t.Array(TimelineEvent) });
export type StarTimeline = typeof StarTimeline.static;

/**
 * All that is told of a star: the contract's profile, and what only the star's page shows. What is not in the contract never
 * leaves by the API (decision A2).
 */
export interface FullStarProfile extends StarProfile, Pick<StarBadge, 'slug' | 'avatarKey'> {
  /** The name in every language and other spellings, for structured data and search engines. */
  names: Partial<Translated>;
  aliases: readonly string[];
  heroKey: string | null;
  heroPlaceholder: string;
  /** What an uploaded hero shows, in the page's language. */
  heroAlt: string | null;
  /** Whose it is; null for drawn art. */
  heroCredit: PictureCredit | null;
  /** The same of the avatar, where that is another picture. */
  avatarCredit: PictureCredit | null;
  articleCount: number;
  /** By the order of L1: the page's language, then English, Korean, Malay, Vietnamese. */
  biography: { language: Lang; text: string } | undefined;
  /** `star` when the member has a profile here. */
  members: (StarProfile['members'][number] & { star: StarBadge | null })[];
  groups: (StarProfile['groups'][number] & StarBadge)[];
}

/** What the page of a star shows (§2 Star profile), the same for everybody. */
export type StarPage = Omit<FullStarProfile, 'isFollowing'>;
