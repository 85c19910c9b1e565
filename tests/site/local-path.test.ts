import { expect, test } from 'bun:test';
import { config } from '#api/config.ts';
import { localPath, refererPath } from '#site/lib/accounts/forms.ts';

test('after login one goes to a page of this site, however another one is written', () => {
  for (const [target, path] of [
    ['/ko/events?type=concert#now', '/ko/events?type=concert#now'],
    ['/profile', '/profile'],
    ['/ko/../en', '/en'],
    ['/ko/search?q=//evil.example', '/ko/search?q=//evil.example'],
  ] as const)
    expect([target, localPath(target)]).toEqual([target, path]);
  for (const target of [
    '',
    'ko',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/\u0000/evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    '/ko/..//evil.example',
    '/ko/%2E%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,hi',
    '/api/auth/me',
    '/ko/../api/auth/export',
    '/logout',
    '/login?next=/login',
    '/media/brand/1x1-224.png',
    `/${'a'.repeat(600)}`,
  ])
    expect([target, localPath(target)]).toEqual([target, undefined]);
});

test('who comes to log in from a page of this site is led back there, but not to a front page or another site', () => {
  const returnPath = (referer: string) =>
    refererPath(new Request('http://localhost', { headers: { referer } }));
  const { origin } = new URL(config().siteUrl);
  expect(returnPath(`${origin}/ko/search?q=a`)).toBe('/ko/search?q=a');
  for (const page of ['', '/', '/ko', '/login?lang=ko', '/api/auth/me'])
    expect([page, returnPath(origin + page)]).toEqual([page, undefined]);
  for (const elsewhere of ['https://evil.example/ko/star/1', `${origin}.evil.example/ko/star/1`, 'words', ''])
    expect([elsewhere, returnPath(elsewhere)]).toEqual([elsewhere, undefined]);
});
