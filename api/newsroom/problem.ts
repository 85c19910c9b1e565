import { log } from '#db/log.ts';
import { FetchRefused } from '../media/guarded-fetch.ts';

/** Why a feed or page could not be had; `code` is for lists, the message for people, `until` when to ask again. */
export class CrawlProblem extends Error {
  constructor(
    readonly code: 'robots' | 'status' | 'later' | 'feed' | 'entities' | 'dates',
    message: string,
    readonly until?: Date,
  ) {
    super(message);
  }
}

/** Others have the turns at a host for so long: nothing is wrong with what is asked for, nor with the site. */
export class TurnTaken extends CrawlProblem {
  constructor(override readonly until: Date) {
    super('later', 'Others wait for this host.', until);
  }
}

/** Any failure as code and sentence, without anything internal. */
export function problemOf(error: unknown): { code: string; message: string } {
  if (error instanceof CrawlProblem || error instanceof FetchRefused) {
    return { code: error.code, message: error.message };
  }
  log.error({ err: error }, 'the newsroom met a failure of ours');
  return { code: 'internal', message: 'Something went wrong.' };
}
