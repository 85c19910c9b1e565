import { type StarCategory, starCategories } from '#db/schema/stars.ts';

/** The part of an address that names a category: `K-Pop Group` is `k-pop-group`. */
export function categorySlug(category: StarCategory): string {
  return category.toLowerCase().replaceAll(' ', '-');
}

const bySlug = new Map(starCategories.map((category) => [categorySlug(category), category]));

/** The category of an address; its lower-case name (`k-pop group`) counts too. */
export function categoryOfSlug(slug: string): StarCategory | undefined {
  return bySlug.get(slug.toLowerCase().replaceAll(' ', '-'));
}
