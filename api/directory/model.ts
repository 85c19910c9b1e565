import { type TSchema, t } from 'elysia';
import { languages } from '#content/locales.ts';
import { socialPlatforms } from '#content/social-platforms.ts';
import { externalSources } from '#db/schema/directory.ts';
import { activities, photoCategories, starCategories, timelineTypes } from '#db/schema/stars.ts';
import { largestId } from '../input.ts';
import { Focus } from '../media/model.ts';
import { integer, nullable, oneOf } from '../shapes.ts';

/**
 * The document of a star: everything the directory knows of it, as it is exported, imported, kept as a revision and brought back.
 * Dates are as precise as they are known: `2001`, `2001-02`, `2001-02-28`. What is left out of an import stays as it is.
 */

export const Source = t.Object({
  name: t.String({ minLength: 1, maxLength: 200 }),
  url: t.Optional(t.String({ maxLength: 2000 })),
  readOn: t.Optional(t.String({ maxLength: 40 })),
});

const PartialDateText = t.String({ maxLength: 40, examples: ['2001', '2001-02', '2001-02-28'] });
/** As long as a body may be: how long a text may be is said by its reader (`read-document.ts`), with the limit that it has. */
const Text = t.String({ maxLength: 65_536 });
const WordsOf = <Shape extends TSchema>(shape: Shape) => t.Partial(t.Record(oneOf(languages), shape));

/** A star elsewhere in the file or in the directory: its slug, or `kpopnet:…`, `wikidata:Q…`. */
const StarReference = t.String({ minLength: 1, maxLength: 120 });

/** A picture of the library by its key. What a file says of it besides is for a library that lacks it. */
export const PictureReference = t.Object(
  {
    key: t.String({ maxLength: 80 }),
    /** Where it can be seen. */
    url: t.Optional(t.String({ maxLength: 2000 })),
    alt: t.Optional(WordsOf(Text)),
    credit: t.Optional(nullable(Text)),
    licence: t.Optional(nullable(Text)),
    creditUrl: t.Optional(nullable(Text)),
    takenAt: t.Optional(nullable(PartialDateText)),
    focus: t.Optional(nullable(Focus)),
  },
  {
    description:
      'Calls read the key alone; the rest is what a file says to a library that lacks the picture.',
  },
);
export type PictureReference = typeof PictureReference.static;

const Names = t.Partial(t.Record(oneOf(languages), Text));

export const MemberDocument = t.Object({
  star: t.Optional(nullable(StarReference)),
  names: Names,
  roles: t.Optional(nullable(Names)),
  since: t.Optional(nullable(PartialDateText)),
  until: t.Optional(nullable(PartialDateText)),
  isFormer: t.Optional(t.Boolean()),
  source: t.Optional(nullable(Source)),
});
export type MemberDocument = typeof MemberDocument.static;

export const PhotoDocument = t.Object({
  picture: PictureReference,
  category: oneOf(photoCategories),
  photographer: t.Optional(nullable(Text)),
  takenAt: t.Optional(nullable(PartialDateText)),
  isOfficial: t.Optional(t.Boolean()),
  words: WordsOf(t.Object({ title: Text, description: t.Optional(nullable(Text)) })),
});
export type PhotoDocument = typeof PhotoDocument.static;

export const TimelineDocument = t.Object({
  date: PartialDateText,
  type: oneOf(timelineTypes),
  importance: t.Optional(integer({ minimum: 1, maximum: 10 })),
  isHighlight: t.Optional(t.Boolean()),
  picture: t.Optional(nullable(PictureReference)),
  relatedUrl: t.Optional(nullable(Text)),
  words: WordsOf(t.Object({ title: Text, description: t.Optional(nullable(Text)) })),
  source: t.Optional(nullable(Source)),
});
export type TimelineDocument = typeof TimelineDocument.static;

export const AchievementDocument = t.Object({
  awardDate: PartialDateText,
  result: oneOf(['won', 'nominated'] as const),
  words: WordsOf(
    t.Object({
      achievement: Text,
      awardName: Text,
      awardCategory: t.Optional(nullable(Text)),
      organisation: t.Optional(nullable(Text)),
      workTitle: t.Optional(nullable(Text)),
    }),
  ),
  source: t.Optional(nullable(Source)),
});
export type AchievementDocument = typeof AchievementDocument.static;

export const SocialLinkDocument = t.Object({
  platform: oneOf(socialPlatforms),
  profileUrl: Text,
  displayName: Text,
  platformUserId: t.Optional(nullable(Text)),
  isVerified: t.Optional(t.Boolean()),
  isOfficial: t.Optional(t.Boolean()),
  followerCount: t.Optional(nullable(integer({ minimum: 0, maximum: largestId }))),
  /** The day on which the followers were counted, `YYYY-MM-DD`. */
  countedOn: t.Optional(nullable(t.String({ maxLength: 40 }))),
  source: t.Optional(nullable(Source)),
});
export type SocialLinkDocument = typeof SocialLinkDocument.static;

/** What a star is called and said to be in one language. */
export const StarWords = t.Object({
  name: Text,
  agency: t.Optional(nullable(Text)),
  realName: t.Optional(nullable(Text)),
  nationality: t.Optional(nullable(Text)),
  fandomName: t.Optional(nullable(Text)),
  biography: t.Optional(nullable(Text)),
});

/** How many entries the lists of a star take. */
export const listLimits = {
  aliases: 50,
  members: 200,
  photos: 500,
  timeline: 1000,
  achievements: 1000,
  socialLinks: 50,
} as const;

export const StarDocument = t.Object({
  slug: t.Optional(t.String({ maxLength: 60 })),
  externalIds: t.Optional(t.Partial(t.Record(oneOf(externalSources), t.String({ maxLength: 100 })))),
  category: oneOf(starCategories),
  /** Left out, or null: nobody told it. */
  fandomColor: t.Optional(
    nullable(t.String({ pattern: '^#[0-9A-Fa-f]{6}$', error: 'Must be a colour such as #00B3A4.' })),
  ),
  words: WordsOf(StarWords),
  aliases: t.Optional(t.Array(Text, { maxItems: listLimits.aliases })),
  birthDate: t.Optional(nullable(PartialDateText)),
  debutDate: t.Optional(nullable(PartialDateText)),
  endDate: t.Optional(nullable(PartialDateText)),
  activity: t.Optional(oneOf(activities)),
  parent: t.Optional(nullable(StarReference)),
  height: t.Optional(nullable(integer({ minimum: 50, maximum: 260 }))),
  bloodType: t.Optional(nullable(Text)),
  mbti: t.Optional(nullable(Text)),
  monthlyListeners: t.Optional(nullable(integer({ minimum: 0, maximum: largestId }))),
  totalAlbumSales: t.Optional(nullable(integer({ minimum: 0, maximum: largestId }))),
  hero: t.Optional(nullable(PictureReference)),
  avatar: t.Optional(nullable(PictureReference)),
  members: t.Optional(t.Array(MemberDocument, { maxItems: listLimits.members })),
  photos: t.Optional(t.Array(PhotoDocument, { maxItems: listLimits.photos })),
  timeline: t.Optional(t.Array(TimelineDocument, { maxItems: listLimits.timeline })),
  achievements: t.Optional(t.Array(AchievementDocument, { maxItems: listLimits.achievements })),
  socialLinks: t.Optional(t.Array(SocialLinkDocument, { maxItems: listLimits.socialLinks })),
  /** Where facts are from, by the path of the field: `birthDate`, `words.ko.name`. */
  sources: t.Optional(t.Record(t.String({ maxLength: 60 }), Source)),
});
export type StarDocument = typeof StarDocument.static;

/** A whole directory in one file. */
export const DirectoryFile = t.Object({
  $schema: t.Optional(t.String({ maxLength: 2000 })),
  format: t.Literal('byeol-directory'),
  version: t.Literal(1),
  stars: t.Array(StarDocument),
});
export type DirectoryFile = typeof DirectoryFile.static;
