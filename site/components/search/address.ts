import type { SearchKind } from '#api/search/model.ts';
import type { Lang } from '#content/locales.ts';
import { paths } from '../../lib/routes/paths.ts';
import type { QueryOf } from '../../routes.ts';

export type SearchTab = QueryOf<'search'>['tab'];

/** Why a search was not made; the word of the catalogue that says so. */
export type SearchProblem = 'tooLong' | 'control' | 'tooMany';

/** The address of a search: everything that one would share stands in it. */
export function searchPath(
  lang: Lang,
  { q, tab, page = 1 }: { q?: string; tab?: SearchTab; page?: number },
): string {
  return paths.search(lang, { q, tab: tab === 'all' ? undefined : tab, page: page > 1 ? page : undefined });
}

/** What a page of results holds: a little of everything, or a full page of one kind. */
export function pageSizes(tab: SearchTab): Record<SearchKind, number> {
  const few: Record<SearchKind, number> = { articles: 8, stars: 6, events: 3, channels: 3 };
  const full: Record<SearchKind, number> = { articles: 20, stars: 50, events: 20, channels: 20 };
  if (tab === 'all') return few;
  return { articles: 0, stars: 0, events: 0, channels: 0, [tab]: full[tab] };
}
