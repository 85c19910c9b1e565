import type { Pending } from './outbox.ts';
import type { LogMessage } from './thread.ts';

/** A line of the log. Messages of one person within a minute are a run: the first shows the name, the last the time. */
export type LogRow =
  | { kind: 'older'; key: 'older' }
  | { kind: 'day'; key: string; date: Date }
  | { kind: 'unread'; key: 'unread' }
  | { kind: 'message'; key: string; message: LogMessage; own: boolean; first: boolean; last: boolean }
  | { kind: 'pending'; key: string; pending: Pending; first: boolean; last: boolean };

/** Whether the line of that key is a message, sent or on its way. */
export const isMessageKey = (key: unknown): boolean => !/^(?:older|unread|day-)/.test(String(key));

const maxRunGap = 60_000;

interface MessageOrigin {
  userId: number;
  at: number;
  dayEnd: number;
}

/** Local midnight after an instant, in the visitor's zone. */
function endOfDay(at: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
}

export interface LogContent {
  messages: readonly LogMessage[];
  pending: readonly Pending[];
  /** The fan who reads; undefined for guests. */
  ownId: number | undefined;
  blocked: ReadonlySet<number>;
  /** The marker stands before the first message of others after this one. */
  unreadAfter: number | undefined;
  hasOlder: boolean;
}

/** The log as lines, in the visitor's zone. */
export function rowsOf({ messages, pending, ownId, blocked, unreadAfter, hasOlder }: LogContent): LogRow[] {
  const rows: LogRow[] = hasOlder ? [{ kind: 'older', key: 'older' }] : [];
  let lastOrigin: MessageOrigin | undefined;
  let lastRow: Extract<LogRow, { last: boolean }> | undefined;
  let isMarkerPlaced = unreadAfter === undefined;

  const addRow = (
    userId: number,
    at: number,
    make: (first: boolean) => Extract<LogRow, { last: boolean }>,
  ) => {
    const newDay = !lastOrigin || at >= lastOrigin.dayEnd;
    if (newDay) rows.push({ kind: 'day', key: `day-${at}`, date: new Date(at) });
    const follows = !newDay && rows.at(-1) === lastRow;
    const first = !follows || lastOrigin?.userId !== userId || at - lastOrigin.at > maxRunGap;
    if (!first && lastRow) lastRow.last = false;
    lastRow = make(first);
    rows.push(lastRow);
    lastOrigin = { userId, at, dayEnd: newDay || !lastOrigin ? endOfDay(at) : lastOrigin.dayEnd };
  };

  for (const message of messages) {
    const { id, user, clientId, createdAt } = message;
    if (blocked.has(user.id)) continue;
    const own = user.id === ownId;
    if (!isMarkerPlaced && !own && unreadAfter !== undefined && id > unreadAfter) {
      rows.push({ kind: 'unread', key: 'unread' });
      isMarkerPlaced = true;
    }
    const key = clientId === null ? `m${id}` : `${user.id}:${clientId}`;
    addRow(user.id, Date.parse(createdAt), (first) => ({
      kind: 'message',
      key,
      message,
      own,
      first,
      last: true,
    }));
  }
  if (ownId !== undefined) {
    const sent = new Set(
      messages.flatMap(({ user, clientId }) => (user.id === ownId ? (clientId ?? []) : [])),
    );
    for (const item of pending) {
      // The server has it and its answer was lost: sent once more it is the same message, and leaves.
      if (sent.has(item.clientId)) continue;
      addRow(ownId, item.at, (first) => ({
        kind: 'pending',
        key: `${ownId}:${item.clientId}`,
        pending: item,
        first,
        last: true,
      }));
    }
  }
  return rows;
}
