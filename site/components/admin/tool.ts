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

/** What the pager shows of a list; from a page beyond the last it leads back to that. */
export function pagesOf(address: string, { page, totalPages, hasPrevious, hasNext }: Pagination) {
  return {
    page,
    total: totalPages,
    previous: hasPrevious ? withQuery(address, { page: String(Math.min(page - 1, totalPages)) }) : undefined,
    next: hasNext ? withQuery(address, { page: String(page + 1) }) : undefined,
  };
}
