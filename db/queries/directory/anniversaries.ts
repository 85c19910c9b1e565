import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database, type Transaction } from '../../client.ts';
import { eventStars, events, eventTranslations } from '../../schema/events.ts';
import { starProfiles, stars, starTranslations } from '../../schema/stars.ts';
import { derived, execute, isOneOf, literal, nameOf, namesOf } from '../../sql.ts';
import { e, notDecided } from '../events/fields.ts';
import { categoryOf } from '../newsroom/extracted-events.ts';
import { shownName } from '../stars/badge.ts';

export type AnniversaryFact = 'birthday' | 'anniversary';

/** What the n-th is called in one language, `{name}` for the star's name. */
export interface AnniversaryTitle {
  fact: AnniversaryFact;
  language: Lang;
  n: number;
  title: string;
}

interface Plan {
  starIds: readonly number[];
  /** `YYYY-MM-DD` in Korea: what begins on it or later is to come. */
  today: string;
  titles: readonly AnniversaryTitle[];
  /** `like` patterns of the titles: one of another form is somebody's own words. */
  patterns: readonly string[];
}

/** In whose zone a birthday begins. */
const zone = 'Asia/Seoul';

const s = alias(stars, 's');
const p = alias(starProfiles, 'p');
const own = alias(starTranslations, 'own');
const et = alias(eventTranslations, 'et');
const known = alias(events, 'known');

/** Stars after this one, in the order of their ids. */
export async function listStarIdsAfter(id: number, limit: number): Promise<number[]> {
  const rows = await execute(
    { id: s.id },
    (columns) => sql`
      select ${columns} from ${stars} ${s} where ${s.id} > ${id} order by ${s.id} limit ${literal(limit)}`,
    database(),
  );
  return rows.map((row) => row.id);
}

/**
 * The anniversaries of last year, this one and the next that follow from the dates of these stars, as a common table `due`: known to
 * the day and in no year before the first. Last year's may have been moved over New Year by a person. 29 February is 28 February in
 * other years. Those of a career end with it; a hidden star has none.
 */
const due = derived('due', {
  star: s.id,
  fact: sql<AnniversaryFact>`told.fact`,
  year: sql<number>`asked.year`,
  n: sql<number>`asked.year - occasion.first_year`,
  day: sql<string>`occasion.day`,
  start: sql<string>`occasion.day::timestamp at time zone '${sql.raw(zone)}'`,
  name: s.name,
});
const d = due.fields;

const dueOf = ({ starIds, today }: Plan): SQL => sql`
  ${due.name} as materialized (
    select ${due.columns} from ${stars} ${s} join ${starProfiles} ${p} on ${p.starId} = ${s.id}
    cross join lateral (values ('birthday', ${p.birthDate}), ('anniversary', ${p.debutDate})) as told(fact, date)
    cross join lateral (select extract(year from ${today}::date)::int + more as year from generate_series(-1, 1) as more) as asked
    cross join lateral (select case when length(told.date) = 10 then left(told.date, 4)::int end as first_year,
      case when length(told.date) = 10
        then (told.date::date + make_interval(years => asked.year - left(told.date, 4)::int))::date end as day) as occasion
    where ${isOneOf(s.id, starIds)} and ${s.hiddenAt} is null and asked.year > occasion.first_year
      and (told.fact = 'birthday' or (${p.activity} <> 'ended'
        and (${p.endDate} is null or left(occasion.day::text, length(${p.endDate})) <= ${p.endDate}))))`;

const isOf = sql`${e.anniversaryOf} = ${d.star} and ${e.anniversaryFact} = ${d.fact} and ${e.anniversaryYear} = ${d.year}`;

/** True when a person said when the event is, in the editor or by a merge: it stays where it was put. */
const isPlacedByHand = sql`${e.startTime} is distinct from ${e.plannedStart}`;

/** True for one that the plan took back: what an editor rejected has a time of the decision, and stays rejected. */
const isTakenBack = sql`${e.verification} = 'rejected' and ${e.decidedAt} is null and ${e.mergedIntoId} is null`;

const dayOf = sql`(${e.startTime} at time zone ${e.zone})::date`;

/** Where the plan leaves the start. */
const startOf = sql`case when ${isPlacedByHand} then ${e.startTime} else ${d.start} end`;

/**
 * Makes the events of these stars' birthdays and anniversaries what follows from the directory: those to come are added, moved,
 * brought back and taken back; past ones stay as they were. The stars are locked against being written by others.
 * @returns the events that changed
 */
export async function writeAnniversaries(
  tx: Transaction,
  plan: Plan,
): Promise<{ eventId: number; starId: number }[]> {
  await tx
    .select({ id: stars.id })
    .from(stars)
    .where(isOneOf(stars.id, plan.starIds))
    .orderBy(stars.id)
    .for('key share');
  // A plan that was made for one star, or for an empty table, would take minutes for all.
  await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
  await adopt(tx, plan);
  await notePlannedStarts(tx, plan);
  const changed = [...(await takeBack(tx, plan)), ...(await place(tx, plan)), ...(await add(tx, plan))];
  const renamed = await write(tx, plan);
  return [...new Map([...changed, ...renamed].map((each) => [each.eventId, each])).values()];
}

const changedFields = { eventId: e.id, starId: sql<number>`${e.anniversaryOf}` };

/** An event of that day which an editor or the newsroom entered is the one. */
const adopt = (tx: Transaction, plan: Plan) =>
  tx.execute(sql`
    with ${dueOf(plan)}, entered as (
      select min(${e.id}) as id, ${d.star} as star, ${d.fact} as fact, ${d.year} as year
      from ${due.name} join ${events} ${e} on ${e.primaryStarId} = ${d.star} and ${e.startTime} = ${d.start}
      where ${e.anniversaryOf} is null and ${e.eventType} = ${d.fact} and ${e.precision} = 'day'
        and ${e.verification} = 'approved' and ${d.day} >= ${plan.today}::date
      group by ${d.star}, ${d.fact}, ${d.year})
    update ${events} ${e} set ${nameOf(e.anniversaryOf)} = entered.star, ${nameOf(e.anniversaryFact)} = entered.fact,
      ${nameOf(e.anniversaryYear)} = entered.year
    from entered where ${e.id} = entered.id and not exists (select from ${events} ${known}
      where ${known.anniversaryOf} = entered.star and ${known.anniversaryFact} = entered.fact
        and ${known.anniversaryYear} = entered.year)`);

/** What starts when the directory says follows it from now on: an adopted one, and one that an editor moved back. */
const notePlannedStarts = (tx: Transaction, plan: Plan) =>
  tx.execute(sql`
    with ${dueOf(plan)}
    update ${events} ${e} set ${nameOf(e.plannedStart)} = ${d.start}
    from ${due.name} where ${isOf} and ${e.startTime} = ${d.start} and ${isPlacedByHand}`);

const withoutDecision = sql.join(
  (Object.keys(notDecided) as (keyof typeof notDecided)[]).map((name) => sql`${nameOf(e[name])} = null`),
  sql`, `,
);

/**
 * Those to come for which nothing speaks any more. Not cancelled: nothing was called off. Nobody decided it either: who once approved
 * an adopted one did not reject it.
 */
const takeBack = (tx: Transaction, plan: Plan) =>
  execute(
    changedFields,
    (columns) => sql`
      with ${dueOf(plan)}
      update ${events} ${e} set ${nameOf(e.verification)} = 'rejected', ${withoutDecision}
      where ${isOneOf(e.anniversaryOf, plan.starIds)} and ${e.verification} = 'approved' and ${dayOf} >= ${plan.today}::date
        and not exists (select from ${due.name} where ${isOf} and (${d.day} >= ${plan.today}::date or ${isPlacedByHand}))
      returning ${columns}`,
    tx,
  );

/** Moves what falls on another day now, as long as it lasts, and brings back what was taken back; neither moves what a person placed. */
const place = (tx: Transaction, plan: Plan) =>
  execute(
    changedFields,
    (columns) => sql`
      with ${dueOf(plan)}
      update ${events} ${e} set ${nameOf(e.startTime)} = ${startOf}, ${nameOf(e.endTime)} = ${e.endTime} + (${startOf} - ${e.startTime}),
        ${nameOf(e.plannedStart)} = ${d.start}, ${nameOf(e.verification)} = 'approved'
      from ${due.name} where ${isOf}
        and (${d.day} >= ${plan.today}::date or (${isPlacedByHand} and ${dayOf} >= ${plan.today}::date))
        and (${isTakenBack} or (${e.verification} = 'approved' and ${e.state} = 'scheduled' and ${e.precision} = 'day'
          and ${e.startTime} <> ${d.start} and not ${isPlacedByHand}))
      returning ${columns}`,
    tx,
  );

/** Adds what is not there, unless somebody entered it with its hour. */
async function add(tx: Transaction, plan: Plan): Promise<{ eventId: number; starId: number }[]> {
  const categoryIds = {
    birthday: await categoryOf(tx, 'birthday'),
    anniversary: await categoryOf(tx, 'anniversary'),
  };
  const { eventType, categoryId, verification, startTime, precision, primaryStarId } = events;
  const { anniversaryOf, anniversaryFact, anniversaryYear, plannedStart } = events;
  const added = await execute(
    { eventId: events.id, starId: sql<number>`${events.anniversaryOf}` },
    (columns) => sql`
      with ${dueOf(plan)}
      insert into ${events} (${namesOf(eventType, categoryId, verification, startTime, precision, primaryStarId)},
        ${namesOf(events.zone, anniversaryOf, anniversaryFact, anniversaryYear, plannedStart)})
      select ${d.fact}, case ${d.fact} when 'birthday' then ${categoryIds.birthday}::int else ${categoryIds.anniversary}::int end,
        'approved', ${d.start}, 'day', ${d.star}, ${zone}, ${d.star}, ${d.fact}, ${d.year}, ${d.start}
      from ${due.name} where ${d.day} >= ${plan.today}::date
        and not exists (select from ${events} ${e} where ${isOf})
        and not exists (select from ${events} ${e} where ${e.primaryStarId} = ${d.star} and ${e.eventType} = ${d.fact}
          and ${e.anniversaryOf} is null and ${e.verification} = 'approved'
          and ${e.startTime} >= ${d.start} and ${e.startTime} < ${d.start} + interval '1 day')
      order by ${d.start}, ${d.star} on conflict do nothing returning ${columns}`,
    tx,
  );
  const given = sql`jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as added("eventId" int, "starId" int)`;
  await tx.execute(sql`
    insert into ${eventStars} (${namesOf(eventStars.eventId, eventStars.starId)})
    select added."eventId", added."starId" from ${given}`);
  return added;
}

/**
 * Gives titles to events that have none in a language, and names the star and the number as they are now. The events come first:
 * of a table whose rows PostgreSQL has not counted yet, it would rather pair all events with all titles, which takes half a minute.
 */
const write = (tx: Transaction, plan: Plan) =>
  execute(
    { eventId: sql<number>`changed.event_id`, starId: sql<number>`changed.star_id` },
    (columns) => sql`
      with ${dueOf(plan)}, said as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(plan.titles)}::jsonb)
          as said(fact text, language text, n int, title text)),
      planned as materialized (
        select ${e.id} as event_id, ${d.star} as star_id, ${d.fact} as fact, ${d.n} as n, ${d.name} as name
        from ${due.name} join ${events} ${e} on ${isOf} and ${e.verification} = 'approved'
        where ${d.day} >= ${plan.today}::date),
      wanted as (
        select planned.event_id, planned.star_id, said.language,
          replace(said.title, '{name}', ${shownName({ id: sql`planned.star_id`, name: sql`planned.name` }, own)}) as title
        from planned join said on said.fact = planned.fact and said.n = planned.n
        left join ${starTranslations} ${own} on ${own.starId} = planned.star_id and ${own.language} = said.language),
      changed as (
        select wanted.* from wanted left join ${eventTranslations} ${et}
          on ${et.eventId} = wanted.event_id and ${et.language} = wanted.language
        where ${et.eventId} is null or (${et.title} <> wanted.title
          and ${et.title} like any(array(select jsonb_array_elements_text(${JSON.stringify(plan.patterns)}::jsonb))))),
      written as (
        insert into ${eventTranslations} (${namesOf(et.eventId, et.language, et.title)})
        select event_id, language, title from changed
        on conflict (${namesOf(et.eventId, et.language)}) do update set ${nameOf(et.title)} = excluded.${nameOf(et.title)})
      select distinct ${columns} from changed`,
    tx,
  );
