import { and, eq, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { memoize } from '../../memoize.ts';
import { articles } from '../../schema/articles.ts';
import { eventInterest } from '../../schema/event-interest.ts';
import { eventCategories, events } from '../../schema/events.ts';
import { pictures } from '../../schema/media.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import {
  coalesce,
  derived,
  type Expression,
  jsonArray,
  jsonObject,
  literal,
  nullable,
  prepare,
  type RowOf,
  selectValue,
  type ValueOf,
} from '../../sql.ts';
import { isShownAs } from '../media.ts';
import { badgeFields, isShown, s, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import {
  bestEventWords,
  c,
  type EventCategoryRow,
  e,
  et,
  eventCategoryJson,
  isPublic,
  overAt,
  pictureOfEvent,
  plainTicketFields,
  type TicketRow,
  wordsOf,
} from './fields.ts';
import { oneProbeOfWords, word } from './month-rows.ts';
import { type EventFilter, idsWithin, type Span, type SpanShape, spanShape, spanValues } from './spans.ts';

/** What a grid needs of an event to put it on its days. */
interface EventMark {
  id: number;
  categoryId: number;
  starId: number | null;
  /** milliseconds */
  start: number;
  over: number;
  /** First and last day in the event's own zone, for events of whole days. */
  days: { first: string; last: string } | undefined;
}

const fieldsOfMark = {
  categoryId: e.categoryId,
  primaryStarId: e.primaryStarId,
  overAt: e.overAt,
  precision: e.precision,
  zone: e.zone,
};
const marked = derived('marked', { id: e.id, startTime: e.startTime, ...fieldsOfMark });
const mark = marked.fields;

/** Numbers of all rows one after the other in their binary form: writing and reading them as text takes three times as long. */
const packed = (number: SQL) => sql<Buffer | null>`string_agg(${number}, '')`;

/** PostgreSQL counts microseconds from the year 2000. */
const year2000 = Date.UTC(2000, 0, 1);
const millisecondsAt = (bytes: Buffer, place: number) =>
  Math.floor((bytes.readInt32BE(place * 8) * 2 ** 32 + bytes.readUInt32BE(place * 8 + 4)) / 1000) + year2000;

const localDay = (moment: Expression) =>
  sql<string>`to_char(${moment} at time zone ${mark.zone}, 'YYYY-MM-DD')`;
const localDays = jsonObject({
  first: localDay(mark.startTime),
  last: localDay(sql`greatest(${mark.startTime}, ${mark.overAt} - interval '1 millisecond')`),
});

/** All marks in one row, each list in the order of the others. */
const packedMarks = {
  ids: packed(sql`int4send(${mark.id})`),
  categories: packed(sql`int4send(${mark.categoryId})`),
  stars: packed(sql`int4send(coalesce(${mark.primaryStarId}, 0))`),
  starts: packed(sql`timestamptz_send(${mark.startTime})`),
  overs: packed(sql`timestamptz_send(${mark.overAt})`),
  days: sql<Record<string, ValueOf<typeof localDays>> | null>`
    json_object_agg(${mark.id}, ${localDays}) filter (where ${mark.precision} = 'day')`,
};

const marksWithin = memoize((shape: SpanShape) =>
  prepare(
    packedMarks,
    (columns) => sql`select ${columns} from (${idsWithin(shape, fieldsOfMark)}) ${marked.name}`,
  ),
);

/**
 * Marks of all public events that go on in a span, earliest first: a month of three thousand is one row of lists, and no words
 * are read for what a page does not name. One statement, which reads an index only.
 */
export async function listMarks(span: Span, filter: EventFilter): Promise<EventMark[]> {
  const [row] = await marksWithin(spanShape(span, filter))(spanValues(span, filter));
  if (!row?.ids || !row.categories || !row.stars || !row.starts || !row.overs) return [];
  const { ids, categories, stars: starIds, starts, overs, days } = row;
  return Array.from({ length: ids.length / 4 }, (_, place) => {
    const id = ids.readInt32BE(place * 4);
    return {
      id,
      categoryId: categories.readInt32BE(place * 4),
      starId: starIds.readInt32BE(place * 4) || null,
      start: millisecondsAt(starts, place),
      over: millisecondsAt(overs, place),
      days: days?.[id],
    };
  });
}

/** Public events by id with their star and, where they are asked for, their words, joined and not made one by one: a month asks for dozens. */
const fromEventsById = (language: Lang, joinedWords = sql``) => sql`
  from ${events} ${e} ${joinedWords} left join ${stars} ${s} on ${s.id} = ${e.primaryStarId} and ${isShown()}
  left join ${starTranslations} ${st} on ${wordsIn(language)}
  where ${e.id} = any(${sql.placeholder('ids')}::int[]) and ${isPublic()}`;

const joinedTicketFields = {
  starId: nullable(s.id),
  slug: s.slug,
  name: badgeFields().name,
  category: s.category,
  fandomColor: s.fandomColor,
  avatarKey: badgeFields().avatarKey,
  title: word('title'),
  language: word('language'),
  venue: word('venue'),
  location: word('location'),
  ...plainTicketFields,
};

const ticketsById = memoize((language: Lang) =>
  prepare(
    joinedTicketFields,
    (columns) => sql`select ${columns} ${fromEventsById(language, oneProbeOfWords(language))}`,
  ),
);

/** Tickets of public events by id, in no order. */
export async function listTicketsById(language: Lang, ids: readonly number[]): Promise<TicketRow[]> {
  if (ids.length === 0) return [];
  const rows = await ticketsById(language)({ ids: `{${ids.join()}}` });
  return rows.map(({ starId, slug, name, category, fandomColor, avatarKey, ...ticket }) => ({
    ...ticket,
    star: starId === null ? null : { id: starId, slug, name, category, fandomColor, avatarKey },
  }));
}

const labelFields = (language: Lang) => ({
  id: e.id,
  /** Whose it is, else what it is: a cell has room for a name. Its title is only looked up where it is needed. */
  text: coalesce(
    sql<string | null>`${badgeFields().name}`,
    selectValue(et.title, sql`from (${wordsOf(e.id, language)}) ${et}`),
  ),
  /** Of its star. */
  fandomColor: nullable(s.fandomColor),
});

/** What a cell of the grid says of an event. */
type LabelRow = RowOf<ReturnType<typeof labelFields>>;

const labelsById = memoize((language: Lang) =>
  prepare(labelFields(language), (columns) => sql`select ${columns} ${fromEventsById(language)}`),
);

/** Labels of public events by id, in no order. One statement. */
export function listLabelsById(language: Lang, ids: readonly number[]): Promise<LabelRow[]> {
  return labelsById(language)({ ids: `{${ids.join()}}` });
}

const { id, slug, name, fandomColor, avatarKey } = badgeFields();
const starChoice = (language: Lang) =>
  jsonObject({ id, slug, name, fandomColor, avatarKey, distinction: distinctionIn(language, s, name) });

export type StarChoice = ValueOf<ReturnType<typeof starChoice>>;

const choicesOf = memoize((language: Lang) =>
  prepare(
    {
      categories: selectValue(
        jsonArray(eventCategoryJson(language), { orderBy: sql`${c.id}` }),
        sql`from ${eventCategories} ${c}`,
      ),
      stars: selectValue(
        jsonArray(starChoice(language), { orderBy: name }),
        sql`from ${stars} ${s} left join ${starTranslations} ${st} on ${wordsIn(language)}
          where ${s.id} = any(${sql.placeholder('starIds')}::int[]) and ${isShown()}`,
      ),
    },
    (columns) => sql`select ${columns}`,
  ),
);

/** What a calendar may be filtered by: every category, and the stars of these ids. One statement. */
export async function findCalendarChoices(
  language: Lang,
  starIds: readonly number[],
): Promise<{ categories: EventCategoryRow[]; stars: StarChoice[] }> {
  const [row] = await choicesOf(language)({ starIds: `{${starIds.join()}}` });
  return row ?? { categories: [], stars: [] };
}

const posterFields = {
  id: e.id,
  title: et.title,
  language: et.language,
  startTime: e.startTime,
  overAt,
  zone: e.zone,
  precision: e.precision,
  /** Its own picture, else that of its article or its star. */
  pictureKey: nullable(pictures.key),
  placeholder: nullable(pictures.placeholder),
  starId: nullable(s.id),
  starSlug: nullable(s.slug),
  starName: sql<string | null>`${badgeFields().name}`,
};

export type PosterRow = RowOf<typeof posterFields>;

/** Events that are wanted most, among which the posters are looked for; and how many of the next ones when too few are wanted. */
const warmest = literal(200);
const nearest = literal(32);

const candidateFields = { id: e.id, startTime: e.startTime, primaryStarId: e.primaryStarId };
const candidate = derived('candidate', { ...candidateFields, heat: eventInterest.heat });
const first = derived('first', candidate.fields);
const poster = derived('poster', first.fields);

const posters = memoize((language: Lang) => {
  const begins = and(
    isPublic(),
    sql`${e.state} = 'scheduled'`,
    isNotNull(e.primaryStarId),
    gte(e.startTime, sql.placeholder('from')),
    lt(e.startTime, sql.placeholder('to')),
  );
  const { primaryStarId, startTime, heat, id: candidateId } = candidate.fields;
  return prepare(
    posterFields,
    (columns) => sql`
      with ${candidate.name} as materialized (
        (select ${candidate.columns}
          from (select ${eventInterest.eventId}, ${eventInterest.heat} from ${eventInterest}
            where ${eventInterest.heat} > '-Infinity'
            order by ${eventInterest.heat} desc, ${eventInterest.eventId} desc limit ${warmest}) ${eventInterest}
          join ${events} ${e} on ${e.id} = ${eventInterest.eventId} where ${begins})
        union all
        (select ${derived('candidate', candidateFields).columns}, '-Infinity' from ${events} ${e} where ${begins}
          order by ${e.startTime}, ${e.id} limit ${nearest})),
      ${first.name} as materialized (
        select distinct on (${primaryStarId}) ${first.columns} from ${candidate.name}
        order by ${primaryStarId}, ${heat} desc, ${startTime}, ${candidateId}),
      ${poster.name} as materialized (
        select ${poster.columns} from ${first.name}
        order by ${first.fields.heat} desc, ${first.fields.startTime}, ${first.fields.id} limit ${sql.placeholder('limit')})
      select ${columns} from ${poster.name} join ${events} ${e} on ${e.id} = ${poster.fields.id} ${bestEventWords(language)}
      left join ${stars} ${s} on ${s.id} = ${e.primaryStarId} and ${isShown()}
      left join ${starTranslations} ${st} on ${wordsIn(language)}
      left join ${articles} on ${and(eq(articles.id, e.sourceArticleId), isNull(articles.withdrawnAt))}
      left join ${pictures} on ${isShownAs(pictures, pictureOfEvent(s.heroKey))}
      order by ${poster.fields.startTime}, ${poster.fields.id}`,
  );
});

/**
 * The public events of a span that most people want (decision E5), the next ones where nobody wants any, with a picture each,
 * one per star, in the order in which they come. One statement.
 */
export function listPosters(
  language: Lang,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<PosterRow[]> {
  return posters(language)({ from: from.toISOString(), to: to.toISOString(), limit });
}
