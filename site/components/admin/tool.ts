import type { Pagination } from '#api/admin/model.ts';
import type { Visitor } from '#api/plugins/session.ts';
import type { Lang } from '#content/locales.ts';
import type { FormResult } from '../../lib/admin/forms.ts';
import type { QueryOf } from '../../routes.ts';
import type { DashboardAnswer } from './dashboard-post.ts';

/** What every part of the dashboard gets. */
export interface ToolProps {
  lang: Lang;
  visitor: Visitor;
  query: QueryOf<'admin'>;
  /** Its own address, to which its forms go. */
  address: string;
  formResult: FormResult<DashboardAnswer>;
}

/** The same address with other parameters; null takes one away. */
export function withQuery(address: string, change: Readonly<Record<string, string | null>>): string {
  const [path = '', query] = address.split('?');
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `${path}?${parameters}`;
}

/**
 * What the pager shows of a list; from a page beyond the last it leads back to that.
 * @param parameter of the address that names the list's page
 */
export function pagesOf(
  address: string,
  { page, totalPages, hasPrevious, hasNext }: Pagination,
  parameter = 'page',
) {
  const at = (number: number) => withQuery(address, { [parameter]: String(number) });
  return {
    page,
    total: totalPages,
    previous: hasPrevious ? at(Math.min(page - 1, totalPages)) : undefined,
    next: hasNext ? at(page + 1) : undefined,
  };
}

/** A list at a page, or at its last one: whoever decides about all of that comes back to an address beyond it. */
export async function readWithin<List extends { pagination: Pagination }>(
  page: number,
  read: (page: number) => Promise<List>,
): Promise<List> {
  const list = await read(page);
  const { totalPages } = list.pagination;
  return page > totalPages ? read(totalPages) : list;
}
