import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { eventTypes } from '#content/event-types.ts';
import { database } from '../../client.ts';
import {
  eventCategories,
  eventStars,
  eventSubscriptions,
  events,
  eventTranslations,
} from '../../schema/events.ts';
import { starTranslations } from '../../schema/stars.ts';
import { namesOf } from '../../sql.ts';
import { seedCategories } from '../events.ts';
import {
  type Block,
  inChunks,
  type Progress,
  perLanguage,
  pick,
  randomShare,
  reserveIds,
  textRows,
} from './chunks.ts';
import { lines, titles } from './words.ts';

const eventsPerChunk = 5_000;
/** Share of the events that fall into the current month; the others into two years before and one after. */
const thisMonth = 0.15;
const subscribed = 3;

const ev = alias(events, 'ev');
const c = alias(eventCategories, 'c');
const st = alias(starTranslations, 'st');

/** Inserts events with words, stars and subscriptions: nine of ten approved, the rest waiting. */
export async function seedSyntheticEvents(
  count: number,
  stars: Block,
  fans: Block,
  progress: Progress,
): Promise<void> {
  await ensureCategories();
  const block = await reserveIds(events, count);
  const current = Math.round(count * thisMonth);
  const texts = { titles: titles(400), lines: lines(1000) };
  const types = sql`(array[${sql.join(
    eventTypes.map((type) => sql`${type}::text`),
    sql`, `,
  )}])`;
  const star = sql`(${stars.first}::int + floor(${stars.count}::int * power(${randomShare(sql`e.id * 2`)}, 2))::int)`;
  const month = sql`date_trunc('month', now() at time zone 'Asia/Seoul') at time zone 'Asia/Seoul'`;
  const start = sql`case
    when e.id - ${block.first}::int < ${current}::int
      then ${month} + (${month} + interval '1 month' - ${month}) * ${randomShare(sql`e.id * 4`)}
    when e.id % 3 < 2 then ${month} - interval '2 years' * ${randomShare(sql`e.id * 4 + 1`)}
    else ${month} + interval '1 month' + interval '1 year' * ${randomShare(sql`e.id * 4 + 2`)} end`;
  await inChunks(block, { size: eventsPerChunk, message: 'events' }, progress, async (tx, { from, to }) => {
    const ids = sql`generate_series(${from}::int, ${to}::int) as e(id)`;
    await tx.execute(sql`
      insert into ${events} (${namesOf(
        events.id,
        events.eventType,
        events.categoryId,
        events.verification,
        events.startTime,
        events.endTime,
        events.capacity,
        events.primaryStarId,
        events.extractionConfidence,
        events.decidedAt,
      )}) overriding system value
      select e.id, ${c.eventType}, ${c.id}, case when e.id % 10 = 9 then 'pending' else 'approved' end,
        date_trunc('minute', at.start), date_trunc('minute', at.start) + interval '2 hours',
        100 * (1 + ${pick(sql`e.id`, 90)}), ${star}, 50 + ${pick(sql`e.id + 3`, 50)},
        case when e.id % 10 = 9 then null else now() end
      from ${ids} cross join lateral (select ${start} as start) at
      join ${eventCategories} ${c} on ${c.eventType} = ${types}[1 + ${pick(sql`e.id + 1`, eventTypes.length)}] order by e.id`);
    await tx.execute(sql`
      with titles as materialized (select * from ${textRows(texts.titles)}),
        lines as materialized (select * from ${textRows(texts.lines)})
      insert into ${eventTranslations} (${namesOf(
        eventTranslations.eventId,
        eventTranslations.language,
        eventTranslations.title,
        eventTranslations.description,
        eventTranslations.venue,
        eventTranslations.location,
      )})
      select e.id, words.language, ${st.name} || ' ' || words.title, words.description, 'Hall ' || e.id % 60, words.city
      from ${ids} join titles t on t.n = ${pick(sql`e.id + 2`, texts.titles.length)}
      join lines d on d.n = ${pick(sql`e.id + 2`, texts.lines.length)}
      cross join lateral (values ${perLanguage((lang) => `t.${lang}, d.${lang}, '${lang === 'ko' ? '서울' : 'Seoul'}'`)}) as words(language, title, description, city)
      join ${starTranslations} ${st} on ${st.starId} = ${star} and ${st.language} = words.language`);
    await tx.execute(sql`
      insert into ${eventStars} (${namesOf(eventStars.eventId, eventStars.starId, eventStars.role)})
      select e.id, ${star}, 'performer' from ${ids}`);
    await tx.execute(sql`
      insert into ${eventSubscriptions} (${namesOf(eventSubscriptions.eventId, eventSubscriptions.userId)})
      select ${ev.id}, ${fans.first}::int + ${pick(sql`${ev.id} * 4 + k`, fans.count)}
      from ${events} ${ev}, generate_series(1, ${subscribed}::int) as k
      where ${ev.id} between ${from} and ${to} and ${ev.verification} = 'approved' and ${ev.startTime} > now() on conflict do nothing`);
  });
}

async function ensureCategories(): Promise<void> {
  await database().transaction(async (tx) => {
    const [category] = await tx.select({ id: eventCategories.id }).from(eventCategories).limit(1);
    if (!category) await seedCategories(tx);
  });
}
