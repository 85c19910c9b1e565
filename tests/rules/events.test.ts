import { expect, test } from 'bun:test';
import { layerCode, type SourceFile } from './sources.ts';

/**
 * What scripts share is in stores, typed and subscribed to; an event of our own has no type and no state for who comes later. What a
 * browser tells of itself only it knows: whoever tells it in its place sets off everything that waits for it, also what is not
 * meant.
 */
const events = /\bdispatchEvent\b|\bnew \w*Event\(|\bCustomEvent\b/g;

const eventsIn = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(events)].map(([made]) => `${path}: ${made}`);

test('no script of the site makes or dispatches an event', () => {
  const sources = layerCode().filter(({ path }) => path.startsWith('site/'));
  expect(sources.some(({ text }) => text.includes('addEventListener('))).toBe(true);
  expect(sources.flatMap(eventsIn)).toEqual([]);
});

for (const wrong of [
  "document.dispatchEvent(new Event('visibilitychange'));",
  'dispatchEvent(new StorageEvent("storage", {}));',
  "field.dispatchEvent(new Event('input', { bubbles: true }));",
  "target['dispatchEvent'](event);",
  'class Told extends CustomEvent<number> {}',
]) {
  test(`would be noticed: ${wrong}`, () => {
    expect(eventsIn({ path: 'site/x.ts', text: wrong })).not.toEqual([]);
  });
}

test('listening to events of the browser is no making of them', () => {
  const text = "const reader = new EventReader(); document.addEventListener('visibilitychange', run);";
  expect(eventsIn({ path: 'site/x.ts', text })).toEqual([]);
});
