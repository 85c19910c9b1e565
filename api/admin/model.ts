import { t } from 'elysia';
import { eventTypes } from '#content/event-types.ts';
import { languages } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { verificationStates } from '#db/schema/events.ts';
import { starCategories } from '#db/schema/stars.ts';
import { largestId } from '../input.ts';
import { integer, nullable, oneOf } from '../shapes.ts';

/** What is read at all of a text; what is right is said by the rules, in characters. */
export const Input = t.String({ maxLength: 100_000 });
export const IdInBody = integer({ minimum: 1, maximum: largestId });

/** What was read of a thing that several people may edit; a write that names it is refused when somebody has changed it since. */
export const Version = t.String({
  maxLength: 40,
  description:
    'The version that was read: 409 `changed` when it is another one by now. Left out: written anyway.',
});

/** §3 Admin stats, and the queue by its stages. */
export const AdminStats = t.Object({
  totalArticles: integer(),
  totalStars: integer(),
  processingQueue: integer({ minimum: 0 }),
  queue: t.Object({
    collected: integer(),
    new: integer(),
    waiting: integer(),
    held: integer(),
    failed: integer(),
    published: integer({ minimum: 0 }),
    events: integer(),
    failures: integer(),
  }),
  ai: nullable(t.Object({ model: t.String(), dailyTokens: integer(), tokensToday: integer() })),
  sources: t.Object({ total: integer(), paused: integer(), inTrouble: integer() }),
});
export type AdminStats = typeof AdminStats.static;

/** §3 Verification stats. */
export const VerificationStats = t.Object({
  pending: integer(),
  verifiedLast7Days: integer(),
  rejectedLast7Days: integer(),
  averageConfidence: integer(),
});
export type VerificationStats = typeof VerificationStats.static;

/** §3 Pagination. */
export const Pagination = t.Object({
  page: integer(),
  totalPages: integer(),
  total: integer(),
  hasPrevious: t.Boolean(),
  hasNext: t.Boolean(),
});
export type Pagination = typeof Pagination.static;

const Instant = t.String({ description: 'ISO 8601 in UTC' });

/** §3 Event awaiting verification, with what it takes to decide: evidence, the source, known events that it may repeat. */
export const VerificationItem = t.Object({
  id: integer(),
  verification: oneOf(verificationStates),
  state: oneOf(['scheduled', 'cancelled']),
  eventType: oneOf(eventTypes),
  title: t.String(),
  description: nullable(t.String()),
  language: oneOf(languages),
  venue: nullable(t.String()),
  location: nullable(t.String()),
  startTime: Instant,
  endTime: nullable(Instant),
  zone: t.String(),
  precision: oneOf(['minute', 'day']),
  extractionConfidence: nullable(integer()),
  evidence: t.Record(t.String(), t.String(), { description: 'Sentence of the source by field.' }),
  checks: t.Record(t.String(), t.Boolean(), {
    description: 'The checks behind the confidence, by name: passed or not.',
  }),
  found: t.Array(t.String(), { description: 'Parts of those sentences that were understood.' }),
  category: t.Object({ id: integer(), name: t.String(), color: t.String() }),
  primaryStar: nullable(
    t.Object({
      id: integer(),
      slug: t.String(),
      name: t.String(),
      category: oneOf(starCategories),
      imageUrl: t.String(),
      fandomColor: t.String(),
      textColor: t.Object(
        { light: t.String(), dark: t.String() },
        { description: 'The fandom colour, made readable.' },
      ),
    }),
  ),
  sourceArticle: nullable(
    t.Object({
      id: integer(),
      title: t.String(),
      originalTitle: t.String(),
      originalUrl: t.String(),
      outlet: t.String(),
    }),
  ),
  updateOf: nullable(
    t.Object(
      {
        id: integer(),
        verification: oneOf(['pending', 'approved']),
        title: t.String(),
        language: oneOf(languages),
        venue: nullable(t.String()),
        location: nullable(t.String()),
        startTime: Instant,
        zone: t.String(),
        precision: oneOf(['minute', 'day']),
      },
      {
        description: 'The known event that this one changes: approving it merges it when that one is public.',
      },
    ),
  ),
  similar: t.Array(
    t.Object({
      id: integer(),
      title: t.String(),
      startTime: Instant,
      isUpdate: t.Boolean({
        description: 'The newsroom took it for an update of this one: it is the newer.',
      }),
    }),
  ),
  mergedInto: nullable(t.Object({ id: integer(), title: t.String() })),
  /** Of one that was decided: `undo` takes it. */
  decision: nullable(integer()),
  decidedAt: nullable(Instant),
  decidedBy: nullable(t.String()),
  decisionNotes: nullable(t.String()),
  createdAt: Instant,
});
export type VerificationItem = typeof VerificationItem.static;

export const VerificationPage = t.Object({ events: t.Array(VerificationItem), pagination: Pagination });
export type VerificationPage = typeof VerificationPage.static;

export const Approval = t.Object({ notes: t.Optional(nullable(Input)) });
export const Rejection = t.Object({ reason: t.Optional(nullable(Input)) });

const EventIds = t.Array(IdInBody, {
  maxItems: limits.maxPage,
  error: `Must be a list of at most ${limits.maxPage} event ids.`,
});
export const BulkApproval = t.Object({ eventIds: EventIds, notes: t.Optional(nullable(Input)) });
export const BulkRejection = t.Object({ eventIds: EventIds, reason: t.Optional(nullable(Input)) });

/**
 * What became of one event. `decision` is the entry in the audit log, with which it can be undone; `mergedInto` the known
 * event that took its news over.
 */
export const DecisionAnswer = t.Object({
  id: integer(),
  verification: oneOf(verificationStates),
  decision: integer(),
  mergedInto: t.Optional(integer()),
});
export type DecisionAnswer = typeof DecisionAnswer.static;

/** The same for one of many; `code` says why nothing was done. */
const BulkItem = t.Object({
  id: integer(),
  success: t.Boolean(),
  verification: t.Optional(oneOf(verificationStates)),
  decision: t.Optional(integer()),
  mergedInto: t.Optional(integer()),
  code: t.Optional(oneOf(['already_decided', 'not_found'])),
});
export const BulkAnswer = t.Object({
  results: t.Array(BulkItem),
  succeeded: integer(),
  failed: integer(),
});
export type BulkAnswer = typeof BulkAnswer.static;

export const Undo = t.Object({
  decision: t.Optional(
    t.Union([IdInBody, t.Null()], {
      description: 'Only if this is the newest decision; null: only if none is known.',
    }),
  ),
});

/** `into` is the public event; what it takes over is said by `time` and `place`. */
export const Merge = t.Object({
  into: IdInBody,
  time: t.Optional(t.Boolean()),
  place: t.Optional(t.Boolean()),
  notes: t.Optional(nullable(Input)),
});
export type Merge = typeof Merge.static;

const Words = t.Object({
  title: Input,
  description: t.Optional(nullable(Input)),
  venue: t.Optional(nullable(Input)),
  location: t.Optional(nullable(Input)),
});
export type WordsInput = typeof Words.static;

/** A picture of the library; null: the one of its story or star, or the drawn art. */
export const PictureKey = nullable(t.String({ maxLength: 80 }));

/** A change of an event; what is left out stays. `expected` is the state that the editor saw, `version` what stood in it. */
export const EventEdit = t.Object({
  version: t.Optional(Version),
  expected: t.Optional(oneOf(['pending', 'approved'])),
  eventType: t.Optional(t.String({ maxLength: 40 })),
  state: t.Optional(oneOf(['scheduled', 'cancelled'])),
  startTime: t.Optional(t.String({ maxLength: 40 })),
  endTime: t.Optional(nullable(t.String({ maxLength: 40 }))),
  zone: t.Optional(t.String({ maxLength: 60 })),
  precision: t.Optional(oneOf(['minute', 'day'])),
  capacity: t.Optional(nullable(integer({ minimum: 1, maximum: 1_000_000 }))),
  primaryStarId: t.Optional(nullable(IdInBody)),
  starIds: t.Optional(t.Array(IdInBody, { maxItems: 50 })),
  ticketUrl: t.Optional(nullable(Input)),
  streamingUrl: t.Optional(nullable(Input)),
  officialUrl: t.Optional(nullable(Input)),
  pictureKey: t.Optional(PictureKey),
  /** null: it is no update but an event of its own. */
  updateOfId: t.Optional(nullable(IdInBody)),
  words: t.Optional(t.Partial(t.Record(oneOf(languages), Words))),
});
export type EventEdit = typeof EventEdit.static;

/** An event as its editor sees it, with its words in every language. */
export const EditableEvent = t.Object({
  id: integer(),
  version: t.String({ description: 'Another one after every change; `PUT` takes it.' }),
  verification: oneOf(verificationStates),
  eventType: oneOf(eventTypes),
  state: oneOf(['scheduled', 'cancelled']),
  startTime: Instant,
  endTime: nullable(Instant),
  zone: t.String(),
  precision: oneOf(['minute', 'day']),
  overAt: t.String({ description: 'ISO 8601 in UTC. Also without an `endTime`.' }),
  capacity: nullable(integer()),
  primaryStarId: nullable(integer()),
  starIds: t.Array(integer()),
  ticketUrl: nullable(t.String()),
  streamingUrl: nullable(t.String()),
  officialUrl: nullable(t.String()),
  pictureKey: nullable(t.String()),
  updateOfId: nullable(integer()),
  words: t.Partial(
    t.Record(
      oneOf(languages),
      t.Object({
        title: t.String(),
        description: nullable(t.String()),
        venue: nullable(t.String()),
        location: nullable(t.String()),
      }),
    ),
  ),
});
export type EditableEvent = typeof EditableEvent.static;
