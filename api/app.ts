import { Elysia } from 'elysia';
import { followRoutes } from './accounts/follow-routes.ts';
import { ownDataRoutes } from './accounts/own-data-routes.ts';
import { recoveryRoutes } from './accounts/recovery-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { contentRoutes } from './admin/content-routes.ts';
import { newsroomRoutes } from './admin/newsroom-routes.ts';
import { peopleRoutes } from './admin/people-routes.ts';
import { adminFallback, adminRoutes } from './admin/routes.ts';
import { articleRoutes } from './articles/routes.ts';
import { moderationRoutes, safetyRoutes } from './community/moderation-routes.ts';
import { communityRoutes } from './community/routes.ts';
import { directoryFileRoutes } from './directory/file-routes.ts';
import { directoryRoutes } from './directory/routes.ts';
import { wikidataRoutes } from './directory/wikidata-routes.ts';
import { calendarRoutes } from './events/calendar-routes.ts';
import { eventRoutes } from './events/routes.ts';
import { subscriptionRoutes } from './events/subscriptions-routes.ts';
import { languageRoutes } from './language/routes.ts';
import { pictureRoutes } from './media/picture-routes.ts';
import { bounds } from './plugins/bounds.ts';
import { errors } from './plugins/errors.ts';
import { registerRoutes } from './plugins/methods.ts';
import { describeApi } from './plugins/openapi.ts';
import { reads, registerReads } from './plugins/reads.ts';
import { pushRoutes } from './push/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { starRoutes } from './stars/routes.ts';
import { vitalsRoutes } from './vitals/routes.ts';

/** The origin in the address of a call that comes from this very process. The API reads its path only. */
export const internalOrigin = 'http://localhost';

/**
 * The API: the only door for writing, and the public contract of §7. What happens to every request, in this order:
 * bounds on it, its route with checks of its parameters, and one mapping of whatever goes wrong. Answers are private
 * unless a route says `read`.
 */
export const api = new Elysia({
  prefix: '/api',
  // Without it a host name of one letter shifts every path. Elysia then looks for the path from the seventh sign on, which is
  // right for http:// alone: whoever calls it within the process names `internalOrigin`.
  handler: { standardHostname: false },
})
  .headers({ 'cache-control': 'private, no-store' })
  .use(errors)
  .use(bounds)
  .use(articleRoutes)
  .use(starRoutes)
  .use(searchRoutes)
  .use(communityRoutes)
  .use(safetyRoutes)
  .use(moderationRoutes)
  .use(accountRoutes)
  .use(ownDataRoutes)
  .use(recoveryRoutes)
  .use(followRoutes)
  .use(subscriptionRoutes)
  .use(calendarRoutes)
  .use(pushRoutes)
  .use(adminRoutes)
  .use(peopleRoutes)
  .use(contentRoutes)
  .use(directoryRoutes)
  .use(pictureRoutes)
  .use(directoryFileRoutes)
  .use(newsroomRoutes)
  .use(wikidataRoutes)
  .use(adminFallback)
  .use(eventRoutes)
  .use(languageRoutes)
  .use(vitalsRoutes)
  .use(reads)
  .get('/openapi', (): Promise<Record<string, unknown>> => describeApi(api), {
    read: {},
    detail: { hide: true },
  });

registerRoutes(api);
registerReads(api.routes);

export type App = typeof api;
