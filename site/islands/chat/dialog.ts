import { atom } from 'nanostores';

/** The one dialog that is open, and what it is about. */
export interface Asked {
  kind: 'leave';
}

export const asked = atom<Asked | undefined>(undefined);
