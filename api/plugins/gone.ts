import postgres from 'postgres';
import { missingStar } from '../directory/missing-star.ts';
import { type ApiError, NotFound } from '../errors.ts';

/** What PostgreSQL says of a row that refers to one that is not there (`foreign_key_violation`). */
const missingReference = '23503';

/** Things that may go while a call about them is under way. Rows that refer to them go with them, so only a new one can miss them. */
const things = {
  stars: 'Star',
  events: 'Event',
  articles: 'Article',
  channels: 'Channel',
  messages: 'Message',
  users: 'Account',
} as const;

/** Names of foreign keys as Drizzle gives them. */
const keyOfThing = /_(?<table>stars|events|articles|channels|messages|users)_id_fk$/;
/** Calls about a star, which may have another address by now, and about its channel. */
const ofStar = /\/(?:stars|channels)\/(?<id>\d+)(?:\/|$)/;

/**
 * What to answer a call whose star, event, article, … was deleted or merged between its first look and its write; undefined for any
 * other error.
 */
export async function goneDuring(error: unknown, request: Request): Promise<ApiError | undefined> {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof postgres.PostgresError) || cause.code !== missingReference) return undefined;
  const table = keyOfThing.exec(cause.constraint_name ?? '')?.groups?.table;
  const thing = Object.entries(things).find(([each]) => each === table)?.[1];
  if (!thing) return undefined;
  const star = ofStar.exec(new URL(request.url).pathname)?.groups?.id;
  return star && (thing === 'Star' || thing === 'Channel')
    ? missingStar(Number(star), thing)
    : new NotFound(thing);
}
