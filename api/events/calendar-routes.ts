import { Elysia, t } from 'elysia';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { answers, nullable } from '../shapes.ts';
import { makeCalendarLink, readCalendarLink, revokeCalendarLink } from './calendars.ts';

const tags = ['Events'];
const security = [{ bearer: [] }];

const NewLink = t.Object({ url: t.String({ description: 'Shown once: only a hash of its token is kept.' }) });
const LinkState = t.Object({ since: nullable(t.String({ description: 'ISO 8601 in UTC' })) });

/** The private address of a fan's own calendar (decision E7). */
export const calendarRoutes = new Elysia({ name: 'calendar', prefix: '/calendar' })
  .use(session)
  .get(
    '/link',
    async ({ visitor }) => ({ since: (await readCalendarLink(visitor.id))?.toISOString() ?? null }),
    {
      role: 'user',
      response: answers(LinkState, 401),
      detail: {
        tags,
        summary: 'Whether the account has a private calendar address, and since when',
        security,
      },
    },
  )
  .post('/link', ({ visitor }) => makeCalendarLink(visitor.id), {
    role: 'user',
    beforeHandle: [rateLimitWrites, rateLimit({ name: 'calendar-link', account: 20, seconds: 3600 })],
    response: answers(NewLink, 401, 403, 429),
    detail: { tags, summary: 'Make a new private calendar address; any earlier one ends', security },
  })
  .delete(
    '/link',
    async ({ visitor }) => {
      await revokeCalendarLink(visitor.id);
      return { since: null };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      response: answers(LinkState, 401, 403, 429),
      detail: { tags, summary: 'End the private calendar address; a repeat changes nothing', security },
    },
  );
