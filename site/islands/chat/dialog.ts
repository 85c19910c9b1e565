import { atom } from 'nanostores';
import type { Message } from '#api/community/model.ts';

/** The one dialog that is open, and what it is about. */
export type DialogRequest =
  | { kind: 'delete' | 'report' | 'block' | 'mute'; message: Message }
  | { kind: 'leave' | 'blocked' | 'moderation' };

export const dialogRequest = atom<DialogRequest | undefined>(undefined);
