import type { ChannelAnswer } from '#api/community/model.ts';

/**
 * Opens a chat in a page that is made of what it needs of one, and prints what it did as `ChatPage`. A program of its own: what it puts
 * into the place of a browser's globals would be found by other tests, also by timers after this one.
 */

export interface ChatPage {
  /** Words that wait after another tab emptied the store between the first and the second, and those that are stored. */
  shown: string[];
  kept: string[];
  /** Milliseconds that a fan who had 50 and 90 seconds to wait in a slow mode of 60 waits once it is one of 30. */
  waits: number[];
  /** Of details that failed and are asked for twice at once, without an answer. */
  hasFailed: boolean;
  asked: number;
}

const asked: string[] = [];
const page = new EventTarget();
const stored = new Map<string, string>();
const globals = {
  window: page,
  addEventListener: page.addEventListener.bind(page),
  location: { href: 'https://byeol.example/', origin: 'https://byeol.example' },
  document: Object.assign(new EventTarget(), {
    hidden: false,
    documentElement: { lang: 'en' },
    querySelector: () => ({ dataset: { channel: '2' } }),
  }),
  localStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  },
  Request: class {
    constructor(readonly url: string) {}
  },
  fetch: ({ url }: { url?: string }) => {
    if (url) asked.push(url);
    return new Promise(() => {});
  },
};
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

const channel = await import('#site/stores/channel.ts');
const { openChatRoom } = await import('#site/islands/chat/chat-room.ts');
const { readOutbox } = await import('#site/islands/chat/outbox.ts');

const visit = (nextMessageAt: string | null) => {
  const star = { id: 2, slug: 'lumen', name: 'Lumen', imageUrl: '/lumen.jpg', fandomColor: '#336699' };
  const answer: ChannelAnswer = {
    channel: {
      id: 1,
      starId: 2,
      star: { ...star, category: 'K-Pop Group' },
      memberCount: 1,
      activeUsers: 1,
      lastActivityAt: null,
      description: null,
      isMember: true,
      slowModeSeconds: 60,
    },
    isNewlyCreated: false,
    viewer: { userId: 1, isMember: true, canModerate: false, mutedUntil: null, nextMessageAt },
  };
  channel.details.set(answer);
};

const contents = (pending: readonly { content: string }[]) => pending.map(({ content }) => content);
const room = openChatRoom({ starId: 2, messages: [], hasOlder: false, lastEventId: 0 });
visit(null);
room.send('a');
stored.clear();
page.dispatchEvent(Object.assign(new Event('storage'), { key: null }));
room.send('b');
const [shown, kept] = [contents(room.pending.get()), contents(readOutbox(1, 2).pending)];

const waits = [50_000, 90_000].map((wait) => {
  visit(new Date(Date.now() + wait).toISOString());
  channel.setSlowMode(30);
  return Date.parse(channel.details.get()?.viewer?.nextMessageAt ?? '') - Date.now();
});

asked.length = 0;
channel.detailsFailed.set(true);
channel.retryDetails();
channel.retryDetails();
await Bun.sleep(50);
const questions = asked.filter((url) => url.endsWith('/channels/2?language=en'));
const did: ChatPage = { shown, kept, waits, hasFailed: channel.detailsFailed.get(), asked: questions.length };
console.log(JSON.stringify(did));
process.exit(0);
