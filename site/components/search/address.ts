import { type SearchKind, searchKinds } from '#api/search/model.ts';
import type { Lang } from '#content/locales.ts';
import { paths } from '../../lib/paths.ts';

export const searchTabs = ['all', ...searchKinds] as const;
export type SearchTab = (typeof searchTabs)[number];

/** Why a search was not made; the word of the catalogue that says so. */
export type SearchProblem = 'tooLong' | 'control' | 'tooMany';

/** The tab of an address; what it does not know is all of them. */
export function readTab(value: string | null): SearchTab {
  return searchKinds.find((known) => known === value) ?? 'all';
}

/** The address of a search: everything that one would share stands in it. */
export function searchPath(lang: Lang, view: { q?: string; tab?: SearchTab; page?: number }): string {
  const query = new URLSearchParams();
  if (view.q) query.set('q', view.q);
  if (view.tab && view.tab !== 'all') query.set('tab', view.tab);
  if (view.page && view.page > 1) query.set('page', String(view.page));
  return `${paths.search(lang)}${query.size > 0 ? `?${query}` : ''}`;
}

/** What a page of results holds: a little of everything, or a full page of one kind. */
export function pageSizes(tab: SearchTab): Record<SearchKind, number> {
  const few: Record<SearchKind, number> = { articles: 8, stars: 6, events: 3, channels: 3 };
  const full: Record<SearchKind, number> = { articles: 20, stars: 50, events: 20, channels: 20 };
  if (tab === 'all') return few;
  return { articles: 0, stars: 0, events: 0, channels: 0, [tab]: full[tab] };
}
