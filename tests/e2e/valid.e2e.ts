import type { APIRequestContext } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { languages } from '#content/locales.ts';
import { expect, test } from '#tests/kit/browser.ts';

const validator = new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:a11y'] });

/** Every kind of public page, with the states that an address can name. */
const pages = [
  '',
  '?offset=20',
  '/article/1',
  '/article/5',
  '/article/2147483647',
  '/star/1',
  '/star/1?tab=photos',
  '/star/3?tab=achievements',
  '/star/1?tab=articles',
  '/search',
  '/search?q=hana',
  '/search?q=zzzzzz',
  '/category/idol',
  '/events',
  '/events?tab=upcoming',
  '/events?tab=trending',
  '/events/1',
  '/community',
  '/community?search=zzzzzz',
  '/community/1',
  '/about',
  '/privacy',
  '/guidelines',
];

async function faultsOf(request: APIRequestContext, path: string): Promise<string[]> {
  const answer = await request.get(path);
  const html = await answer.text();
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => {
      const at = html.split('\n')[line - 1]?.slice(Math.max(0, column - 40), column + 80);
      return `${path} (${answer.status()}): ${ruleId}: ${message}: ${at}`;
    }),
  );
}

test.describe('what the site sends', () => {
  for (const lang of languages) {
    test(`is valid HTML on every kind of page in ${lang}`, async ({ request }) => {
      const faults: string[] = [];
      for (const path of pages) faults.push(...(await faultsOf(request, `/${lang}${path}`)));
      expect(faults).toEqual([]);
    });
  }

  test('is valid HTML on the pages without a prefix', async ({ request }) => {
    const faults: string[] = [];
    for (const path of ['/', '/article/1', '/login', '/nowhere/at/all', '/ja'])
      faults.push(...(await faultsOf(request, path)));
    expect(faults).toEqual([]);
  });
});
