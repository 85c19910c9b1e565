import { useEffect, useState } from 'react';
import { storageKey } from '#content/site.ts';
import { fromStorage } from '../../client/storage.ts';
import type { ChatRoom } from './chat-room.ts';
import type { LogMessage } from './thread.ts';

const keyOf = (starId: number) => `${storageKey}:read:${starId}`;

function storedRead(starId: number): number | undefined {
  const value = Number(fromStorage(() => localStorage.getItem(keyOf(starId))) ?? Number.NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** What came while the reader was elsewhere: further up, in another tab, or away since the last visit. */
export function useUnread(
  room: ChatRoom,
  messages: readonly LogMessage[],
  atEnd: boolean,
  ownId: number | undefined,
  blocked: ReadonlySet<number>,
) {
  const { starId } = room;
  const newest = messages.at(-1)?.id ?? 0;
  const [visible, setVisible] = useState(!document.hidden);
  const [readUpTo, setReadUpTo] = useState(() => storedRead(starId) ?? newest);
  const [unreadAfter, setUnreadAfter] = useState<number | undefined>(undefined);
  /** Whether all that there was has been seen once: from then on what comes while one reads is no news from an absence. */
  const [caughtUp, setCaughtUp] = useState(false);
  const isReading = atEnd && visible;

  useEffect(() => {
    const updateVisible = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', updateVisible);
    return () => document.removeEventListener('visibilitychange', updateVisible);
  }, []);

  // The marker moves when a new absence begins, and stays where it is while one reads on.
  const count = messages
    .slice(messages.findLastIndex(({ id }) => id <= readUpTo) + 1)
    .filter(({ user, deleted }) => !deleted && user.id !== ownId && !blocked.has(user.id)).length;
  if (count > 0 && unreadAfter !== readUpTo && (!isReading || !caughtUp)) {
    setUnreadAfter(readUpTo);
  }

  useEffect(() => {
    if (!isReading || newest === 0) return;
    setReadUpTo(newest);
    setCaughtUp(true);
    // Where that fails the marker of the next visit is lost, nothing else.
    fromStorage(() => localStorage.setItem(keyOf(starId), String(newest)));
  }, [isReading, newest, starId]);

  return { unreadAfter, count, visible };
}
