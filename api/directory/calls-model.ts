import { t } from 'elysia';
import { languages } from '#content/locales.ts';
import { starCategories } from '#db/schema/stars.ts';
import { IdInBody, Pagination, Version } from '../admin/model.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import {
  AchievementDocument,
  MemberDocument,
  PhotoDocument,
  SocialLinkDocument,
  Source,
  StarDocument,
  StarWords,
  TimelineDocument,
} from './model.ts';

/** Shapes of the calls under `/api/admin/stars`. */

const listFields = ['members', 'photos', 'timeline', 'achievements', 'socialLinks'] as const;

/** A star's own fields: the lists have calls of their own. */
const OwnFields = t.Omit(StarDocument, ['slug', ...listFields]);

export const NewStar = OwnFields;
export type NewStar = typeof NewStar.static;

/** The fields to change. What is left out stays, also languages and words of a language; null takes away. */
export const StarChange = t.Composite([
  t.Partial(t.Omit(OwnFields, ['words', 'sources'])),
  t.Object({
    sources: t.Optional(t.Record(t.String({ maxLength: 60 }), nullable(Source))),
    words: t.Optional(t.Partial(t.Record(oneOf(languages), nullable(StarWords)))),
    version: t.Optional(Version),
  }),
]);
export type StarChange = typeof StarChange.static;

/** A star whose name another one has, too. */
const Namesake = t.Object({
  id: integer(),
  slug: t.String(),
  name: t.String(),
  category: oneOf(starCategories),
});
export const NewStarAnswer = t.Object({ id: integer(), namesakes: t.Array(Namesake) });
export type NewStarAnswer = typeof NewStarAnswer.static;

export const ChangedStar = t.Object({ done: t.Literal(true), version: Version });

export const EditableStar = t.Composite([
  OwnFields,
  t.Object({
    id: integer(),
    version: t.String(),
    slug: t.String(),
    accent: t.String({
      description: 'The colour that stands for it: its fan colour, else one that is drawn.',
    }),
    hiddenAt: nullable(t.String({ description: 'ISO 8601 in UTC; readers get 404 since then.' })),
    facts: t.Record(t.String(), t.Object({ source: nullable(Source), editedAt: nullable(t.String()) }), {
      description: 'By field: where it is from, and when a person wrote it.',
    }),
    offers: t.Array(t.Object({ id: integer(), field: t.String(), offered: t.Unknown(), source: Source }), {
      description: 'What an import knows otherwise than a person wrote it.',
    }),
  }),
]);
export type EditableStar = typeof EditableStar.static;

/** What an editor sends of an entry of each list: to add it whole, to change what is given. */
export const items = {
  members: t.Composite([
    MemberDocument,
    t.Object({ starId: t.Optional(nullable(IdInBody)) }, { description: 'Instead of `star`.' }),
  ]),
  photos: PhotoDocument,
  timeline: TimelineDocument,
  achievements: AchievementDocument,
  socialLinks: SocialLinkDocument,
} as const;

const WithVersion = t.Object({ version: t.Optional(Version) });
export const itemChanges = {
  members: t.Composite([t.Partial(items.members), WithVersion]),
  photos: t.Composite([t.Partial(items.photos), WithVersion]),
  timeline: t.Composite([t.Partial(items.timeline), WithVersion]),
  achievements: t.Composite([t.Partial(items.achievements), WithVersion]),
  socialLinks: t.Composite([t.Partial(items.socialLinks), WithVersion]),
} as const;

const Stored = t.Object({ id: integer(), version: t.String() });
export const itemLists = {
  members: t.Object({
    items: t.Array(t.Composite([MemberDocument, Stored, t.Object({ starId: nullable(integer()) })])),
  }),
  photos: t.Object({ items: t.Array(t.Composite([PhotoDocument, Stored])) }),
  timeline: t.Object({ items: t.Array(t.Composite([TimelineDocument, Stored])) }),
  achievements: t.Object({ items: t.Array(t.Composite([AchievementDocument, Stored])) }),
  socialLinks: t.Object({ items: t.Array(t.Composite([SocialLinkDocument, Stored])) }),
} as const;

/** All entries of a list in their new order. */
export const Order = t.Object({ ids: t.Array(IdInBody, { maxItems: 500 }) });

const Actor = nullable(t.Object({ id: integer(), name: t.String() }));
const RevisionHead = t.Object({
  number: integer(),
  action: t.String(),
  at: t.String({ description: 'ISO 8601 in UTC' }),
  actor: Actor,
  changed: t.Array(t.String(), { description: 'Paths of fields, such as `words.ko.name`.' }),
});
export const RevisionList = t.Object({ revisions: t.Array(RevisionHead), pagination: Pagination });
export type RevisionList = typeof RevisionList.static;
export const Revision = t.Composite([RevisionHead, t.Object({ document: StarDocument })]);
export type Revision = typeof Revision.static;

export const MergeInto = t.Object({ into: IdInBody });
export const Merged = t.Object({ done: t.Literal(true), into: integer() });
