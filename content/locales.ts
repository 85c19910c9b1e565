/** One language: entry of §3, plus what `Intl` calls it. */
interface LanguageRow {
  code: string;
  name: string;
  nativeName: string;
  /** BCP 47 tag for `Intl`. */
  intl: string;
}

/** The only list of languages (§1, decision L6). Order is the order of menus. What only the server needs is in `writing.ts`. */
export const languageEntries = [
  { code: 'ko', name: 'Korean', nativeName: '한국어', intl: 'ko-KR' },
  { code: 'en', name: 'English', nativeName: 'English', intl: 'en-GB' },
  { code: 'ms', name: 'Malay', nativeName: 'Bahasa Melayu', intl: 'ms-MY' },
  { code: 'vi', name: 'Vietnamese', nativeName: 'Tiếng Việt', intl: 'vi-VN' },
] as const satisfies readonly LanguageRow[];

type LanguageEntry = (typeof languageEntries)[number];
export type Lang = LanguageEntry['code'];
export const defaultLanguage: Lang = 'ko';

/** The codes of the languages; the type says that there is at least one, as a list of choices wants it. */
export const languages = /* @__PURE__ */ languageEntries.map(({ code }) => code) as [Lang, ...Lang[]];

/** Languages whose catalogues are complete but which nobody can select yet (decision L6). */
export const dormantLanguages = ['id', 'hi', 'ja'] as const;

const entryByCode = new Map<string, LanguageEntry>(languageEntries.map((entry) => [entry.code, entry]));

/** True when `value` is one of the selectable languages. */
export function isLang(value: unknown): value is Lang {
  return typeof value === 'string' && entryByCode.has(value);
}

/** The entry of a language; the type guarantees that it exists. */
export function languageEntry(lang: Lang): LanguageEntry {
  const entry = entryByCode.get(lang);
  if (!entry) throw new Error(`unknown language ${lang}`);
  return entry;
}

/** A text in every language of the site. */
export type Translated = Record<Lang, string>;

/** A text in every language, each made by `make`. */
export function translated(make: (lang: Lang) => string): Translated {
  return Object.fromEntries(languages.map((lang) => [lang, make(lang)])) as Translated;
}
