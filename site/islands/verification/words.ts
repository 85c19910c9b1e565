import type boundary from '#content/locales/en/boundary.json';
import type events from '#content/locales/en/events.json';
import type verification from '#content/locales/en/verification.json';
import type { Lang } from '#content/locales.ts';

/** The verification area's words. */
export type VerificationAreaWords = typeof verification;
/** Those and its boundary's. */
export type VerificationWords = VerificationAreaWords & typeof boundary;
export type TypeWords = Pick<typeof events, Extract<keyof typeof events, `type_${string}`>>;

/** Fills `{{name}}` of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}

type Stem =
  VerificationWords extends Record<infer Key, string>
    ? Key extends `${infer Stem}_other`
      ? Stem
      : never
    : never;

/** The form of a text for a number, as i18next chooses it. */
export function plural(
  words: VerificationWords,
  lang: Lang,
  stem: Stem,
  values: { count: number } & Record<string, string | number>,
): string {
  const form = new Intl.PluralRules(lang).select(values.count) === 'one' ? 'one' : 'other';
  return fill(words[`${stem}_${form}`], values);
}
