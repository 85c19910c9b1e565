import { expect, setDefaultTimeout, test } from 'bun:test';
import { languages } from '#content/locales.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { root } from '#site/launch/root.ts';

setDefaultTimeout(180_000);

/** Loads the built server and counts how often an i18next is made on the way. */
const script = `
  import i18next from 'i18next';
  const { init, createInstance } = i18next;
  const made = [];
  i18next.init = (options) => (made.push(options), init(options));
  i18next.createInstance = (...given) => (made.push('another'), createInstance(...given));
  await import('./dist/server/entry.mjs');
  const { language, store } = i18next;
  console.log(JSON.stringify({ made, language, words: Object.keys(store?.data ?? {}) }));
  process.exit();
`;

test('the built server has one i18next, which astro-i18next makes as it starts, with all words and no language', async () => {
  await ensureBuilt();
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: root, stdout: 'pipe', stderr: 'inherit' });
  const told = Object(JSON.parse(await new Response(child.stdout).text()));
  // Of all who may make one only the integration says where files of words would lie.
  expect(told).toEqual({
    made: [expect.objectContaining({ backend: expect.anything() })],
    words: [...languages],
  });
});
