import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import { coalesce, type Expression, type RowOf } from '../../sql.ts';
import { shownKey } from '../shown-picture.ts';

/** A star and its words in the language asked for, as statements name them: each pair of aliases joins one star. */
export const s = alias(stars, 's');
export const st = alias(starTranslations, 'st');

/** By whatever name a statement has them. */
type Star = ReturnType<typeof alias<typeof stars, string>>;
type Words = ReturnType<typeof alias<typeof starTranslations, string>>;

/** What names a star in lists: in the language of the joined words, else by its raw name (§3). */
export const badgeFields = (
  star: Pick<Star, 'id' | 'slug' | 'name' | 'category' | 'fandomColor' | 'avatarKey'> = s,
  words: Pick<Words, 'name'> = st,
) => ({
  id: star.id,
  slug: star.slug,
  name: coalesce(words.name, star.name),
  category: star.category,
  fandomColor: star.fandomColor,
  /** The photograph in the place of its sign. */
  avatarKey: shownKey(star.avatarKey),
});

/** A star as lists name it. */
export type StarRow = RowOf<ReturnType<typeof badgeFields>>;

/** `on` of the join of a star's words. */
export const wordsIn = (
  language: Lang,
  star: Pick<Star, 'id'> = s,
  words: Pick<Words, 'starId' | 'language'> = st,
): SQL => and(eq(words.starId, star.id), eq(words.language, language)) ?? sql`false`;

/** Readers see it: no editor has hidden it. */
export const isShown = (star: Pick<Star, 'hiddenAt'> = s): SQL => sql`${star.hiddenAt} is null`;

const shown = alias(stars, 'shown');

/** The same of a star that a statement knows by its id alone. */
export const isShownById = (id: Expression): SQL =>
  sql`exists (select from ${stars} ${shown} where ${shown.id} = ${id} and ${isShown(shown)})`;

/** Of these ids, which `ids` selects as one column, those of stars that readers see. */
export const shownIdsOf = (ids: SQL): SQL =>
  sql`select ${shown.id} from ${stars} ${shown} where ${shown.id} = any(${ids}) and ${isShown(shown)}`;
