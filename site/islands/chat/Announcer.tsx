import { useEffect, useState } from 'react';
import { useChat } from './context.ts';
import { authorName, plural } from './words.ts';

/** Messages are said together once a second; more than this become their number. */
const maxSpoken = 3;

/** Announces new messages of others to screen readers, politely. */
export function Announcer() {
  const { room, words } = useChat();
  const [announcement, setAnnouncement] = useState({ text: '', at: 0 });
  useEffect(() => {
    let unspoken: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = room.arrived.listen((messages) => {
      unspoken.push(
        ...messages.map(({ user, content }) => `${authorName(user, words.deletedAccount)}: ${content}`),
      );
      timer ??= setTimeout(() => {
        const text =
          unspoken.length > maxSpoken ? plural(words, 'newMessages', unspoken.length) : unspoken.join('. ');
        setAnnouncement({ text, at: Date.now() });
        unspoken = [];
        timer = undefined;
      }, 1000);
    });
    return () => {
      stop();
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
