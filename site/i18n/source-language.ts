/**
 * For the `lang` attribute of words that a source wrote: `ko` of those in Hangul. Feeds do not say their language, so of others nothing
 * is claimed.
 */
export const sourceLanguage = (words: string): 'ko' | undefined =>
  /\p{Script=Hangul}/u.test(words) ? 'ko' : undefined;
