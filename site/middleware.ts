import type { MiddlewareHandler } from 'astro';
import { isPassing, isUnreachable } from '#db/database-errors.ts';
import { log } from '#db/log.ts';

/**
 * A database that is away is answered before Astro sees its error, which it would write with a stack for every page: the log
 * has said so once (`db/watch-database.ts`); so is one that took too long. An empty 500 becomes the error page, and by `Retry-After` a 503 (`fetch.ts`).
 */
export const onRequest: MiddlewareHandler = async (_context, next) => {
  try {
    return await next();
  } catch (error) {
    if (isPassing(error)) log.error({ err: error }, 'a page could not be made in time');
    else if (!isUnreachable(error)) throw error;
    return new Response(null, { status: 500, headers: { 'retry-after': '5' } });
  }
};
