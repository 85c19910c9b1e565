import { Elysia, t } from 'elysia';
import { defaultLanguage } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { channelSorts } from '#db/queries/community/channel-list.ts';
import { articleContractPart } from '../articles/articles.ts';
import { Article } from '../articles/model.ts';
import { BadInput } from '../errors.ts';
import { deepestOffset } from '../input.ts';
import { EventId, Id, Language, Limit, Page } from '../parameters.ts';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { reads } from '../plugins/reads.ts';
import { session } from '../plugins/session.ts';
import { type QueryProblem, readQuery } from '../search/query.ts';
import { limitSearch } from '../search/search.ts';
import { answers, oneOf } from '../shapes.ts';
import { assertStar, readStarArticles } from '../stars/stars.ts';
import { answerChannels, joinChannel, leaveChannel, visitChannel } from './channels.ts';
import { readMessages, readMessagesAfter } from './messages.ts';
import { ChannelAnswer, ChannelList, Membership, MessageAnswer, MessageList, NewMessage } from './model.ts';
import { sendMessage } from './sending.ts';
import { answerStream } from './stream.ts';
import { isVisit } from './visits.ts';

const tags = ['Community'];
const security = [{ bearer: [] }];
const ChannelParams = t.Object({ starId: Id });

const searchProblems: Record<Exclude<QueryProblem, 'empty'>, string> = {
  tooLong: 'Must have at most 100 characters.',
  control: 'Must not have control characters.',
};

function readChannelSearch(text: string | undefined) {
  const search = readQuery(text);
  if (!('problem' in search)) return search;
  if (search.problem === 'empty') return undefined;
  throw new BadInput('search', searchProblems[search.problem]);
}

/** §7 Community: channels, their messages, joining and sending. */
export const communityRoutes = new Elysia({ name: 'community', prefix: '/community/channels' })
  .use(reads)
  .use(session)
  .get(
    '',
    async ({ query, visitor }) => {
      const { page = 1, limit: size = limits.channelsPage } = query;
      if (page * size > deepestOffset) throw new BadInput('page', 'Is too deep. Search instead.');
      return answerChannels({
        language: query.language ?? defaultLanguage,
        sort: query.sort ?? 'popular',
        search: readChannelSearch(query.search),
        offset: (page - 1) * size,
        limit: size,
        visitor: visitor?.id,
      });
    },
    {
      read: { personal: true },
      visitor: true,
      beforeHandle: async (context) => {
        if (context.query.search) await limitSearch(context);
      },
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        sort: t.Optional(oneOf(channelSorts)),
        search: t.Optional(t.String({ maxLength: 1000, error: searchProblems.tooLong })),
        language: t.Optional(Language),
      }),
      response: answers(ChannelList, 400, 429),
      detail: { tags, summary: 'A page of the channels' },
    },
  )
  .get(
    '/:starId',
    ({ params, query, visitor, request }) =>
      visitChannel(params.starId, query.language ?? defaultLanguage, isVisit(request), visitor),
    {
      read: { personal: true },
      visitor: true,
      params: ChannelParams,
      query: t.Object({ language: t.Optional(Language) }),
      response: answers(ChannelAnswer, 400, 404),
      detail: { tags, summary: 'The channel of a star, made when a person comes first' },
    },
  )
  .get(
    '/:starId/messages',
    async ({ params, query: { limit: size, before, after }, visitor }) => {
      if (before !== undefined && after !== undefined)
        throw new BadInput('before', 'Not together with after.');
      const query = { limit: size, visitor: visitor?.id };
      return after === undefined
        ? readMessages(params.starId, { ...query, before })
        : readMessagesAfter(params.starId, after, query);
    },
    {
      read: { personal: true },
      visitor: true,
      params: ChannelParams,
      query: t.Object({ limit: t.Optional(Limit), before: t.Optional(EventId), after: t.Optional(EventId) }),
      response: answers(MessageList, 400, 404),
      detail: { tags, summary: 'The newest messages, those before one, or what happened after an event' },
    },
  )
  .get(
    '/:starId/articles',
    async ({ params, query }) => {
      const { language = defaultLanguage, limit = limits.channelNews } = query;
      const articles = await readStarArticles(articleContractPart, params.starId, language, limit);
      if (articles.length === 0) await assertStar(params.starId);
      return { articles };
    },
    {
      read: {},
      params: ChannelParams,
      query: t.Object({
        tab: t.Optional(oneOf(['latest'] as const)),
        limit: t.Optional(Limit),
        language: t.Optional(Language),
      }),
      response: answers(t.Object({ articles: t.Array(Article) }), 400, 404),
      detail: { tags, summary: 'The newest articles of the star' },
    },
  )
  .get(
    '/:starId/stream',
    async ({ params, query, visitor, request }) => answerStream(request, params.starId, query.after, visitor),
    {
      visitor: true,
      beforeHandle: rateLimit({ name: 'stream', account: 60, guests: 1_500, seconds: 60 }),
      params: ChannelParams,
      query: t.Object({ after: t.Optional(EventId) }),
      response: answers(
        t.String({ description: 'text/event-stream, see api/community/README.md' }),
        400,
        404,
        429,
      ),
      detail: { tags, summary: 'What happens in the channel, as it happens: Server-Sent Events' },
    },
  )
  .post('/:starId/join', ({ params, visitor }) => joinChannel(params.starId, visitor.id), {
    role: 'user',
    beforeHandle: rateLimitWrites,
    params: ChannelParams,
    response: answers(Membership, 401, 403, 404, 429),
    detail: { tags, summary: 'Join a channel; a repeat changes nothing', security },
  })
  .delete('/:starId/join', ({ params, visitor }) => leaveChannel(params.starId, visitor.id), {
    role: 'user',
    beforeHandle: rateLimitWrites,
    params: ChannelParams,
    response: answers(Membership, 401, 403, 404, 429),
    detail: { tags, summary: 'Leave a channel; a repeat changes nothing', security },
  })
  .post('/:starId/leave', ({ params, visitor }) => leaveChannel(params.starId, visitor.id), {
    role: 'user',
    beforeHandle: rateLimitWrites,
    params: ChannelParams,
    response: answers(Membership, 401, 403, 404, 429),
    detail: { tags, summary: 'Leave a channel; a repeat changes nothing', security },
  })
  .post(
    '/:starId/messages',
    ({ params, body, visitor, request }) =>
      sendMessage(visitor.id, params.starId, body, request.headers.get('idempotency-key')),
    {
      role: 'user',
      // The limits are counted by the statement that stores.
      params: ChannelParams,
      body: NewMessage,
      response: answers(MessageAnswer, 400, 401, 403, 404, 409, 429),
      detail: { tags, summary: 'Send a message once per key', security },
    },
  );
