import { describe, expect, test } from 'bun:test';
import { embedPlatformEntry, embedPlatforms } from '#content/embed-platforms.ts';
import {
  type EventType,
  eventTypeEntries,
  eventTypeEntry,
  eventTypes,
  readEventType,
} from '#content/event-types.ts';
import { languages } from '#content/locales.ts';
import { socialPlatforms } from '#content/social-platforms.ts';
import type { IconName } from '#site/components/common/icons.ts';
import { filesOf, layerCode } from './sources.ts';

/** The compiler names an icon that is not among the site's; an Astro file alone would not. */
const withIcons: Record<EventType, { icon: IconName }> = eventTypeEntries;

/** Files that name at least `most` of a table's keys, as strings or as keys: a list of their own. */
function filesThatList(keys: readonly string[], allowed: readonly string[], most = 3): string[] {
  const keysIn = (text: string) =>
    keys.filter((key) => new RegExp(String.raw`['"\`|]${key}['"\`|]|^\s*${key}:`, 'm').test(text));
  return layerCode()
    .filter(
      ({ path, text }) => !/^content\//.test(path) && !allowed.includes(path) && keysIn(text).length >= most,
    )
    .map(({ path }) => path);
}

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

describe('platforms', () => {
  test('are listed in content alone, or in a table of the server that the compiler keeps complete', () => {
    const server = ['api/articles/embed-address.ts', 'site/lib/embeds/embed-samples.ts'];
    expect(filesThatList([...new Set([...embedPlatforms, ...socialPlatforms])], server)).toEqual([]);
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

  test('are those whose words the pages load: the pattern must be written out for the bundler', () => {
    const [resources] = filesOf('site/i18n/resources.ts');
    expect(resources?.text).toContain(`content/locales/{${languages.join(',')}}/*.json`);
  });

  test('each have fonts and line heights of their own', () => {
    const [styles] = filesOf('site/styles/global.css');
    expect(languages.filter((lang) => !styles?.text.includes(`[lang="${lang}"]`))).toEqual([]);
  });

  test('each have every page about the site', () => {
    const slugs = new Set(filesOf('content/pages/*/*.md').map(({ path }) => path.split('/')[2]));
    const missing = [...slugs].flatMap((slug) =>
      languages
        .map((lang) => `content/pages/${slug}/${lang}.md`)
        .filter((path) => filesOf(path).length === 0),
    );
    expect(missing).toEqual([]);
  });
});
