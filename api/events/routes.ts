import { FormatRegistry } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { defaultLanguage } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { BadInput, NotFound } from '../errors.ts';
import { readStarIdArray } from '../input.ts';
import { Id, IdParams, Language, Limit, Offset, StarIds } from '../parameters.ts';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { reads } from '../plugins/reads.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { eventClock } from './clock.ts';
import { isZone, readDay, seoul } from './days.ts';
import { eventContractPart, readEvent, readEventsWithin, readTrending } from './events.ts';
import { Event, EventMonth, TrendingEvents } from './model.ts';
import { readEventMonth, readMonth } from './month.ts';
import { countView } from './views.ts';

const tags = ['Events'];
/** §9 Calendar/events cache is the client's; ours must not show an event as coming that has begun. */
const read = { personal: true, tags: ['events'], swr: 0, clock: eventClock } as const;

FormatRegistry.Set('byeol-zone', isZone);
const Zone = t.String({
  format: 'byeol-zone',
  error: 'Must be an IANA time zone such as Asia/Seoul.',
  description: 'IANA zone in which days begin; Asia/Seoul when missing.',
});

FormatRegistry.Set('byeol-instant', (value) => readInstant(value) !== undefined);
const Instant = t.String({
  format: 'byeol-instant',
  error: 'Must be an ISO 8601 instant with its offset from 1970 to 2999, such as 2026-11-21T00:00:00.000Z.',
});

const instantPattern = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** An instant of a day that exists, in years that a calendar has: `Date` alone takes 30 February, and year 0, which SQL has not. */
function readInstant(text: string): Date | undefined {
  const [, day] = instantPattern.exec(text) ?? [];
  const date = new Date(text);
  return readDay(day) && !Number.isNaN(date.getTime()) ? date : undefined;
}

/** An instant that its format has checked already. */
const instantOf = (text: string): Date => readInstant(text) ?? new Date(Number.NaN);

const filters = {
  tz: t.Optional(Zone),
  language: t.Optional(Language),
  categoryIds: t.Optional(StarIds),
  starIds: t.Optional(StarIds),
};

interface Query {
  language?: typeof Language.static;
  categoryIds?: string;
  starIds?: string;
}

const toEventQuery = (query: Query, visitor: { id: number } | undefined) => ({
  language: query.language ?? defaultLanguage,
  filter: {
    categoryIds: readStarIdArray(query.categoryIds) ?? [],
    starIds: readStarIdArray(query.starIds) ?? [],
  },
  now: new Date(),
  visitor: visitor?.id,
});

/** §7 Events: what can be read, and that something was seen. Subscriptions have a door of their own. */
export const eventRoutes = new Elysia({ name: 'events', prefix: '/events' })
  .use(reads)
  .use(session)
  .get(
    '/calendar/month/:year/:month',
    ({ params, query, visitor }) =>
      readEventMonth(readMonth(params.year, params.month), query.tz ?? seoul, toEventQuery(query, visitor)),
    {
      read,
      visitor: true,
      params: t.Object({ year: t.String(), month: t.String() }),
      query: t.Object(filters),
      response: answers(EventMonth, 400),
      detail: { tags, summary: 'A month of events by day' },
    },
  )
  .get(
    '/calendar/range',
    ({ query, visitor }) => {
      const [from, to] = [instantOf(query.startDate), instantOf(query.endDate)];
      if (from > to) throw new BadInput('startDate', 'Must not be after endDate.', 'order');
      const span = { from, to, limit: query.limit ?? limits.eventsRange };
      return readEventsWithin(eventContractPart, span, toEventQuery(query, visitor));
    },
    {
      read,
      visitor: true,
      query: t.Object({ ...filters, startDate: Instant, endDate: Instant, limit: t.Optional(Limit) }),
      response: answers(t.Array(Event), 400),
      detail: { tags, summary: 'Events that go on at some moment between two instants, earliest first' },
    },
  )
  .get(
    '/trending',
    ({ query, visitor }) => {
      const { limit = limits.trending, offset = 0, category } = query;
      return readTrending({ limit, offset, category }, toEventQuery(query, visitor));
    },
    {
      read,
      visitor: true,
      query: t.Object({
        limit: t.Optional(Limit),
        offset: t.Optional(Offset),
        language: t.Optional(Language),
        category: t.Optional(
          t.String({ maxLength: 40, error: 'Must have at most 40 characters.', description: 'Slug.' }),
        ),
      }),
      response: answers(TrendingEvents, 400),
      detail: { tags, summary: 'The most wanted events that are not over' },
    },
  )
  .get(
    '',
    async ({ query, visitor }) => {
      const { limit = limits.eventsList, offset = 0 } = query;
      const eventQuery = toEventQuery(query, visitor);
      return {
        events: await readEventsWithin(
          eventContractPart,
          { from: eventQuery.now, limit, offset },
          eventQuery,
        ),
      };
    },
    {
      read,
      visitor: true,
      query: t.Object({ ...filters, limit: t.Optional(Limit), offset: t.Optional(Offset) }),
      response: answers(t.Object({ events: t.Array(Event) }), 400),
      detail: { tags, summary: 'The next events, those that are on first' },
    },
  )
  .get(
    '/:id',
    async ({ params, query, visitor }) => {
      const event = await readEvent(params.id, toEventQuery(query, visitor));
      if (!event) throw new NotFound('Event');
      return event;
    },
    {
      read: { ...read, tags: ['event:', 'events'] },
      visitor: true,
      params: IdParams,
      query: t.Object({ language: t.Optional(Language) }),
      response: answers(Event, 400, 404),
      detail: { tags, summary: 'One event' },
    },
  )
  .post(
    '/:id/view',
    async ({ params, request }) => ({ counted: await countView(params.id, request, new Date()) }),
    {
      params: t.Object({ id: Id }),
      beforeHandle: [
        rateLimitWrites,
        rateLimit({ name: 'event-view', account: 60, guests: 600, seconds: 60 }),
      ],
      response: answers(t.Object({ counted: t.Boolean() }), 404, 429),
      detail: { tags, summary: 'Says that a person looks at an event; counted once per person and day' },
    },
  );
