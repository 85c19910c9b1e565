import { atom } from 'nanostores';
import type { Message, StreamEvents } from '#api/community/model.ts';
import { limits } from '#content/site.ts';
import { CallFailed, callApi } from '../../client/api.ts';
import { details, refreshDetails, setCounts, setNextMessageAt, setSlowMode } from '../../stores/channel.ts';
import { readBlocks } from './blocks.ts';
import type { ServerEvent } from './events.ts';
import { type Failure, keep, newClientId, type Pending, readKept } from './outbox.ts';
import { type Connection, follow } from './stream.ts';
import { anew, type Thread, withMessages, withOlder, withoutWords } from './thread.ts';

/** What was on its way when the page was left goes by itself only so long after; later its writer is asked. */
const staleAfter = 10 * 60_000;

/** What the page was rendered with. */
export interface Beginning {
  starId: number;
  messages: readonly Message[];
  hasOlder: boolean;
  lastEventId: number;
}

interface Window {
  limit?: number;
  before?: number;
  after?: number;
  retries?: number;
}

export type ChatRoom = ReturnType<typeof openChatRoom>;

const failures: Partial<Record<string, Failure>> = {
  slow_mode: 'slow',
  rate_limited: 'slow',
  not_member: 'notMember',
  muted: 'muted',
};

/** Why a message was not taken, by what the server said. No answer and its own trouble are the network's. */
function failureOf(error: unknown): Failure {
  if (!(error instanceof CallFailed) || error.status >= 500) return 'network';
  if (error.status === 401) return 'login';
  return failures[error.problem.code ?? ''] ?? 'refused';
}

/** Everything the chat of one channel does, without a picture of it: the log, what is on its way, the connection. */
export function openChatRoom({ starId, messages, hasOlder, lastEventId: known }: Beginning) {
  const params = { starId };
  const thread = atom<Thread>({ messages, hasOlder });
  const pending = atom<readonly Pending[]>([]);
  const draft = atom('');
  const connection = atom<Connection>('connecting');
  const older = atom<'idle' | 'loading' | 'failed'>('idle');
  const blocked = atom<ReadonlySet<number>>(new Set());
  /** Messages of others that arrived by the stream, for the announcer. */
  const arrived = atom<readonly Message[]>([]);
  let lastEventId = known;
  let ownId: number | undefined;
  let delivering = false;

  function take(incoming: readonly Message[]): void {
    thread.set(withMessages(thread.get(), incoming));
    const own = new Set(
      incoming.flatMap(({ user, clientId }) => (user.id === ownId && clientId ? [clientId] : [])),
    );
    if (own.size > 0 && pending.get().some(({ clientId }) => own.has(clientId)))
      setPending(pending.get().filter(({ clientId }) => !own.has(clientId)));
    const others = incoming.filter(({ user }) => user.id !== ownId && !blocked.get().has(user.id));
    if (others.length > 0) arrived.set(others);
  }

  function setPending(next: readonly Pending[]): void {
    pending.set(next);
    if (ownId !== undefined) keep(ownId, starId, { draft: draft.get(), pending: next });
  }

  function setDraft(text: string): void {
    draft.set(text);
    if (ownId !== undefined) keep(ownId, starId, { draft: text, pending: pending.get() });
  }

  const change = (clientId: string, failure: Failure | undefined) =>
    setPending(pending.get().map((item) => (item.clientId === clientId ? { ...item, failure } : item)));

  /** Sends one message; a lost answer is asked for again after a second (§8), the key makes it the same message. */
  const post = ({ content, clientId }: Pending) =>
    callApi('post', '/api/community/channels/:starId/messages', {
      params,
      body: { content, clientId },
      idempotent: true,
    });

  /** Sends what waits, one after the other, so that the order stays. */
  async function deliver(): Promise<void> {
    if (delivering) return;
    delivering = true;
    try {
      for (;;) {
        const next = pending.get().find(({ failure }) => failure === undefined);
        if (!next) return;
        try {
          const { message, nextMessageAt } = await post(next);
          take([message]);
          // A repeat of an older message is not a message of now.
          setPending(pending.get().filter(({ clientId }) => clientId !== next.clientId));
          setNextMessageAt(nextMessageAt);
        } catch (error) {
          const failure = failureOf(error);
          change(next.clientId, failure);
          if (failure !== 'network' && failure !== 'refused') void refreshDetails();
        }
      }
    } finally {
      delivering = false;
    }
  }

  function send(text: string): void {
    const content = text.normalize('NFC').trim();
    setPending([...pending.get(), { clientId: newClientId(), content, at: Date.now(), failure: undefined }]);
    void deliver();
  }

  function retry(clientId: string): void {
    change(clientId, undefined);
    void deliver();
  }

  const discard = (clientId: string) =>
    setPending(pending.get().filter((item) => item.clientId !== clientId));

  /** What only the network kept goes again when it is back. */
  function retryNetwork(): void {
    const waits = pending.get().filter(({ failure }) => failure === 'network');
    if (waits.length === 0) return;
    setPending(pending.get().map((item) => (waits.includes(item) ? { ...item, failure: undefined } : item)));
    void deliver();
  }

  const ask = ({ limit = limits.messagesPage, retries = 3, ...window }: Window) =>
    callApi('get', '/api/community/channels/:starId/messages', {
      params,
      query: { limit, ...window },
      retries,
    });

  async function loadOlder(): Promise<void> {
    const first = thread.get().messages[0];
    if (older.get() === 'loading' || !thread.get().hasOlder || !first) return;
    older.set('loading');
    try {
      const answer = await ask({ before: first.id });
      thread.set(withOlder(thread.get(), answer));
      older.set('idle');
    } catch {
      older.set('failed');
    }
  }

  async function loadAnew(): Promise<void> {
    const answer = await ask({});
    lastEventId = answer.lastEventId;
    thread.set(anew(answer));
  }

  async function poll(): Promise<void> {
    for (;;) {
      const answer = await ask({ limit: limits.maxPage, after: lastEventId, retries: 0 });
      take(answer.messages);
      thread.set(withoutWords(thread.get(), answer.deletedIds));
      lastEventId = Math.max(lastEventId, answer.lastEventId);
      if (!answer.hasMore) return;
    }
  }

  const handlers: { [Name in keyof StreamEvents]?: (data: StreamEvents[Name]) => void } = {
    hello({ slowModeSeconds, ...counts }) {
      setCounts(counts);
      setSlowMode(slowModeSeconds);
      retryNetwork();
    },
    message: (message) => take([message]),
    deleted: ({ id }) => thread.set(withoutWords(thread.get(), [id])),
    counts: setCounts,
    slowmode: ({ seconds }) => setSlowMode(seconds),
    reset: () => void loadAnew(),
  };

  function receive<Name extends keyof StreamEvents>(name: Name, { data, id }: ServerEvent): void {
    handlers[name]?.(JSON.parse(data));
    if (id) lastEventId = Math.max(lastEventId, Number(id));
  }

  const stream = follow(`/api/community/channels/${starId}/stream`, {
    lastEventId: () => lastEventId,
    event(event) {
      if (isStreamEvent(event.name)) receive(event.name, event);
    },
    poll: async () => {
      await poll();
      retryNetwork();
    },
    state: (next) => connection.set(next),
  });

  /** Whoever reads here: own words that were kept, people who are not to be heard. */
  function setReader(userId: number | undefined): void {
    if (userId === ownId) return;
    ownId = userId;
    const kept = userId === undefined ? { draft: '', pending: [] } : readKept(userId, starId);
    draft.set(kept.draft);
    const now = Date.now();
    pending.set(
      kept.pending.map((item) => (now - item.at < staleAfter ? { ...item, failure: undefined } : item)),
    );
    void deliver();
    blocked.set(new Set());
    if (userId !== undefined) {
      readBlocks().then(
        ({ users }) => blocked.set(new Set(users.map(({ id }) => id))),
        (error: unknown) => console.warn('blocks are unknown', error),
      );
    }
  }
  const forget = details.subscribe((answer) => {
    if (answer) setReader(answer.viewer?.userId);
  });

  return {
    starId,
    thread,
    pending,
    draft,
    connection,
    older,
    blocked,
    arrived,
    send,
    retry,
    discard,
    setDraft,
    loadOlder,
    /** A deletion that this page made itself. */
    forgetWords: (id: number) => thread.set(withoutWords(thread.get(), [id])),
    close() {
      forget();
      stream.close();
    },
  };
}

const streamEvents = ['hello', 'message', 'deleted', 'counts', 'slowmode', 'reset'] as const;

function isStreamEvent(name: string): name is (typeof streamEvents)[number] {
  return streamEvents.some((known) => known === name);
}
