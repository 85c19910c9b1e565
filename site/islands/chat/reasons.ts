import type { NewReport } from '#api/community/model.ts';

/** Why a message is reported, and the word of the catalogue for it. */
export const reasons = {
  spam: 'reasonSpam',
  abuse: 'reasonAbuse',
  hate: 'reasonHate',
  sexual: 'reasonSexual',
  privacy: 'reasonPrivacy',
  spoiler: 'reasonSpoiler',
  other: 'reasonOther',
} as const satisfies Record<NewReport['reason'], string>;
