import { afterEach, describe, expect, test } from 'bun:test';
import type { Message } from '#api/community/model.ts';
import { renderedLog } from '#site/components/community/rendered-log.ts';
import { EventStreamParser, runsOf } from '#site/islands/chat/events.ts';
import { findLinks } from '#site/islands/chat/links.ts';
import { newClientId, type Pending, parseOutbox, readOutbox, saveOutbox } from '#site/islands/chat/outbox.ts';
import { type LogContent, type LogRow, rowsOf } from '#site/islands/chat/rows.ts';
import { type Thread, threadOf, withDeleted, withMessages, withOlder } from '#site/islands/chat/thread.ts';
import { activityOf } from '#site/lib/community/activity.ts';
import type { ChatPage } from '#tests/kit/chat-page.ts';

const noon = new Date(2026, 10, 21, 12).getTime();
const second = 1000;
const hour = 3_600_000;

function messageOf(id: number, userId = 1, at = noon + id * second, clientId: string | null = null): Message {
  const user = {
    id: userId,
    username: `fan${userId}`,
    displayName: null,
    profileImageUrl: null,
    isModerator: false,
    isDeleted: false,
  };
  return { id, content: `m${id}`, createdAt: new Date(at).toISOString(), clientId, user };
}

const thread = (...ids: number[]): Thread => ({ messages: ids.map((id) => messageOf(id)), hasOlder: true });
const idsOf = ({ messages }: Thread) => messages.map(({ id }) => id);

describe('what was said', () => {
  test('stands in the order of its ids, once, however it arrives', () => {
    expect(idsOf(withMessages(thread(1, 2), [messageOf(3), messageOf(4)]))).toEqual([1, 2, 3, 4]);
    expect(idsOf(withMessages(thread(1, 4), [messageOf(3), messageOf(4)]))).toEqual([1, 3, 4]);
    expect(idsOf(withMessages(thread(2), [messageOf(2), messageOf(2)]))).toEqual([2]);
    const unchanged = thread(1);
    expect(withMessages(unchanged, [])).toBe(unchanged);
  });

  test('stays deleted when an older answer still has its words', () => {
    const deleted = withDeleted(thread(1, 2, 3), new Set([2, 99]));
    expect(deleted.messages[1]).toMatchObject({ id: 2, content: '', deleted: true });
    expect(withMessages(deleted, [messageOf(2)]).messages[1]).toMatchObject({ deleted: true });
    expect(withDeleted(deleted, new Set([2]))).toBe(deleted);
  });

  test('grows upwards page by page until there is no more', () => {
    const page = { messages: [messageOf(1), messageOf(2)], hasMore: false, deletedIds: [], lastEventId: 9 };
    const wholeThread = withOlder(thread(3, 4), page);
    expect(idsOf(wholeThread)).toEqual([1, 2, 3, 4]);
    expect(wholeThread.hasOlder).toBe(false);
    expect(idsOf(threadOf(page))).toEqual([1, 2]);
  });
});

describe('the log', () => {
  const rows = (content: Partial<LogContent>): LogRow[] =>
    rowsOf({
      messages: [],
      pending: [],
      ownId: 7,
      blocked: new Set(),
      unreadAfter: undefined,
      hasOlder: false,
      ...content,
    });
  const outline = (content: Partial<LogContent>) =>
    rows(content).map((row) =>
      'first' in row
        ? `${row.kind === 'message' ? row.message.id : row.pending.content}${row.first ? ' first' : ''}${row.last ? ' last' : ''}`
        : row.kind,
    );

  test('shows a message once that the server has and whose answer was lost', () => {
    const pending = ['k1', 'k2'].map((clientId) => ({
      clientId,
      content: clientId,
      at: noon,
      failure: undefined,
    }));
    const messages = [messageOf(1, 7, noon, 'k1'), messageOf(2, 8, noon, 'k2')];
    const keys = rows({ messages, pending }).flatMap(({ kind, key }) => (kind === 'day' ? [] : key));
    expect(keys).toEqual(['7:k1', '8:k2', '7:k2']);
  });

  test('joins what one person says within a minute', () => {
    expect(
      outline({
        messages: [
          messageOf(1),
          messageOf(2),
          messageOf(3, 2),
          messageOf(4, 1),
          messageOf(5, 1, noon + 65 * second),
        ],
        hasOlder: true,
      }),
    ).toEqual(['older', 'day', '1 first', '2 last', '3 first last', '4 first last', '5 first last']);
  });

  test('has a line for each day of the visitor, which also ends a run', () => {
    const night = new Date(2026, 10, 21, 23, 59, 50).getTime();
    expect(outline({ messages: [messageOf(1, 1, night), messageOf(2, 1, night + 20 * second)] })).toEqual([
      'day',
      '1 first last',
      'day',
      '2 first last',
    ]);
    const months = rows({ messages: [messageOf(1, 1, noon), messageOf(2, 1, noon + 40 * 24 * hour)] });
    expect(months.filter(({ kind }) => kind === 'day')).toHaveLength(2);
  });

  test('marks where the unread begins, not at one’s own words', () => {
    const messages = [messageOf(1), messageOf(2, 7), messageOf(3), messageOf(4)];
    expect(outline({ messages, unreadAfter: 1 })).toEqual([
      'day',
      '1 first last',
      '2 first last',
      'unread',
      '3 first',
      '4 last',
    ]);
    expect(outline({ messages, unreadAfter: 4 })).not.toContain('unread');
  });

  test('leaves out blocked people and knows own words and those on their way', () => {
    const pending = [{ clientId: 'k1', content: 'soon', at: noon + 5 * second, failure: undefined }];
    const logRows = rows({ messages: [messageOf(1, 3), messageOf(2, 7)], blocked: new Set([3]), pending });
    expect(logRows.map(({ kind }) => kind)).toEqual(['day', 'message', 'pending']);
    expect(logRows[1]).toMatchObject({ own: true, first: true, last: false });
    expect(rows({ pending, ownId: undefined })).toEqual([]);
  });

  test('gives a message the same key on its way and when it has arrived', () => {
    const [, waiting] = rows({
      pending: [{ clientId: 'k1', content: 'soon', at: noon, failure: undefined }],
    });
    const [, arrived] = rows({ messages: [messageOf(5, 7, noon, 'k1')] });
    expect(waiting?.key).toBe('7:k1');
    expect(arrived?.key).toBe('7:k1');
    const keys = rows({
      messages: [messageOf(1, 7, noon, 'k'), messageOf(2, 8, noon, 'k'), messageOf(3)],
    }).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('of 10,000 messages takes as much time for each as one of 1,000', () => {
    const ofLength = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        messageOf(index + 1, index % 3, noon + index * 40 * second),
      );
    const [many, few] = [ofLength(10_000), ofLength(1_000)];
    /** Processor time, not the clock's: beside a load, whatever is longer than a slice of the processor waits for others in between. */
    const timeOf = (messages: typeof few, times: number) => {
      const begin = process.cpuUsage();
      for (let turn = 0; turn < times; turn += 1) rows({ messages });
      const { user, system } = process.cpuUsage(begin);
      return user + system;
    };
    // As many messages in both and in turn, so that both meet the same compiler, the same garbage and the same machine.
    const total = { many: 0, few: 0 };
    // Not the first time, when memory is taken from the system for the long one.
    timeOf(many, 1);
    timeOf(few, 10);
    for (let turn = 0; turn < 12; turn += 1) {
      total.many += timeOf(many, 1);
      total.few += timeOf(few, 10);
    }
    // In step both take as long; if each line looked at all others, the long log would take ten times as long.
    expect(total.many / total.few).toBeLessThan(4);
  });

  test('as the server renders it has the same runs', () => {
    const lines = renderedLog([messageOf(1), messageOf(2), messageOf(3, 2)]);
    expect(lines.map(({ first, last, newDay }) => [newDay, first, last])).toEqual([
      [true, true, false],
      [false, false, true],
      [false, true, true],
    ]);
  });
});

describe('a stream', () => {
  test('is read whole however it is cut', () => {
    const text =
      ': hi\n\nid: 7\nevent: message\ndata: {"a":\ndata: 1}\n\nevent: heartbeat\r\ndata: {}\r\n\r\ndata:x\n\n';
    for (let size = 1; size < text.length; size += 3) {
      const reader = new EventStreamParser();
      const events = [];
      for (let offset = 0; offset < text.length; offset += size)
        events.push(...reader.read(text.slice(offset, offset + size)));
      expect(events).toEqual([
        { name: 'message', data: '{"a":\n1}', id: '7' },
        { name: 'heartbeat', data: '{}', id: undefined },
        { name: 'message', data: 'x', id: undefined },
      ]);
    }
  });
});

describe('what a stream brings together', () => {
  test('is taken in together where messages follow one another, in the order in which it came', () => {
    const events = [
      { name: 'hello', data: '{}', id: undefined },
      { name: 'message', data: 'a', id: '1' },
      { name: 'message', data: 'b', id: '2' },
      { name: 'deleted', data: 'c', id: '3' },
      { name: 'message', data: 'd', id: '4' },
      { name: 'counts', data: 'e', id: undefined },
      { name: 'counts', data: 'f', id: undefined },
    ];
    expect(runsOf(events)).toEqual([
      { name: 'hello', data: ['{}'], id: undefined },
      { name: 'message', data: ['a', 'b'], id: '2' },
      { name: 'deleted', data: ['c'], id: '3' },
      { name: 'message', data: ['d'], id: '4' },
      { name: 'counts', data: ['e'], id: undefined },
      { name: 'counts', data: ['f'], id: undefined },
    ]);
  });
});

describe('addresses in a message', () => {
  const hrefs = (text: string) =>
    findLinks(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.href]));

  test('of the web become links, the words stay as they were', () => {
    const text = 'see https://byeol.example/a?b=1#c, www.example.com! and 파도반.com 끝';
    expect(hrefs(text).slice(0, 2)).toEqual(['https://byeol.example/a?b=1#c', 'https://www.example.com/']);
    expect(
      findLinks(text)
        .map((piece) => (typeof piece === 'string' ? piece : piece.text))
        .join(''),
    ).toBe(text);
  });

  test('that could do harm stay words', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'mailto:a@b.example',
      'https://byeol.example@evil.example/',
      'https://user:pass@evil.example/',
      '<img src=x onerror=alert(1)>',
    ])
      expect([text, hrefs(text).filter((href) => !/^https?:\/\/[^@]+$/.test(href))]).toEqual([text, []]);
  });
});

describe('one’s own words', () => {
  test('come back after a reload as not sent, whatever else was kept', () => {
    const item = { clientId: 'k', content: 'hello', at: noon, failure: undefined };
    const kept = JSON.stringify({ drafts: ['dra'], pending: [item] });
    expect(parseOutbox(kept, noon)).toEqual({
      drafts: ['dra'],
      pending: [{ ...item, failure: 'network' }],
    });
    // The server forgets keys after a week.
    expect(parseOutbox(kept, noon + 6.5 * 86_400_000)).toEqual({ drafts: ['hello', 'dra'], pending: [] });
    for (const nonsense of [
      null,
      '',
      '{',
      '[]',
      '1',
      'null',
      '{"draft":1,"pending":[1,null,{"content":"x"}]}',
      '{"drafts":[1,null,""],"pending":{}}',
    ])
      expect(parseOutbox(nonsense)).toEqual({ drafts: [], pending: [] });
    // As the release before kept it.
    expect(parseOutbox('{"draft":"dra","pending":[]}')).toEqual({ drafts: ['dra'], pending: [] });
  });

  test('come back as refused when they were', () => {
    const kept = (failure?: string) =>
      parseOutbox(
        JSON.stringify({ pending: [{ clientId: 'k', content: 'hello', at: noon, failure }] }),
        noon,
      );
    expect(kept('refused').pending[0]?.failure).toBe('refused');
    expect(kept('of another release').pending[0]?.failure).toBe('network');
    expect(kept().pending[0]?.failure).toBe('network');
  });

  describe('in two tabs', () => {
    const item = (clientId: string): Pending => ({
      clientId,
      content: clientId,
      at: Date.now(),
      failure: 'network',
    });
    const keys = (pending: readonly Pending[]) => pending.map(({ clientId }) => clientId);
    const keep = (known: Set<string>, ...pending: Pending[]) =>
      keys(saveOutbox(1, 2, { drafts: [], pending }, { clientIds: known, drafts: [] }));
    const stubStorage = (setItem: (key: string, value: string) => void, stored = new Map<string, string>()) =>
      Object.assign(globalThis, {
        localStorage: {
          getItem: (key: string) => stored.get(key) ?? null,
          setItem: (key: string, value: string) => {
            setItem(key, value);
            stored.set(key, value);
          },
          removeItem: (key: string) => stored.delete(key),
        },
      });
    afterEach(() => Reflect.deleteProperty(globalThis, 'localStorage'));

    test('leave one when the other has discarded them, and nothing else does', () => {
      stubStorage(() => {});
      const [one, other] = [new Set<string>(), new Set<string>()];
      expect(keep(one, item('a'), item('b'))).toEqual(['a', 'b']);
      for (const key of keys(readOutbox(1, 2).pending)) other.add(key);
      expect(keep(other, item('b'))).toEqual(['b']);
      expect(keep(one, item('a'), item('b'), item('c'))).toEqual(['b', 'c']);
      expect(keys(readOutbox(1, 2).pending)).toEqual(['b', 'c']);
    });

    test('stay where the store has no room for them', () => {
      stubStorage(() => {
        throw new Error('full');
      });
      const known = new Set<string>();
      expect(keep(known, item('a'))).toEqual(['a']);
      expect(keep(known, item('a'), item('b'))).toEqual(['a', 'b']);
    });
  });

  test('have keys that the API takes, each another', () => {
    const keys = Array.from({ length: 1000 }, newClientId);
    expect(new Set(keys).size).toBe(1000);
    for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,100}$/);
  });
});

/** What a chat did in a page of its own (`tests/kit/chat-page.ts`): the stores of a browser let go of the page by timers. */
describe('while the page is open', () => {
  const script = new URL('../kit/chat-page.ts', import.meta.url).pathname;
  const { stdout } = Bun.spawnSync([process.execPath, script]);
  const did: ChatPage = JSON.parse(stdout.toString());

  test('one’s own words stay where another tab empties the store, and are kept again', () => {
    expect(did.shown).toEqual(['a', 'b']);
    expect(did.kept).toEqual(['a', 'b']);
  });

  test('the wait is shortened when slow mode is shortened', () => {
    const [fifty = 0, ninety = 0] = did.waits;
    expect(fifty).toBeWithin(15_000, 20_001);
    expect(ninety).toBeWithin(25_000, 30_001);
  });

  test('details count as failed until an answer comes, and are asked for once', () => {
    expect([did.hasFailed, did.asked]).toEqual([true, 1]);
  });
});

test('the last-activity label goes by the bounds of §9', () => {
  const ago = (ms: number) => activityOf(new Date(noon - ms), new Date(noon));
  expect(ago(-5000)).toEqual({ unit: 'justNow' });
  expect(ago(59_999)).toEqual({ unit: 'justNow' });
  expect(ago(60_000)).toEqual({ unit: 'minutesAgo', number: 1 });
  expect(ago(hour - 1)).toEqual({ unit: 'minutesAgo', number: 59 });
  expect(ago(hour)).toEqual({ unit: 'hoursAgo', number: 1 });
  expect(ago(24 * hour - 1)).toEqual({ unit: 'hoursAgo', number: 23 });
  expect(ago(24 * hour)).toEqual({ unit: 'daysAgo', number: 1 });
  expect(ago(7 * 24 * hour - 1)).toEqual({ unit: 'daysAgo', number: 6 });
  expect(ago(7 * 24 * hour)).toEqual({ unit: 'date' });
});
