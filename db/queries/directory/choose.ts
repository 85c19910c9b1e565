import { asc, desc, eq, like, or, sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import { starTranslations } from '../../schema/stars.ts';
import { contains } from '../pattern.ts';
import { badgeFields, type StarRow, s, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';

/** A star that an editor may choose, hidden ones too. */
export type StarToChoose = StarRow & {
  /** Of a namesake, by what it is told apart. */
  distinction: string | null;
};

export type StarChoice = StarToChoose & {
  /** It is called just so in some language. */
  isExact: boolean;
};

const choiceFields = (language: Lang) => ({
  ...badgeFields(),
  distinction: distinctionIn(language, s, badgeFields().name),
});

/** Stars by a name, those that are called just so first. @param search as `readStarSearch` reads it */
export function findStarsByName(
  text: string,
  search: { spellings?: readonly string[]; initials?: string },
  language: Lang,
  limit: number,
): Promise<StarChoice[]> {
  const { starId, name } = starTranslations;
  const isExact = sql<boolean>`exists (select from ${starTranslations}
    where ${starId} = ${s.id} and lower(${name}) = lower(${text}))`;
  return database()
    .select({ ...choiceFields(language), isExact })
    .from(s)
    .leftJoin(st, wordsIn(language))
    .where(
      or(
        search.initials ? like(s.initials, `%${search.initials}%`) : undefined,
        ...(search.spellings ?? []).map((spelling) => sql`${s.searchKey} like ${contains(spelling)}`),
      ),
    )
    .orderBy(desc(isExact), desc(s.articleCount), asc(s.id))
    .limit(limit);
}

/** A star by its number, as lists name it, hidden or not. */
export async function findStarToChoose(id: number, language: Lang): Promise<StarToChoose | undefined> {
  const [star] = await database()
    .select(choiceFields(language))
    .from(s)
    .leftJoin(st, wordsIn(language))
    .where(eq(s.id, id));
  return star;
}

/** The same by its slug. */
export async function findStarBySlug(slug: string, language: Lang): Promise<StarRow | undefined> {
  const [star] = await database()
    .select(badgeFields())
    .from(s)
    .leftJoin(st, wordsIn(language))
    .where(eq(s.slug, slug));
  return star;
}
