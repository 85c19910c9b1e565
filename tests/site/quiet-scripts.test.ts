import { expect, test } from 'bun:test';
import { withQuietScripts } from '#site/lib/quiet-scripts.ts';

const through = (html: string) => new TextDecoder().decode(withQuietScripts(new TextEncoder().encode(html)));

test('module scripts wait for what a person sees; other scripts and the text stay as they are', () => {
  expect(
    through('<p>별</p><script type="module" src="/a.js"></script>é<script type="module">b()</script>끝'),
  ).toBe(
    '<p>별</p><script type="module" fetchpriority="low" src="/a.js"></script>é<script type="module" fetchpriority="low">b()</script>끝',
  );
  const other = '<script>a()</script><script type="application/ld+json">{}</script>&lt;script type="module"';
  expect(through(other)).toBe(other);
});
