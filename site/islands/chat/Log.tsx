import { useStore } from '@nanostores/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { details } from '../../stores/channel.ts';
import { usePlace } from './context.ts';
import { DayLine } from './DayLine.tsx';
import { Icon } from './Icon.tsx';
import { MessageLine, PendingLine } from './MessageLine.tsx';
import { isSaid, type Row, rowsOf } from './rows.ts';
import { useUnread } from './use-unread.ts';
import { counted } from './words.ts';

/** Closer to the end than this counts as being there. */
const nearEnd = 80;
/** Rows from the top at which older messages are asked for. */
const nearTop = 12;

/** A guess of a line's height until it is measured. */
function guess(row: Row | undefined): number {
  if (row?.kind === 'message') {
    const lines = Math.ceil(row.message.content.length / 36);
    return 22 * Math.max(1, lines) + (row.first && !row.own ? 52 : 24);
  }
  return row?.kind === 'pending' ? 46 : 48;
}

/** Rows beyond the edges of the log that are there before one scrolls to them. */
const beyond = 8;
/** Space above the first row and below the last. */
const padding = 12;

/**
 * The messages: only those in view are in the page, what was said before comes as one scrolls up.
 * @param height of the log, before it is laid out
 * @param onReady it is laid out
 */
export function Log({ height, onReady }: { height: number; onReady: () => void }) {
  const { room, words } = usePlace();
  const { messages, hasOlder } = useStore(room.thread);
  const pending = useStore(room.pending);
  const blocked = useStore(room.blocked);
  const older = useStore(room.older);
  const ownId = useStore(details)?.viewer?.userId;
  const scroller = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  const [current, setCurrent] = useState<string | undefined>();
  const { unreadAfter, count, visible } = useUnread(room, messages, atEnd, ownId, blocked);

  const rows = useMemo(
    () => rowsOf({ messages, pending, ownId, blocked, unreadAfter, hasOlder }),
    [messages, pending, ownId, blocked, unreadAfter, hasOlder],
  );
  // Another function would have all lines placed anew, at every step of scrolling.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  // What is in view comes first; what is beyond the edges can wait.
  const [overscan, setOverscan] = useState(0);
  useEffect(() => startTransition(() => setOverscan(beyond)), []);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => guess(rows[index]),
    getItemKey,
    anchorTo: 'end',
    scrollEndThreshold: nearEnd,
    overscan,
    paddingStart: padding,
    paddingEnd: padding,
    // Rows that React learns of only once the log is laid out are made in one long task.
    initialRect: { width: 0, height },
    initialOffset: () => Math.max(0, rows.reduce((sum, row) => sum + guess(row), 2 * padding) - height),
  });
  const items = list.getVirtualItems();

  // The list holds still what is at its upper edge when lines come before it. That has to be a message: what asks for earlier
  // ones and the name of a day stay first whatever comes behind them.
  useLayoutEffect(() => {
    const nearest = list.getVirtualItemForOffset;
    list.getVirtualItemForOffset = (offset) => {
      let item = nearest(offset);
      while (item && !isSaid(item.key)) {
        const next = nearest(item.end + 1);
        if (!next || next.index === item.index) break;
        item = next;
      }
      return item;
    };
    return () => {
      list.getVirtualItemForOffset = nearest;
    };
  }, [list]);

  useLayoutEffect(() => {
    list.scrollToEnd();
    onReady();
  }, [list, onReady]);

  // The window grows and shrinks with the keyboard, the news and the field: who is at the end stays there.
  const staysAtEnd = useRef(atEnd);
  staysAtEnd.current = atEnd;
  useEffect(() => {
    const { current: box } = scroller;
    if (!box) return;
    const watcher = new ResizeObserver(() => {
      if (staysAtEnd.current) list.scrollToEnd();
    });
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [list]);

  // Also when several lines come at once, or before one's own that wait: after the network was away.
  useLayoutEffect(() => {
    if (rows.length > 0 && visible && staysAtEnd.current) list.scrollToEnd();
  }, [rows, visible, list]);

  // What comes while nobody looks grows the log without scrolling it.
  const lines = rows.length;
  useEffect(() => {
    if (!visible && lines > 0) setAtEnd(list.isAtEnd(nearEnd));
  }, [visible, lines, list]);

  // One's own words are always seen leaving.
  const waiting = pending.length;
  const waitedBefore = useRef(waiting);
  useLayoutEffect(() => {
    if (waiting > waitedBefore.current) list.scrollToEnd();
    waitedBefore.current = waiting;
  }, [waiting, list]);

  const first = items[0]?.index ?? nearTop;
  useEffect(() => {
    if (first < nearTop && older === 'idle' && hasOlder) void room.loadOlder();
  }, [first, older, hasOlder, room]);

  const lastMessage = rows.findLast(({ kind }) => kind === 'message')?.key;
  const inTabOrder = current !== undefined && rows.some(({ key }) => key === current) ? current : lastMessage;

  /** Arrows lead from the menu of one message to that of the next. */
  const walk = (event: KeyboardEvent) => {
    const from = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!from || step === undefined) return;
    event.preventDefault();
    let to = Number(from.dataset.index) + step;
    while (rows[to] && rows[to]?.kind !== 'message') to += step;
    const target = rows[to];
    if (!target) return;
    setCurrent(target.key);
    list.scrollToIndex(to, { align: 'auto' });
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${to}"] .message-menu > button`)
        ?.focus({ preventScroll: true }),
    );
  };

  const isEmpty = messages.length === 0 && pending.length === 0;
  const middle = (list.scrollOffset ?? 0) + (list.scrollRect?.height ?? 0) / 2;
  return (
    <div className="chat-window">
      <div
        ref={scroller}
        className="chat-log"
        role="log"
        aria-live="off"
        aria-label={words.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (WCAG 2.1.1)
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          const wentUp = scrollTop < lastTop.current;
          lastTop.current = scrollTop;
          // Lines that are higher than was guessed move the end away from the reader, not the reader from the end.
          setAtEnd((was) => scrollHeight - scrollTop - clientHeight <= nearEnd || (was && !wentUp));
        }}
      >
        {isEmpty && <p className="chat-empty">{words.empty}</p>}
        <ol style={{ height: list.getTotalSize() }} onKeyDown={walk}>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <li
                  key={item.key}
                  ref={list.measureElement}
                  data-index={item.index}
                  className={classOf(row)}
                  aria-setsize={rows.length}
                  aria-posinset={item.index + 1}
                  style={{ transform: `translateY(${item.start}px)` }}
                  onPointerUp={() => setCurrent(row.key)}
                  data-current={row.key === current || undefined}
                >
                  <Line row={row} current={row.key === inTabOrder} upwards={item.start > middle} />
                </li>
              )
            );
          })}
        </ol>
      </div>
      {!atEnd && (
        <button
          type="button"
          className={count > 0 ? 'chat-new' : 'chat-new chat-jump'}
          aria-label={count > 0 ? undefined : words.jump}
          onClick={() => {
            list.scrollToEnd();
            scroller.current?.focus({ preventScroll: true });
          }}
        >
          {count > 0 && counted(words, 'newMessages', count)}
          <Icon name="arrowDown" size={18} />
        </button>
      )}
    </div>
  );
}

function classOf(row: Row): string {
  if (row.kind !== 'message' && row.kind !== 'pending') return `chat-${row.kind}`;
  const own = row.kind === 'pending' || row.own;
  const state = row.kind === 'pending' ? (row.pending.failure ? 'message-unsent' : 'message-sending') : '';
  return `message ${own ? 'message-own' : ''} ${row.first ? 'message-first' : ''} ${state}`;
}

function Line({ row, current, upwards }: { row: Row; current: boolean; upwards: boolean }) {
  const { words, room } = usePlace();
  const older = useStore(room.older);
  switch (row.kind) {
    case 'message':
      return <MessageLine row={row} current={current} upwards={upwards} />;
    case 'pending':
      return <PendingLine pending={row.pending} />;
    case 'day':
      return <DayLine date={row.date} />;
    case 'unread':
      return <span>{words.unread}</span>;
    case 'older':
      return older === 'failed' ? (
        <>
          <span>{words.olderFailed}</span>
          <button type="button" onClick={() => void room.loadOlder()}>
            {words.retry}
          </button>
        </>
      ) : (
        <span>{words.older}</span>
      );
  }
}
