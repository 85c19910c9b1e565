import { expect, test } from 'bun:test';
import { pagination } from '#api/admin/paging.ts';
import { pagesOf } from '#site/components/admin/tool.ts';

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
