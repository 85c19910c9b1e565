import { intlTag, type Lang, languages } from '#content/locales.ts';
import { writing } from '#content/writing.ts';
import { languageList } from './format.ts';

/** The languages of the site within a sentence: `Korean, English, Malay and Vietnamese`, in the words of `lang`. */
export function languageNames(lang: Lang): string {
  const names = new Intl.DisplayNames(intlTag(lang), { type: 'language' });
  const nameOf = (code: Lang) => names.of(code) ?? code;
  const smallName = (code: Lang) => nameOf(code).charAt(0).toLocaleLowerCase(lang) + nameOf(code).slice(1);
  return languageList(lang, languages.map(writing[lang].hasSmallNames ? smallName : nameOf));
}
