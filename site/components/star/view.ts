import type { Lang } from '#content/locales.ts';
import type { PhotoCategory } from '#db/schema/stars.ts';
import { paths } from '../../lib/routes/paths.ts';
import type { QueryOf } from '../../routes.ts';

export type StarTab = QueryOf<'star'>['tab'];

/** What of a star's page is open; all of it stands in the address, so that it can be shared. */
export interface StarView {
  tab: StarTab;
  /** The whole timeline instead of its first entries (§9: 10). */
  showAll: boolean;
  /** Undefined shows the photos of all categories. */
  category: PhotoCategory | undefined;
}

/** The view of an address; what it does not know is the default: timeline, first entries, all photos. */
export function readStarView({ tab, show, category }: QueryOf<'star'>): StarView {
  return { tab, showAll: show === 'all', category };
}

/** The address of a view, at its tabs; without JavaScript the browser goes there. */
export const viewPath = (lang: Lang, starId: number, view: Partial<StarView>): string =>
  `${starPath(lang, starId, view)}#tabs`;

/** The page itself in that state. */
export const starPath = (lang: Lang, starId: number, { tab, showAll, category }: Partial<StarView>): string =>
  paths.star(lang, starId, {
    tab: tab === 'timeline' && !showAll ? undefined : tab,
    show: showAll ? 'all' : undefined,
    category,
  });
