import type { UnshownReason } from '#db/queries/shown-picture.ts';
import { BadInput } from '../errors.ts';

const sentences: Readonly<Record<UnshownReason, string>> = {
  unknown: 'There is no such picture.',
  withdrawn: 'This picture was withdrawn.',
  uncredited: 'It is not said whose picture this is, under which licence, and where that is told.',
};

/** Why a picture cannot be shown where somebody chose it: without a source, a credit and a licence nobody sees it (decision M5). */
export const unshownPicture = (field: string, reason: UnshownReason): BadInput =>
  new BadInput(field, sentences[reason], reason);
