import type { TFunction } from 'i18next';
import { i18n } from '#api/language/words.ts';
import type { Lang } from '#content/locales.ts';
import { languageNames } from './language-names.ts';
import type { Words } from './resources.ts';

export type T = TFunction<(keyof Words)[]>;

/** More texts with numbers and names in them than a busy site shows in an hour; then the memory starts anew. */
const maxCachedTexts = 20_000;

/**
 * `getFixedT` with a memory: a page asks for some hundred words and i18next takes microseconds for each, which was a quarter
 * of the time of rendering. The same key with the same values always gives the same text.
 */
function cachedT(lang: Lang): T {
  const known = { languages: languageNames(lang) };
  const plain = new Map<string, string>();
  const withValues = new Map<string, string>();
  return new Proxy(i18n().getFixedT(lang), {
    apply(t, self, [key, values]: [string, Record<string, unknown>?]) {
      const memory = values ? withValues : plain;
      let name = key;
      for (const each in values) name += `\n${each}\n${values[each]}`;
      const cached = memory.get(name);
      if (cached !== undefined) return cached;
      const text: string = Reflect.apply(t, self, [key, { ...known, ...values }]);
      if (memory.size >= maxCachedTexts) memory.clear();
      memory.set(name, text);
      return text;
    },
  });
}

const fixed = new Map<Lang, T>();

/**
 * The words of one language, for pages and components: `const t = words(lang); t('home:refresh')`. Never a process-wide
 * language: the function is bound to `lang` (architecture §Words). Keys are checked against the English catalogue by the compiler.
 */
export function words(lang: Lang): T {
  const known = fixed.get(lang);
  if (known) return known;
  const made = cachedT(lang);
  fixed.set(lang, made);
  return made;
}

/** One area's plain strings, for an island that gets its slice of words as a prop. */
export function slice<Area extends keyof Words>(lang: Lang, area: Area): Words[Area] {
  return i18n().getResourceBundle(lang, area);
}
