import { batched } from '#db/batch.ts';
import { publish, subscribe, type Unsubscribe } from '#db/bus.ts';
import { DatabaseNotOpen } from '#db/client.ts';
import { log } from '#db/log.ts';
import { emptyPageStore, invalidateStoredPages } from '#db/queries/page-store.ts';
import { purge } from './edge/purge.ts';
import { isTag, type Tag } from './tags.ts';

const channel = 'byeol_invalidate';
const retryPause = 1_000;

/** Begins what this process sends, and is no tag: it has heard that itself. */
const sender = `from:${crypto.randomUUID()}`;

/** What listens in this process, which hears what it sends at once: whoever wrote may ask before the bus has brought it back. */
const localListeners = new Set<(tags: Tag[]) => void>();
/** Tags that one message of the bus has room for. */
const MOST_AT_ONCE = 250;
/** Tags that could not be told yet. */
const unsentTags = new Set<Tag>();
/** Tags of which the stored pages do not know yet. */
const unwrittenTags = new Set<Tag>();
let isRetryDue = false;
/** Ends when nothing that tells the stored pages of them is under way. */
let outdating: Promise<void> = Promise.resolve();

/**
 * Tells every process, and the edges of `PURGE_URL`, that pages with these tags are out of date (architecture §The page cache). Call it after
 * the commit: the write is done, so a bus or an edge that is away fails nothing; the others are told when it is back.
 */
export async function invalidate(tags: readonly Tag[]): Promise<void> {
  // First: a process that hears it may ask for a stored page at once.
  await outdateStored(tags);
  await announce(tags);
}

async function announce(tags: readonly Tag[]): Promise<void> {
  for (let told = 0; told < tags.length; told += MOST_AT_ONCE)
    await tell(tags.slice(told, told + MOST_AT_ONCE));
  purge(tags);
}

const writeTag = batched(async (tags: readonly Tag[]) => {
  await invalidateStoredPages(tags);
  return tags;
});

async function outdateStored(tags: readonly Tag[]): Promise<void> {
  try {
    await Promise.all(tags.map(writeTag));
  } catch (error) {
    if (error instanceof DatabaseNotOpen) return;
    if (unwrittenTags.size === 0)
      log.error({ err: error }, 'the stored pages could not be told what is out of date');
    outdateLater(tags);
  }
}

function outdateLater(tags: readonly Tag[]): void {
  for (const tag of tags) unwrittenTags.add(tag);
  if (isRetryDue) return;
  isRetryDue = true;
  setTimeout(() => {
    isRetryDue = false;
    outdating = outdating.then(() => outdateUnwritten(outdateLater));
  }, retryPause).unref();
}

/** @param giveUp gets the tags when the stored pages cannot be told of them */
async function outdateUnwritten(giveUp: (tags: readonly Tag[]) => Promise<void> | void): Promise<void> {
  if (unwrittenTags.size === 0) return;
  const tags = [...unwrittenTags];
  unwrittenTags.clear();
  try {
    await invalidateStoredPages(tags);
  } catch {
    return giveUp(tags);
  }
  // Others, and the edges, were told when the stored pages were still as before, and may have taken them again.
  await announce(tags);
}

/**
 * Before the process ends, and before the edges are told for the last time: what the stored pages could not be told would be shown by the
 * next process, so they are all forgotten then.
 */
export function settleInvalidations(): Promise<void> {
  outdating = outdating.then(() => outdateUnwritten(emptyStore));
  return outdating;
}

async function emptyStore(tags: readonly Tag[]): Promise<void> {
  try {
    await emptyPageStore();
    await announce(tags);
  } catch (error) {
    log.error({ err: error, tags }, 'the stored pages do not know what is out of date: empty stored_pages');
  }
}

const send = (tags: readonly Tag[]): Promise<void> => publish(channel, [sender, ...tags].join(','));

async function tell(tags: readonly Tag[]): Promise<void> {
  for (const onTags of localListeners) {
    try {
      onTags([...tags]);
    } catch (error) {
      log.error({ err: error, tags }, 'an invalidation could not be heard here');
    }
  }
  try {
    await send(tags);
  } catch (error) {
    // This process is ending: nobody is left to tell.
    if (error instanceof DatabaseNotOpen) return;
    if (unsentTags.size === 0) {
      log.error({ err: error }, 'the bus is away');
      setTimeout(publishUnsent, retryPause).unref();
    }
    for (const tag of tags) unsentTags.add(tag);
  }
}

async function publishUnsent(): Promise<void> {
  const tags = [...unsentTags].slice(0, MOST_AT_ONCE);
  try {
    await send(tags);
    for (const tag of tags) unsentTags.delete(tag);
  } catch {
    // It is tried again.
  }
  if (unsentTags.size > 0) setTimeout(publishUnsent, retryPause).unref();
}

/** Calls `onTags` for every invalidation of any process, `onGap` when some may have been missed. */
export async function onInvalidation(onTags: (tags: Tag[]) => void, onGap: () => void): Promise<Unsubscribe> {
  const hear = (payload: string) => {
    const words = payload.split(',');
    if (words[0] !== sender) onTags(words.filter(isTag));
  };
  const unsubscribe = await subscribe(channel, hear, onGap);
  localListeners.add(onTags);
  return () => {
    localListeners.delete(onTags);
    return unsubscribe();
  };
}
