import { createContext, use } from 'react';
import type { Lang } from '#content/locales.ts';
import type { ChatRoom } from './chat-room.ts';
import type { ChatWords } from './words.ts';

/** What every part of the chat needs. */
export interface ChatContextValue {
  lang: Lang;
  words: ChatWords;
  room: ChatRoom;
  /** The star's name in the page's language. */
  starName: string;
}

export const ChatContext = createContext<ChatContextValue | undefined>(undefined);

export function useChat(): ChatContextValue {
  const value = use(ChatContext);
  if (!value) throw new Error('useChat is called outside of a ChatContext');
  return value;
}
