import { desc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { type Database, database } from '../../client.ts';
import { memoize } from '../../memoize.ts';
import { starProfiles, starTranslations } from '../../schema/stars.ts';
import { prepare, roundedLimit } from '../../sql.ts';
import type { NameIndex } from '../search/star-names.ts';
import { badgeFields, type StarRow, s, st, wordsIn } from '../stars/badge.ts';
import { distinctionIn } from '../stars/distinction.ts';
import { ofPage, pageOfStars, readListSearch, type StarSearch } from '../stars/list.ts';

const named = alias(starTranslations, 'named');
const called = alias(starTranslations, 'called_so');
const born = alias(starProfiles, 'born');
const own = alias(starProfiles, 'own_birth');

/** A star that an editor may choose, hidden ones too. */
export type StarToChoose = StarRow & {
  /** Of a namesake, by what it is told apart. */
  distinction: string | null;
};

/** Another star that has a name of one. */
export type Namesake = StarRow & {
  /** Of its birth, else of its debut. */
  year: string | null;
  /** Both are known to be born on the same day. */
  isSameDay: boolean;
};

export type StarChoice = StarToChoose & {
  /** It is called just so in some language. */
  isExact: boolean;
};

const choiceFields = (language: Lang) => ({
  ...badgeFields(),
  distinction: distinctionIn(language, s, badgeFields().name),
});

const choices = memoize(({ language, index, limit }: { language: Lang; index: NameIndex; limit: number }) =>
  prepare(
    { ...choiceFields(language), isExact: sql<boolean>`${s.id} in (select star from called)` },
    (columns) => sql`
      with ${pageOfStars({ index, isListed: sql`true`, limit, all: true })} select ${columns} ${ofPage(language)} order by place`,
  ),
);

/**
 * Stars by a name, those that are called just so first. One statement, made once for any name.
 * @param search as `readStarSearch` reads it
 */
export async function findStarsByName(
  text: string,
  search: StarSearch,
  language: Lang,
  limit: number,
): Promise<StarChoice[]> {
  const names = readListSearch(search);
  if (!names) return [];
  const read = choices({ language, index: names.index, limit: roundedLimit(limit) });
  return read({ ...names.values, name: text, limit, offset: 0 });
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

/** Stars that are called as this one is in some language, those born on its day first. */
export async function findNamesakes(
  starId: number,
  language: Lang,
  db: Pick<Database, 'select'> = database(),
): Promise<Namesake[]> {
  const isSameDay = sql<boolean>`coalesce(length(${born.birthDate}) = 10 and ${born.birthDate} = (
    select ${own.birthDate} from ${starProfiles} ${own} where ${own.starId} = ${starId}), false)`;
  return db
    .select({
      ...badgeFields(),
      year: sql<string | null>`left(coalesce(${born.birthDate}, ${born.debutDate}), 4)`,
      isSameDay,
    })
    .from(s)
    .leftJoin(st, wordsIn(language))
    .leftJoin(born, eq(born.starId, s.id))
    .where(
      sql`${s.id} <> ${starId} and ${s.id} in (select ${named.starId} from ${starTranslations} ${named}
        where lower(${named.name}) in (select lower(${called.name}) from ${starTranslations} ${called}
          where ${called.starId} = ${starId}))`,
    )
    .orderBy(desc(isSameDay), s.id)
    .limit(20);
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
