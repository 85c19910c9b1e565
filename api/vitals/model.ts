import { t } from 'elysia';
import { pageKinds } from '#content/vitals.ts';

/** Longer than anybody waits for a page, in milliseconds. */
const maxWait = 600_000;

const ScriptError = t.Object({
  kind: t.UnionEnum(['script', 'promise']),
  name: t.Optional(t.String({ maxLength: 200, description: 'Of the error’s class, such as TypeError' })),
  at: t.Optional(
    t.String({
      pattern: '^/_astro/[\\w.-]{1,120}:\\d{1,7}:\\d{1,7}$',
      description: 'File, line and column of ours',
    }),
  ),
});

/** How one visit of a page went, without a word about who made it (§7 Measuring). */
export const VisitInput = t.Object({
  page: t.UnionEnum([...pageKinds]),
  lcp: t.Optional(t.Number({ minimum: 0, maximum: maxWait, description: 'Largest paint, milliseconds' })),
  inp: t.Optional(t.Number({ minimum: 0, maximum: maxWait, description: 'Answer to a touch, milliseconds' })),
  cls: t.Optional(t.Number({ minimum: 0, maximum: 100, description: 'Layout shift' })),
  errors: t.Array(ScriptError, { maxItems: 5 }),
});
export type VisitInput = typeof VisitInput.static;

export const VisitCounted = t.Object({ counted: t.Boolean() });
