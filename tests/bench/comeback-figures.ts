import type { CrowdResult } from './crowd.ts';
import type { StreamsResult } from './crowd-streams.ts';

/** Where it plays and who plays. */
export interface Scene {
  star: number;
  article: number;
  tokens: string[];
  /** Articles that somebody reads meanwhile. */
  others: number[];
}

/** Moments in ms since 1970. */
interface Time {
  from: number;
  to: number;
}

/** What happened. */
export interface Played {
  count: number;
  asked: CrowdResult;
  /** Times of answers that were due before do not count. */
  countedFrom: number;
  seen: StreamsResult;
  correctedAt: Time;
  /** When it was killed; pages and calls that it made until then; and those that the primary made because it had failed. */
  replica: { lostAt: number; made: number; madeInstead: number };
  /** Open at first. */
  streams: number;
  /** From the death of a process until another serves in its place. */
  kill: Time;
  /** Megabytes of each process, before the kill and at the end. */
  memory: [number[], number[]];
  /** Until the kill: how much of a core each process used, its start included. */
  busy: number[];
  statements: number;
  /** Answers of the page caches by kind, before the kill and after it. */
  caches: [Record<string, number>, Record<string, number>];
  /** Of the crowd: how much of one core. */
  generators: number;
  /** Messages of the time in the channel, in the order of their ids. */
  stored: { id: string; key: string }[];
}

const say = (name: string, value: string, aim = '') =>
  console.log(`${name.padEnd(44)} ${value.padStart(26)}   ${aim}`.trimEnd());

/** What was cut by the kill may be told a moment later than it happened. */
const afterKill = 1_000;

/** For how long after that whoever came again at once may still be waited for by others. */
const recovery = 10_000;

/** Prints what came of it. */
export function judge(played: Played, scene: Scene): void {
  const { asked, countedFrom, seen, kill, memory, replica, statements, generators } = played;
  const answered = asked.kinds.reduce((sum, { answers }) => sum + answers.length, 0);
  const back = kill.to + recovery;
  say(
    'p50, p95, p99 in ms',
    'until the kill',
    `without a process and ${recovery / 1_000} s more   afterwards`,
  );
  for (const { kind, answers } of asked.kinds) {
    const within = (from: number, to: number) =>
      percentiles(answers.flatMap(([due, after]) => (due >= from && due < to ? after : [])));
    const [until, without, after] = [
      within(countedFrom, kill.from),
      within(kill.from, back),
      within(back, Number.POSITIVE_INFINITY),
    ];
    say(`${kind} (${answers.length})`, until, `${without.padStart(26)}   ${after}`);
  }
  say('delivery, p50, p95, p99', `${seen.p50}, ${seen.p95}, ${seen.p99} ms`);
  const isOfKill = ({ at }: { at: number }) => at >= kill.from && at <= kill.to + afterKill;
  const errors = asked.failures.filter((each) => !isOfKill(each));
  say(`errors of ${answered} answers`, String(errors.length), 'aim 0');
  tell(errors);
  const cut = asked.failures.filter(isOfKill);
  say('cut by the kill of a process', String(cut.length), `it serves again after ${kill.to - kill.from} ms`);
  tell(cut);
  say('  streams cut, the last one back after', `${seen.cut}, ${seen.backAfter} ms`);
  say('  streams open at the end', String(seen.open), `aim ${played.streams}`);
  messages(played);
  say('every reader sees the correction after', `${correctionSeen(played, scene)} ms`, 'aim ≤ 1000 ms');
  say('pages and calls that the replica made', String(replica.made), 'until it was killed');
  say('  made by the primary in its place', String(replica.madeInstead), 'the others asked it at once');
  const ofReplica = errors.filter(({ at }) => at >= replica.lostAt && at < kill.from);
  say('  errors from its death to the kill', String(ofReplica.length), 'aim 0');
  say('memory of each process', `${memory[0].join(', ')} MB`, `${memory[1].join(', ')} MB at the end`);
  const percent = (part: number) => `${(part * 100).toFixed(0)} %`;
  say(
    'each process used of a core',
    played.busy.map(percent).join(', '),
    'until the kill, its start included',
  );
  say('statements per request', (statements / answered).toFixed(3));
  say('pages from the cache', `${played.caches.map(hitRate).join(', ')} %`, 'until the kill, after it');
  say('the crowd itself took', `${percent(generators)} of a core`, 'of the same machine');
}

function percentiles(times: number[]): string {
  times.sort((a, b) => a - b);
  const share = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  return [0.5, 0.95, 0.99].map((part) => share(part)?.toFixed(1) ?? '–').join(', ');
}

function tell(failures: CrowdResult['failures']): void {
  for (const [reason, all] of Map.groupBy(failures, ({ kind, reason }) => `${kind}: ${reason}`))
    say(`  ${reason}`, String(all.length));
}

/** Of what was acknowledged nothing may be missing or there twice, and every reader has all of it in its order. */
function messages({ asked, seen, stored }: Played): void {
  const keys = stored.map(({ key }) => key);
  const known = new Set(keys);
  const lost = asked.acknowledged.filter((key) => !known.has(key)).length;
  say(`of ${asked.acknowledged.length} messages lost`, String(lost), 'aim 0');
  say('  stored twice', String(keys.length - known.size), 'aim 0');
  const order = stored.map(({ id }) => Number(id)).join();
  const others = seen.seen.filter((ids) => ids.join() !== order).length;
  say(`  of ${seen.seen.length} readers saw others, or otherwise`, String(others), 'aim 0');
}

/** Milliseconds from the answer to the editor until the last reader asked who still got an older page, in any language. */
function correctionSeen({ asked, correctedAt }: Played, { article }: Scene): number {
  const older = asked.versions.filter(
    ({ path, first }) => path.endsWith(`/article/${article}`) && first < correctedAt.from,
  );
  return Math.round(Math.max(0, ...older.map(({ last }) => last - correctedAt.to)));
}

function hitRate({ hit = 0, stale = 0, miss = 0 }: Record<string, number>): string {
  const all = hit + stale + miss;
  return all === 0 ? '–' : (((hit + stale) / all) * 100).toFixed(2);
}
