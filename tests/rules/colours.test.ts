import { expect, test } from 'bun:test';
import { filesOf } from './sources.ts';

/** Colours that are a drawing's own, or that stand where no custom property can: in `<meta>`, a manifest, an SVG file. */
const drawings = new Set([
  'site/components/common/in-app.client.ts',
  'site/components/common/Wordmark.astro',
  'site/components/states/NightSky.astro',
  'site/components/states/Constellation.astro',
  'site/components/states/RedirectScreen.astro',
  'site/layouts/Page.astro',
  'site/pages/manifest.webmanifest.ts',
]);

const colour = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgba?|hsla?|oklch|oklab)\(\s*[\d.]/i;

test('colours are tokens: no literal one in a style or a component', () => {
  const files = filesOf('site/**/*.{css,astro,ts,tsx}').filter(({ path }) => !drawings.has(path));
  expect(files.length).toBeGreaterThan(50);
  const literal = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        colour.test(withoutExcuses(line)) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
  );
  expect(literal).toEqual([]);
});

/** A line without what looks like a colour or may be one: definitions of tokens, masks, comments, selectors, links. */
function withoutExcuses(line: string): string {
  return line
    .replace(/--[\w-]+:[^;]*;?/g, '')
    .replace(/(?:mask|mask-image|-webkit-mask):.*/g, '')
    .replace(/\/\/.*|\/\*.*?\*\/|^\s*\*.*/g, '')
    .replace(/^[^:]*(?::[\w-]+(?:\([^)]*\))?[^:;]*)*[{,]$/g, '')
    .replace(/url\([^)]*\)|href="[^"]*"|&#\w+;|['"`]#[a-z][^'"`]*['"`]/g, '');
}
