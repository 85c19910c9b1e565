import type { Lang } from '#content/locales.ts';
import { type PhotoCategory, photoCategories } from '#db/schema/stars.ts';
import { paths } from '../../lib/paths.ts';

export const starTabs = ['timeline', 'photos', 'achievements', 'articles'] as const;
export type StarTab = (typeof starTabs)[number];

/** What of a star's page is open; all of it stands in the address, so that it can be shared. */
export interface StarView {
  tab: StarTab;
  /** The whole timeline instead of its first entries (§9: 10). */
  showAll: boolean;
  /** Undefined shows the photos of all categories. */
  category: PhotoCategory | undefined;
}

/** The view of an address; what it does not know is the default: timeline, first entries, all photos. */
export function readView(query: URLSearchParams): StarView {
  return {
    tab: starTabs.find((known) => known === query.get('tab')) ?? 'timeline',
    showAll: query.get('show') === 'all',
    category: photoCategories.find((known) => known === query.get('category')),
  };
}

/** The address of a view, at its tabs; without JavaScript the browser goes there. */
export function viewPath(lang: Lang, starId: number, view: Partial<StarView>): string {
  const query = new URLSearchParams();
  if (view.tab && (view.tab !== 'timeline' || view.showAll)) query.set('tab', view.tab);
  if (view.showAll) query.set('show', 'all');
  if (view.category) query.set('category', view.category);
  return `${paths.star(lang, starId)}${query.size > 0 ? `?${query}` : ''}#tabs`;
}
