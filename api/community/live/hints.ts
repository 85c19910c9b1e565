import { publish } from '#db/bus.ts';
import { DatabaseNotOpen } from '#db/client.ts';
import { log } from '#db/log.ts';
import { continueTrace, currentTraceparent } from '#db/tracing.ts';

/**
 * What processes tell each other about channels: `e7` something happened in channel 7, `s7` its counts or slow mode changed; `t00-…-01` for which
 * trace (W3C's `traceparent`) the first of them was sent.
 * The tables are the truth; a lost hint is made good when processes look for themselves.
 */
export const hintChannel = 'byeol_chat';

/** Names this process, which needs no hints of its own. */
export const processId = crypto.randomUUID();

/** At most one batch in so long, in ms: the first hint goes out at once, those behind it wait for what is left of this. */
const flushInterval = 20;
/** Far below the 8,000 bytes of a NOTIFY. */
const maxBatchSize = 400;

const pendingHints = new Set<string>();
let _trace: string | undefined;
let _timer: Timer | undefined;
let _flushedAt = Number.NEGATIVE_INFINITY;
let failing = false;
let _flushing: Promise<void> | undefined;

/** Tells the other processes at once, or as soon as the batch before allows, together with whatever else there is to tell. */
export function sendHint(hint: string): void {
  pendingHints.add(hint);
  _trace ??= currentTraceparent();
  _timer ??= scheduleFlush();
}

/** Resolves when all that there is to tell was told, or could not be: before the bus is closed. */
export async function sendPendingHints(): Promise<void> {
  await _flushing;
  while (pendingHints.size > 0) await flush();
}

const scheduleFlush = (): Timer =>
  setTimeout(startFlush, Math.max(0, _flushedAt + flushInterval - performance.now()));

function startFlush(): void {
  _flushing = flush();
}

async function flush(): Promise<void> {
  clearTimeout(_timer);
  _flushedAt = performance.now();
  const hints = [...pendingHints].slice(0, maxBatchSize);
  for (const hint of hints) pendingHints.delete(hint);
  const trace = _trace;
  _trace = undefined;
  try {
    await continueTrace(trace, 'publish hints', 'producer', { 'byeol.hints': hints.length }, () => {
      const traceparent = currentTraceparent();
      const words = traceparent === undefined ? hints : [...hints, `t${traceparent}`];
      return publish(hintChannel, `${processId} ${words.join(' ')}`);
    });
    failing = false;
  } catch (error) {
    if (!failing && !(error instanceof DatabaseNotOpen)) log.error({ err: error }, 'the bus is away');
    failing = true;
  }
  _timer = pendingHints.size > 0 ? scheduleFlush() : undefined;
}

interface Hints {
  hints: { kind: 'e' | 's'; channelId: number }[];
  /** For whose trace they were sent. */
  trace: string | undefined;
}

/** The hints of another process; none for those of this one. */
export function readHints(payload: string): Hints {
  const [sender, ...words] = payload.split(' ');
  if (sender === processId) return { hints: [], trace: undefined };
  const hints = words.flatMap((word): Hints['hints'] => {
    const kind = word[0];
    const channelId = Number(word.slice(1));
    return (kind === 'e' || kind === 's') && Number.isInteger(channelId) ? [{ kind, channelId }] : [];
  });
  return { hints, trace: words.find((word) => word[0] === 't')?.slice(1) };
}
