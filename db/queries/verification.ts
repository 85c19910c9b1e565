import { type SQL, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';
import type { EventType, Verification } from '../schema/events.ts';
import { bestEventWords } from './events.ts';
import { contains } from './pattern.ts';
import type { StarRow } from './star-badge.ts';

/** A public event that a pending one may be the same as: same star and a start within two days. */
export interface SimilarRow {
  id: number;
  title: string;
  startTime: string;
}

/** The known event of which the newsroom takes a pending one for an update, as it is now. */
export interface KnownRow extends SimilarRow {
  verification: Exclude<Verification, 'rejected'>;
  language: Lang;
  venue: string | null;
  location: string | null;
  zone: string;
  precision: 'minute' | 'day';
}

/** An event as whoever verifies it sees it. Times are ISO texts in UTC. */
export interface VerificationRow {
  id: number;
  verification: Verification;
  state: 'scheduled' | 'cancelled';
  eventType: EventType;
  title: string;
  description: string | null;
  language: Lang;
  venue: string | null;
  location: string | null;
  startTime: string;
  endTime: string | null;
  zone: string;
  precision: 'minute' | 'day';
  extractionConfidence: number | null;
  evidence: Record<string, string> | null;
  checks: Record<string, boolean> | null;
  category: { id: number; name: string; color: string };
  primaryStar: StarRow | null;
  sourceArticle: {
    id: number;
    title: string;
    originalTitle: string;
    originalUrl: string;
    outlet: string;
  } | null;
  /** Only of an event that waits. */
  updateOf: KnownRow | null;
  similar: SimilarRow[];
  /** The known event that this one was merged into. */
  mergedInto: { id: number; title: string } | null;
  /** Title, places and stars in Korean, the language of the source. */
  sourceWords: (string | null)[];
  decidedAt: string | null;
  decidedBy: string | null;
  decisionNotes: string | null;
  createdAt: string;
}

const starOf = (id: SQL, language: Lang) => sql`(
  select json_build_object('id', s.id, 'slug', s.slug, 'name', coalesce(st.name, s.name), 'category', s.category,
    'fandomColor', s.fandom_color)
  from stars s left join star_translations st on st.star_id = s.id and st.language = ${language} where s.id = ${id})`;

/** The words of an event in a language, else in English, else in any. */
const wordsOf = (id: SQL, language: Lang) => sql`select * from event_translations where event_id = ${id}
  order by (language = ${language}) desc, (language = 'en') desc limit 1`;

/** JSON of a `VerificationRow`; goes with `events e` and `bestEventWords`. */
const verificationRow = (language: Lang) => sql`json_build_object(
  'id', e.id, 'verification', e.verification, 'state', e.state, 'eventType', e.event_type, 'title', et.title,
  'description', et.description, 'language', et.language, 'venue', et.venue, 'location', et.location,
  'startTime', e.start_time, 'endTime', e.end_time, 'zone', e.zone, 'precision', e.precision,
  'extractionConfidence', e.extraction_confidence, 'evidence', e.evidence, 'checks', e.checks,
  'category', (select json_build_object('id', c.id, 'color', c.color, 'name', coalesce(
      (select name from event_category_translations where category_id = c.id
        order by (language = ${language}) desc, (language = 'en') desc limit 1), c.slug))
    from event_categories c where c.id = e.category_id),
  'primaryStar', ${starOf(sql`e.primary_star_id`, language)},
  'sourceArticle', (select json_build_object('id', a.id, 'originalUrl', a.original_url, 'outlet', a.outlet,
      'originalTitle', a.original_title, 'title', coalesce((select title from article_rewrites
        where article_id = a.id and language = ${language}), a.original_title))
    from articles a where a.id = e.source_article_id),
  'updateOf', (select json_build_object('id', k.id, 'verification', k.verification, 'title', words.title,
      'language', words.language, 'venue', words.venue, 'location', words.location, 'startTime', k.start_time,
      'zone', k.zone, 'precision', k.precision)
    from events k cross join lateral (${wordsOf(sql`k.id`, language)}) words
    where k.id = e.update_of_id and k.verification <> 'rejected' and e.verification = 'pending'),
  'similar', (select coalesce(json_agg(json_build_object('id', near.id, 'title', near.title, 'startTime', near.start_time)
      order by near.far), '[]'::json)
    from (select k.id, words.title, k.start_time, abs(extract(epoch from k.start_time - e.start_time)) as far
      from events k cross join lateral (${wordsOf(sql`k.id`, language)}) words
      where e.verification = 'pending' and k.verification = 'approved' and k.primary_star_id = e.primary_star_id
        and k.id is distinct from e.update_of_id
        and k.start_time between e.start_time - interval '2 days' and e.start_time + interval '2 days'
      order by far limit 3) near),
  'mergedInto', (select json_build_object('id', words.event_id, 'title', words.title)
    from (${wordsOf(sql`e.merged_into_id`, language)}) words),
  'sourceWords', (select coalesce(json_agg(word), '[]'::json) from (
    select unnest(array[title, venue, location]) as word from event_translations where event_id = e.id and language = 'ko'
    union all select s.name from stars s where s.id = e.primary_star_id
      or s.id in (select star_id from event_stars where event_id = e.id)) w),
  'decidedAt', e.decided_at, 'decisionNotes', e.decision_notes, 'createdAt', e.created_at,
  'decidedBy', (select coalesce(display_name, username) from users where id = e.decided_by))`;

export interface VerificationFilter {
  language: Lang;
  verification: Verification;
  limit: number;
  offset: number;
  /** Looked for in titles, places, names of stars and the source, in every language. */
  search?: string | undefined;
}

/** Events that have the text somewhere a person would look for it. */
const mentions = (text: string) => sql`(
  exists (select from event_translations w where w.event_id = e.id
    and (w.search_key like ${contains(text)} or byeol_fold(coalesce(w.location, '')) like ${contains(text)}))
  or exists (select from stars s where s.search_key like ${contains(text)}
    and (s.id = e.primary_star_id or s.id in (select star_id from event_stars where event_id = e.id)))
  or exists (select from articles a where a.id = e.source_article_id
    and byeol_fold(a.outlet || ' ' || a.original_title) like ${contains(text)}))`;

/** A page of events in one state: those that wait, longest waiting first; decided ones, newest decision first. */
export async function listForVerification({
  language,
  verification,
  limit,
  offset,
  search,
}: VerificationFilter): Promise<{ events: VerificationRow[]; total: number }> {
  const where = sql`where e.verification = ${verification} ${search ? sql`and ${mentions(search)}` : sql``}`;
  const order =
    verification === 'pending' ? sql`e.created_at, e.id` : sql`e.decided_at desc nulls last, e.id desc`;
  const [row] = await database().execute<{ events: VerificationRow[]; total: number }>(sql`
    with page as materialized (select e.*, row_number() over (order by ${order}) as place
      from events e ${where} order by ${order} limit ${limit} offset ${offset})
    select (select count(*)::int from events e ${where}) as total,
      (select coalesce(json_agg(${verificationRow(language)} order by e.place), '[]'::json)
        from page e ${bestEventWords(language)}) as events`);
  return row ?? { events: [], total: 0 };
}

/** One event for whoever verifies it; undefined when there is none. */
export async function findForVerification(id: number, language: Lang): Promise<VerificationRow | undefined> {
  const [row] = await database().execute<{ event: VerificationRow }>(sql`
    select ${verificationRow(language)} as event from events e ${bestEventWords(language)} where e.id = ${id}`);
  return row?.event;
}

export interface VerificationCounts {
  pending: number;
  verifiedLast7Days: number;
  rejectedLast7Days: number;
  /** percent, of the events that wait; 0 when none has one */
  averageConfidence: number;
}

/** §3 Verification stats. What was merged into a known event was verified, too. */
export async function countVerifications(): Promise<VerificationCounts> {
  const [row] = await database().execute<Record<string, unknown> & VerificationCounts>(sql`
    select (select count(*)::int from events where verification = 'pending') as pending,
      (select coalesce(round(avg(extraction_confidence)), 0)::int from events where verification = 'pending')
        as "averageConfidence",
      count(*) filter (where verification = 'approved' or merged_into_id is not null)::int as "verifiedLast7Days",
      count(*) filter (where verification = 'rejected' and merged_into_id is null)::int as "rejectedLast7Days"
    from events where decided_at >= now() - interval '7 days'`);
  return row ?? { pending: 0, verifiedLast7Days: 0, rejectedLast7Days: 0, averageConfidence: 0 };
}
