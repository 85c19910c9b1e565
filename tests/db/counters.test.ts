import { expect, test } from 'bun:test';
import postgres from 'postgres';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { untilSomebodyWaits } from '#tests/kit/lock-waits.ts';
import { makeArticle, makeChannel, makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';

const own = useDatabase();

/** Each makes two things that are counted, newer last, and what one statement takes from both. */
const counters = {
  stars: async () => {
    const stars = [await makeStar(), await makeStar()];
    const article = await makeArticle({ stars });
    return {
      column: 'article_count',
      ids: stars,
      taking: `delete from article_stars where article_id = ${article}`,
    };
  },
  channels: async () => {
    const { id } = await makeFan();
    const stars = [await makeChannel({ members: [id] }), await makeChannel({ members: [id] })];
    const rows = await connection()<{ id: number }[]>`
      select id from channels where star_id in ${connection()(stars)} order by id`;
    return {
      column: 'member_count',
      ids: rows.map((row) => row.id),
      taking: `delete from channel_members where user_id = ${id}`,
    };
  },
  events: async () => {
    const { id } = await makeFan();
    const events = [await makeEvent(), await makeEvent()];
    for (const event of events)
      await connection()`insert into event_subscriptions (event_id, user_id) values (${event}, ${id})`;
    return {
      column: 'rsvp_count',
      ids: events,
      taking: `delete from event_subscriptions where user_id = ${id}`,
    };
  },
};

for (const [table, make] of Object.entries(counters))
  test(`counters of ${table} are locked in the order of ids, so that two statements never wait for each other`, async () => {
    const { column, ids, taking } = await make();
    const [first = 0, second = 0] = ids;
    const [rows, count] = [connection()(table), connection()(column)];
    // Written anew, the row of the lower id stands behind the other.
    await connection()`update ${rows} set ${count} = ${count} where id = ${first}`;
    // As for many rows, of which the planner makes a hash table.
    const other = postgres(own.url, {
      max: 1,
      connection: { enable_nestloop: 'off', enable_mergejoin: 'off' },
    });
    let isDone = false;
    let taken: Promise<unknown> = Promise.resolve();
    await connection().begin(async (tx) => {
      await tx`select from ${rows} where id = ${first} for no key update`;
      taken = other.unsafe(taking).then(() => {
        isDone = true;
      });
      await untilSomebodyWaits({ words: taking });
      expect(isDone).toBe(false);
      expect(await tx`select from ${rows} where id = ${second} for no key update nowait`).toHaveLength(1);
    });
    await taken;
    await other.end();
  });
