import { atom } from 'nanostores';
import type { Message } from '#api/community/model.ts';

/** The one dialog that is open, and what it is about. */
export type Asked =
  | { kind: 'delete' | 'report' | 'block' | 'mute'; message: Message }
  | { kind: 'leave' | 'blocked' | 'moderation' };

export const asked = atom<Asked | undefined>(undefined);
