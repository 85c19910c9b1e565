import { expect, test } from 'bun:test';
import { call } from '#tests/kit/call.ts';

const detect = async (header?: string) =>
  (
    await call('/api/detect-language', {
      headers: header === undefined ? {} : { 'accept-language': header },
      from: '203.0.113.5',
    })
  ).json;

test('the language is the first of ours by weight, else Korean, with the address of the visitor', async () => {
  for (const [header, language] of [
    [undefined, 'ko'],
    ['', 'ko'],
    ['de-DE, fr', 'ko'],
    ['en-GB', 'en'],
    ['de, ms;q=0.8, vi;q=0.9', 'vi'],
    ['ms-MY,ms;q=0.9,en;q=0.8', 'ms'],
    ['EN;q=0.1,ko;q=0', 'en'],
    ['en;q=0, vi;q=0.1', 'vi'],
    ['*', 'ko'],
    ['en;q=abc, ms;q=0.2', 'ms'],
    [`${'x,'.repeat(5000)}en`, 'ko'],
  ] as const) {
    expect([header, await detect(header)]).toEqual([
      header,
      { detectedLanguage: language, ip: '203.0.113.5' },
    ]);
  }
});
