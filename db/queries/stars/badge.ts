import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { stars, starTranslations } from '../../schema/stars.ts';
import type { Expression, RowOf } from '../../sql.ts';
import { shownKey } from '../shown-picture.ts';

/** A star and its words in the language asked for, as statements name them: each pair of aliases joins one star. */
export const s = alias(stars, 's');
export const st = alias(starTranslations, 'st');

/** By whatever name a statement has them. */
type Star = ReturnType<typeof alias<typeof stars, string>>;
type Words = ReturnType<typeof alias<typeof starTranslations, string>>;

const english = alias(starTranslations, 'english_words');

/**
 * What a star is called wherever it is shown: in the language of the joined words, else in English, which readers of other languages
 * can say, else by its raw (Korean) name (decision L1). English words are looked for only where the language has none.
 */
export const shownName = (
  star: { id: Expression; name: Expression } = s,
  words: { name: Expression } = st,
): SQL<string> => inWordsOrEnglish(words.name, english.name, star, star.name);

/** The same folded, as lists are ordered by names. */
export const shownNameKey = (): SQL<string> => inWordsOrEnglish(st.nameKey, english.nameKey, s, s.nameKey);

const inWordsOrEnglish = (
  own: Expression,
  inEnglish: Expression,
  star: { id: Expression },
  raw: Expression,
) =>
  sql<string>`coalesce(${own},
    (select ${inEnglish} from ${starTranslations} ${english} where ${wordsIn('en', star, english)}), ${raw})`;

/** The same of a member's names in its group, where it has no star of its own. */
export const memberName = (names: Expression, language: Lang): SQL<string> =>
  sql<string>`coalesce(${names} ->> ${language}::text, ${names} ->> 'en', ${names} ->> 'ko',
    (select value from jsonb_each_text(${names}) limit 1))`;

/** What names a star in lists, in the language of the joined words as far as it is known. */
export const badgeFields = (
  star: Pick<Star, 'id' | 'slug' | 'name' | 'category' | 'fandomColor' | 'avatarKey'> = s,
  words: { name: Expression } = st,
) => ({
  id: star.id,
  slug: star.slug,
  name: shownName(star, words),
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
  star: { id: Expression } = s,
  words: Pick<Words, 'starId' | 'language'> = st,
): SQL => sql`${words.starId} = ${star.id} and ${words.language} = ${language}`;

/** Readers see it: no editor has hidden it. */
export const isShown = (star: Pick<Star, 'hiddenAt'> = s): SQL => sql`${star.hiddenAt} is null`;

const shown = alias(stars, 'shown');
const hidden = alias(stars, 'hidden');

/**
 * The same of a star that a statement knows by its id alone, which is a star's. It asks who is hidden, for which there is a small
 * index (`stars_hidden`): to look at every star of a list would be as much as to read it.
 */
export const isShownById = (id: Expression): SQL =>
  sql`not exists (select from ${stars} ${hidden} where ${hidden.id} = ${id} and ${hidden.hiddenAt} is not null)`;

/** For long lists of such ids: the hidden ones are read once. */
export const isNoneHidden = (id: Expression): SQL =>
  sql`${id} not in (select ${hidden.id} from ${stars} ${hidden} where ${hidden.hiddenAt} is not null)`;

/** Of these ids, which `ids` selects as one column, those of stars that readers see. */
export const shownIdsOf = (ids: SQL): SQL =>
  sql`select ${shown.id} from ${stars} ${shown} where ${shown.id} = any(${ids}) and ${isShown(shown)}`;
