import type { UnshownReason } from '#db/queries/shown-picture.ts';
import { BadInput } from '../errors.ts';

const sentences: Readonly<Record<UnshownReason, string>> = {
  unknown: 'There is no such picture.',
  withdrawn: 'This picture was withdrawn.',
};

/** Why a picture cannot be shown where somebody chose it. */
export const unshownPicture = (field: string, reason: UnshownReason): BadInput =>
  new BadInput(field, sentences[reason], reason);
