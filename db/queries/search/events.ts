import { inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { EventType } from '#content/event-types.ts';
import type { Lang } from '#content/locales.ts';
import { unprepared } from '../../client.ts';
import { memoize } from '../../memoize.ts';
import { eventStars, events, eventTranslations } from '../../schema/events.ts';
import {
  derived,
  execute,
  isOneOf,
  jsonArray,
  jsonObject,
  literal,
  prerender,
  selectValue,
} from '../../sql.ts';
import { bestEventWords, e, et, isPublic, type TicketRow, ticketFields } from '../events/fields.ts';
import { type HitQuery, type Hits, hasAllWords, maxHits, type SearchWord, toHits } from './query.ts';

const es = alias(eventStars, 'es');

const keyOfEvent = prerender(sql`${et.searchKey}`);
/** For the few rows of a star that are left to read. */
const keyOfEventUnindexed = prerender(sql`(${et.searchKey} || '')`);

const eventHits = derived('hits', { id: e.id, startTime: e.startTime });
const eventHitColumns = prerender(eventHits.columns);
const near = derived('near', { id: eventHits.fields.id });

const { id: hitId, startTime: hitStart } = eventHits.fields;
const nearestHits = prerender(sql`
  ${near.name} as materialized (
    select ${near.columns}, row_number() over (
      order by over, case when not over then ${hitStart} end, ${hitStart} desc, ${hitId}) as place
    from ${eventHits.name} order by place limit ${maxHits + 1})`);
const eventHitCount = prerender(sql<number>`(select count(*)::int from ${near.name})`);
const tickets = memoize((language: Lang) =>
  prerender(jsonArray(jsonObject(ticketFields(language)), { orderBy: sql`place` })),
);
const eventOfHit = memoize((language: Lang) =>
  prerender(sql`join ${events} ${e} on ${e.id} = ${near.fields.id} ${bestEventWords(language)}`),
);

/**
 * Public events that say all words in title or venue, or are of a star that has them, or of one that has some while the event says
 * the others or is of the type that they name, or are of a type that is called so: what is on or comes first, the nearest first, then what is over, the latest first.
 * One statement.
 */
export async function findEvents(
  query: HitQuery & { eventTypes: readonly EventType[]; now: Date },
): Promise<Hits<TicketRow>> {
  const { language, words, limit, offset, now } = query;
  const ofText = sql`select ${et.eventId} as id from ${eventTranslations} ${et} where ${hasAllWords(keyOfEvent, words)}`;
  const [row] = await execute(
    {
      total: eventHitCount,
      tickets: selectValue(
        tickets(language),
        sql`from (select * from ${near.name} where place <= ${maxHits} order by place limit ${limit} offset ${offset}) ${near.name}
          ${eventOfHit(language)}`,
      ),
    },
    (columns) => sql`
      with found as (${sql.join([ofText, ...eventsOfStars(query), ...eventsOfTypes(query)], sql` union all `)}),
      ${eventHits.name} as materialized (
        select ${eventHitColumns}, ${e.overAt} < ${now.toISOString()} as over
        from ${events} ${e} where ${e.id} in (select id from found) and ${isPublic()}),
      ${nearestHits}
      select ${columns}`,
    unprepared(),
  );
  return toHits(row?.total ?? 0, row?.tickets ?? []);
}

/** Branches of `found`: the events of the stars, and those of stars in part that say the words that remain or are of a type that they name. */
function eventsOfStars({ starIds, starsInPart: inPart }: HitQuery): SQL[] {
  const ofWholeMatches = [
    sql`select ${e.id} from ${events} ${e} where ${isOneOf(e.primaryStarId, starIds)}`,
    sql`select ${es.eventId} from ${eventStars} ${es} where ${isOneOf(es.starId, starIds)}`,
  ];
  const ofPartMatches = inPart.map(({ id, words }) => {
    const hasOtherWords = sql`exists (select from ${eventTranslations} ${et} where ${et.eventId} = ${e.id}
      and ${hasAllWords(keyOfEventUnindexed, words, isOfTypeNamed)})`;
    return sql`
      select ${e.id} from ${events} ${e} where ${e.primaryStarId} = ${id} and ${hasOtherWords}
      union all select ${e.id} from ${eventStars} ${es} join ${events} ${e} on ${e.id} = ${es.eventId}
        where ${es.starId} = ${id} and ${hasOtherWords}`;
  });
  return [...(starIds.length > 0 ? ofWholeMatches : []), ...ofPartMatches];
}

/** Branches of `found`: of these types what comes, the nearest first, and what was, as many as can be reached. */
function eventsOfTypes({ eventTypes, now }: { eventTypes: readonly EventType[]; now: Date }): SQL[] {
  if (eventTypes.length === 0) return [];
  const at = now.toISOString();
  const isOfType = sql`${isPublic()} and ${inArray(e.eventType, [...eventTypes])}`;
  const limit = literal(maxHits + 1);
  return [
    sql`(select ${e.id} from ${events} ${e} where ${isOfType} and ${e.startTime} >= ${at} order by ${e.startTime} limit ${limit})`,
    sql`(select ${e.id} from ${events} ${e} where ${isOfType} and ${e.startTime} < ${at} order by ${e.startTime} desc limit ${limit})`,
  ];
}

const isOfTypeNamed = ({ eventTypes = [] }: SearchWord): SQL[] =>
  eventTypes.length > 0 ? [inArray(e.eventType, [...eventTypes])] : [];
