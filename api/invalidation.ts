import { publish, subscribe, type Unsubscribe } from '#db/bus.ts';

const channel = 'byeol_invalidate';

/**
 * Tells every process that pages with these tags are out of date (design §Ways). Call it after the commit.
 * Tags: `feed`, `article:7`, `star:3`, `event:9`, `events`, `channel:3` (by its star), `channels`, `talk` (a quoted
 * message is gone).
 */
export async function invalidate(tags: readonly string[]): Promise<void> {
  if (tags.length > 0) await publish(channel, tags.join(','));
}

/** Calls `onTags` for every invalidation of any process, `onGap` when some may have been missed. */
export function onInvalidation(onTags: (tags: string[]) => void, onGap: () => void): Promise<Unsubscribe> {
  return subscribe(channel, (payload) => onTags(payload.split(',')), onGap);
}
