import { describe, expect, test } from 'bun:test';
import { basename } from 'node:path';
import { embedPlatformEntry, embedPlatforms } from '#content/embed-platforms.ts';
import {
  type EventType,
  eventTypeEntries,
  eventTypeEntry,
  eventTypes,
  readEventType,
} from '#content/event-types.ts';
import { dormantLanguages, type Lang, languages } from '#content/locales.ts';
import { socialPlatforms } from '#content/social-platforms.ts';
import { languageEntries } from '#content/writing.ts';
import type { IconName } from '#site/components/common/icons.ts';
import { staticPages } from '#site/routes.ts';
import { filesOf, layerCode } from './sources.ts';

/** The compiler names an icon that is not among the site's; an Astro file alone would not. */
const withIcons: Record<EventType, { icon: IconName }> = eventTypeEntries;

/** Files that name at least `most` of a table's keys, as strings or as keys: a list of their own. Rules of a component are none. */
function filesThatList(keys: readonly string[], allowed: readonly string[], most = 3): string[] {
  const keysIn = (text: string) => {
    const code = text.replace(/<style[\s\S]*?<\/style>/g, '');
    return keys.filter((key) => new RegExp(String.raw`['"\`|]${key}['"\`|]|^\s*${key}:`, 'm').test(code));
  };
  return layerCode()
    .filter(
      ({ path, text }) => !/^content\//.test(path) && !allowed.includes(path) && keysIn(text).length >= most,
    )
    .map(({ path }) => path);
}

/** What readers are told, each text with its language: values of the catalogues, paragraphs of the pages about the site. */
const told = [
  ...filesOf('content/locales/*/*.json').flatMap(({ path, text }) =>
    Object.entries<string>(JSON.parse(text)).map(([key, value]) => ({
      at: `${path} ${key}`,
      lang: path.split('/')[2] ?? '',
      text: value,
    })),
  ),
  ...filesOf('content/pages/*/*.md').flatMap(({ path, text }) =>
    text.split('\n').map((line) => ({ at: path, lang: basename(path, '.md'), text: line })),
  ),
];

const textOf = (path: string): string => filesOf(path)[0]?.text ?? '';

/** “Four languages”, in the words of each. */
const countsLanguages: Record<Lang | (typeof dormantLanguages)[number], RegExp> = {
  ko: /(?:두|세|네|다섯|여섯|일곱|\d)\s?(?:개|가지)?\s?언어/,
  en: /\b(?:two|three|four|five|six|seven|\d) languages\b/i,
  ms: /(?:dua|tiga|empat|lima|enam|tujuh|\d) bahasa/i,
  vi: /(?:hai|ba|bốn|năm|sáu|bảy|\d) (?:ngôn ngữ|thứ tiếng)/i,
  id: /(?:dua|tiga|empat|lima|enam|tujuh|\d) bahasa/i,
  hi: /(?:दो|दोनों|तीन|तीनों|चार|चारों|पाँच|पाँचों|छह|\d) भाषा/,
  ja: /[二三四五六七\d](?:つの)?(?:言語|か国語)/,
};

describe('event types', () => {
  test('are listed in content alone', () => {
    expect(filesThatList(eventTypes, [])).toEqual([]);
  });

  test('each have an icon, a colour, a length and evidence', () => {
    for (const type of eventTypes) {
      const { color, minutes, evidence } = eventTypeEntry(type);
      expect(withIcons[type].icon).not.toBe('');
      expect(color).toMatch(/^#[\da-f]{6}$/);
      expect(minutes).toBeGreaterThan(0);
      expect(evidence.global).toBe(false);
    }
  });

  test('each have a dot of their colour', () => {
    const styles = filesOf('site/**/*.{css,astro}')
      .map(({ text }) => text)
      .join('\n');
    const wanted = eventTypes.flatMap((type) => {
      const slug = type.replaceAll('_', '-');
      return [`.dot-${slug} {`, `--event-${slug}: light-dark(${eventTypeEntry(type).color},`];
    });
    expect(wanted.filter((rule) => !styles.includes(rule))).toEqual([]);
  });

  test('are understood in any spelling and by one type each', () => {
    for (const type of eventTypes) {
      const camel = type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      for (const word of [type, camel, type.replaceAll('_', ' '), type.toUpperCase()])
        expect(readEventType(word)).toBe(type);
      for (const word of eventTypeEntry(type).synonyms ?? []) expect(readEventType(word)).toBe(type);
    }
    expect(readEventType('wedding')).toBeUndefined();
    expect(readEventType('')).toBeUndefined();
  });
});

/** What a document does not say, each with its path. */
const missingIn = (path: string, wanted: readonly string[]): string[] => {
  const text = textOf(path).replace(/\s+/g, ' ');
  return wanted.filter((words) => !text.includes(words)).map((words) => `${path}: ${words}`);
};

describe('the documents', () => {
  test('name every event type, with its colour in the look', () => {
    const record = new Set<string>(textOf('docs/decisions/E1-event-types.md').match(/[a-z_]+/g));
    expect(eventTypes.filter((type) => !record.has(type))).toEqual([]);
    expect([
      ...missingIn(
        'docs/product.md',
        eventTypes.map((type) => `\`${type}\``),
      ),
      ...missingIn(
        'docs/look.md',
        eventTypes.map((type) => `| ${type} | \`${eventTypeEntry(type).color}\``),
      ),
    ]).toEqual([]);
  });

  test('name every platform', () => {
    const platforms = [...embedPlatforms, ...socialPlatforms].map((platform) => `\`${platform}\``);
    expect(missingIn('docs/product.md', platforms)).toEqual([]);
  });

  test('name every language', () => {
    const names = new Intl.ListFormat('en-GB').format(languageEntries.map(({ name }) => name));
    const codes = [`${languages.join(', ')}; default`, `Catalogues of ${dormantLanguages.join(', ')} exist`];
    expect([
      ...missingIn('README.md', [names]),
      ...missingIn('package.json', [names]),
      ...missingIn('docs/product.md', [...languages.map((lang) => `\`${lang}\``), ...codes]),
    ]).toEqual([]);
  });
});

describe('platforms', () => {
  test('are listed in content alone, or in a table of the server that the compiler keeps complete', () => {
    const server = ['api/articles/embed-address.ts', 'site/lib/embeds/embed-samples.ts'];
    expect(filesThatList([...new Set([...embedPlatforms, ...socialPlatforms])], server)).toEqual([]);
  });

  test('are listed by no text, which the next one would make untrue: it says {{platforms}}', () => {
    // X is a letter of other words, too.
    const names = embedPlatforms
      .map((platform) => embedPlatformEntry(platform).name)
      .filter((name) => name !== 'X');
    const lists = told.filter(({ text }) => names.filter((name) => text.includes(name)).length > 1);
    expect(lists.map(({ at }) => at)).toEqual([]);
  });

  test('each play over https', () => {
    for (const platform of embedPlatforms)
      expect(embedPlatformEntry(platform).player('id', 'video')).toStartWith('https://');
  });
});

describe('languages', () => {
  test('are listed in content alone, or in a table that the compiler keeps complete', () => {
    // How many of the demo's fans speak which language is a choice.
    const exempt = ['db/seed/fans.ts'];
    const tables = layerCode().filter(({ text }) => /Record<\s*Lang\b/.test(text));
    expect(
      filesThatList(languages, [...exempt, ...tables.map(({ path }) => path)], languages.length),
    ).toEqual([]);
  });

  test('are counted and listed by no text, which the next one would make untrue: it says {{languages}}', () => {
    const all = [...languages, ...dormantLanguages];
    const found = all.flatMap((lang) => {
      const nameOf = new Intl.DisplayNames(lang, { type: 'language' });
      const names = languages.map((each) => nameOf.of(each)?.toLowerCase() ?? each);
      const lists = (text: string) => names.filter((name) => text.toLowerCase().includes(name)).length > 2;
      return told.filter(
        (each) => each.lang === lang && (lists(each.text) || countsLanguages[lang].test(each.text)),
      );
    });
    expect(found.map(({ at }) => at)).toEqual([]);
    expect(told.some(({ text }) => text.includes('{{languages}}'))).toBe(true);
  });

  test('each have fonts and line heights of their own', () => {
    const [styles] = filesOf('site/styles/global.css');
    expect(languages.filter((lang) => !styles?.text.includes(`[lang="${lang}"]`))).toEqual([]);
  });

  test('each have every page about the site, and there is no other', () => {
    const wanted = staticPages.flatMap((slug) => languages.map((lang) => `content/pages/${slug}/${lang}.md`));
    expect(filesOf('content/pages/*/*.md').map(({ path }) => path)).toEqual(wanted.sort());
  });
});
