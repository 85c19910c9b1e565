import { useStore } from '@nanostores/react';
import { lazy, Suspense, startTransition, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { details } from '../../stores/channel.ts';
import { Announcer } from './Announcer.tsx';
import { Composer } from './Composer.tsx';
import { useChat } from './context.ts';
import { dialogRequest } from './dialog.ts';
import { Log, type LogProps } from './Log.tsx';
import { Menu } from './Menu.tsx';
import { fill, formatDuration } from './words.ts';

/** Dialogs come when the first one is asked for. */
const Dialogs = lazy(() => import('./Dialogs.tsx').then(({ Dialogs }) => ({ default: Dialogs })));

export function Chat({ onReady, ...log }: LogProps) {
  const dialog = useStore(dialogRequest);
  // The log alone is a long task on a slow phone: what stands around it comes in another, before it is shown.
  const [laidOut, setLaidOut] = useState(false);
  const onLaidOut = useCallback(() => startTransition(() => setLaidOut(true)), []);
  return (
    <>
      {laidOut && (
        <>
          <Tools />
          <Bar />
        </>
      )}
      <Log {...log} onReady={onLaidOut} />
      {laidOut && (
        <>
          <Composer />
          <Announcer />
          <Ready onReady={onReady} />
        </>
      )}
      {dialog && (
        <Suspense fallback={null}>
          <Dialogs request={dialog} />
        </Suspense>
      )}
    </>
  );
}

function Ready({ onReady }: { onReady: () => void }) {
  useLayoutEffect(onReady, [onReady]);
  return null;
}

/** Slow mode and the state of the connection, when there is something to say. */
function Bar() {
  const { lang, words, room } = useChat();
  const connection = useStore(room.connection);
  const seconds = useStore(details)?.channel.slowModeSeconds ?? 0;
  const [isDisconnected, setDisconnected] = useState(false);
  const [isReconnecting, setReconnecting] = useState(false);
  useEffect(() => {
    if (connection !== 'connecting') setDisconnected(connection === 'waiting');
  }, [connection]);
  // A blink of the network is nobody's concern, nor is the first connection.
  useEffect(() => {
    setReconnecting(false);
    if (!isDisconnected) return;
    const timer = setTimeout(() => setReconnecting(true), 2000);
    return () => clearTimeout(timer);
  }, [isDisconnected]);
  const state = connection === 'polling' ? words.polling : isReconnecting ? words.reconnecting : '';
  return (
    <div className="chat-bar" data-connection={connection}>
      {seconds > 0 && <p>{fill(words.slowMode, { time: formatDuration(lang, seconds) })}</p>}
      <p role="status" className="chat-connection">
        {state}
      </p>
    </div>
  );
}

/** The channel's menu stands in the page's own header. */
function Tools() {
  const { words } = useChat();
  const viewer = useStore(details)?.viewer;
  const slot = document.querySelector('[data-channel-tools]');
  if (!viewer || !slot) return null;
  const choice = (kind: 'blocked' | 'moderation' | 'leave', label: string) => ({
    key: kind,
    label,
    choose: () => dialogRequest.set({ kind }),
  });
  const choices = [
    choice('blocked', words.blockedPeople),
    ...(viewer.canModerate ? [choice('moderation', words.moderation)] : []),
    ...(viewer.isMember ? [choice('leave', words.leave)] : []),
  ];
  return createPortal(<Menu label={words.menu} choices={choices} />, slot);
}
