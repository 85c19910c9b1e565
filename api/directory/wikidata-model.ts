import { t } from 'elysia';
import { AddedPicture } from '../media/model.ts';
import { Language } from '../parameters.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import { MemberDocument, SocialLinkDocument, Source } from './model.ts';

/** Shapes of what editors look up in Wikidata. Nothing is written by looking: a value is taken by a change of the star. */

/** Items of Wikidata; lexemes and properties are none. */
export const ItemParams = t.Object({ item: t.String({ pattern: '^[Qq][1-9]\\d{0,9}$' }) });

export const ItemSearch = t.Object({
  q: t.String({
    minLength: 1,
    maxLength: 200,
    error: 'Must be a name, a Q-id or the address of an item, of at most 200 characters.',
  }),
  language: t.Optional(Language),
});

export const LookUpQuery = t.Object({ language: t.Optional(Language) });

/** The star that has this item already. */
const KnownStar = nullable(integer());

const ItemId = t.String({ examples: ['Q13580495'] });

export const ItemMatch = t.Object({
  id: ItemId,
  label: t.String(),
  description: nullable(t.String()),
  url: t.String(),
  starId: KnownStar,
});
export type ItemMatch = typeof ItemMatch.static;

export const ItemMatches = t.Object({ matches: t.Array(ItemMatch) });

/** The name of a file of Commons; the signs that no title has would name several. */
const CommonsFile = t.String({
  minLength: 1,
  maxLength: 240,
  pattern: '^[^|#<>\\[\\]{}]+$',
  error: 'Must be the name of a file of Wikimedia Commons.',
  examples: ['Padoban 2024.jpg'],
});

export const CommonsPicture = t.Object(
  {
    file: CommonsFile,
    url: t.String({ description: 'Where its bytes are.' }),
    page: t.String({ description: 'Where Commons describes it.' }),
    author: t.String(),
    credit: t.String({ description: 'How the author is to be named.' }),
    licence: t.String(),
    licenceUrl: t.Optional(t.String()),
  },
  { description: 'A picture under a free licence.' },
);
export type CommonsPicture = typeof CommonsPicture.static;

/** Which picture of Commons is taken: its address, author and licence are asked of Commons again. */
export const TakePicture = t.Object({ file: CommonsFile });

/** Where a star shows a picture that was taken: what said something already stays. */
export const TakenPicture = t.Composite([
  AddedPicture,
  t.Object({ place: oneOf(['avatar', 'hero', 'photos'] as const) }),
]);
export type TakenPicture = typeof TakenPicture.static;

/** A value for a field of a star's document; of a list, one entry. */
export const Offer = t.Object({
  field: t.String({
    description: 'The path in the star’s document: `birthDate`, `words.ko.name`, `members`.',
  }),
  value: t.Union([t.String(), MemberDocument, SocialLinkDocument, CommonsPicture]),
  property: nullable(
    t.String({ description: 'By which Wikidata says it; null: as a label or by its number.' }),
  ),
  item: t.Optional(t.String({ description: 'The member’s own item, whether or not it is a star here.' })),
  source: Source,
  of: t.Optional(
    t.Object(
      { star: t.String(), starId: KnownStar, name: t.String() },
      { description: 'Whose document the field is of, where it is another star’s: a group’s members.' },
    ),
  ),
});
export type Offer = typeof Offer.static;

export const Item = t.Object({
  id: ItemId,
  redirectedFrom: nullable(
    t.String({ description: 'The number asked for, when it was merged into this item.' }),
  ),
  label: t.String(),
  description: nullable(t.String()),
  url: t.String(),
  starId: KnownStar,
  offers: t.Array(Offer),
  /** What was found and is not offered, with the reason. */
  withheld: t.Array(
    t.Object({
      field: t.String(),
      property: t.String(),
      code: oneOf(['missing', 'not_free', 'no_credit', 'unavailable']),
      error: t.String(),
    }),
  ),
});
export type Item = typeof Item.static;
