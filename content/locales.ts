/**
 * The only list of languages (§1, decision L6) in the order of menus, each with its BCP 47 tag for `Intl`. Every reader loads it: what
 * only the server needs is in `writing.ts`.
 */
const intlTags = { ko: 'ko-KR', en: 'en-GB', ms: 'ms-MY', vi: 'vi-VN' } as const;

export type Lang = keyof typeof intlTags;
export const defaultLanguage: Lang = 'ko';

/** The codes of the languages; the type says that there is at least one, as a list of choices wants it. */
export const languages = /* @__PURE__ */ Object.keys(intlTags) as [Lang, ...Lang[]];

/** Languages whose catalogues are complete but which nobody can select yet (decision L6). */
export const dormantLanguages = ['id', 'hi', 'ja'] as const;

/** True when `value` is one of the selectable languages. */
export function isLang(value: unknown): value is Lang {
  return typeof value === 'string' && Object.hasOwn(intlTags, value);
}

/** What `Intl` calls a language, such as `en-GB`. */
export const intlTag = (lang: Lang): string => intlTags[lang];

/** A text in every language of the site. */
export type Translated = Record<Lang, string>;

/** A text in every language, each made by `make`. */
export function translated(make: (lang: Lang) => string): Translated {
  return Object.fromEntries(languages.map((lang) => [lang, make(lang)])) as Translated;
}
