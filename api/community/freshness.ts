import { invalidate } from '../invalidation.ts';
import type { Tag } from '../tags.ts';

/** Pages with a channel's messages and counts are made anew at most so often, however much is said. */
const channelPause = 5_000;
/** The list and whatever else carries the tag `channels`. */
const listPause = 15_000;

const pausing = new Map<Tag, { again: boolean }>();

/**
 * Tells pages that a channel's talk or members changed: at once after a quiet time, then once per pause. A page holds the newest
 * messages for readers without JavaScript; with it the stream goes on from the page's `lastEventId`.
 */
export function noteActivity(starId: number): void {
  outdate(`channel:${starId}`, channelPause);
  outdate('channels', listPause);
}

function outdate(tag: Tag, pause: number): void {
  const running = pausing.get(tag);
  if (running) {
    running.again = true;
    return;
  }
  const state = { again: false };
  pausing.set(tag, state);
  // The message is stored whatever becomes of the pages: they are made anew by their own age too.
  invalidate([tag]).catch(() => {});
  setTimeout(() => {
    pausing.delete(tag);
    if (state.again) outdate(tag, pause);
  }, pause).unref();
}
