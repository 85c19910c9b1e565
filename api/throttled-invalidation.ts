import { invalidate } from './invalidation.ts';
import type { Tag } from './tags.ts';

/** Pages with a channel's messages and counts are made anew at most so often, however much is said, in milliseconds. */
const channelInterval = 5_000;
/** The list and whatever else carries the tag `channels`. */
const listInterval = 15_000;
/** Pages that count followers, or who comes to an event. */
const countInterval = 1_000;

const throttled = new Map<Tag, { isPending: boolean }>();
/** Told together: who follows a thousand stars by one call sends no thousand messages. */
const due = new Set<Tag>();
let flushing: Promise<void> | undefined;

/**
 * Tells pages that a channel's talk or members changed: at once after a quiet time, then once per pause. A page holds the newest
 * messages for readers without JavaScript; with it the stream goes on from the page's `lastEventId`.
 */
export function invalidateChannel(starId: number): void {
  void invalidateThrottled(`channel:${starId}`, channelInterval);
  void invalidateThrottled('channels', listInterval);
}

/**
 * Tells pages that a number on them changed which many people change at once: at once after a quiet time, then once a second. Told at each
 * change, the pages of a star whom ten people a second begin to follow were out of date before they were made, and none was kept: in
 * `bun run bench --only comeback` 23 of 100 came from the cache instead of 94. Whoever changes it reads it in the answer.
 * Call it after the commit.
 */
export async function invalidateCounts(...tags: Tag[]): Promise<void> {
  await Promise.all(tags.map((tag) => invalidateThrottled(tag, countInterval)));
}

async function invalidateThrottled(tag: Tag, interval: number): Promise<void> {
  const running = throttled.get(tag);
  if (running) {
    running.isPending = true;
    return;
  }
  const state = { isPending: false };
  throttled.set(tag, state);
  setTimeout(() => {
    throttled.delete(tag);
    if (state.isPending) void invalidateThrottled(tag, interval);
  }, interval).unref();
  due.add(tag);
  flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(flushDue);
  await flushing;
}

async function flushDue(): Promise<void> {
  const tags = [...due];
  due.clear();
  flushing = undefined;
  if (tags.length === 0) return;
  // What was changed is stored whatever becomes of the pages: they are made anew by their own age too.
  await invalidate(tags).catch(() => {});
}

/** Tells what waits, before the process ends. */
export async function flushThrottled(): Promise<void> {
  for (const [tag, state] of throttled) {
    if (state.isPending) due.add(tag);
    state.isPending = false;
  }
  throttled.clear();
  await flushDue();
}
