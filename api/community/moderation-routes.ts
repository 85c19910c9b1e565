import { Elysia, t } from 'elysia';
import { defaultLanguage } from '#content/locales.ts';
import { reportStates } from '#db/schema/community.ts';
import { BadInput } from '../errors.ts';
import { deepestOffset } from '../input.ts';
import { Id, IdParams, Language, Limit, MessageId, Page } from '../parameters.ts';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { answers, oneOf } from '../shapes.ts';
import {
  BlockedUsers,
  BlockState,
  MessageDeleted,
  MuteList,
  MuteState,
  NewMute,
  NewReport,
  ReportDecided,
  ReportDecision,
  Reported,
  ReportList,
  SlowMode,
} from './model.ts';
import {
  changeSlowMode,
  mute,
  readMutes,
  readReports,
  removeMessage,
  resolveReport,
  unmute,
} from './moderation.ts';
import { readBlocked, report, setBlock } from './safety.ts';

const tags = ['Community'];
const security = [{ bearer: [] }];
const ChannelParams = t.Object({ starId: Id });
const MessageParams = t.Object({ starId: Id, id: MessageId });
const MemberParams = t.Object({ starId: Id, userId: Id });
const UserParams = t.Object({ userId: Id });

/** Deleting, reporting and blocking (decision C4). */
export const safetyRoutes = new Elysia({ name: 'safety', prefix: '/community' })
  .use(session)
  .delete(
    '/channels/:starId/messages/:id',
    async ({ params, visitor }) => {
      await removeMessage(params.starId, params.id, visitor);
      return { id: params.id, deleted: true as const };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      params: MessageParams,
      response: answers(MessageDeleted, 401, 403, 404, 429),
      detail: {
        tags,
        summary: 'Delete an own message, or as a moderator any; a repeat changes nothing',
        security,
      },
    },
  )
  .post(
    '/channels/:starId/messages/:id/reports',
    async ({ params, body, visitor }) => {
      await report(params.starId, params.id, visitor.id, body);
      return { reported: true as const };
    },
    {
      role: 'user',
      beforeHandle: [rateLimitWrites, rateLimit({ name: 'report', account: 30, seconds: 3600 })],
      params: MessageParams,
      body: NewReport,
      response: answers(Reported, 400, 401, 403, 404, 409, 429),
      detail: { tags, summary: 'Report a message to the moderators; a repeat changes nothing', security },
    },
  )
  .get('/blocks', ({ visitor }) => readBlocked(visitor.id), {
    role: 'user',
    response: answers(BlockedUsers, 401),
    detail: { tags, summary: 'Whom one has blocked', security },
  })
  .put(
    '/blocks/:userId',
    async ({ params, visitor }) => {
      await setBlock(visitor.id, params.userId, true);
      return { userId: params.userId, blocked: true };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      params: UserParams,
      response: answers(BlockState, 401, 403, 404, 409, 429),
      detail: { tags, summary: 'Hide somebody’s messages from oneself; a repeat changes nothing', security },
    },
  )
  .delete(
    '/blocks/:userId',
    async ({ params, visitor }) => {
      await setBlock(visitor.id, params.userId, false);
      return { userId: params.userId, blocked: false };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      params: UserParams,
      response: answers(BlockState, 401, 403, 404, 429),
      detail: { tags, summary: 'Show them again; a repeat changes nothing', security },
    },
  );

/** What editors and admins do in channels (decision C4). */
export const moderationRoutes = new Elysia({ name: 'moderation', prefix: '/community' })
  .use(session)
  .get('/channels/:starId/mutes', ({ params }) => readMutes(params.starId), {
    role: 'editor',
    params: ChannelParams,
    response: answers(MuteList, 401, 403, 404),
    detail: { tags, summary: 'Who is muted in a channel', security },
  })
  .post('/channels/:starId/mutes', ({ params, body, visitor }) => mute(params.starId, visitor.id, body), {
    role: 'editor',
    beforeHandle: rateLimitWrites,
    params: ChannelParams,
    body: NewMute,
    response: answers(MuteState, 400, 401, 403, 404, 409, 429),
    detail: { tags, summary: 'Mute somebody for a time; again sets it anew', security },
  })
  .delete(
    '/channels/:starId/mutes/:userId',
    ({ params, visitor }) => unmute(params.starId, visitor.id, params.userId),
    {
      role: 'editor',
      beforeHandle: rateLimitWrites,
      params: MemberParams,
      response: answers(MuteState, 401, 403, 404, 429),
      detail: { tags, summary: 'End a mute; a repeat changes nothing', security },
    },
  )
  .put(
    '/channels/:starId/slow-mode',
    ({ params, body, visitor }) => changeSlowMode(params.starId, visitor.id, body),
    {
      role: 'editor',
      beforeHandle: rateLimitWrites,
      params: ChannelParams,
      body: SlowMode,
      response: answers(SlowMode, 400, 401, 403, 404, 429),
      detail: { tags, summary: 'Let members send one message in so many seconds; 0 ends it', security },
    },
  )
  .get(
    '/reports',
    async ({ query: { language = defaultLanguage, status, page = 1, limit: size = 20 } }) => {
      if (page * size > deepestOffset) throw new BadInput('page', 'Is too deep.');
      return readReports(language, status, page, size);
    },
    {
      role: 'editor',
      query: t.Object({
        status: t.Optional(oneOf(reportStates)),
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        language: t.Optional(Language),
      }),
      response: answers(ReportList, 400, 401, 403),
      detail: { tags, summary: 'Reports about messages, the newest first', security },
    },
  )
  .post('/reports/:id/decide', ({ params, body, visitor }) => resolveReport(params.id, visitor.id, body), {
    role: 'editor',
    beforeHandle: rateLimitWrites,
    params: IdParams,
    body: ReportDecision,
    response: answers(ReportDecided, 400, 401, 403, 404, 409, 429),
    detail: { tags, summary: 'Decide a report and the others about the same message', security },
  });
