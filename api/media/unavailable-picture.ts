import type { UnavailableReason } from '#db/queries/shown-picture.ts';
import { BadInput } from '../errors.ts';

const sentences: Readonly<Record<UnavailableReason, string>> = {
  unknown: 'There is no such picture.',
  withdrawn: 'This picture was withdrawn.',
};

/** Why a picture cannot be shown where somebody chose it. */
export const unavailablePicture = (field: string, reason: UnavailableReason): BadInput =>
  new BadInput(field, sentences[reason], reason);
