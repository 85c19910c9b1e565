import { t } from 'elysia';
import { importFormats, importStates, rowOutcomes } from '#db/schema/directory.ts';
import { Pagination } from '../admin/model.ts';
import { integer, nullable, oneOf } from '../shapes.ts';

/** Shapes of the calls under `/api/admin/directory/imports`. */

const Counts = t.Object({ add: integer(), change: integer(), same: integer(), refuse: integer() });

export const ImportAnswer = t.Object({
  id: integer(),
  fileName: t.String(),
  format: oneOf(importFormats),
  state: t.Union([...oneOf(importStates).anyOf], {
    description:
      '`ready`: nothing was written. `refused`: nothing was taken in, because a star is refused. `failed`: something broke.',
  }),
  rowByRow: t.Boolean({ description: 'Each star by itself: a refused one keeps out no other.' }),
  counts: Counts,
  total: integer(),
  progress: integer(),
  createdAt: t.String({ description: 'ISO 8601 in UTC' }),
  endedAt: nullable(t.String()),
});
export type ImportAnswer = typeof ImportAnswer.static;
export const ImportList = t.Object({ imports: t.Array(ImportAnswer) });

const Field = t.Object({ field: t.String(), before: t.String(), after: t.String() });
export const ImportRowList = t.Object({
  rows: t.Array(
    t.Object({
      line: integer(),
      outcome: oneOf(rowOutcomes),
      name: t.String(),
      starId: nullable(integer()),
      changed: t.Array(Field),
      offered: t.Array(Field, { description: 'A person wrote otherwise: offered, not overwritten.' }),
      reasons: t.Array(
        t.Object({
          code: t.String(),
          message: t.String(),
          field: t.Optional(t.String()),
          about: t.Optional(t.String()),
        }),
      ),
      namesakes: t.Array(integer(), { description: 'Stars with the same name who are somebody else.' }),
      missingPictures: t.Array(t.String(), {
        description: 'Pictures that are left out: none that may be shown has such a key.',
      }),
    }),
  ),
  pagination: Pagination,
});
export type ImportRowList = typeof ImportRowList.static;

export const ImportStart = t.Object({ rowByRow: t.Optional(t.Boolean()) });

/** The form by which a file is sent, for the OpenAPI document: its bytes are read by the call itself. */
export const importBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        required: ['file'],
        properties: {
          file: { type: 'string' as const, format: 'binary' },
          format: { type: 'string' as const, enum: [...importFormats] },
        },
      },
    },
  },
};
