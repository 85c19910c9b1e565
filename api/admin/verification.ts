import type { Lang } from '#content/locales.ts';
import { decideEvents, undoDecision } from '#db/queries/admin/event-decisions.ts';
import { editEvent, findEditableEvent } from '#db/queries/admin/event-edit.ts';
import type { EventDecision } from '#db/queries/admin/event-lock.ts';
import { mergeEvents } from '#db/queries/admin/event-merge.ts';
import {
  countVerifications,
  findForVerification,
  listForVerification,
  type VerificationRow,
} from '#db/queries/admin/verification.ts';
import type { Verification } from '#db/schema/events.ts';
import { BadInput, ChangedSince, Conflict, NotFound } from '../errors.ts';
import { readSearch } from '../input.ts';
import { invalidate } from '../invalidation.ts';
import { unavailablePicture } from '../media/unavailable-picture.ts';
import { withImageUrl } from '../stars/badge.ts';
import { starRole } from '../stars/colour.ts';
import { readEventChange } from './event-input.ts';
import { matchedParts } from './evidence.ts';
import type {
  BulkAnswer,
  DecisionAnswer,
  EditableEvent,
  EventEdit,
  Merge,
  VerificationItem,
  VerificationPage,
  VerificationStats,
} from './model.ts';
import { pagination } from './paging.ts';
import { readText } from './text.ts';

/** Characters of notes and reasons. */
const maxNotesLength = 1000;

/** §3 Verification stats; the average is that of the events that wait, in percent. */
export const readVerificationStats = (): Promise<VerificationStats> => countVerifications();

interface VerificationQuery {
  language: Lang;
  verification: Verification;
  /** from 1 */
  page: number;
  limit: number;
  search: string | undefined;
}

/** A page of events in one state, in the words of `language` (§7 pending). */
export async function readVerificationPage({
  page,
  limit,
  search,
  ...rest
}: VerificationQuery): Promise<VerificationPage> {
  const { events, total } = await listForVerification({
    ...rest,
    limit,
    offset: (page - 1) * limit,
    search: readSearch(search),
  });
  return { events: events.map(toItem), pagination: pagination(page, limit, total) };
}

const isoOrNull = (date: Date | null) => date?.toISOString() ?? null;

function toItem({ sourceWords, ...row }: VerificationRow): VerificationItem {
  const evidence = row.evidence ?? {};
  return {
    ...row,
    evidence,
    checks: row.checks ?? {},
    found: matchedParts(Object.values(evidence), sourceWords),
    primaryStar: row.primaryStar && {
      ...withImageUrl(row.primaryStar),
      textColor: starRole(row.primaryStar.fandomColor, 'text'),
    },
    startTime: row.startTime.toISOString(),
    endTime: isoOrNull(row.endTime),
    decidedAt: isoOrNull(row.decidedAt),
    createdAt: row.createdAt.toISOString(),
    updateOf: row.updateOf && { ...row.updateOf, startTime: row.updateOf.startTime.toISOString() },
    similar: row.similar.map((each) => ({ ...each, startTime: each.startTime.toISOString() })),
  };
}

/** @throws NotFound */
export async function readVerificationItem(id: number, language: Lang): Promise<VerificationItem> {
  const row = await findForVerification(id, language);
  if (!row) throw new NotFound('Event');
  return toItem(row);
}

/** Pages and answers that show public events, or would if these were (see `invalidate`). */
async function invalidateEvents(ids: readonly number[], starIds: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const ownTags = [
    ...ids.map((id) => `event:${id}` as const),
    ...new Set(starIds.map((id) => `star:${id}` as const)),
  ];
  await invalidate(['events', 'feed', 'sitemap', ...ownTags]);
}

type Refused = Extract<EventDecision, { done: false }>;

function refusal({ verification }: Refused): NotFound | Conflict {
  if (verification === undefined) return new NotFound('Event');
  return verification === 'pending'
    ? new Conflict('not_decided', 'Nobody has decided about this event.')
    : new Conflict('already_decided', `This event is already ${verification}.`);
}

/** What the answer says about an event that was decided. */
const toDecision = (
  { decision, mergedInto }: Extract<EventDecision, { done: true }>,
  verification: 'approved' | 'rejected',
) =>
  mergedInto === undefined
    ? { verification, decision }
    : { verification: 'rejected' as const, decision, mergedInto };

/** Pages of events that became public, or of the known ones that took over what these told. */
const invalidateApproved = (decided: readonly Extract<EventDecision, { done: true }>[]) =>
  invalidateEvents(
    decided.map(({ id, mergedInto = id }) => mergedInto),
    decided.flatMap(({ starIds }) => starIds),
  );

/**
 * Approves or rejects an event that waits (§7, decision E8). Approving an update of a public event merges it into that one.
 * @throws NotFound; Conflict when somebody has decided already
 */
export async function decideEvent(
  id: number,
  actorId: number,
  verification: 'approved' | 'rejected',
  notes: string | null | undefined,
): Promise<DecisionAnswer> {
  const field = verification === 'approved' ? 'notes' : 'reason';
  const [decided] = await decideEvents([id], actorId, verification, readText(notes, field, maxNotesLength));
  if (!decided?.done) throw decided ? refusal(decided) : new NotFound('Event');
  if (verification === 'approved') await invalidateApproved([decided]);
  return { id, ...toDecision(decided, verification) };
}

/** The same for many, each by itself: those that are decided already change nothing and are told. */
export async function decideEventsInBulk(
  ids: readonly number[],
  actorId: number,
  verification: 'approved' | 'rejected',
  notes: string | null | undefined,
): Promise<BulkAnswer> {
  const field = verification === 'approved' ? 'notes' : 'reason';
  const checkedNotes = readText(notes, field, maxNotesLength);
  const decided = await decideEvents([...new Set(ids)], actorId, verification, checkedNotes);
  const succeeded = decided.filter((each) => each.done);
  if (verification === 'approved') await invalidateApproved(succeeded);
  return {
    results: decided.map((each) =>
      each.done
        ? { id: each.id, success: true, ...toDecision(each, verification) }
        : {
            id: each.id,
            success: false,
            code: each.verification === undefined ? ('not_found' as const) : ('already_decided' as const),
            ...(each.verification === undefined ? {} : { verification: each.verification }),
          },
    ),
    succeeded: succeeded.length,
    failed: decided.length - succeeded.length,
  };
}

/**
 * Takes the newest decision about an event back: it waits again, and is not public.
 * @param decision its entry in the audit log, null where that has none: refused when there is a newer one
 * @throws NotFound, Conflict
 */
export async function undoEventDecision(
  id: number,
  actorId: number,
  decision: number | null | undefined,
): Promise<DecisionAnswer> {
  const undone = await undoDecision(id, actorId, decision);
  if (!undone.done) {
    if (undone.verification === undefined || undone.verification === 'pending') throw refusal(undone);
    throw new ChangedSince(await readEditableEvent(id));
  }
  await invalidateApproved([undone]);
  return { id, verification: 'pending', decision: undone.decision };
}

/**
 * Merges an event that waits into a public one, which takes over its time or place.
 * @throws NotFound, Conflict, BadInput
 */
export async function mergeEvent(id: number, actorId: number, input: Merge): Promise<DecisionAnswer> {
  const { into, time = false, place = false } = input;
  if (into === id) throw new BadInput('into', 'Must be another event.', 'same_event');
  const merged = await mergeEvents(
    id,
    actorId,
    { into, time, place },
    readText(input.notes, 'notes', maxNotesLength),
  );
  if (!merged.done && merged.id === into) throw new BadInput('into', 'Must be a public event.', 'not_public');
  if (!merged.done) throw refusal(merged);
  await invalidateEvents([into], merged.starIds);
  return { id, ...toDecision(merged, 'rejected') };
}

/** @throws NotFound */
export async function readEditableEvent(id: number): Promise<EditableEvent> {
  const row = await findEditableEvent(id);
  if (!row) throw new NotFound('Event');
  return {
    ...row,
    startTime: row.startTime.toISOString(),
    endTime: isoOrNull(row.endTime),
    overAt: row.overAt.toISOString(),
  };
}

/**
 * Changes an event that waits, or a public one when the editor says so.
 * @throws NotFound; Conflict when it is in another state than the editor saw, ChangedSince when in another version; BadInput
 */
export async function changeEvent(id: number, actorId: number, input: EventEdit): Promise<EditableEvent> {
  const { expected = 'pending', version } = input;
  const before = await findEditableEvent(id);
  if (!before) throw new NotFound('Event');
  const edited = await editEvent(id, actorId, { expected, version }, readEventChange(input, before));
  if (!edited.done) throw await editRefusal(id, edited);
  if (expected === 'approved') await invalidateEvents([id], edited.starIds);
  return readEditableEvent(id);
}

async function editRefusal(
  id: number,
  edited: Extract<Awaited<ReturnType<typeof editEvent>>, { done: false }>,
): Promise<Error> {
  switch (edited.why) {
    case 'missing':
      return new NotFound('Event');
    case 'state':
      return edited.verification === 'pending'
        ? new Conflict('not_decided', 'Nobody has decided about this event.')
        : new Conflict('already_decided', `This event is already ${edited.verification}.`);
    case 'changed':
      return new ChangedSince(await readEditableEvent(id));
    case 'primaryStar':
      return new BadInput('primaryStarId', 'There is no such star.', 'unknown');
    case 'star':
      return new BadInput('starIds', 'There is no such star.', 'unknown');
    case 'category':
      return new BadInput('eventType', 'There is no category for it.', 'unknown');
    case 'picture':
      return unavailablePicture('pictureKey', edited.unavailable);
    case 'order':
      return new BadInput('endTime', 'Must not be before the start.', 'order');
  }
}
