import type { StarList } from '#db/queries/directory/document.ts';
import type { StarSection } from '../../routes.ts';

/** The lists of a star by the sections of its editor that show them. */
export const sectionLists = {
  members: 'members',
  photos: 'photos',
  timeline: 'timeline',
  achievements: 'achievements',
  links: 'socialLinks',
} as const satisfies Partial<Record<StarSection, StarList>>;

/** The list that a section shows; undefined for one that shows none. */
export const listOf = (section: StarSection): StarList | undefined =>
  section in sectionLists ? sectionLists[section as keyof typeof sectionLists] : undefined;

/** The section that shows a list. */
export const sectionOf = (list: StarList): keyof typeof sectionLists =>
  list === 'socialLinks' ? 'links' : list;
