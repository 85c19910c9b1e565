import { categorySlug } from '#api/articles/categories.ts';
import type { Lang } from '#content/locales.ts';
import type { StarCategory } from '#db/schema/stars.ts';
import { words } from '../../i18n/words.ts';
import { type Crumb, paths } from '../routes/paths.ts';

const keys = {
  'K-Pop Group': 'article:categoryGroup',
  'Solo Artist': 'article:categorySolo',
  Actor: 'article:categoryActor',
  Actress: 'article:categoryActress',
  Idol: 'article:categoryIdol',
} as const satisfies Record<StarCategory, string>;

const listKeys = {
  'K-Pop Group': 'filter:group',
  'Solo Artist': 'filter:solo',
  Actor: 'filter:actor',
  Actress: 'filter:actress',
  Idol: 'filter:idol',
} as const satisfies Record<StarCategory, string>;

/** A category in the page's language as the name of all its stars, for headings and chips. */
export function categoryListName(lang: Lang, category: StarCategory): string {
  return words(lang)(listKeys[category]);
}

/** A category in the page's language, for one star or story. */
export function categoryName(lang: Lang, category: StarCategory): string {
  return words(lang)(keys[category]);
}

/** All of these names, for scripts. */
export function categoryNames(lang: Lang): Record<StarCategory, string> {
  const name = (category: StarCategory) => categoryName(lang, category);
  return {
    'K-Pop Group': name('K-Pop Group'),
    'Solo Artist': name('Solo Artist'),
    Actor: name('Actor'),
    Actress: name('Actress'),
    Idol: name('Idol'),
  };
}

/** The breadcrumb's way to a category (§2 Article detail). */
export function categoryCrumb(lang: Lang, category: StarCategory): Crumb {
  return { name: categoryName(lang, category), path: paths.category(lang, categorySlug(category)) };
}
