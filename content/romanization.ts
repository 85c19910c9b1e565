import { romanize } from 'es-hangul';

/** A Korean name in Latin letters: as it is said, and syllable by syllable, as most people type it (심야: simmya, simya). */
export const romanizations = (name: string): readonly string[] => [
  romanize(name),
  [...name].map(romanize).join(''),
];
