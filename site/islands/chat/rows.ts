import type { Pending } from './outbox.ts';
import type { Said } from './thread.ts';

/** A line of the log. Messages of one person within a minute are a run: the first shows the name, the last the time. */
export type Row =
  | { kind: 'older'; key: 'older' }
  | { kind: 'day'; key: string; date: Date }
  | { kind: 'unread'; key: 'unread' }
  | { kind: 'message'; key: string; message: Said; own: boolean; first: boolean; last: boolean }
  | { kind: 'pending'; key: string; pending: Pending; first: boolean; last: boolean };

/** Whether the line of that key is a message, sent or on its way. */
export const isSaid = (key: unknown): boolean => !/^(?:older|unread|day-)/.test(String(key));

const run = 60_000;

interface Spoken {
  userId: number;
  at: number;
  dayEnd: number;
}

/** Local midnight after an instant, in the visitor's zone. */
function endOfDay(at: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
}

export interface RowsOf {
  messages: readonly Said[];
  pending: readonly Pending[];
  /** The fan who reads; undefined for guests. */
  ownId: number | undefined;
  blocked: ReadonlySet<number>;
  /** The marker stands before the first message of others after this one. */
  unreadAfter: number | undefined;
  hasOlder: boolean;
}

/** The log as lines, in the visitor's zone. */
export function rowsOf({ messages, pending, ownId, blocked, unreadAfter, hasOlder }: RowsOf): Row[] {
  const rows: Row[] = hasOlder ? [{ kind: 'older', key: 'older' }] : [];
  let before: Spoken | undefined;
  let previous: Extract<Row, { last: boolean }> | undefined;
  let marked = unreadAfter === undefined;

  const place = (userId: number, at: number, make: (first: boolean) => Extract<Row, { last: boolean }>) => {
    const newDay = !before || at >= before.dayEnd;
    if (newDay) rows.push({ kind: 'day', key: `day-${at}`, date: new Date(at) });
    const follows = !newDay && rows.at(-1) === previous;
    const first = !follows || before?.userId !== userId || at - before.at > run;
    if (!first && previous) previous.last = false;
    previous = make(first);
    rows.push(previous);
    before = { userId, at, dayEnd: newDay || !before ? endOfDay(at) : before.dayEnd };
  };

  for (const message of messages) {
    const { id, user, clientId, createdAt } = message;
    if (blocked.has(user.id)) continue;
    const own = user.id === ownId;
    if (!marked && !own && unreadAfter !== undefined && id > unreadAfter) {
      rows.push({ kind: 'unread', key: 'unread' });
      marked = true;
    }
    const key = clientId === null ? `m${id}` : `${user.id}:${clientId}`;
    place(user.id, Date.parse(createdAt), (first) => ({
      kind: 'message',
      key,
      message,
      own,
      first,
      last: true,
    }));
  }
  if (ownId !== undefined) {
    for (const item of pending) {
      place(ownId, item.at, (first) => ({
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
