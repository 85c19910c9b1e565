import { useEffect, useState } from 'react';
import { useChat } from './context.ts';
import { failureText } from './failures.ts';
import { authorName, plural } from './words.ts';

/** Messages are said together once a second; more than this become their number. */
const maxSpoken = 3;

/** Announces new messages of others to screen readers, and why one's own are not sent, politely. */
export function Announcer() {
  const { room, words } = useChat();
  const [announcement, setAnnouncement] = useState({ text: '', at: 0 });
  useEffect(() => {
    let unspoken: string[] = [];
    const failures = new Set<string>();
    /** Tried again and again by themselves: only the first time is news. */
    const lost = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const speakSoon = () => {
      timer ??= setTimeout(() => {
        const news =
          unspoken.length > maxSpoken ? plural(words, 'newMessages', unspoken.length) : unspoken.join('. ');
        setAnnouncement({ text: [...failures, news].join(' '), at: Date.now() });
        failures.clear();
        unspoken = [];
        timer = undefined;
      }, 1000);
    };
    const stopArrived = room.arrived.listen((messages) => {
      unspoken.push(
        ...messages.map(({ user, content }) => `${authorName(user, words.deletedAccount)}: ${content}`),
      );
      speakSoon();
    });
    const stopPending = room.pending.listen((items, before) => {
      for (const { clientId, failure } of items) {
        const isKnown = before?.some((item) => item.clientId === clientId && item.failure === failure);
        if (!failure || isKnown || lost.has(clientId + failure)) continue;
        if (failure === 'network') lost.add(clientId + failure);
        failures.add(failureText(words, failure, room.connection.get()));
        speakSoon();
      }
    });
    return () => {
      stopArrived();
      stopPending();
      clearTimeout(timer);
    };
  }, [room, words]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {/* Another element each time: the same words again in the same one are no change, and not said. */}
      <span key={announcement.at}>{announcement.text}</span>
    </p>
  );
}
