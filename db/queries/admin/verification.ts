import { and, eq, gte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database, unprepared } from '../../client.ts';
import { auditLog, users } from '../../schema/accounts.ts';
import { articleRewrites, articles } from '../../schema/articles.ts';
import {
  eventCategories,
  eventCategoryTranslations,
  eventStars,
  events,
  eventTranslations,
  type Verification,
} from '../../schema/events.ts';
import { stars } from '../../schema/stars.ts';
import {
  coalesce,
  derived,
  type Expression,
  execute,
  jsonArray,
  jsonObject,
  nullable,
  type RowOf,
  selectValue,
  type ValueOf,
} from '../../sql.ts';
import { bestEventWords, e, et, isPublic, starOf, wordsOf } from '../events/fields.ts';
import { contains } from '../pattern.ts';
import { isDecisionAbout } from './audit.ts';

const c = alias(eventCategories, 'c');
const a = alias(articles, 'a');
/** Another event, and its words. */
const k = alias(events, 'k');
const words = alias(eventTranslations, 'words');

const categoryOf = (language: Lang) => {
  const ect = eventCategoryTranslations;
  const ownName = selectValue(
    ect.name,
    sql`from ${ect} where ${ect.categoryId} = ${c.id}
      order by (${ect.language} = ${language}) desc, (${ect.language} = 'en') desc limit 1`,
  );
  return selectValue(
    jsonObject({ id: c.id, color: c.color, name: coalesce(ownName, c.slug) }),
    sql`from ${eventCategories} ${c} where ${c.id} = ${e.categoryId}`,
  );
};

const sourceArticleOf = (language: Lang) => {
  const r = articleRewrites;
  const rewrittenTitle = selectValue(
    r.title,
    sql`from ${r} where ${and(eq(r.articleId, a.id), eq(r.language, language))}`,
  );
  return nullable(
    selectValue(
      jsonObject({
        id: a.id,
        originalUrl: a.originalUrl,
        outlet: a.outlet,
        originalTitle: a.originalTitle,
        title: coalesce(rewrittenTitle, a.originalTitle),
      }),
      sql`from ${articles} ${a} where ${a.id} = ${e.sourceArticleId}`,
    ),
  );
};

/** The known event of which the newsroom takes a pending one for an update, as it is now. */
const updateOf = (language: Lang) =>
  nullable(
    selectValue(
      jsonObject({
        id: k.id,
        verification: sql<Exclude<Verification, 'rejected'>>`${k.verification}`,
        title: words.title,
        language: words.language,
        venue: words.venue,
        location: words.location,
        startTime: k.startTime,
        zone: k.zone,
        precision: k.precision,
      }),
      sql`from ${events} ${k} cross join lateral (${wordsOf(k.id, language)}) ${words}
        where ${k.id} = ${e.updateOfId} and ${k.verification} <> 'rejected' and ${e.verification} = 'pending'`,
    ),
  );

/** Public events that a pending one may be the same as: same star and a start within two days. */
const similarTo = (language: Lang) => {
  const near = derived('near', {
    id: k.id,
    title: words.title,
    startTime: k.startTime,
    isUpdate: sql<boolean>`${k.updateOfId} is not distinct from ${e.id}`,
    distance: sql<number>`abs(extract(epoch from ${k.startTime} - ${e.startTime}))`,
  });
  const { id, title, startTime, isUpdate, distance } = near.fields;
  return selectValue(
    jsonArray(jsonObject({ id, title, startTime, isUpdate }), { orderBy: distance }),
    sql`from (select ${near.columns}
      from ${events} ${k} cross join lateral (${wordsOf(k.id, language)}) ${words}
      where ${e.verification} = 'pending' and ${isPublic(k)} and ${k.primaryStarId} = ${e.primaryStarId}
        and ${k.id} is distinct from ${e.updateOfId}
        and ${k.startTime} between ${e.startTime} - interval '2 days' and ${e.startTime} + interval '2 days'
      order by distance limit 3) ${near.name}`,
  );
};

/** True for the stars of `events e`. */
const isStarOfEvent = or(
  eq(stars.id, e.primaryStarId),
  sql`${stars.id} in (select ${eventStars.starId} from ${eventStars} where ${eventStars.eventId} = ${e.id})`,
);

/** Title, places and stars in Korean, the language of the source. */
const sourceWords = () => {
  const { title, venue, location, eventId, language } = eventTranslations;
  const source = derived('source', {
    word: sql<string | null>`unnest(array[${title}, ${venue}, ${location}])`,
  });
  return selectValue(
    jsonArray(source.fields.word),
    sql`from (select ${source.columns} from ${eventTranslations} where ${eventId} = ${e.id} and ${language} = 'ko'
      union all select ${stars.name} from ${stars} where ${isStarOfEvent}) ${source.name}`,
  );
};

/** An event as whoever verifies it sees it; goes with `events e` and `bestEventWords`. */
const verificationJson = (language: Lang) =>
  jsonObject({
    id: e.id,
    verification: e.verification,
    state: e.state,
    eventType: e.eventType,
    title: et.title,
    description: et.description,
    language: et.language,
    venue: et.venue,
    location: et.location,
    startTime: e.startTime,
    endTime: e.endTime,
    zone: e.zone,
    precision: e.precision,
    extractionConfidence: e.extractionConfidence,
    evidence: e.evidence,
    checks: e.checks,
    category: categoryOf(language),
    primaryStar: starOf(e.primaryStarId, language),
    sourceArticle: sourceArticleOf(language),
    /** Only of an event that waits. */
    updateOf: updateOf(language),
    similar: similarTo(language),
    /** The known event that this one was merged into. */
    mergedInto: nullable(
      selectValue(
        jsonObject({ id: sql<number>`${e.mergedIntoId}`, title: words.title }),
        sql`from (${wordsOf(e.mergedIntoId, language)}) ${words}`,
      ),
    ),
    sourceWords: sourceWords(),
    /** Its entry in the audit log, which is not kept for ever. */
    decision: nullable(
      selectValue(
        auditLog.id,
        sql`from ${auditLog} where ${e.verification} <> 'pending' and ${isDecisionAbout(e.id)}
          order by ${auditLog.id} desc limit 1`,
      ),
    ),
    decidedAt: e.decidedAt,
    decisionNotes: e.decisionNotes,
    createdAt: e.createdAt,
    decidedBy: nullable(
      selectValue(
        coalesce(users.displayName, users.username),
        sql`from ${users} where ${users.id} = ${e.decidedBy}`,
      ),
    ),
  });

export type VerificationRow = ValueOf<ReturnType<typeof verificationJson>>;

interface VerificationFilter {
  language: Lang;
  verification: Verification;
  limit: number;
  offset: number;
  /** Looked for in titles, places, names of stars and the source, in every language. */
  search?: string | undefined;
}

/** Events that have the text somewhere a person would look for it. */
function mentions(text: string): SQL | undefined {
  const has = (folded: Expression) => sql`${folded} like ${contains(text)}`;
  const { eventId, searchKey, location } = eventTranslations;
  const inWords = or(has(searchKey), has(sql`byeol_fold(coalesce(${location}, ''))`));
  const inSource = has(sql`byeol_fold(${a.outlet} || ' ' || ${a.originalTitle})`);
  return or(
    sql`exists (select from ${eventTranslations} where ${and(eq(eventId, e.id), inWords)})`,
    sql`exists (select from ${stars} where ${and(has(stars.searchKey), isStarOfEvent)})`,
    sql`exists (select from ${articles} ${a} where ${and(eq(a.id, e.sourceArticleId), inSource)})`,
  );
}

/** A page of events in one state: those that wait, longest waiting first; decided ones, newest decision first. */
export async function listForVerification({
  language,
  verification,
  limit,
  offset,
  search,
}: VerificationFilter): Promise<{ events: VerificationRow[]; total: number }> {
  const matching = sql`from ${events} ${e} where ${and(eq(e.verification, verification), search ? mentions(search) : undefined)}`;
  const order =
    verification === 'pending'
      ? sql`${e.createdAt}, ${e.id}`
      : sql`${e.decidedAt} desc nulls last, ${e.id} desc`;
  const [row] = await execute(
    {
      total: selectValue(sql<number>`count(*)::int`, matching),
      events: selectValue(
        jsonArray(verificationJson(language), { orderBy: sql`${e}.place` }),
        sql`from page ${e} ${bestEventWords(language)}`,
      ),
    },
    (columns) => sql`
      with page as materialized (select ${e}.*, row_number() over (order by ${order}) as place
        ${matching} order by ${order} limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  return row ?? { events: [], total: 0 };
}

/** One event for whoever verifies it; undefined when there is none. */
export async function findForVerification(id: number, language: Lang): Promise<VerificationRow | undefined> {
  const [row] = await execute(
    { event: verificationJson(language) },
    (columns) => sql`select ${columns} from ${events} ${e} ${bestEventWords(language)} where ${e.id} = ${id}`,
  );
  return row?.event;
}

const isPending = sql`from ${events} where ${events.verification} = 'pending'`;
const { extractionConfidence, mergedIntoId } = events;
const countFields = {
  pending: selectValue(sql<number>`count(*)::int`, isPending),
  /** percent, of the events that wait; 0 when none has one */
  averageConfidence: selectValue(
    sql<number>`coalesce(round(avg(${extractionConfidence})), 0)::int`,
    isPending,
  ),
  verifiedLast7Days: sql<number>`count(*) filter (where ${isPublic(events)} or ${mergedIntoId} is not null)::int`,
  rejectedLast7Days: sql<number>`count(*) filter (
    where ${events.verification} = 'rejected' and ${mergedIntoId} is null)::int`,
};
type VerificationCounts = RowOf<typeof countFields>;

/** §3 Verification stats. What was merged into a known event was verified, too. */
export async function countVerifications(): Promise<VerificationCounts> {
  const [counts] = await database()
    .select(countFields)
    .from(events)
    .where(gte(events.decidedAt, sql`now() - interval '7 days'`));
  return counts ?? { pending: 0, verifiedLast7Days: 0, rejectedLast7Days: 0, averageConfidence: 0 };
}
