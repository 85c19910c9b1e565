import { expect, test } from 'bun:test';
import { eventsSystem, eventsVersion } from '#api/newsroom/event-prompt.ts';
import { rewriteSystem, rewriteVersion } from '#api/newsroom/rewrite-prompt.ts';
import type { Lang } from '#content/locales.ts';

/**
 * What each version of a prompt says, as the beginning of its SHA-256. Tables of content give prompts some of their words, so a new
 * event type changes one whose file nobody opened. Other words are another version: raise it in its file, and note it here.
 */
const rewrites: Record<Lang, string> = {
  ko: 'rewrite-1 310e7b466f2d',
  en: 'rewrite-1 fb82dde8a76b',
  ms: 'rewrite-1 da12b1f30a67',
  vi: 'rewrite-1 05e8db01bf6c',
};
const events = 'events-1 875551ba1cb2';

const fingerprint = (version: string, words: string): string =>
  `${version} ${new Bun.CryptoHasher('sha256').update(words).digest('hex').slice(0, 12)}`;

for (const lang of Object.keys(rewrites) as Lang[]) {
  test(`the prompt of rewrites in ${lang} has another version when it has other words`, () => {
    expect(fingerprint(rewriteVersion, rewriteSystem(lang))).toBe(rewrites[lang]);
  });
}

test('the prompt of events has another version when it has other words', () => {
  expect(fingerprint(eventsVersion, eventsSystem)).toBe(events);
});
