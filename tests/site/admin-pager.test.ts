import { expect, test } from 'bun:test';
import { pagination } from '#api/admin/paging.ts';
import { pagesOf, readWithin } from '#site/components/admin/tool.ts';

test('from a page beyond the last, the pager of a list leads to the last', () => {
  const previous = (page: number) => pagesOf('/admin?lang=en', pagination(page, 20, 50)).previous;
  expect([1, 2, 3, 4, 99].map(previous)).toEqual([
    undefined,
    '/admin?lang=en&page=1',
    '/admin?lang=en&page=2',
    '/admin?lang=en&page=3',
    '/admin?lang=en&page=3',
  ]);
});

test('the pager of a second list on a page leaves the first one where it is', () => {
  expect(pagesOf('/admin?lang=en&page=2', pagination(3, 20, 80), 'embeds')).toMatchObject({
    previous: '/admin?lang=en&page=2&embeds=2',
    next: '/admin?lang=en&page=2&embeds=4',
  });
});

test('a list to which a form leads back is shown at its last page when it has become shorter', async () => {
  const read = (total: number) => (page: number) =>
    Promise.resolve({ pagination: pagination(page, 20, total) });
  const pageOf = async (total: number) => (await readWithin(3, read(total))).pagination.page;
  expect(await Promise.all([50, 40, 0].map(pageOf))).toEqual([3, 2, 1]);
});
