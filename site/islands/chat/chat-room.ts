import { atom } from 'nanostores';
import type { Message, StreamEvents } from '#api/community/model.ts';
import { limits } from '#content/site.ts';
import { CallFailed, callApi } from '../../client/api.ts';
import {
  details,
  refreshDetails,
  retryDetails,
  setCounts,
  setNextMessageAt,
  setSlowMode,
} from '../../stores/channel.ts';
import { onBlocksChanged, readBlocks } from './blocks.ts';
import type { EventRun } from './events.ts';
import { isOfText, type SendFailure } from './failures.ts';
import { newClientId, type Outbox, type Pending, readOutbox, saveOutbox } from './outbox.ts';
import { type Connection, openStream } from './stream.ts';
import { type Thread, threadOf, withDeleted, withMessages, withOlder } from './thread.ts';

/** What was on its way when the page was left goes by itself only so long after; later its writer is asked. */
const staleAfter = 10 * 60_000;

/** Pause before what the network kept goes again while the stream lives, ms: twice as long each time, up to the longest. */
const firstResendPause = 5000;
const longestResendPause = 60_000;

/** Milliseconds between two questions for what no stream tells. */
const detailsInterval = 60_000;

/** What the page was rendered with. */
export interface RenderedChat {
  starId: number;
  messages: readonly Message[];
  hasOlder: boolean;
  lastEventId: number;
}

interface MessageRange {
  limit?: number;
  before?: number;
  after?: number;
  retries?: number;
}

export type ChatRoom = ReturnType<typeof openChatRoom>;

const failures: Partial<Record<string, SendFailure>> = {
  slow_mode: 'slow',
  rate_limited: 'slow',
  not_member: 'notMember',
  muted: 'muted',
  characters: 'characters',
};

/** Only a network or a login was missing: after a reload it is sent again. What the server refused would be refused again. */
const isSentAfterReload = ({ failure }: Pending) => failure === 'network' || failure === 'login';

/** Why a message was not taken, by what the server said. No answer and its own trouble are the network's. */
function failureOf(error: unknown): SendFailure {
  if (!(error instanceof CallFailed) || error.status >= 500) return 'network';
  if (error.status === 401) return 'login';
  return failures[error.problem.code ?? ''] ?? 'refused';
}

/** Everything the chat of one channel does, without its markup: the log, the outbox, the connection. */
export function openChatRoom({ starId, messages, hasOlder, lastEventId: initialEventId }: RenderedChat) {
  const params = { starId };
  const thread = atom<Thread>({ messages, hasOlder });
  const pending = atom<readonly Pending[]>([]);
  const draft = atom('');
  const connection = atom<Connection>('connecting');
  const older = atom<'idle' | 'loading' | 'failed'>('idle');
  const blocked = atom<ReadonlySet<number>>(new Set());
  /** Messages of others that arrived by the stream, for the announcer. */
  const arrived = atom<readonly Message[]>([]);
  let lastEventId = initialEventId;
  let ownId: number | undefined;
  let delivering = false;
  /** The network may be back since the attempt that is under way began. */
  let triesAgain = false;
  let resendPause = firstResendPause;
  let resendTimer: ReturnType<typeof setTimeout> | undefined;
  let blocksFailed = false;
  /** Of all that was deleted: an answer that is older than the deletion may still bring its words. */
  const deletedIds = new Set<number>();
  /** Keys of all that this tab has kept: what else is kept is another tab's. */
  const ownClientIds = new Set<string>();
  /** Drafts that are kept for this tab: others are another tab's, and stay. */
  let ownDrafts: readonly string[] = [];

  const setThread = (next: Thread) => thread.set(withDeleted(next, deletedIds));

  function markDeleted(...ids: readonly number[]): void {
    for (const id of ids) deletedIds.add(id);
    setThread(thread.get());
  }

  function receiveMessages(incoming: readonly Message[]): void {
    setThread(withMessages(thread.get(), incoming));
    const storedClientIds = new Set(
      incoming.flatMap(({ user, clientId }) => (user.id === ownId && clientId ? [clientId] : [])),
    );
    if (storedClientIds.size > 0 && pending.get().some(({ clientId }) => storedClientIds.has(clientId)))
      setPending(pending.get().filter(({ clientId }) => !storedClientIds.has(clientId)));
    // Who writes is a member: joined on another device.
    if (incoming.some(({ user }) => user.id === ownId) && details.get()?.viewer?.isMember === false)
      void refreshDetails();
    const othersMessages = incoming.filter(({ user }) => user.id !== ownId && !blocked.get().has(user.id));
    if (othersMessages.length > 0) arrived.set(othersMessages);
  }

  function save(): void {
    if (ownId === undefined) return;
    const drafts = draft.get() === '' ? [] : [draft.get()];
    const known = { clientIds: ownClientIds, drafts: ownDrafts };
    const kept = saveOutbox(ownId, starId, { drafts, pending: pending.get() }, known);
    ownDrafts = drafts;
    if (kept.length < pending.get().length) pending.set(kept);
  }

  // Another tab has emptied the store: what is missing there now is not what others sent or discarded.
  window.addEventListener('storage', ({ key }) => {
    if (key !== null) return;
    ownClientIds.clear();
    ownDrafts = [];
  });

  function setPending(next: readonly Pending[]): void {
    pending.set(next);
    save();
  }

  function setDraft(text: string): void {
    draft.set(text);
    save();
  }

  const setFailure = (clientId: string, failure: SendFailure | undefined) =>
    setPending(pending.get().map((item) => (item.clientId === clientId ? { ...item, failure } : item)));

  /** Sends one message; a lost answer is asked for again after a second (§8), the key makes it the same message. */
  const post = ({ content, clientId }: Pending) =>
    callApi('post', '/api/community/channels/:starId/messages', {
      params,
      body: { content, clientId },
      idempotent: true,
    });

  /** Those that wait for nothing but the network. */
  const setWaiting = (from: SendFailure | undefined, to: SendFailure | undefined) =>
    setPending(pending.get().map((item) => (item.failure === from ? { ...item, failure: to } : item)));

  /**
   * Sends what waits, one after the other in the order in which it was written: while the network is away, all wait behind the first.
   */
  async function deliver(): Promise<void> {
    if (delivering) return;
    delivering = true;
    try {
      for (;;) {
        const next = pending.get().find(({ failure }) => failure === undefined);
        if (!next) return;
        try {
          const { message, nextMessageAt } = await post(next);
          resendPause = firstResendPause;
          receiveMessages([message]);
          // A repeat of an older message is not a message of now.
          setPending(pending.get().filter(({ clientId }) => clientId !== next.clientId));
          setNextMessageAt(nextMessageAt);
        } catch (error) {
          const failure = failureOf(error);
          if (failure === 'network' && triesAgain) triesAgain = false;
          else if (failure === 'network') {
            setWaiting(undefined, 'network');
            resendLater();
          } else {
            setFailure(next.clientId, failure);
            if (!isOfText(failure)) void refreshDetails();
          }
        }
      }
    } finally {
      delivering = false;
      triesAgain = false;
    }
  }

  function send(text: string): void {
    const content = text.normalize('NFC').trim();
    setPending([...pending.get(), { clientId: newClientId(), content, at: Date.now(), failure: undefined }]);
    retryNetwork();
  }

  function retry(clientId: string): void {
    setFailure(clientId, undefined);
    retryNetwork();
  }

  const discard = (clientId: string) =>
    setPending(pending.get().filter((item) => item.clientId !== clientId));

  /** Back into the field, before what was written since. */
  function edit({ clientId, content }: Pending): void {
    discard(clientId);
    setDraft(draft.get() === '' ? content : `${content}\n${draft.get()}`);
  }

  /** What only the network kept goes again: when it is back, and before what is written later. */
  function retryNetwork(): void {
    clearTimeout(resendTimer);
    setWaiting('network', undefined);
    void deliver();
  }

  /** A stream that lived on says nothing of a network that is back. */
  function resendLater(): void {
    resendTimer = setTimeout(() => {
      if (connection.get() === 'live') retryNetwork();
    }, resendPause);
    resendPause = Math.min(longestResendPause, 2 * resendPause);
  }

  function networkIsBack(): void {
    triesAgain = delivering;
    retryNetwork();
    // Polling says so every few seconds: what fails all the same has its own times.
    if (connection.get() !== 'polling') refreshFailed();
  }

  function refreshFailed(): void {
    if (blocksFailed) refreshBlocked();
    retryDetails();
  }

  /** What no stream tells: that a mute was ended, and where there is no stream, slow mode and counts. */
  function pollDetails(): void {
    if (document.hidden) return;
    if (connection.get() === 'polling' || details.get()?.viewer?.mutedUntil) void refreshDetails();
    refreshFailed();
  }
  setInterval(pollDetails, detailsInterval);
  document.addEventListener('visibilitychange', pollDetails);

  const fetchMessages = ({ limit = limits.messagesPage, retries = 3, ...window }: MessageRange) =>
    callApi('get', '/api/community/channels/:starId/messages', {
      params,
      query: { limit, ...window },
      retries,
    });

  async function loadOlder(): Promise<void> {
    const oldest = thread.get().messages[0];
    if (older.get() === 'loading' || !thread.get().hasOlder || !oldest) return;
    older.set('loading');
    try {
      const answer = await fetchMessages({ before: oldest.id });
      // Begun anew meanwhile, the log has a gap before its first message: what was asked for does not stand there.
      if (thread.get().messages[0]?.id === oldest.id) setThread(withOlder(thread.get(), answer));
      older.set('idle');
    } catch {
      older.set('failed');
    }
  }

  /** The stream waits for it: what is said meanwhile comes after this page. Tried once, for a new stream says `reset` again. */
  async function reload(): Promise<void> {
    const answer = await fetchMessages({ retries: 0 });
    lastEventId = answer.lastEventId;
    setThread(threadOf(answer));
  }

  async function poll(): Promise<void> {
    for (;;) {
      const answer = await fetchMessages({ limit: limits.maxPage, after: lastEventId, retries: 0 });
      receiveMessages(answer.messages);
      markDeleted(...answer.deletedIds);
      lastEventId = Math.max(lastEventId, answer.lastEventId);
      if (!answer.hasMore) return;
    }
  }

  const handlers: { [Name in keyof StreamEvents]?: (...run: StreamEvents[Name][]) => Promise<void> | void } =
    {
      hello({ slowModeSeconds, ...counts }) {
        setCounts(counts);
        setSlowMode(slowModeSeconds);
        networkIsBack();
      },
      message: (...messages) => receiveMessages(messages),
      deleted: ({ id }) => markDeleted(id),
      counts: setCounts,
      slowmode: ({ seconds }) => setSlowMode(seconds),
      reset: reload,
    };

  async function receive<Name extends keyof StreamEvents>(name: Name, { data, id }: EventRun): Promise<void> {
    await handlers[name]?.(...data.map((text) => JSON.parse(text)));
    if (id) lastEventId = Math.max(lastEventId, Number(id));
  }

  openStream(`/api/community/channels/${starId}/stream`, {
    lastEventId: () => lastEventId,
    async events(run) {
      if (isStreamEvent(run.name)) await receive(run.name, run);
    },
    poll: async () => {
      await poll();
      networkIsBack();
    },
    state: (next) => connection.set(next),
    gone: () => void reloadIfGone(),
  });

  /** Whoever reads here: own words that were kept, people who are not to be heard. */
  function setReader(userId: number | undefined): void {
    if (userId === ownId) return;
    ownId = userId;
    const saved: Outbox = userId === undefined ? { drafts: [], pending: [] } : readOutbox(userId, starId);
    draft.set(saved.drafts.join('\n'));
    ownDrafts = saved.drafts;
    const now = Date.now();
    for (const { clientId } of saved.pending) ownClientIds.add(clientId);
    pending.set(
      saved.pending.map((item) =>
        isSentAfterReload(item)
          ? { ...item, failure: now - item.at < staleAfter ? undefined : 'left' }
          : item,
      ),
    );
    void deliver();
    blocked.set(new Set());
    refreshBlocked();
  }

  function refreshBlocked(): void {
    if (ownId === undefined) return;
    blocksFailed = false;
    readBlocks().then(
      ({ users }) => blocked.set(new Set(users.map(({ id }) => id))),
      (error: unknown) => {
        blocksFailed = true;
        console.warn('blocks are unknown', error);
      },
    );
  }
  onBlocksChanged(refreshBlocked);
  details.subscribe((answer) => {
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
    edit,
    setDraft,
    loadOlder,
    markDeleted,
  };
}

/** Shows what the page of the channel says now, unless that is still the one that is here, kept somewhere on the way. */
async function reloadIfGone(): Promise<void> {
  try {
    const page = await fetch(location.href, { cache: 'no-store' });
    if (page.status === 404 || page.redirected) location.reload();
  } catch {
    // The stream is asked for again, and says so again.
  }
}

const streamEvents = ['hello', 'message', 'deleted', 'counts', 'slowmode', 'reset'] as const;

function isStreamEvent(name: string): name is (typeof streamEvents)[number] {
  return streamEvents.some((event) => event === name);
}
