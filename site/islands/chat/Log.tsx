import { useStore } from '@nanostores/react';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
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
import { useChat } from './context.ts';
import { DayLine } from './DayLine.tsx';
import { Icon } from './Icon.tsx';
import { MessageLine, PendingLine } from './MessageLine.tsx';
import { isMessageKey, type LogRow, rowsOf } from './rows.ts';
import { useUnread } from './use-unread.ts';
import { plural } from './words.ts';

/** Closer to the end than this counts as being there. */
const endThreshold = 80;
/** Rows from the top at which older messages are asked for. */
const loadOlderWithin = 12;

export interface LogProps {
  /** Of the log, before it is laid out. */
  height: number;
  /** Of the lines that were rendered, by the number of the message. */
  heights: ReadonlyMap<number, number>;
  /** It is laid out. */
  onReady: () => void;
}

/** A guess of a line's height until it is measured. */
function estimateHeight(row: LogRow | undefined, heights: LogProps['heights']): number {
  if (row?.kind === 'message') {
    const height = heights.get(row.message.id);
    if (height !== undefined) return height;
    const lines = Math.ceil(row.message.content.length / 36);
    return 22 * Math.max(1, lines) + (row.first && !row.own ? 52 : 24);
  }
  return row?.kind === 'pending' ? 46 : 48;
}

/** A message that was deleted has nothing that one could do with it. */
const hasMenu = (row: LogRow | undefined) => row?.kind === 'message' && !row.message.deleted;

/** Rows beyond the edges of the log that are there before one scrolls to them. */
const settledOverscan = 8;
/** Space above the first row and below the last. */
const padding = 12;

/** The messages: only those in view are in the page, what was said before comes as one scrolls up. */
export function Log({ height, heights, onReady }: LogProps) {
  const { room, words } = useChat();
  const { messages, hasOlder } = useStore(room.thread);
  const pending = useStore(room.pending);
  const blocked = useStore(room.blocked);
  const older = useStore(room.older);
  const ownId = useStore(details)?.viewer?.userId;
  const scroller = useRef<HTMLDivElement>(null);
  const last = useRef({ scrollTop: 0, clientHeight: 0 });
  const [atEnd, setAtEnd] = useState(true);
  const [current, setCurrent] = useState<string | undefined>();
  const { unreadAfter, count, visible } = useUnread(room, messages, atEnd, ownId, blocked);

  const rows = useMemo(
    () => rowsOf({ messages, pending, ownId, blocked, unreadAfter, hasOlder }),
    [messages, pending, ownId, blocked, unreadAfter, hasOlder],
  );
  const lastStop = rows.findLastIndex(hasMenu);
  const currentStop = rows.findIndex((row) => row.key === current && hasMenu(row));
  const stopIndex = currentStop < 0 ? lastStop : currentStop;
  const tabStop = rows[stopIndex]?.key;
  // Other functions would have all lines placed anew, at every step of scrolling.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  // The tab order leads to that line, and the focus stays on it, however far away it is scrolled.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      if (stopIndex >= 0) indexes.add(stopIndex);
      return [...indexes].sort((one, other) => one - other);
    },
    [stopIndex],
  );
  // What is in view comes first, as high as the page had it; what is beyond the edges and measuring can wait.
  const [overscan, setOverscan] = useState(0);
  const isSettled = overscan > 0;
  // The first lines come in a task of their own: with React's first steps they are a long one on a slow phone.
  const [hasLines, setHasLines] = useState(false);
  useEffect(
    () => startTransition(() => (hasLines ? setOverscan(settledOverscan) : setHasLines(true))),
    [hasLines],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(rows[index], heights),
    getItemKey,
    rangeExtractor,
    anchorTo: 'end',
    scrollEndThreshold: endThreshold,
    overscan,
    paddingStart: padding,
    paddingEnd: padding,
    // Rows that React learns of only once the log is laid out are made in one long task.
    initialRect: { width: 0, height },
    initialOffset: () =>
      Math.max(0, rows.reduce((sum, row) => sum + estimateHeight(row, heights), 2 * padding) - height),
  });
  const items = hasLines ? list.getVirtualItems() : [];

  // The list holds still what is at its upper edge when lines come before it. That has to be a message: what asks for earlier
  // ones and the name of a day stay first whatever comes behind them.
  useLayoutEffect(() => {
    const itemAtOffset = list.getVirtualItemForOffset;
    list.getVirtualItemForOffset = (offset) => {
      let item = itemAtOffset(offset);
      while (item && !isMessageKey(item.key)) {
        const next = itemAtOffset(item.end + 1);
        if (!next || next.index === item.index) break;
        item = next;
      }
      return item;
    };
    return () => {
      list.getVirtualItemForOffset = itemAtOffset;
    };
  }, [list]);

  useLayoutEffect(() => {
    if (!hasLines) return;
    list.scrollToEnd();
    onReady();
  }, [list, hasLines, onReady]);

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
    if (!visible && lines > 0) setAtEnd(list.isAtEnd(endThreshold));
  }, [visible, lines, list]);

  // One's own words are always seen leaving.
  const pendingCount = pending.length;
  const previousPendingCount = useRef(pendingCount);
  useLayoutEffect(() => {
    if (pendingCount > previousPendingCount.current) list.scrollToEnd();
    previousPendingCount.current = pendingCount;
  }, [pendingCount, list]);

  const firstVisible = items.find(({ index }) => index !== stopIndex)?.index ?? loadOlderWithin;
  useEffect(() => {
    if (firstVisible < loadOlderWithin && older === 'idle' && hasOlder) void room.loadOlder();
  }, [firstVisible, older, hasOlder, room]);

  /** Arrows lead from the menu of one message to that of the next. */
  const moveFocus = (event: KeyboardEvent) => {
    const currentLine =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!currentLine || step === undefined) return;
    event.preventDefault();
    let targetIndex = Number(currentLine.dataset.index) + step;
    while (rows[targetIndex] && !hasMenu(rows[targetIndex])) targetIndex += step;
    const target = rows[targetIndex];
    if (!target) return;
    setCurrent(target.key);
    list.scrollToIndex(targetIndex, { align: 'auto' });
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${targetIndex}"] .message-menu > button`)
        ?.focus({ preventScroll: true }),
    );
  };

  const isEmpty = messages.length === 0 && pending.length === 0;
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
          // A log that grows, as when the field beside it is emptied, is scrolled by the browser.
          const wentUp = scrollTop < last.current.scrollTop && clientHeight <= last.current.clientHeight;
          last.current = { scrollTop, clientHeight };
          // Lines that are higher than was guessed move the end away from the reader, not the reader from the end.
          setAtEnd(
            (wasAtEnd) => scrollHeight - scrollTop - clientHeight <= endThreshold || (wasAtEnd && !wentUp),
          );
        }}
      >
        {isEmpty && <p className="chat-empty">{words.empty}</p>}
        <ol style={{ height: list.getTotalSize() }} onKeyDown={moveFocus}>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <li
                  key={item.key}
                  ref={isSettled ? list.measureElement : undefined}
                  data-index={item.index}
                  className={classOf(row)}
                  aria-setsize={rows.length}
                  aria-posinset={item.index + 1}
                  style={{ transform: `translateY(${item.start}px)` }}
                  onPointerUp={() => setCurrent(row.key)}
                  onFocus={() => setCurrent(row.key)}
                  data-current={row.key === current || undefined}
                >
                  <Line row={row} current={row.key === tabStop} />
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
          {count > 0 && plural(words, 'newMessages', count)}
          <Icon name="arrowDown" size={18} />
        </button>
      )}
    </div>
  );
}

function classOf(row: LogRow): string {
  if (row.kind !== 'message' && row.kind !== 'pending') return `chat-${row.kind}`;
  const own = row.kind === 'pending' || row.own;
  const state = row.kind === 'pending' ? (row.pending.failure ? 'message-unsent' : 'message-sending') : '';
  return `message ${own ? 'message-own' : ''} ${row.first ? 'message-first' : ''} ${state}`;
}

function Line({ row, current }: { row: LogRow; current: boolean }) {
  const { words, room } = useChat();
  const older = useStore(room.older);
  switch (row.kind) {
    case 'message':
      return <MessageLine row={row} current={current} />;
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
