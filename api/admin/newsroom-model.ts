import { t } from 'elysia';
import { languages } from '#content/locales.ts';
import { eventStages, sourceLanguages, sourceStates, storyStages } from '#db/schema/newsroom.ts';
import { starCategories } from '#db/schema/stars.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import { IdInBody, Pagination } from './model.ts';

/** A value as JSON has it: dates are ISO texts. */
type Jsonified<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Jsonified<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Jsonified<Value[Key]> }
      : Value;

/** What the newsroom answers with dates, as the API sends it. */
export const jsonify = <Value>(value: Value): Jsonified<Value> => JSON.parse(JSON.stringify(value));

const Instant = t.String({ description: 'ISO 8601 in UTC' });

export const Source = t.Object({
  id: integer(),
  outlet: t.String(),
  feedUrl: t.String(),
  sourceLanguage: t.String(),
  state: oneOf(sourceStates),
  fullText: t.Boolean(),
  intervalMinutes: integer(),
  nextFetchAt: Instant,
  lastFetchedAt: nullable(Instant),
  lastSuccessAt: nullable(Instant),
  lastErrorAt: nullable(Instant),
  lastError: nullable(t.String()),
  failures: integer(),
  itemsPerDay: t.Number(),
  items: integer(),
  createdAt: Instant,
});
export const SourceList = t.Object({ sources: t.Array(Source) });

export const SourceInput = t.Object({
  outlet: t.String({ maxLength: 200 }),
  feedUrl: t.String({ maxLength: 500 }),
  sourceLanguage: oneOf(sourceLanguages),
  fullText: t.Boolean(),
  intervalMinutes: integer({ minimum: 5, maximum: 1440 }),
});
export const SourceChange = t.Object({
  outlet: t.Optional(t.String({ maxLength: 80 })),
  state: t.Optional(oneOf(sourceStates)),
  fullText: t.Optional(t.Boolean()),
  intervalMinutes: t.Optional(integer({ minimum: 5, maximum: 1440 })),
});
export const SourceTestResult = t.Union([
  t.Object({
    ok: t.Literal(true),
    title: t.String(),
    entries: t.Array(t.Object({ title: t.String(), url: t.String(), publishedAt: nullable(Instant) })),
    fullText: t.Boolean(),
  }),
  t.Object({ ok: t.Literal(false), code: t.String(), message: t.String() }),
]);

/** Queues of background jobs of which some failed: how many wait to be tried again, how many were given up, and why. */
export const FailingQueues = t.Object({
  queues: t.Array(
    t.Object({
      queue: t.String(),
      waiting: integer(),
      nextAt: nullable(Instant),
      givenUp: integer(),
      reason: t.String(),
    }),
  ),
});

export const Failures = t.Object({
  failures: t.Array(
    t.Object({
      id: integer(),
      stage: oneOf(['read', 'rewrite', 'events']),
      itemId: nullable(integer()),
      storyId: nullable(integer()),
      title: nullable(t.String()),
      outlet: nullable(t.String()),
      error: t.String(),
      attempts: integer(),
      createdAt: Instant,
    }),
  ),
  pagination: Pagination,
});

export const Stories = t.Object({
  stories: t.Array(
    t.Object({
      id: integer(),
      stage: oneOf(storyStages),
      reason: nullable(t.String()),
      details: nullable(t.String()),
      articleId: nullable(integer()),
      attempts: integer(),
      nextTryAt: Instant,
      eventStage: oneOf(eventStages),
      eventAttempts: integer(),
      stepSince: Instant,
      sourceChangedAt: nullable(Instant),
      createdAt: Instant,
      title: t.String(),
      outlet: t.String(),
      sources: integer(),
      drafts: t.Array(oneOf(languages)),
    }),
  ),
  pagination: Pagination,
});

export const OpenNames = t.Object({
  names: t.Array(
    t.Object({
      name: t.String({ description: 'As the source writes it.' }),
      stars: t.Array(
        t.Object({
          id: integer(),
          name: t.String(),
          category: oneOf(starCategories),
          groups: t.Array(t.String()),
          birthYear: nullable(integer()),
        }),
      ),
    }),
  ),
});
export const NameChoice = t.Object({
  name: t.String({ maxLength: 200, description: 'As `names` tells it.' }),
  starId: nullable(IdInBody),
});

export const RewriteAnswer = t.Object({ articleId: nullable(integer()) });
