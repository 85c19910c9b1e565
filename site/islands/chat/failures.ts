import type { Connection } from './stream.ts';
import type { ChatWords } from './words.ts';

/**
 * Why a message is not sent, and the word of the catalogue for it. `network`: nobody answered, it goes by itself when the connection
 * is back, or after a while where it lives. `left`: its page was left so long ago that its writer is asked.
 */
const failureWords = {
  network: 'failedNetwork',
  left: 'failedNetwork',
  slow: 'failedSlow',
  notMember: 'failedNotMember',
  muted: 'failedMuted',
  login: 'failedLogin',
  characters: 'failedCharacters',
  refused: 'failedRefused',
} as const;

export type SendFailure = keyof typeof failureWords;

export const isFailure = (value: unknown): value is SendFailure => Object.hasOwn(failureWords, String(value));

/** Whether another text helps, and nothing else. */
export const isOfText = (failure: SendFailure) => failure === 'characters' || failure === 'refused';

/** The connection sends it when it is back (`chat-room.ts`): nobody has to act, so it has not failed. */
export const isWaiting = (failure: SendFailure | undefined, connection: Connection): boolean =>
  failure === 'network' && connection !== 'live' && connection !== 'polling';

/** Why a message is not sent, for its writer. */
export const failureText = (words: ChatWords, failure: SendFailure, connection: Connection): string =>
  isWaiting(failure, connection) ? words.waiting : words[failureWords[failure]];
