import { expect, test } from 'bun:test';
import { CriticalCss, firstScreenEnd } from '#site/lib/pages/critical-css.ts';
import { inlineScripts } from '#site/lib/pages/inline-scripts.ts';

const sheet = `
@layer base, components;
@layer words { .none { top: 0 } }
@layer base { :root { --ink: black; --deep: var(--ink); --unused: red } body { color: var(--deep) } }
@layer components {
  .card { color: var(--ink); transition: color 1s }
  .card:hover { color: red }
  .card:not(.quiet) .title, .below { margin: 0 }
  .below { color: blue }
  [data-open] > .menu::before { top: 0 }
  @media (width >= 48rem) { .card { width: 1px } }
  @media (width <= 19.99rem) { .card { width: 2px } }
  @media print { .card { width: 3px } }
  @media (forced-colors: active) { .card { width: 4px } }
  @keyframes turn { to { rotate: 1turn } }
  .js .title { top: 0 }
}`;
const policy =
  "default-src 'self'; script-src 'self' 'sha256-a'; style-src 'self'; style-src-attr 'unsafe-inline'";
const link = '<link rel="stylesheet" href="/a.css">';
const page = (firstScreen: string, rest = '') =>
  `<!doctype html><html><head><title>A</title>${link}</head><body>${firstScreen}${rest}</body></html>`;
const critical = new CriticalCss((href) => (href === '/a.css' ? sheet : undefined));
const styleOf = (html: string) => html.match(/<style>(.*?)<\/style>/s)?.[1]?.replace(/\s+/g, ' ');

test('the head has what the first screen of a phone meets, and the names that it refers to', () => {
  const { html } = critical.inline(
    page(`<p class="card"><b class="title">A</b></p>${firstScreenEnd}`, '<p class="below">B</p>'),
    policy,
  );
  expect(styleOf(html)).toBe(
    '@layer base, components;@layer words;@layer base{:root{--ink: black;--deep: var(--ink);}body{color: var(--deep);}}' +
      '@layer components{.card{color: var(--ink);}.card:not(.quiet) .title{margin: 0;}' +
      '@media (width <= 19.99rem){.card{width: 2px;}}.js .title{top: 0;}}',
  );
});

test('what a script shows later is not of the first screen', () => {
  const { html } = critical.inline(
    page(`<template><p class="card"></p></template>${firstScreenEnd}`),
    policy,
  );
  expect(styleOf(html)).not.toContain('.card');
});

test('a phone asks for the sheets when it has read to the end of its first screen, other screens in the head', () => {
  const { html } = critical.inline(page(`<p>A</p>${firstScreenEnd}`, '<p>B</p>'), policy);
  const [head = '', body] = html.split('</head>');
  expect(head).toEndWith('</style><link media="(min-width: 48rem)" rel="stylesheet" href="/a.css">');
  expect(body).toBe(
    '<body><p>A</p>' +
      '<noscript><link media="not all and (min-width: 48rem)" fetchpriority="low" rel="stylesheet" href="/a.css"></noscript>' +
      `<script>${inlineScripts.writeSheets.source}</script><script>;</script>` +
      '<p>B</p></body></html>',
  );
});

test('the policy knows what is inline now, and nothing else changed in it', () => {
  const inlined = critical.inline(page(`<p>A</p>${firstScreenEnd}`), policy);
  const hashOf = (source = '') =>
    `'sha256-${new Bun.CryptoHasher('sha256').update(source).digest('base64')}'`;
  const css = inlined.html.match(/<style>(.*?)<\/style>/s)?.[1];
  expect(inlined.policy).toBe(policy.replace("style-src 'self'", `style-src 'self' ${hashOf(css)}`));
});

test('a page without a first screen stays as it is; one whose sheet is not known, or a part, names no end of it', () => {
  for (const html of [page('<p>A</p>'), 'words'])
    expect(critical.inline(html, policy)).toEqual({ html, policy });
  for (const make of [
    (end: string) => page(`<p>A</p>${end}`).replace('a.css', 'b.css'),
    (end: string) => `<p>A</p>${end}`,
  ])
    expect(critical.inline(make(firstScreenEnd), policy)).toEqual({ html: make(''), policy });
});

test('what a visitor writes into attributes hides nothing of the first screen', () => {
  const typed = '<input value="<template "><p class="card">A</p><template><i></i></template>';
  const { html } = critical.inline(page(`${typed}${firstScreenEnd}`), policy);
  expect(styleOf(html)).toContain('.card');
});

test('what a visitor writes into attributes stays there', () => {
  const { html } = critical.inline(page(`<p>A</p>${firstScreenEnd}`), policy);
  for (const words of [
    '</head>',
    '<!--first-screen-end-->',
    '<link rel=stylesheet href=/a.css>',
    '</body>',
    '$&',
  ]) {
    const withTitle = (markup: string) => markup.replace('<p>', () => `<p title="${words}">`);
    const inBody = page(`${withTitle('<p>A</p>')}${firstScreenEnd}`);
    expect(critical.inline(inBody, policy).html).toBe(withTitle(html));
    const described = `<meta name="description" content="${words}">`;
    const inHead = inBody.replace('<title>', () => `${described}<title>`);
    const inlinedHtml = critical.inline(inHead, policy).html;
    expect(inlinedHtml.replace(described, '')).toBe(withTitle(html));
    expect(inlinedHtml).not.toContain(firstScreenEnd);
  }
});
