import { t } from 'elysia';
import { limits } from '#content/site.ts';
import { reportReasons, reportStates } from '#db/schema/community.ts';
import { Pagination } from '../admin/model.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import { Distinction, StarSummary } from '../stars/model.ts';

/** Instants are ISO 8601 in UTC. What the calls are, their errors and the stream's events: README.md beside this file. */

const Instant = t.String({ description: 'ISO 8601 in UTC' });

/** §3 Channel. `activeUsers` are people with an open stream (decision C3), `lastActivityAt` the last message. */
export const Channel = t.Object({
  id: integer(),
  starId: integer(),
  /** `distinction` is there in lists. */
  star: t.Composite([StarSummary, t.Object({ slug: t.String(), distinction: t.Optional(Distinction) })]),
  memberCount: integer(),
  activeUsers: integer(),
  lastActivityAt: nullable(Instant),
  description: nullable(t.String()),
  isMember: t.Boolean({ description: 'Of the one who asks; false for guests.' }),
  slowModeSeconds: integer(),
});
export type Channel = typeof Channel.static;

export const ChannelList = t.Object({
  channels: t.Array(Channel),
  total: integer(),
  pagination: Pagination,
});
export type ChannelList = typeof ChannelList.static;

/** What the channel is to the one who asks. */
const ChannelViewer = t.Object({
  userId: integer(),
  isMember: t.Boolean(),
  canModerate: t.Boolean(),
  mutedUntil: nullable(Instant),
  nextMessageAt: nullable(t.String({ description: 'When slow mode lets the next message through.' })),
});

export const ChannelAnswer = t.Object({
  channel: Channel,
  isNewlyCreated: t.Boolean({ description: 'This very visit made the channel (decision C1).' }),
  viewer: nullable(ChannelViewer),
});
export type ChannelAnswer = typeof ChannelAnswer.static;

const MessageAuthor = t.Object({
  id: integer(),
  username: t.String(),
  displayName: nullable(t.String()),
  profileImageUrl: nullable(t.String()),
  isModerator: t.Boolean(),
  isDeleted: t.Boolean({ description: 'The account is gone: show a word for it instead of the name.' }),
});

/** §3 Message. Ids grow in the order of a channel; `clientId` is the key with which its author sent it. */
export const Message = t.Object({
  id: integer(),
  content: t.String(),
  createdAt: Instant,
  clientId: nullable(t.String()),
  user: MessageAuthor,
});
export type Message = typeof Message.static;

export const MessageList = t.Object({
  /** Oldest first. */
  messages: t.Array(Message),
  hasMore: t.Boolean({ description: 'There are older ones; with `after`, newer ones.' }),
  /** With `after`: messages deleted since. */
  deletedIds: t.Array(integer()),
  lastEventId: integer({ minimum: 0 }),
});
export type MessageList = typeof MessageList.static;

/** The key of `Idempotency-Key` and `clientId`: any short text of visible ASCII, a UUID at best. */
export const messageKeyPattern = '^[\\x21-\\x7e]{1,100}$';

export const NewMessage = t.Object({
  /** Longer texts are refused by `rules.ts`, which counts as people do. */
  content: t.String({
    maxLength: 8 * limits.messageLength,
    error: `Must have at most ${limits.messageLength} characters.`,
  }),
  clientId: t.Optional(
    t.String({ pattern: messageKeyPattern, error: 'Must be 1 to 100 visible ASCII characters.' }),
  ),
});
export type NewMessage = typeof NewMessage.static;

export const MessageAnswer = t.Object({
  message: Message,
  nextMessageAt: nullable(t.String({ description: 'When slow mode lets the next message through.' })),
});
export type MessageAnswer = typeof MessageAnswer.static;

export const Membership = t.Object({
  isMember: t.Boolean(),
  memberCount: integer(),
  isNewlyCreated: t.Boolean({ description: 'Joining made the channel (decision C1).' }),
});
export type Membership = typeof Membership.static;

export const MessageDeleted = t.Object({ id: integer(), deleted: t.Literal(true) });

/** What reporters and moderators add to a report, mute or decision; trimmed, none when empty (§5). */
export const maxNoteLength = 500;
const Note = t.Optional(
  nullable(
    t.String({ maxLength: 8 * maxNoteLength, error: `Must have at most ${maxNoteLength} characters.` }),
  ),
);

export const NewReport = t.Object({
  reason: oneOf(reportReasons),
  details: Note,
});
export type NewReport = typeof NewReport.static;
export const Reported = t.Object({ reported: t.Literal(true) });

const BlockedUser = t.Object({
  id: integer(),
  username: t.String(),
  displayName: nullable(t.String()),
  profileImageUrl: nullable(t.String()),
  blockedAt: Instant,
});
export const BlockedUsers = t.Object({ users: t.Array(BlockedUser) });
export type BlockedUsers = typeof BlockedUsers.static;
export const BlockState = t.Object({ userId: integer(), blocked: t.Boolean() });

/** The longest mute is 30 days. */
const maxMuteMinutes = 43_200;
export const NewMute = t.Object({
  userId: integer({ minimum: 1, maximum: 2_147_483_647 }),
  minutes: integer({ minimum: 1, maximum: maxMuteMinutes }),
  reason: Note,
});
export type NewMute = typeof NewMute.static;
export const MuteState = t.Object({ userId: integer(), mutedUntil: nullable(Instant) });
export type MuteState = typeof MuteState.static;
export const MuteList = t.Object({
  mutes: t.Array(
    t.Object({
      userId: integer(),
      username: t.String(),
      displayName: nullable(t.String()),
      mutedUntil: Instant,
      reason: nullable(t.String()),
    }),
  ),
});
export type MuteList = typeof MuteList.static;

export const SlowMode = t.Object({ seconds: integer({ minimum: 0, maximum: 3600 }) });
export type SlowMode = typeof SlowMode.static;

export const Report = t.Object({
  id: integer(),
  status: oneOf(reportStates),
  reason: oneOf(reportReasons),
  details: nullable(t.String()),
  createdAt: Instant,
  reporter: t.Object({ id: integer(), username: t.String() }),
  starId: integer(),
  starName: t.String(),
  message: t.Object({
    id: integer(),
    content: t.String(),
    createdAt: Instant,
    isDeleted: t.Boolean(),
    user: t.Object({ id: integer(), username: t.String(), displayName: nullable(t.String()) }),
  }),
  decidedAt: nullable(Instant),
  decidedBy: nullable(t.String()),
  notes: nullable(t.String()),
});
export type Report = typeof Report.static;
export const ReportList = t.Object({ reports: t.Array(Report), pagination: Pagination });
export type ReportList = typeof ReportList.static;

const reportDecisions = ['remove', 'dismiss'] as const;
export const ReportDecision = t.Object({
  decision: oneOf(reportDecisions),
  notes: Note,
});
export type ReportDecision = typeof ReportDecision.static;
export const ReportDecided = t.Object({
  id: integer(),
  status: oneOf(reportStates),
  /** All open reports of the same message. */
  decidedReports: t.Array(integer()),
});
export type ReportDecided = typeof ReportDecided.static;

/** What the stream sends, by the name of the event. Only `message` and `deleted` carry an `id:`. */
export interface StreamEvents {
  /** First on every stream: what to show at once. */
  hello: { lastEventId: number; memberCount: number; activeUsers: number; slowModeSeconds: number };
  message: Message;
  deleted: { id: number };
  counts: { memberCount: number; activeUsers: number };
  slowmode: { seconds: number };
  heartbeat: Record<string, never>;
  /** More was missed than a stream replays: read the messages anew. The stream goes on from `lastEventId`. */
  reset: { lastEventId: number };
  /** The server ends this stream on purpose; connect again after so many milliseconds. */
  reconnect: { afterMs: number };
}
