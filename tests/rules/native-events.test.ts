import { expect, test } from 'bun:test';
import { layerCode, type SourceFile } from './sources.ts';

/**
 * What a browser tells of itself only it knows. Whoever tells it in its place sets off everything that waits for it, also what is
 * not meant; a call of a function says what is.
 */
const natives = [
  'visibilitychange',
  'pageshow',
  'pagehide',
  'focus',
  'blur',
  'online',
  'offline',
  'storage',
  'popstate',
  'hashchange',
  'resize',
  'scroll',
];
const forged = new RegExp(`\\bnew (\\w*Event)\\(\\s*(['"\`])(${natives.join('|')})\\2`, 'g');

const forgedIn = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(forged)].map(([, kind, , name]) => `${path}: new ${kind}('${name}')`);

test("the site tells none of the browser's own events in its place", () => {
  const sources = layerCode().filter(({ path }) => path.startsWith('site/'));
  expect(sources.some(({ text }) => text.includes("new Event('tickets')"))).toBe(true);
  expect(sources.flatMap(forgedIn)).toEqual([]);
});

test('an event that is told in its place is named', () => {
  const text = `document.dispatchEvent(new Event('visibilitychange'));\ndispatchEvent(new StorageEvent("storage", {}));`;
  expect(forgedIn({ path: 'site/x.ts', text })).toEqual([
    "site/x.ts: new Event('visibilitychange')",
    "site/x.ts: new StorageEvent('storage')",
  ]);
  expect(forgedIn({ path: 'site/x.ts', text: "new Event('tickets')" })).toEqual([]);
});
