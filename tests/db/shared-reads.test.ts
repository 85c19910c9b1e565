import { afterAll, beforeAll, beforeEach, expect, type Mock, spyOn, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { markForPage } from '#api/media/marks.ts';
import { batched } from '#db/batch.ts';
import { connection, database, unprepared } from '#db/client.ts';
import { Replicas } from '#db/replicas.ts';
import { setReplicas, sharedRead } from '#db/shared-read.ts';
import { cloneDatabase } from '#tests/kit/cluster.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeStar } from '#tests/kit/make.ts';

/** What stands for a replica is another database: each says its own name. */
const own = useDatabase();
let other: { url: string; drop(): Promise<void> };
let replicas: Replicas;
const nameOf = (url: string) => new URL(url).pathname.slice(1);

/**
 * A millisecond passes with each look at the clock: a replica that is two seconds behind is left out, and on a slow machine the first
 * connection to one may take longer.
 */
let clock: Mock<typeof performance.now>;

beforeAll(async () => {
  other = await cloneDatabase('empty');
  let moment = performance.now();
  clock = spyOn(performance, 'now').mockImplementation(() => {
    moment += 1;
    return moment;
  });
}, 300_000);
beforeEach(async () => {
  await replicas?.end(1);
  replicas = new Replicas([other.url], { max: 2, maxUnprepared: 1 });
  setReplicas(replicas);
  catchUp();
});
afterAll(async () => {
  clock.mockRestore();
  setReplicas(undefined);
  await replicas.end(1);
  await other.drop();
});

/** The replica has everything by now. */
function catchUp(): void {
  replicas.notePrimary(100_000n, 1, performance.now());
  for (const replica of replicas.all) replicas.noteReplica(replica, 100_000n);
}

const ask = async (db = database()): Promise<string> => {
  const [row] = await db.execute<{ name: string }>(sql`select current_database() as name`);
  return row?.name ?? '';
};
/** @param tags null: it has none */
const readShared = async <Made>(action: () => Promise<Made>, tags: readonly string[] | null = []) =>
  (await sharedRead(action, () => tags ?? undefined)).made;
const read = (tags: readonly string[] | null = ['article:1']) => readShared(() => ask(), tags);

test('what is for everybody is asked of the replica, prepared and not, and all else of the primary', async () => {
  expect(await read()).toBe(nameOf(other.url));
  expect(await readShared(() => ask(unprepared()))).toBe(nameOf(other.url));
  expect([await ask(), await ask(unprepared())]).toEqual([nameOf(own.url), nameOf(own.url)]);
});

test('it is made once more from the primary when one of its tags was told since, until the replica has that', async () => {
  replicas.noteWrite(['article:1', 'stars']);
  expect(await read()).toBe(nameOf(own.url));
  expect(await read(['article:2'])).toBe(nameOf(other.url));
  // What has no tags may depend on anything.
  expect(await read(null)).toBe(nameOf(own.url));
  catchUp();
  expect([await read(), await read(null)]).toEqual([nameOf(other.url), nameOf(other.url)]);
  // Some may have been missed.
  replicas.noteWrite();
  expect(await read(['article:2'])).toBe(nameOf(own.url));
});

test('a position that the primary said before the write is none that has it', async () => {
  const askedAt = performance.now();
  replicas.noteWrite(['article:1']);
  replicas.notePrimary(200_000n, 1, askedAt);
  for (const replica of replicas.all) replicas.noteReplica(replica, 200_000n);
  expect(await read()).toBe(nameOf(own.url));
});

test('a replica that stands where the primary wrote last is not behind, also at the head of a new file', async () => {
  replicas.notePrimary(16_777_216n + 40n, 1, performance.now());
  const [replica] = replicas.all;
  if (!replica) throw new Error('there is one');
  const before = replica.asOf;
  replicas.noteReplica(replica, 16_777_216n);
  expect(replica.asOf).toBeGreaterThan(before);
});

test('what processes share is as new as the replica that made it, and not as what the primary said since', async () => {
  const invalidationOf = async () =>
    (
      await sharedRead(
        () => ask(),
        () => [],
      )
    ).invalidation;
  replicas.notePrimary(33_000_000n, 7, performance.now());
  for (const replica of replicas.all) replicas.noteReplica(replica, 33_000_000n);
  expect(await invalidationOf()).toBe(7);
  replicas.notePrimary(34_000_000n, 8, performance.now());
  for (const replica of replicas.all) replicas.noteReplica(replica, 33_000_000n);
  expect(await invalidationOf()).toBe(7);
  replicas.noteWrite();
  expect(await invalidationOf()).toBeUndefined();
  for (const replica of replicas.all) replicas.noteReplica(replica, 34_000_000n);
  replicas.notePrimary(35_000_000n, 8, performance.now());
  for (const replica of replicas.all) replicas.noteReplica(replica, 35_000_000n);
  expect(await invalidationOf()).toBe(8);
});

test('a statement that the replica refuses costs nobody an answer', async () => {
  const written = await readShared(async () => {
    if ((await ask()) === nameOf(other.url)) await database().execute(sql`select 1 / 0`);
    return ask();
  });
  expect(written).toBe(nameOf(own.url));
});

test('what was begun in a read and outlives it asks the primary', async () => {
  const { promise: later, resolve } = Promise.withResolvers<void>();
  let late: Promise<string> | undefined;
  await readShared(async () => {
    late = later.then(() => ask());
  });
  resolve();
  expect(await late).toBe(nameOf(own.url));
});

test('what the process keeps beyond the page is read from the primary: the sign of a star', async () => {
  const id = await makeStar({ names: { en: 'Tomaru' } });
  await connection()`update stars set slug = 'tomaru' where id = ${id}`;
  expect(await readShared(async () => markForPage('tomaru'))).toContain('<');
});

test('batches ask one server: who reads for everybody and who reads for himself do not wait in one', async () => {
  const names = batched(async (keys: readonly number[]) => {
    const name = await ask();
    return keys.map(() => name);
  });
  const shared = () => readShared(() => Promise.all([names(1), names(2)]));
  const [first, mine, second] = await Promise.all([shared(), Promise.all([names(3), names(4)]), shared()]);
  expect(new Set([...first, ...second])).toEqual(new Set([nameOf(other.url)]));
  expect(new Set(mine)).toEqual(new Set([nameOf(own.url)]));
});
