import { invalidate } from '../invalidation.ts';
import type { Tag } from '../tags.ts';

/** Pages with a channel's messages and counts are made anew at most so often, however much is said. */
const channelInterval = 5_000;
/** The list and whatever else carries the tag `channels`. */
const listInterval = 15_000;

const throttled = new Map<Tag, { isPending: boolean }>();

/**
 * Tells pages that a channel's talk or members changed: at once after a quiet time, then once per pause. A page holds the newest
 * messages for readers without JavaScript; with it the stream goes on from the page's `lastEventId`.
 */
export function invalidateChannel(starId: number): void {
  invalidateThrottled(`channel:${starId}`, channelInterval);
  invalidateThrottled('channels', listInterval);
}

function invalidateThrottled(tag: Tag, interval: number): void {
  const running = throttled.get(tag);
  if (running) {
    running.isPending = true;
    return;
  }
  const state = { isPending: false };
  throttled.set(tag, state);
  // The message is stored whatever becomes of the pages: they are made anew by their own age too.
  invalidate([tag]).catch(() => {});
  setTimeout(() => {
    throttled.delete(tag);
    if (state.isPending) invalidateThrottled(tag, interval);
  }, interval).unref();
}
