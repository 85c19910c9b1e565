/** An event as a browser's `EventSource` would see it. */
interface SeenEvent {
  event: string;
  id: number | undefined;
  data: Record<string, unknown>;
}

/** An open event stream that remembers what it was told. */
export interface Listening {
  readonly events: readonly SeenEvent[];
  /** Resolves with the first event, past or coming, that fits; rejects after a minute. */
  until(fits: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** Reads the body of an answer as Server-Sent Events. */
export function listenTo(body: ReadableStream<Uint8Array>): Listening {
  const reader = body.getReader();
  const events: SeenEvent[] = [];
  const waiting = new Set<() => void>();
  const decoder = new TextDecoder();
  const ended = (async () => {
    let unread = '';
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const blocks = (unread + decoder.decode(part.value, { stream: true })).split('\n\n');
        unread = blocks.pop() ?? '';
        for (const block of blocks) events.push(parse(block));
        for (const wake of waiting) wake();
      }
    } catch {
      // Cut off.
    }
    for (const wake of waiting) wake();
  })();
  return {
    events,
    ended,
    async until(fits) {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const match = events.find(fits);
        if (match) return match;
        const remaining = deadline - performance.now();
        if (remaining <= 0) throw new Error(`never seen; seen: ${JSON.stringify(events.slice(-20))}`);
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer);
            waiting.delete(wake);
            resolve();
          };
          const timer = setTimeout(wake, remaining);
          waiting.add(wake);
        });
      }
    },
    async close() {
      await reader.cancel().catch(() => {});
      await ended;
    },
  };
}

function parse(block: string): SeenEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const id = fields.get('id');
  return {
    event: fields.get('event') ?? 'message',
    id: id === undefined ? undefined : Number(id),
    data: JSON.parse(fields.get('data') ?? '{}'),
  };
}

/** The texts of the messages that came, in the order in which they came. */
export const textsOf = ({ events }: Listening): string[] =>
  events.filter(({ event }) => event === 'message').map(({ data }) => String(data.content));
