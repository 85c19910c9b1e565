/** An island because a chat is alive: messages arrive, wait, fail and are sent again while one reads and writes. */
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { Message } from '#api/community/model.ts';
import type { Lang } from '#content/locales.ts';
import { readUser } from '../../components/community/rendered-log.ts';
import { starId } from '../../stores/channel.ts';
import { IslandBoundary } from '../boundary/IslandBoundary.tsx';
import { Chat } from './Chat.tsx';
import { openChatRoom } from './chat-room.ts';
import { ChatContext } from './context.ts';
import type { ChatWords } from './words.ts';

/** The messages of the page as it was rendered: what is there already is not asked for again. */
function readPage(log: HTMLElement): Message[] {
  return [...log.querySelectorAll<HTMLElement>('[data-message]')].map((line) => ({
    id: Number(line.dataset.message),
    content: line.querySelector('.message-bubble')?.textContent ?? '',
    createdAt: line.querySelector('time')?.dateTime ?? '',
    clientId: line.dataset.client ?? null,
    user: readUser(line.dataset.user),
  }));
}

/** How high its lines are, by the number of the message: a line whose height is known is laid out once, and not measured into place. */
function readHeights(log: HTMLElement): ReadonlyMap<number, number> {
  const lines = [...log.querySelectorAll<HTMLElement>('[data-message]')];
  return new Map(lines.map((line) => [Number(line.dataset.message), line.getBoundingClientRect().height]));
}

/**
 * Puts the living chat in the place of the rendered messages, which stay until it is complete.
 * @param panel the chat's panel of the channel page
 */
export function mountChat(panel: HTMLElement, lang: Lang, words: ChatWords): void {
  const rendered = panel.querySelector<HTMLElement>('[data-chat-rendered]');
  if (!rendered) return;
  const { lastEvent = '0', older, name = '' } = rendered.dataset;
  const room = openChatRoom({
    starId,
    messages: readPage(rendered),
    hasOlder: older !== undefined,
    lastEventId: Number(lastEvent),
  });
  const heights = readHeights(rendered);
  const container = document.createElement('div');
  container.className = 'chat-live';
  panel.append(container);
  const onReady = () => {
    rendered.remove();
    panel.querySelector('[data-chat-waiting]')?.remove();
    panel.dataset.live = '';
  };
  const { clientHeight } = rendered;
  const root = createRoot(container);
  // The messages can be read already: what takes their place is made in short tasks, between which a slow phone can scroll.
  startTransition(() =>
    root.render(
      <ChatContext value={{ lang, words, room, starName: name }}>
        <IslandBoundary words={words}>
          <Chat height={clientHeight} heights={heights} onReady={onReady} />
        </IslandBoundary>
      </ChatContext>,
    ),
  );
}
