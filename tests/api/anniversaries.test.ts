import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { planAllAnniversaries, planAnniversaries } from '#api/directory/anniversaries.ts';
import { languages } from '#content/locales.ts';
import { connection, database } from '#db/client.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';
import { untilWindowHas } from '#tests/kit/rate-windows.ts';

useDatabase();

/** A Tuesday in Korea, already a Tuesday there while it is Monday in UTC. */
const now = new Date('2026-11-23T15:30:00Z');
const names = { ko: '서리', en: 'SEORI', ms: 'SEORI', vi: 'SEORI' };

let editor: { id: number; token: string };
beforeAll(async () => {
  editor = await makeFan({ role: 'editor' });
});
beforeEach(async () => {
  await connection()`truncate stars, events restart identity cascade`;
});

interface Profile {
  birth_date?: string | null;
  debut_date?: string | null;
  activity?: 'active' | 'hiatus' | 'ended';
  end_date?: string | null;
}

async function star(profile: Profile): Promise<number> {
  const id = await makeStar({ names });
  await connection()`insert into star_profiles ${connection()({ star_id: id, ...profile })}`;
  return id;
}
const learn = (id: number, profile: Profile) =>
  connection()`update star_profiles set ${connection()({ ...profile })} where star_id = ${id}`;
const plan = (id: number, at = now) => database().transaction((tx) => planAnniversaries(tx, [id], at));

/** What readers see of a star's own events: `birthday 2026-12-24 25`, by day. */
const shown = async (id: number) =>
  (
    await connection()<{ line: string }[]>`
      select concat_ws(' ', event_type, (start_time at time zone 'Asia/Seoul')::date, case state when 'cancelled' then state end) as line
      from events where primary_star_id = ${id} and verification = 'approved' order by start_time, event_type`
  ).map(({ line }) => line);
const titles = async (language: string, event: number) =>
  (
    await connection()<{ title: string }[]>`
      select title from event_translations where language = ${language} and event_id = ${event}`
  )[0]?.title;
const eventOf = async (id: number, year: number) => {
  const [row] = await connection()`
    select id, sequence, schedule_version as version, precision, zone, verification, state, start_time as start
    from events where anniversary_of = ${id} and anniversary_year = ${year}`;
  return { id: 0, sequence: -1, version: -1, ...row };
};
const edit = async (event: number, change: object) => {
  const headers = { ...sending({}).headers, ...bearer(editor.token) };
  const answer = await call(`/api/admin/events/${event}`, {
    ...sending({ expected: 'approved', ...change }, 'PUT'),
    headers,
  });
  expect([answer.status, answer.json]).toEqual([200, expect.anything()]);
};

describe('a day in the directory', () => {
  test('is an event of this year while it is to come, and of the next', async () => {
    const id = await star({ birth_date: '2001-12-24', debut_date: '2018-06-08' });
    await plan(id);
    expect(await shown(id)).toEqual(['birthday 2026-12-24', 'anniversary 2027-06-08', 'birthday 2027-12-24']);
    const event = await eventOf(id, 2026);
    expect(event).toMatchObject({ precision: 'day', zone: 'Asia/Seoul', state: 'scheduled' });
    const [linked] = await connection()`select star_id as star from event_stars where event_id = ${event.id}`;
    expect(linked).toEqual({ star: id });
    expect((await call(`/api/events/${event.id}?language=en`)).json).toMatchObject({
      title: 'SEORI’s 25th birthday',
    });
    await plan(id);
    expect(await connection()`select count(*)::int as n from events`).toMatchObject([{ n: 3 }]);
    expect((await eventOf(id, 2026)).sequence).toBe(0);
  });

  test('is today’s by the day in Korea', async () => {
    const id = await star({ birth_date: '2000-11-24', debut_date: '2020-11-23' });
    await plan(id);
    expect(await shown(id)).toEqual(['birthday 2026-11-24', 'anniversary 2027-11-23', 'birthday 2027-11-24']);
  });

  test('is said in every language as it counts', async () => {
    const said = async (profile: Profile, year = 2027) => {
      const id = await star(profile);
      await plan(id);
      const event = await eventOf(id, year);
      return Promise.all(languages.map((language) => titles(language, event.id)));
    };
    expect(await said({ birth_date: '2005-03-01' })).toEqual([
      '서리 22번째 생일',
      'SEORI’s 22nd birthday',
      'Hari lahir ke-22 SEORI',
      'Sinh nhật lần thứ 22 của SEORI',
    ]);
    expect(await said({ debut_date: '2026-03-01' })).toEqual([
      '서리 데뷔 1주년',
      'SEORI’s 1st debut anniversary',
      'Ulang tahun pertama debut SEORI',
      'Kỷ niệm một năm ngày ra mắt của SEORI',
    ]);
    for (const [year, text] of [
      [2016, '11th'],
      [2006, '21st'],
      [2004, '23rd'],
    ])
      expect((await said({ debut_date: `${year}-03-01` }))[1]).toBe(`SEORI’s ${text} debut anniversary`);
  });

  test('is none when only its year or month is known, nor before the first year is over', async () => {
    for (const date of ['2001', '2001-12', '2026-12-24', '2027-01-05', null]) {
      const id = await star({ birth_date: date, debut_date: date });
      await plan(id);
      const lines = await shown(id);
      expect([date, lines.filter((line) => !line.includes('2027-12-24'))]).toEqual([date, []]);
      expect([date, lines.length]).toEqual([date, date === '2026-12-24' ? 2 : 0]);
    }
  });

  test('of 29 February is on the 28th in other years', async () => {
    const id = await star({ birth_date: '2000-02-29' });
    await plan(id, new Date('2027-01-10T00:00:00Z'));
    expect(await shown(id)).toEqual(['birthday 2027-02-28', 'birthday 2028-02-29']);
  });

  test('is celebrated by a group until its end, by a person without end, by nobody who is hidden', async () => {
    const dates = { birth_date: '2001-12-24', debut_date: '2018-12-01' };
    const id = await star({ ...dates, activity: 'hiatus' });
    await plan(id);
    expect((await shown(id)).length).toBe(4);
    await learn(id, { activity: 'ended' });
    await plan(id);
    expect(await shown(id)).toEqual(['birthday 2026-12-24', 'birthday 2027-12-24']);
    await connection()`update stars set hidden_at = now() where id = ${id}`;
    await plan(id);
    expect(await shown(id)).toEqual([]);
    await connection()`update stars set hidden_at = null where id = ${id}`;
    await learn(id, { activity: 'active', end_date: '2026' });
    await plan(id);
    expect(await shown(id)).toEqual(['anniversary 2026-12-01', 'birthday 2026-12-24', 'birthday 2027-12-24']);
    expect(await connection()`select count(*)::int as n from events`).toMatchObject([{ n: 4 }]);
  });

  test('is not entered twice: an event of an editor or of the newsroom is the one', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    const byDay = { eventType: 'birthday', precision: 'day', star: id } as const;
    const event = await makeEvent({ ...byDay, start: '2026-12-23T15:00:00Z', titles: { en: 'SEORI’s day' } });
    await makeEvent({ eventType: 'birthday', star: id, start: '2027-12-24T11:00:00Z' });
    await plan(id);
    expect(await shown(id)).toEqual(['birthday 2026-12-24', 'birthday 2027-12-24']);
    expect(await titles('en', event)).toBe('SEORI’s day');
    await learn(id, { birth_date: '2001-12-25' });
    await plan(id);
    expect((await eventOf(id, 2026)).id).toBe(event);
    expect((await shown(id))[0]).toBe('birthday 2026-12-25');
  });

  test('that an editor approved comes back as it left, and counts as no decision meanwhile', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    const event = await makeEvent({
      eventType: 'birthday',
      precision: 'day',
      star: id,
      start: '2026-12-23T15:00:00Z',
    });
    await connection()`update events set decided_at = now(), decided_by = ${editor.id} where id = ${event}`;
    await plan(id);
    await learn(id, { birth_date: null });
    await plan(id);
    const [taken] =
      await connection()`select verification, decided_at as at, decided_by as by from events where id = ${event}`;
    expect(taken).toEqual({ verification: 'rejected', at: null, by: null });
    await learn(id, { birth_date: '2001-12-24' });
    await plan(id);
    expect(await shown(id)).toEqual(['birthday 2026-12-24', 'birthday 2027-12-24']);
    expect((await eventOf(id, 2026)).id).toBe(event);
  });
});

describe('a fact that changes', () => {
  test('moves the event with its reminders; its number and its words follow', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    await plan(id);
    const event = await eventOf(id, 2026);
    const fan = await makeFan();
    await connection()`insert into event_subscriptions (user_id, event_id) values (${fan.id}, ${event.id})`;
    await learn(id, { birth_date: '2000-12-30' });
    await plan(id);
    expect(await eventOf(id, 2026)).toMatchObject({
      id: event.id,
      sequence: event.sequence + 1,
      version: event.version + 1,
    });
    expect(await shown(id)).toEqual(['birthday 2026-12-30', 'birthday 2027-12-30']);
    expect(await titles('en', event.id)).toBe('SEORI’s 26th birthday');
    const [change] =
      await connection()`select old_start as start from event_changes where event_id = ${event.id}`;
    expect(change?.start).toBe('2026-12-23 15:00:00+00');
  });

  test('to a day that is past this year leaves the next, and what is past as it was', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    await plan(id, new Date('2025-12-20T00:00:00Z'));
    await plan(id);
    await learn(id, { birth_date: '2001-02-03' });
    await plan(id);
    expect(await shown(id)).toEqual(['birthday 2025-12-24', 'birthday 2027-02-03']);
    await learn(id, { birth_date: '2001-12-24' });
    await plan(id);
    expect(await shown(id)).toEqual(['birthday 2025-12-24', 'birthday 2026-12-24', 'birthday 2027-12-24']);
  });

  test('into nothing takes back those to come; known again, they are the same', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    await plan(id, new Date('2025-12-20T00:00:00Z'));
    await plan(id);
    const event = await eventOf(id, 2026);
    for (const unknown of [null, '2001-12']) {
      await learn(id, { birth_date: unknown });
      await plan(id);
      expect(await shown(id)).toEqual(['birthday 2025-12-24']);
      expect((await call(`/api/events/${event.id}`)).status).toBe(404);
      await learn(id, { birth_date: '2001-12-24' });
      await plan(id);
      expect((await eventOf(id, 2026)).id).toBe(event.id);
      expect((await shown(id)).length).toBe(3);
    }
  });

  test('of a name is said in the titles, except in an editor’s own', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    await plan(id);
    const [first, second] = [await eventOf(id, 2026), await eventOf(id, 2027)];
    // The form sends the day too, as it stands.
    const startTime = '2026-12-24T00:00';
    await edit(first.id, { startTime, words: { en: { title: 'A quiet day for SEORI' } } });
    await connection()`update star_translations set name = 'SUHRI' where star_id = ${id} and language = 'en'`;
    await plan(id);
    expect(await titles('en', first.id)).toBe('A quiet day for SEORI');
    expect(await titles('en', second.id)).toBe('SUHRI’s 26th birthday');
    expect(await titles('vi', second.id)).toBe('Sinh nhật lần thứ 26 của SEORI');
    await learn(id, { birth_date: '2001-12-25' });
    await plan(id);
    expect((await shown(id))[0]).toBe('birthday 2026-12-25');
  });
});

describe('what an editor decided', () => {
  test('stays: cancelled and rejected ones do not come back, a moved one is not moved', async () => {
    const id = await star({ birth_date: '2001-12-24', debut_date: '2018-12-01' });
    await plan(id);
    const [birthday] =
      await connection()`select id from events where event_type = 'birthday' order by start_time`;
    const [anniversary] =
      await connection()`select id from events where event_type = 'anniversary' order by start_time`;
    await edit(Number(birthday?.id), { state: 'cancelled' });
    await connection()`update events set verification = 'rejected', decided_at = now(), decided_by = ${editor.id}
      where id = ${anniversary?.id ?? 0}`;
    const [moved] =
      await connection()`select id from events where event_type = 'birthday' order by start_time desc`;
    await edit(Number(moved?.id), { startTime: '2027-12-25T15:00:00Z' });
    const lines = ['birthday 2026-12-24 cancelled', 'anniversary 2027-12-01', 'birthday 2027-12-26'];
    await plan(id);
    expect(await shown(id)).toEqual(lines);
    // It is not kept for ever.
    await connection()`delete from audit_log`;
    await learn(id, { birth_date: '2001-12-20', debut_date: '2018-12-02' });
    await plan(id);
    expect(await shown(id)).toEqual([lines[0] ?? '', 'anniversary 2027-12-02', 'birthday 2027-12-26']);
  });

  test('stays when the event was taken back meanwhile; one that was moved back follows the directory again', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    await plan(id);
    const [first, second] = [await eventOf(id, 2026), await eventOf(id, 2027)];
    await edit(first.id, { startTime: '2026-12-26T00:00' });
    await edit(second.id, { startTime: '2027-12-26T00:00' });
    await edit(second.id, { startTime: '2027-12-24T00:00' });
    await plan(id);
    for (const birth_date of [null, '2001-12-20']) {
      await learn(id, { birth_date });
      await plan(id);
    }
    expect(await shown(id)).toEqual(['birthday 2026-12-26', 'birthday 2027-12-20']);
  });

  test('stays over New Year, though it is last year’s day', async () => {
    const id = await star({ birth_date: '2001-12-31' });
    await plan(id);
    await edit((await eventOf(id, 2026)).id, { startTime: '2027-01-02T00:00' });
    const newYear = new Date('2026-12-31T16:00:00Z');
    const lines = ['birthday 2027-01-02', 'birthday 2027-12-31', 'birthday 2028-12-31'];
    for (const birth_date of ['2001-12-31', null, '2001-12-31']) {
      await learn(id, { birth_date });
      await plan(id, newYear);
      expect(await shown(id)).toEqual(birth_date ? lines : []);
    }
    await plan(id, new Date('2027-01-05T00:00:00Z'));
    expect(await shown(id)).toEqual(lines);
    expect(await connection()`select count(*)::int as n from events`).toMatchObject([{ n: 3 }]);
  });

  test('of an event that takes over the day of a merged one stays', async () => {
    const id = await star({ birth_date: '2001-12-24' });
    await plan(id);
    const known = await eventOf(id, 2026);
    const news = await makeEvent({
      eventType: 'birthday',
      verification: 'pending',
      precision: 'day',
      star: id,
      start: '2026-12-25T15:00:00Z',
    });
    const headers = { ...sending({}).headers, ...bearer(editor.token) };
    const merged = await call(`/api/admin/events/${news}/verify/merge`, {
      ...sending({ into: known.id, time: true }),
      headers,
    });
    expect(merged.status).toBe(200);
    await plan(id);
    expect((await shown(id))[0]).toBe('birthday 2026-12-26');
  });

  test('of a star stands in the calendar at once', async () => {
    const words = Object.fromEntries(languages.map((lang) => [lang, { name: `${names[lang]} DAWN` }]));
    const send = async (method: string, path: string, body: object) => {
      const headers = { ...sending({}).headers, ...bearer(editor.token) };
      return call(`/api/admin${path}`, { ...sending(body, method), headers });
    };
    const facts = { category: 'Idol', fandomColor: '#123456', aliases: [], words };
    // A day of Seoul ends with an hour of ours.
    await untilWindowHas(20, 3_600);
    const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(5, 10);
    const added = await send('POST', '/stars', { ...facts, birthDate: `2000-${today}` });
    const id = Number(Reflect.get(Object(added.json), 'id'));
    expect(added.status).toBe(200);
    expect((await shown(id)).length).toBe(2);
    expect((await send('PUT', `/stars/${id}`, { ...facts, birthDate: null })).status).toBe(200);
    expect(await shown(id)).toEqual([]);
  });
});

test('every star has its days once the daily job has run', async () => {
  const ids = [await star({ birth_date: '2001-12-24' }), await star({ debut_date: '2018-12-01' })];
  await planAllAnniversaries(now);
  for (const id of ids) expect((await shown(id)).length).toBe(2);
  await planAllAnniversaries(new Date('2027-12-26T00:00:00Z'));
  for (const id of ids) expect((await shown(id)).length).toBe(3);
});

describe('of a star that is there twice', () => {
  const remind = (user: number, event: number, times: string[]) =>
    call(`/api/events/${event}/subscribe`, {
      ...sending({ notificationSettings: { email: true, push: false, times } }),
      headers: { ...sending({}).headers, ...bearer(tokens.get(user) ?? '') },
    });
  const tokens = new Map<number, string>();
  const fan = async () => {
    const { id, token } = await makeFan();
    tokens.set(id, token);
    return id;
  };
  const planned = async (event: number) =>
    (
      await connection()<{ line: string }[]>`
        select concat_ws(' ', r.user_id, r.time, r.state) as line from reminders r join events e on e.id = r.event_id
        where e.id = ${event} and r.version = e.schedule_version and r.state <> 'skipped'
          and exists (select from event_subscriptions s where s.event_id = e.id and s.user_id = r.user_id)
        order by line`
    ).map(({ line }) => line);
  const merge = async (from: number, into: number) => {
    const headers = { ...sending({}).headers, ...bearer(editor.token) };
    const answer = await call(`/api/admin/stars/${from}/merge`, { ...sending({ into }), headers });
    expect([answer.status, answer.json]).toEqual([200, expect.anything()]);
  };
  const year = new Date().getUTCFullYear() + 1;

  test('what fans want to be reminded of goes along, once each', async () => {
    const [from, into] = [await star({ birth_date: '2001-12-24' }), await star({ birth_date: '2001-12-24' })];
    for (const id of [from, into]) await plan(id, new Date());
    const [left, kept] = [await eventOf(from, year), await eventOf(into, year)];
    const [one, both] = [await fan(), await fan()];
    for (const [user, event, times] of [
      [one, left.id, ['1d', '1h']],
      [both, left.id, ['1w']],
      [both, kept.id, ['1d']],
    ] as const)
      expect((await remind(user, event, [...times])).status).toBe(200);
    await connection()`update reminders set state = 'sent', sent_at = now() where user_id = ${one} and time = '1d'`;
    await merge(from, into);
    expect(await planned(kept.id)).toEqual([
      `${one} 1d sent`,
      `${one} 1h planned`,
      `${both} 1d planned`,
      `${both} 1w planned`,
    ]);
    const [counted] = await connection()`
      select rsvp_count as fans, (select count(*)::int from events where anniversary_year = ${year}) as events
      from events where id = ${kept.id}`;
    expect(counted).toEqual({ fans: 2, events: 1 });
  });

  test('those that were are shown as long as the star is, whatever number they came from', async () => {
    const press = async (method: string, path: string, body?: object) => {
      const init = body ? sending(body, method) : { method };
      const headers = { ...Object(init).headers, ...bearer(editor.token) };
      expect((await call(`/api/admin/stars/${path}`, { ...init, headers })).status).toBe(200);
    };
    const hide = (id: number) => press('POST', `${id}/hide`);
    const past = async (id: number, at: number) => {
      await plan(id, new Date(`${at}-01-05T00:00:00Z`));
      await plan(id, new Date());
    };
    const was = async (id: number) =>
      (await shown(id)).filter((line) => !line.includes(String(year)) && line < `birthday ${year - 1}-11`);
    const stars: number[] = [];
    for (const _ of [1, 2, 3]) stars.push(await star({ birth_date: '2001-02-24' }));
    const [hidden = 0, seen = 0, last = 0] = stars;
    await past(hidden, year - 2);
    await past(seen, year - 1);
    const [one, two] = [`birthday ${year - 2}-02-24`, `birthday ${year - 1}-02-24`];
    expect([await was(hidden), await was(seen)]).toEqual([[one, two], [two]]);
    await hide(hidden);
    expect(await was(hidden)).toEqual([]);
    // It is not kept for ever.
    await connection()`delete from audit_log`;
    // Hidden into shown: they come back.
    await press('POST', `${hidden}/merge`, { into: seen });
    expect(await was(seen)).toEqual([one, two]);
    // Shown into hidden: they leave, and come back with the star.
    await hide(last);
    await press('POST', `${seen}/merge`, { into: last });
    expect(await was(last)).toEqual([]);
    await connection()`delete from audit_log`;
    await press('DELETE', `${last}/hide`);
    expect(await was(last)).toEqual([one, two]);
  });

  test('on another day they are planned for the day that stays', async () => {
    const [from, into] = [await star({ birth_date: '2001-12-24' }), await star({ birth_date: '2001-12-26' })];
    for (const id of [from, into]) await plan(id, new Date());
    const [left, kept] = [await eventOf(from, year), await eventOf(into, year)];
    const user = await fan();
    expect((await remind(user, left.id, ['1d'])).status).toBe(200);
    await merge(from, into);
    expect(await planned(kept.id)).toEqual([`${user} 1d planned`]);
    const [reminder] = await connection()`
      select due_at = reminder_due(e.start_time, e.zone, '1d') as is_due from reminders r
      join events e on e.id = r.event_id where r.user_id = ${user}`;
    expect(reminder).toEqual({ is_due: true });
  });
});
