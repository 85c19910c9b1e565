import type { T } from '../../i18n/words.ts';

const knownReasons = [
  'no_star',
  'too_short',
  'namesakes',
  'names',
  'too_close',
  'language',
  'link',
  'shape',
  'known_article',
  'source_changed',
  'no_ai',
  'budget',
  'retry',
  'limited',
  'timeout',
  'invalid',
  'error',
  'internal',
] as const;

/** Why a story is held or waits, in words. */
export function reasonOf(t: T, code: string): string {
  return t(`admin:reason_${knownReasons.find((each) => each === code) ?? 'other'}`);
}
