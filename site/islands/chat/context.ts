import { createContext, use } from 'react';
import type { Lang } from '#content/locales.ts';
import type { ChatRoom } from './chat-room.ts';
import type { ChatWords } from './words.ts';

/** What every part of the chat needs. */
export interface Place {
  lang: Lang;
  words: ChatWords;
  room: ChatRoom;
  /** The star's name in the page's language. */
  starName: string;
}

export const PlaceContext = createContext<Place | undefined>(undefined);

export function usePlace(): Place {
  const place = use(PlaceContext);
  if (!place) throw new Error('the chat has no place');
  return place;
}
