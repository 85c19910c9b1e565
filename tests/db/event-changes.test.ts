import { describe, expect, test } from 'bun:test';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';

useDatabase();

async function stateOf(id: number) {
  const [row] = await connection()<{ sequence: number; version: number; at: string }[]>`
    select sequence, schedule_version as version, updated_at as at from events where id = ${id}`;
  if (!row) throw new Error('no such event');
  return row;
}

const changes = (id: number) =>
  connection()`select version, old_state, old_verification from event_changes where event_id = ${id} order by id`;

describe('a public event', () => {
  test('is a new version for calendars with every change of words, stars or facts, by whichever door', async () => {
    const sql = connection();
    const [event, star] = [await makeEvent(), await makeStar()];
    const before = await stateOf(event);
    const writes = [
      () => sql`update events set ticket_url = 'https://tickets.example' where id = ${event}`,
      () => sql`update event_translations set venue = 'Hall 3' where event_id = ${event}`,
      () => sql`insert into event_translations (event_id, language, title) values (${event}, 'ko', '공연')`,
      () => sql`delete from event_translations where event_id = ${event} and language = 'ko'`,
      () => sql`insert into event_stars (event_id, star_id) values (${event}, ${star})`,
      () => sql`delete from event_stars where event_id = ${event}`,
      () =>
        sql`update events set start_time = start_time + interval '1 hour', end_time = null where id = ${event}`,
      () => sql`update events set state = 'cancelled' where id = ${event}`,
    ];
    for (const [index, write] of writes.entries()) {
      await write();
      expect([index, (await stateOf(event)).sequence]).toEqual([index, before.sequence + index + 1]);
    }
    expect(Date.parse((await stateOf(event)).at)).toBeGreaterThan(Date.parse(before.at));
  });

  test('is one new version by a transaction, also when that counts by itself', async () => {
    const event = await makeEvent();
    const { sequence } = await stateOf(event);
    await connection().begin(async (sql) => {
      await sql`update event_translations set title = 'New' where event_id = ${event}`;
      await sql`update events set end_time = start_time + interval '1 hour', sequence = sequence + 1, updated_at = now()
        where id = ${event}`;
      await sql`update event_translations set venue = 'Hall 4' where event_id = ${event}`;
    });
    expect((await stateOf(event)).sequence).toBe(sequence + 1);
  });

  test('is none by what calendars do not show, and SEQUENCE never falls', async () => {
    const [event, fan] = [await makeEvent(), await makeFan()];
    const before = await stateOf(event);
    await connection()`insert into event_subscriptions (user_id, event_id) values (${fan.id}, ${event})`;
    await connection()`update event_translations set title = title where event_id = ${event}`;
    await connection()`update events set start_time = start_time, decision_notes = 'fine' where id = ${event}`;
    expect(await stateOf(event)).toEqual(before);
    await connection()`update events set sequence = 0 where id = ${event}`;
    expect((await stateOf(event)).sequence).toBeGreaterThan(before.sequence);
  });

  test('is a new version for reminders only when it moves, is cancelled or withdrawn', async () => {
    const event = await makeEvent();
    const { version } = await stateOf(event);
    await connection()`update event_translations set title = 'Other' where event_id = ${event}`;
    await connection()`update events set end_time = start_time + interval '1 hour' where id = ${event}`;
    expect([...(await changes(event))]).toEqual([]);
    await connection()`update events set start_time = start_time - interval '1 hour' where id = ${event}`;
    await connection()`update events set state = 'cancelled' where id = ${event}`;
    await connection()`update events set verification = 'rejected' where id = ${event}`;
    expect([...(await changes(event))]).toEqual([
      { version: version + 1, old_state: 'scheduled', old_verification: 'approved' },
      { version: version + 2, old_state: 'scheduled', old_verification: 'approved' },
      { version: version + 3, old_state: 'cancelled', old_verification: 'approved' },
    ]);
  });
});

test('an event that waits for verification is not versioned, nor is its first approval', async () => {
  const event = await makeEvent({ verification: 'pending' });
  await connection()`update events set start_time = start_time + interval '1 hour' where id = ${event}`;
  await connection()`update event_translations set title = 'Other' where event_id = ${event}`;
  await connection()`update events set verification = 'approved' where id = ${event}`;
  expect(await stateOf(event)).toMatchObject({ sequence: 0, version: 1 });
  expect([...(await changes(event))]).toEqual([]);
});

describe('a reminder is due', () => {
  const due = async (start: string, zone: string, before: string) => {
    const [row] = await connection()<{ at: string }[]>`
      select reminder_due(${start}::timestamptz, ${zone}, ${before}) as at`;
    return new Date(row?.at ?? NaN).toISOString();
  };

  test('by the clock for minutes and hours, by the calendar of the place for days and weeks', async () => {
    expect(await due('2026-11-28T10:00:00Z', 'Asia/Seoul', '15m')).toBe('2026-11-28T09:45:00.000Z');
    expect(await due('2026-11-28T10:00:00Z', 'Asia/Seoul', '3h')).toBe('2026-11-28T07:00:00.000Z');
    expect(await due('2026-11-28T10:00:00Z', 'Asia/Seoul', '1d')).toBe('2026-11-27T10:00:00.000Z');
    expect(await due('2026-11-28T10:00:00Z', 'Asia/Seoul', '1w')).toBe('2026-11-21T10:00:00.000Z');
  });

  test('at the same time of day in New York when the clocks change between', async () => {
    // 1 November 2026, 10:00 EST; the day before it is 10:00 EDT, 25 hours earlier.
    expect(await due('2026-11-01T15:00:00Z', 'America/New_York', '1d')).toBe('2026-10-31T14:00:00.000Z');
    expect(await due('2026-11-01T15:00:00Z', 'America/New_York', '24h')).toBe('2026-10-31T15:00:00.000Z');
    // 14 March 2027, 10:00 EDT; the day before it is 10:00 EST, 23 hours earlier.
    expect(await due('2027-03-14T14:00:00Z', 'America/New_York', '1d')).toBe('2027-03-13T15:00:00.000Z');
  });
});
