import { describe, expect, test } from 'bun:test';
import { embedPlatformEntry, embedPlatforms } from '#content/embed-platforms.ts';
import {
  type EventType,
  eventTypeEntries,
  eventTypeEntry,
  eventTypes,
  readEventType,
} from '#content/event-types.ts';
import { socialPlatforms } from '#content/social-platforms.ts';
import type { IconName } from '#site/components/frame/icons.ts';
import { roomCode } from './sources.ts';

/** The compiler names an icon that is not among the site's; an Astro file alone would not. */
const withIcons: Record<EventType, { icon: IconName }> = eventTypeEntries;

/** Files that name at least three of a table's keys, as strings or as keys: a list of their own. */
function filesThatList(keys: readonly string[], allowed: readonly string[]): string[] {
  const named = (text: string) =>
    keys.filter((key) => new RegExp(String.raw`['"\`|]${key}['"\`|]|^\s*${key}:`, 'm').test(text));
  return roomCode()
    .filter(({ path, text }) => !/^content\//.test(path) && !allowed.includes(path) && named(text).length > 2)
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
    const server = ['api/articles/embed-address.ts', 'site/lib/embed-samples.ts'];
    expect(filesThatList([...new Set([...embedPlatforms, ...socialPlatforms])], server)).toEqual([]);
  });

  test('each play over https', () => {
    for (const platform of embedPlatforms)
      expect(embedPlatformEntry(platform).player('id', 'video')).toStartWith('https://');
  });
});
