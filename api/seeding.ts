import { romanize } from 'es-hangul';
import type { Preparation } from '#db/seed/demo.ts';
import { renderMarkdown } from './articles/markdown.ts';
import { ramp } from './media/art/ramp.ts';
import { initials } from './media/art/sign.ts';

/** The rules of this room that seeding needs but db may not import: handed in by whoever seeds (start, tests). */
export const preparation: Preparation = {
  renderMarkdown,
  romanise: romanize,
  initials: (korean) => initials(korean).join(''),
  placeholder: (fandomColor) => ramp(fandomColor).at(0.34),
};
