import { describe, expect, test } from 'bun:test';
import { areaWords, i18n } from '#api/language/words.ts';
import { languages } from '#content/locales.ts';
import { allCode, filesOf, importsOf, isOnlyTypes, type SourceFile } from './sources.ts';

/**
 * All that takes more than types of i18next and of its integration. Nearly everything else that they export asks the language
 * of the process, of which pages of other readers are rendered at the same time (decision W4).
 */
const users = [
  "api/language/words.ts: import i18next, { type InitOptions, type TFunction } from 'i18next'",
  "astro.config.mjs: import i18next from 'astro-i18next'",
  "site/lib/routes/paths.ts: import { localizePath } from 'astro-i18next'",
  "tests/rules/routes.test.ts: import { initAstroI18next } from 'astro-i18next'",
  "tests/site/words.test.ts: import i18next from 'i18next'",
];

const usersIn = (sources: readonly SourceFile[]): string[] =>
  sources.flatMap((source) =>
    importsOf({ ...source, text: source.text.replace(/@type \{import\(.*/g, '') })
      .filter(({ specifier, names }) => /^(?:astro-)?i18next\b/.test(specifier) && !isOnlyTypes(names))
      .map(({ names, specifier }) => `${source.path}: import ${names} from '${specifier}'`),
  );

/** What asks or sets the language of the process, and calls of `localizePath` that name none. */
const processWide = ({ text }: SourceFile): string[] => [
  ...(text.match(
    /\bchangeLanguage\b|\b(?:i18next|i18n\(\))\.(?:t|language|languages|resolvedLanguage|dir)\b|\blng:/g,
  ) ?? []),
  ...(text.match(/\blocalizePath\((?![\w.]+, lang, '\/'\))[^)]*\)?/g) ?? []),
];

describe('the language is never a state of the process:', () => {
  const code = allCode().filter(({ path }) => path !== 'tests/rules/words.test.ts');

  test('i18next is asked in one file, and its integration for addresses alone', () => {
    expect(usersIn(code).sort()).toEqual(users);
  });

  test('nobody asks for it, sets it, or leaves an address to it', () => {
    expect(filesOf('site/lib/routes/paths.ts')[0]?.text).toMatch(/\blocalizePath\(/);
    expect(code.flatMap((source) => processWide(source).map((found) => `${source.path}: ${found}`))).toEqual(
      [],
    );
  });

  test('there is none that could be asked for', () => {
    const { language, languages: ordered, options } = i18n();
    expect([language, ordered, options.lng, options.fallbackLng]).toEqual([
      undefined,
      undefined,
      undefined,
      false,
    ]);
    const texts = languages.map((lang) => areaWords(lang, 'reminders')('calendarAll'));
    expect(new Set(texts).size).toBe(languages.length);
    expect(texts).not.toContain('calendarAll');
  });

  test('and all this would be noticed', () => {
    const text = `import i18next, { t } from 'i18next';
import HeadHrefLangs from 'astro-i18next/components';
i18next.changeLanguage('ko'); i18next.t('a'); localizePath(path); localizePath(path, i18n().language);`;
    expect(usersIn([{ path: 'x.ts', text }])).toEqual([
      "x.ts: import i18next, { t } from 'i18next'",
      "x.ts: import HeadHrefLangs from 'astro-i18next/components'",
    ]);
    expect(processWide({ path: 'x.ts', text })).toEqual([
      'changeLanguage',
      'i18next.t',
      'i18n().language',
      'localizePath(path)',
      'localizePath(path, i18n()',
    ]);
  });
});
