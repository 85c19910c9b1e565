import type { Pagination } from '#api/admin/model.ts';
import { readId, readSearch } from '#api/input.ts';
import type { Visitor } from '#api/plugins/session.ts';
import type { Lang } from '#content/locales.ts';
import type { Sent } from '../../lib/admin-forms.ts';

/** What every part of the dashboard gets. */
export interface ToolProps {
  lang: Lang;
  visitor: Visitor;
  url: URL;
  /** Its own address, to which its forms go. */
  here: string;
  sent: Sent;
}

/** The page and the search that an address asks for. */
export function asked({ searchParams }: URL): { page: number; search: string | undefined } {
  const search = readSearch(searchParams.get('search'));
  return {
    page: Math.min(readId(searchParams.get('page')) ?? 1, 10_000),
    search: search && [...search].slice(0, 100).join(''),
  };
}

/** The same address with other parameters; null takes one away. */
export function withQuery(here: string, change: Readonly<Record<string, string | null>>): string {
  const [path = '', query] = here.split('?');
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `${path}?${parameters}`;
}

/** What the pager shows of a list. */
export function pagesOf(here: string, { page, totalPages, hasPrevious, hasNext }: Pagination) {
  return {
    page,
    total: totalPages,
    previous: hasPrevious ? withQuery(here, { page: String(page - 1) }) : undefined,
    next: hasNext ? withQuery(here, { page: String(page + 1) }) : undefined,
  };
}
