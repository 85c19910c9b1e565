import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import {
  decideReport,
  deleteMessage,
  hasChannel,
  listMutes,
  listReports,
  muteUser,
  type ReportRow,
  setSlowMode,
  unmuteUser,
} from '#db/queries/community/moderation.ts';
import type { ReportState } from '#db/schema/community.ts';
import { pagination } from '../admin/paging.ts';
import { readText } from '../admin/text.ts';
import { missingStar } from '../directory/missing-star.ts';
import { Conflict, Forbidden, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { Visitor } from '../plugins/session.ts';
import { publishEvents, publishState } from './live/live.ts';
import {
  type MuteList,
  type MuteState,
  maxNoteLength,
  type NewMute,
  type Report,
  type ReportDecided,
  type ReportDecision,
  type ReportList,
  type SlowMode,
} from './model.ts';

/** Editors and admins moderate every channel (decision C4). */
const canModerate = ({ role }: Pick<Visitor, 'role'>): boolean => role !== 'user';

/** A deleted message leaves streams and pages at once; `talk` is on pages that quote single messages. */
async function publishDeletion(starId: number, channelId: number): Promise<void> {
  publishEvents(channelId);
  await invalidate([`channel:${starId}`, 'channels', 'talk']);
}

/**
 * Deletes an own message, or as a moderator anybody's. A repeat changes nothing.
 * @throws NotFound, Forbidden
 */
export async function removeMessage(starId: number, messageId: number, visitor: Visitor): Promise<void> {
  const deletion = await deleteMessage(starId, messageId, {
    id: visitor.id,
    canModerate: canModerate(visitor),
  });
  if (deletion === 'missing') throw new NotFound('Message');
  if (deletion === 'forbidden') throw new Forbidden();
  if (deletion.changed) await publishDeletion(starId, deletion.channelId);
}

/**
 * Keeps an account from sending in a channel for some minutes; again sets the time anew.
 * @throws NotFound, Conflict `is_moderator`
 */
export async function mute(starId: number, actorId: number, input: NewMute): Promise<MuteState> {
  const { userId, minutes } = input;
  const until = await muteUser(starId, {
    userId,
    minutes,
    reason: readText(input.reason, 'reason', maxNoteLength),
    actorId,
  });
  if (until === 'no_channel') throw await missingStar(starId, 'Channel');
  if (until === 'no_user') throw new NotFound('User');
  if (until === 'moderator') throw new Conflict('is_moderator', 'Moderators cannot be muted.');
  return { userId, mutedUntil: until.toISOString() };
}

/** Ends a mute; a repeat changes nothing. @throws NotFound */
export async function unmute(starId: number, actorId: number, userId: number): Promise<MuteState> {
  if (!(await unmuteUser(starId, userId, actorId))) await requireChannel(starId);
  return { userId, mutedUntil: null };
}

/** Who is muted in a channel now. @throws NotFound */
export async function readMutes(starId: number): Promise<MuteList> {
  const rows = await listMutes(starId);
  if (rows.length === 0) await requireChannel(starId);
  return { mutes: rows.map((row) => ({ ...row, mutedUntil: row.mutedUntil.toISOString() })) };
}

/** @throws NotFound, or where the star is now when it was merged */
async function requireChannel(starId: number): Promise<void> {
  if (!(await hasChannel(starId))) throw await missingStar(starId, 'Channel');
}

/** Lets members send one message in so many seconds; 0 ends it. @throws NotFound */
export async function changeSlowMode(
  starId: number,
  actorId: number,
  { seconds }: SlowMode,
): Promise<SlowMode> {
  const change = await setSlowMode(starId, seconds, actorId);
  if (!change) throw await missingStar(starId, 'Channel');
  if (change.changed) {
    publishState(change.channelId);
    await invalidate([`channel:${starId}`]);
  }
  return { seconds };
}

function toReport({ message, ...row }: ReportRow): Report {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    message: { ...message, createdAt: message.createdAt.toISOString() },
  };
}

/** A page of reports in one state, the newest first, with the star's name in a language. */
export async function readReports(
  language: Lang,
  status: ReportState = 'open',
  page = 1,
  limit: number = limits.channelsPage,
): Promise<ReportList> {
  const { reports, total } = await listReports({ language, status, limit, offset: (page - 1) * limit });
  return { reports: reports.map(toReport), pagination: pagination(page, limit, total) };
}

/**
 * Decides a report and the others about the same message.
 * @throws NotFound, Conflict `already_decided`
 */
export async function resolveReport(
  reportId: number,
  actorId: number,
  { decision, notes }: ReportDecision,
): Promise<ReportDecided> {
  const decided = await decideReport(reportId, decision, actorId, readText(notes, 'notes', maxNoteLength));
  if (decided === 'missing') throw new NotFound('Report');
  if (decided === 'decided') throw new Conflict('already_decided', 'This report was decided already.');
  if (decision === 'remove') await publishDeletion(decided.starId, decided.channelId);
  return {
    id: reportId,
    status: decision === 'remove' ? 'removed' : 'dismissed',
    decidedReports: decided.reports,
  };
}
