import { useEffect, useState } from 'react';
import { usePlace } from './context.ts';
import { counted, nameOf } from './words.ts';

/** Messages are said together once a second; more than this become their number. */
const most = 3;

/** Says new messages of others to readers of screens, politely. */
export function Announcer() {
  const { room, words } = usePlace();
  const [said, setSaid] = useState('');
  useEffect(() => {
    let heard: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = room.arrived.listen((messages) => {
      heard.push(...messages.map(({ user, content }) => `${nameOf(user, words.deletedAccount)}: ${content}`));
      timer ??= setTimeout(() => {
        setSaid(heard.length > most ? counted(words, 'newMessages', heard.length) : heard.join('. '));
        heard = [];
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
      {said}
    </p>
  );
}
