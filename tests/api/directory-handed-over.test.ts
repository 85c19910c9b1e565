import { beforeAll, describe, expect, test } from 'bun:test';
import { importJob } from '#api/directory/file-imports.ts';
import { connection, database } from '#db/client.ts';
import { lockImports } from '#db/queries/directory/import.ts';
import { type Answer, answerOf, bearer, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan } from '#tests/kit/make.ts';

useDatabase();

let editor: { id: number; token: string };
beforeAll(async () => {
  editor = await makeFan({ role: 'editor' });
});

const address = '/api/admin/directory/imports';
function send(
  content: string,
  {
    name = 'stars.csv',
    format,
    headers = {},
  }: { name?: string; format?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const body = new FormData();
  body.set('file', new File([content], name));
  if (format !== undefined) body.set('format', format);
  return call(address, { method: 'POST', body, headers: { ...bearer(editor.token), ...headers } });
}
const read = (answer: Answer, name: string): unknown => Reflect.get(Object(answer.json), name);
const problem = (answer: Answer) => [answer.status, read(answer, 'code'), read(answer, 'about')];
const handOver = async (content: string) => Number(read(await send(content), 'id'));
const headers = () => bearer(editor.token);
const start = (id: number, rowByRow = false) =>
  answerOf(
    typedCall('post', '/api/admin/directory/imports/:id/start', {
      params: { id },
      body: { rowByRow },
      headers: headers(),
    }),
  );
const stateOf = (id: number) =>
  answerOf(typedCall('get', '/api/admin/directory/imports/:id', { params: { id }, headers: headers() }));
const rowsOf = (id: number, query: { outcome?: 'add' | 'refuse'; page?: number; limit?: number } = {}) =>
  answerOf(
    typedCall('get', '/api/admin/directory/imports/:id/rows', { params: { id }, query, headers: headers() }),
  );
/** What the job does once it is its turn. */
const work = (id: number) =>
  importJob.handle({ importId: id }, { id: '', signal: new AbortController().signal });
const names = async () =>
  (await connection()<{ name: string }[]>`select name from stars order by id`).map(({ name }) => name);

/** The same in a process that is stopped after so many stars. @throws what says so */
function workUntilStopped(id: number, after: number): Promise<void> {
  const process = new AbortController();
  const { signal } = process;
  let stars = 0;
  const throwIfAborted = () => {
    stars += 1;
    if (stars === after) process.abort();
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  return Promise.resolve(
    importJob.handle({ importId: id }, { id: '', signal: Object.assign(signal, { throwIfAborted }) }),
  );
}

describe('a file that is handed over', () => {
  test('tells what it would do, and is taken in once however often it is pressed', async () => {
    const id = await handOver('category,words.ko.name,birthDate\nIdol,하나,2001\nActor,둘,2002-03\n');
    const preview = await stateOf(id);
    expect(preview).toMatchObject({
      fileName: 'stars.csv',
      format: 'csv',
      state: 'ready',
      counts: { add: 2, change: 0, same: 0, refuse: 0 },
      total: 2,
      endedAt: null,
    });
    expect(await names()).toEqual([]);
    const pressed = await Promise.all(
      [1, 2, 3].map(() => call(`${address}/${id}/start`, { method: 'POST', headers: headers() })),
    );
    expect(pressed.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await Promise.all([work(id)]);
    await work(id);
    expect(await names()).toEqual(['하나', '둘']);
    expect(await stateOf(id)).toMatchObject({
      state: 'done',
      counts: { add: 2 },
      progress: expect.any(Number),
    });
    const { rows } = await rowsOf(id);
    expect(rows.map(({ line, outcome, starId }) => [line, outcome, starId])).toEqual([
      [2, 'add', 1],
      [3, 'add', 2],
    ]);
    const again = await call(`${address}/${id}/start`, { method: 'POST', headers: headers() });
    expect(problem(again).slice(0, 2)).toEqual([409, 'already_done']);
    const [kept] = await connection()<
      { n: number }[]
    >`select count(file)::int as n from directory_imports where id = ${id}`;
    expect(kept?.n).toBe(0);
  });

  test('waits for another import that is under way, and is taken in after it', async () => {
    const id = await handOver('category,words.ko.name\nIdol,열하나\n');
    await start(id);
    let working: Promise<void> | undefined;
    await database().transaction(async (tx) => {
      expect(await lockImports(tx)).toBe(true);
      working = Promise.resolve(work(id));
      await Bun.sleep(1_500);
      expect([(await stateOf(id)).state, (await names()).includes('열하나')]).toEqual(['running', false]);
    });
    await working;
    expect([(await stateOf(id)).state, (await names()).includes('열하나')]).toEqual(['done', true]);
    await connection()`delete from stars where name = '열하나'`;
  });

  test('is the work of whoever takes it in, not of whoever handed it over', async () => {
    const id = await handOver('category,words.ko.name\nIdol,열\n');
    const other = await makeFan({ role: 'editor' });
    const pressed = await call(`${address}/${id}/start`, { method: 'POST', headers: bearer(other.token) });
    expect(pressed.status).toBe(200);
    await work(id);
    const [noted] = await connection()`
      select actor_id as actor from audit_log where subject = 'star' order by id desc limit 1`;
    expect(noted).toEqual({ actor: other.id });
    await connection()`delete from stars where name = '열'`;
  });

  test('with a star that is refused keeps all others out, unless they are taken by themselves', async () => {
    const id = await handOver('category,words.ko.name,birthDate\nIdol,셋,2001\nIdol,넷,2001-13\n');
    expect((await rowsOf(id, { outcome: 'refuse' })).rows).toEqual([
      expect.objectContaining({
        line: 3,
        name: '넷',
        starId: null,
        reasons: [{ code: 'date', field: 'birthDate', message: expect.any(String) }],
      }),
    ]);
    await start(id);
    await work(id);
    expect([(await stateOf(id)).state, (await names()).includes('셋')]).toEqual(['refused', false]);
    await start(id, true);
    await work(id);
    const { state, counts } = await stateOf(id);
    expect([state, counts, (await names()).includes('셋')]).toEqual([
      'done',
      { add: 1, change: 0, same: 0, refuse: 1 },
      true,
    ]);
  });

  test('is listed, paged and filtered', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `Idol,별${n}`).join('\n');
    const id = await handOver(`category,words.ko.name\n${many}\n`);
    const { rows, pagination } = await rowsOf(id, { outcome: 'add', page: 2, limit: 20 });
    expect([rows.length, rows[0]?.name, pagination]).toEqual([
      10,
      '별20',
      { page: 2, totalPages: 2, total: 30, hasPrevious: true, hasNext: false },
    ]);
    const { imports } = await answerOf(
      typedCall('get', '/api/admin/directory/imports', { headers: headers() }),
    );
    expect(imports[0]).toEqual(await stateOf(id));
  });

  test('repeated with its key is handed over once', async () => {
    const key = { 'idempotency-key': 'one-press' };
    const [first, second] = await Promise.all([1, 2].map(() => send('category\n', { headers: key })));
    expect([first?.status, second?.status]).toEqual([400, 400]);
    const content = 'category,words.ko.name\nIdol,열쇠\n';
    const made = await Promise.all(
      [1, 2].map(() => send(content, { headers: { 'idempotency-key': 'two' } })),
    );
    expect(new Set(made.map((answer) => read(answer, 'id'))).size).toBe(1);
  });

  test('that cannot be read is refused with what is wrong with it, and is not kept', async () => {
    const before = await connection()<{ n: number }[]>`select count(*)::int as n from directory_imports`;
    expect(problem(await send('category,birthday\nIdol,2001'))).toEqual([400, 'column', 'birthday']);
    expect(problem(await send('{"format"'))).toEqual([400, 'json', undefined]);
    expect(problem(await send('', { name: '' }))).toEqual([400, 'required', undefined]);
    expect(problem(await send('category\n', { format: 'xml' }))).toEqual([400, 'invalid', undefined]);
    expect(problem(await send(' '.repeat(8 * 1024 * 1024 + 1)))).toEqual([400, 'too_large', undefined]);
    const polluted = '{"format":"byeol-directory","version":1,"stars":[{"__proto__":{"a":1}}]}';
    expect(problem(await send(polluted))).toEqual([400, 'malformed', undefined]);
    expect((await call(address, { method: 'POST', body: 'x', headers: headers() })).status).toBe(415);
    expect([...(await connection()`select count(*)::int as n from directory_imports`)]).toEqual([...before]);
    const named = await send('category,words.ko.name\nIdol,이름\n', { name: '../../etc/\u202Epasswd' });
    expect((await stateOf(Number(read(named, 'id')))).fileName).toBe('passwd');
  });

  test('is for editors', async () => {
    const fan = await makeFan();
    for (const path of ['', '/1', '/1/rows']) {
      expect((await call(address + path)).status).toBe(401);
      expect((await call(address + path, { headers: bearer(fan.token) })).status).toBe(403);
    }
    expect((await call(`${address}/1/start`, { method: 'POST', headers: bearer(fan.token) })).status).toBe(
      403,
    );
    expect((await send('category\n', { headers: bearer(fan.token) })).status).toBe(403);
    expect((await call(`${address}/999999`, { headers: headers() })).status).toBe(404);
  });
});

test('an offer of an import can be declined, and is not made again', async () => {
  const { id } = await answerOf(
    typedCall('post', '/api/admin/stars', {
      body: { category: 'Idol', words: { ko: { name: '제안' }, en: { name: 'Offered' } } },
      headers: headers(),
    }),
  );
  const csv = 'slug,category,words.ko.name,birthDate,height\noffered,Idol,제안이,2001,170\n';
  const take = async () => {
    const importId = await handOver(csv);
    await start(importId);
    await work(importId);
  };
  const offers = async () =>
    (await answerOf(typedCall('get', '/api/admin/stars/:id', { params: { id }, headers: headers() }))).offers;
  await take();
  const [offer] = await offers();
  expect(offer).toMatchObject({ field: 'words.ko.name', offered: '제안이' });
  const decline = () =>
    call(`/api/admin/stars/${id}/offers/${offer?.id}`, { method: 'DELETE', headers: headers() });
  expect((await decline()).status).toBe(200);
  expect((await decline()).status).toBe(404);
  const decisions =
    await connection()`select subject_id, details from audit_log where action = 'star.decline' and actor_id is not null`;
  expect([...decisions]).toEqual([
    {
      subject_id: id,
      details: {
        field: 'words.ko.name',
        offered: '제안이',
        source: expect.objectContaining({ name: expect.any(String) }),
      },
    },
  ]);
  await take();
  expect(await offers()).toEqual([]);
});

test('an import goes on behind the stars that are through, where processes stop in between', async () => {
  const people = ['가온', '나온', '다온', '라온', '라온', '마온'].map((name) => `Actor,${name}`);
  const id = await handOver(`category,words.ko.name\n${people.join('\n')}\n`);
  await start(id, true);
  for (const after of [2, 3]) await expect(workUntilStopped(id, after)).rejects.toThrow();
  await work(id);
  expect((await names()).filter((name) => name.endsWith('온')).sort()).toEqual(
    ['가온', '나온', '다온', '라온', '라온', '마온'].sort(),
  );
  expect(await stateOf(id)).toMatchObject({
    state: 'done',
    counts: { add: 6, change: 0, same: 0, refuse: 0 },
  });
  const again = await handOver(`category,words.ko.name\n${people.join('\n')}\n`);
  expect(await stateOf(again)).toMatchObject({
    counts: { add: 0, change: 0, same: 6, refuse: 0 },
  });
});
