import { t } from 'elysia';
import { languages } from '#content/locales.ts';
import { Input, Pagination, Version } from '../admin/model.ts';
import { integer, nullable, oneOf } from '../shapes.ts';

const Words = t.Partial(t.Record(oneOf(languages), Input));
const share = t.Number({ minimum: 0, maximum: 1, error: 'Must be a number from 0 to 1.' });

/** What every crop keeps in sight, in shares of width and height; null: what looks most telling. */
export const Focus = t.Object({ x: share, y: share });

/** A picture that was just added, or was there already. */
export const AddedPicture = t.Object({
  id: integer(),
  key: t.String({ description: 'Stands in its addresses: `/media/{key}/{aspect}-{width}.{ext}`' }),
  width: integer(),
  height: integer(),
});

/** The same of one that an editor sends. */
export const SentPicture = t.Composite([
  AddedPicture,
  t.Object({
    isKnown: t.Boolean({ description: 'It was there already: what was said of it stays.' }),
    credit: nullable(t.String({ description: 'Whose it is said to be.' })),
  }),
]);
export type SentPicture = typeof SentPicture.static;

/** A picture of the library. */
export const LibraryPicture = t.Object({
  id: integer(),
  version: Version,
  key: t.String(),
  width: integer(),
  height: integer(),
  focus: nullable(Focus),
  alt: t.Partial(t.Record(oneOf(languages), t.String())),
  credit: nullable(t.String()),
  licence: nullable(t.String()),
  creditUrl: nullable(t.String()),
  takenAt: nullable(t.String({ description: '`2001`, `2001-02` or `2001-02-28`' })),
  aspect: t.String(),
  placeholder: t.String({ description: '`#rrggbb`' }),
  createdAt: t.String({ description: 'ISO 8601 in UTC' }),
  uploadedBy: nullable(t.String()),
  withdrawnAt: nullable(t.String({ description: 'ISO 8601 in UTC' })),
  withdrawalReason: nullable(t.String()),
  undoUntil: nullable(t.String({ description: 'ISO 8601 in UTC: a withdrawal is final since then.' })),
});
export type LibraryPicture = typeof LibraryPicture.static;

export const PictureList = t.Object({ pictures: t.Array(LibraryPicture), pagination: Pagination });
export type PictureList = typeof PictureList.static;

/** One picture, with what shows it. */
export const PictureDetails = t.Composite([
  LibraryPicture,
  t.Object({
    usedBy: t.Object({
      starIds: t.Array(integer()),
      articleIds: t.Array(integer()),
      eventIds: t.Array(integer()),
    }),
  }),
]);
export type PictureDetails = typeof PictureDetails.static;

/** A change of a picture; what is left out stays, of alternative texts each language by itself. */
export const PictureEdit = t.Object({
  version: t.Optional(Version),
  alt: t.Optional(Words),
  credit: t.Optional(nullable(Input)),
  licence: t.Optional(nullable(Input)),
  creditUrl: t.Optional(nullable(Input)),
  takenAt: t.Optional(nullable(t.String({ maxLength: 10 }))),
  focus: t.Optional(nullable(Focus)),
});
export type PictureEdit = typeof PictureEdit.static;

export const Withdrawal = t.Object({ reason: t.Optional(nullable(Input)) });

/** The form by which a picture is sent, for the OpenAPI document: its bytes are read by the call itself (`readFiles`). */
export const uploadBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        required: ['file'],
        properties: {
          file: { type: 'string' as const, format: 'binary' },
          ...Object.fromEntries(
            [
              ...languages.map((language) => `alt.${language}`),
              'credit',
              'licence',
              'creditUrl',
              'takenAt',
            ].map((name) => [name, { type: 'string' as const }]),
          ),
        },
      },
    },
  },
};
