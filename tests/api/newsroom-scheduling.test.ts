import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { enqueue } from '#api/jobs/jobs.ts';
import { chooseStars, replayFailure, retryStory } from '#api/newsroom/desk.ts';
import { writeStory } from '#api/newsroom/jobs.ts';
import { translated } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { type AiStandIn, failure, startAi } from '#tests/kit/ai.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { makeStory, storyState } from '#tests/kit/newsroom.ts';
import { until } from '#tests/kit/until.ts';
import { startWorker, type Worker } from '#tests/kit/worker.ts';

/** A story whose next step is ready goes on at once: no clock is turned here, and there is no sweep of each minute. */
const own = useDatabase();
let ai: AiStandIn;
let editor: { id: number };
let star: number;
let worker: Worker | undefined;

beforeAll(async () => {
  ai = startAi();
  star = await makeStar({
    name: '파도반',
    category: 'K-Pop Group',
    names: { ...translated(() => 'PADOBAN'), ko: '파도반' },
  });
  editor = await makeFan({ role: 'editor' });
});
afterEach(() => {
  ai.answer = () => undefined;
});
afterAll(async () => {
  await worker?.end('SIGTERM');
  await ai.stop();
}, 300_000);

const withAi = () => ({ AI_BASE_URL: ai.url, AI_MODEL: ai.model, AI_TIMEOUT: '30' });

const work = async (settings: Record<string, string> = withAi()) => {
  worker = await startWorker(own.url, { NODE_ENV: 'test', ...settings });
  // A slow machine takes longer than a minute for a story: its sweep would hide what does not go on by itself.
  await connection()`delete from pgboss.schedule`;
};

/** Milliseconds for what hangs, beside others on slow cores. */
const patience = 90_000;
let storyCount = 0;
const markOf = (n: number) => `파도반이 ${n}번째 새 앨범을`;

/** A story that nobody has queued. */
function makeUnqueuedStory(): Promise<number> {
  storyCount += 1;
  return makeStory({
    title: `파도반, 새 앨범 ${storyCount}`,
    text: `${markOf(storyCount)} 공개했다. `.repeat(12),
  });
}

/** A story that was just grouped, and queued. */
async function makeQueuedStory(): Promise<{ id: number }> {
  const id = await makeUnqueuedStory();
  await enqueue(writeStory, { storyId: id }, { key: `story-${id}` });
  return { id };
}

const isDone = async (id: number) => {
  const { stage, eventStage } = await storyState(id);
  return stage === 'published' && eventStage === 'done';
};

test('a story that waited for an AI is written as soon as a worker has one', async () => {
  const { id } = await makeQueuedStory();
  await work({});
  await until(async () => (await storyState(id)).reason === 'no_ai', patience);
  await worker?.end('SIGTERM');
  await work();
  await until(() => isDone(id), patience);
}, 300_000);

test('a story goes on at the time that a busy endpoint asked for', async () => {
  const mark = markOf(storyCount + 1);
  let refused = 0;
  ai.answer = ({ kind, prompt }) => {
    if (kind !== 'rewrite' || refused > 0 || !prompt.includes(mark)) return undefined;
    refused = performance.now();
    return failure(429, 'slow down', { 'retry-after': '2' });
  };
  const { id } = await makeQueuedStory();
  await until(() => isDone(id), patience);
  expect(performance.now() - refused).toBeGreaterThan(1_900);
}, 300_000);

test('events are looked for again at the time that a busy endpoint asked for', async () => {
  const mark = markOf(storyCount + 1);
  let eventQuestions = 0;
  ai.answer = ({ kind, prompt }) =>
    kind === 'events' && prompt.includes(mark) && ++eventQuestions === 1
      ? failure(429, 'slow down', { 'retry-after': '2' })
      : undefined;
  const { id } = await makeQueuedStory();
  await until(() => isDone(id), patience);
  expect(eventQuestions).toBe(2);
}, 300_000);

test('another worker takes up what a killed one left behind', async () => {
  const mark = markOf(storyCount + 1);
  const killed = worker?.process;
  ai.answer = ({ prompt }) => {
    if (prompt.includes(mark)) killed?.kill('SIGKILL');
    return undefined;
  };
  const { id } = await makeQueuedStory();
  await until(() => killed?.signalCode === 'SIGKILL', patience);
  ai.answer = () => undefined;
  await work();
  await until(() => isDone(id), patience);
}, 300_000);

test('another telling that comes while a story is written does not hold it up', async () => {
  const mark = markOf(storyCount + 1);
  let isWriting = false;
  const { promise: isTold, resolve: goOn } = Promise.withResolvers<void>();
  ai.answer = ({ kind, language, prompt }) => {
    if (kind !== 'rewrite' || isWriting || language !== 'vi' || !prompt.includes(mark)) return undefined;
    isWriting = true;
    return isTold.then(() => failure(500, 'no'));
  };
  const { id } = await makeQueuedStory();
  await until(() => isWriting, patience);
  // As `groupItem` leaves a story that another outlet tells too.
  await connection()`update stories set stage = 'new', next_try_at = now() where id = ${id}`;
  goOn();
  await until(() => isDone(id), patience);
}, 300_000);

test('what an editor decides goes on at once', async () => {
  const sql = connection();
  const [held, starless, failed] = [
    await makeUnqueuedStory(),
    await makeUnqueuedStory(),
    await makeUnqueuedStory(),
  ];
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await sql`update stories set stage = 'held', reason = 'names', next_try_at = ${later} where id = ${held}`;
  await sql`update stories set stage = 'held', reason = 'no_star', next_try_at = ${later} where id = ${starless}`;
  await sql`update stories set stage = 'failed', reason = 'error', next_try_at = ${later} where id = ${failed}`;
  const [row] = await sql<{ id: number }[]>`insert into newsroom_failures (stage, story_id, error, attempts)
    values ('rewrite', ${failed}, 'error: no', 6) returning id`;
  await sql`insert into story_stars (story_id, star_id, position, score)
    values (${held}, ${star}, 0, 100), (${failed}, ${star}, 0, 100)`;
  await retryStory(held, editor.id);
  await chooseStars(starless, [star], editor.id);
  await replayFailure(row?.id ?? 0, editor.id);
  for (const id of [held, starless, failed]) await until(() => isDone(id), patience);
}, 300_000);
