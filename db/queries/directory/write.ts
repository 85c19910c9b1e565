import { and, eq, inArray, isNotNull, like, or, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import { type Lang, languages } from '#content/locales.ts';
import type { Transaction } from '../../client.ts';
import { starExternalIds } from '../../schema/directory.ts';
import { pictures } from '../../schema/media.ts';
import { starAliases, starMembers, starProfiles, stars, starTranslations } from '../../schema/stars.ts';
import { nameOf } from '../../sql.ts';
import { drawnHeroKey, type StoredDocument, type StoredWords } from './document.ts';

/** Rows of a star's document besides its lists. What may stand in them was decided before (`api/directory/write-star.ts`). */

/** What is worked out from a star's names: `name` is the Korean one, else the English one. */
export type StarSearchWords = Pick<typeof stars.$inferSelect, 'name' | 'initials' | 'searchText'>;

/**
 * Makes sure that nobody else writes this star before the transaction ends. Others may refer to it meanwhile, so that two stars
 * that name each other are written at once without waiting for one another, unless it is to go.
 * @returns false when there is no such star
 */
export async function lockStar(
  tx: Transaction,
  id: number,
  { isLeaving = false }: { isLeaving?: boolean } = {},
): Promise<boolean> {
  const strength = isLeaving ? 'update' : 'no key update';
  const rows = await tx.select({ id: stars.id }).from(stars).where(eq(stars.id, id)).for(strength);
  return rows.length > 0;
}

/** The slugs that begin so. */
export async function findSlugs(tx: Transaction, start: string): Promise<Set<string>> {
  const rows = await tx
    .select({ slug: stars.slug })
    .from(stars)
    .where(or(eq(stars.slug, start), sql`starts_with(${stars.slug}, ${`${start}-`})`));
  return new Set(rows.map(({ slug }) => slug));
}

/** The same of stars that are gone, too: the pictures that were drawn for them stay, here and in browsers. */
export async function findSlugsEver(tx: Transaction, start: string): Promise<Set<string>> {
  const drawn = await tx
    .select({ slug: sql<string>`substring(${pictures.key} from '^star-(.*)-hero$')` })
    .from(pictures)
    .where(and(isNotNull(pictures.art), like(pictures.key, `star-${start}-%hero`)));
  return new Set([...(await findSlugs(tx, start)), ...drawn.map(({ slug }) => slug)]);
}

/** How a star looks where no photograph of it is shown. */
export interface StarLook {
  /** `#rrggbb`: its fan colour, else one that was drawn for it. */
  accent: string;
  isColorDrawn: boolean;
  markStyle: MarkStyle;
}

const lookColumns = ({ accent, isColorDrawn, markStyle }: StarLook) => ({
  fandomColor: accent,
  isColorDrawn,
  markStyle,
});

/** Adds a star, with the pictures that are drawn from its name. @returns its id; undefined: the slug is taken */
export async function insertStar(
  tx: Transaction,
  {
    slug,
    category,
    look,
    placeholder,
    ...names
  }: StarSearchWords & Pick<StoredDocument, 'slug' | 'category'> & { look: StarLook; placeholder: string },
): Promise<number | undefined> {
  const [added] = await tx
    .insert(stars)
    .values({ ...names, slug, category, ...lookColumns(look) })
    .onConflictDoNothing({ target: stars.slug })
    .returning({ id: stars.id });
  if (!added) return undefined;
  const picture = (kind: 'hero' | 'chart', recipe: string) => ({
    key: kind === 'hero' ? drawnHeroKey(slug) : `star-${slug}-chart`,
    art: { name: names.name, fandomColor: look.accent, recipe, seed: `star-${slug}-${kind}` },
    aspect: kind === 'hero' ? '12:5' : '3:2',
    placeholder,
  });
  await tx
    .insert(pictures)
    .values([picture('hero', 'portrait'), picture('chart', 'chart')])
    // Of a star of that name which is gone.
    .onConflictDoUpdate({
      target: pictures.key,
      set: { art: proposed(pictures.art), placeholder: proposed(pictures.placeholder) },
    });
  return added.id;
}

/** Writes the columns of the star itself. */
export async function writeStarRow(
  tx: Transaction,
  id: number,
  { slug, category, hero, avatar }: StoredDocument,
  names: StarSearchWords,
  look: StarLook | undefined,
): Promise<void> {
  await tx
    .update(stars)
    .set({
      ...names,
      category,
      heroKey:
        hero?.key ??
        sql`(select ${pictures.key} from ${pictures} where ${pictures.key} = ${drawnHeroKey(slug)})`,
      avatarKey: avatar?.key ?? null,
      ...(look && lookColumns(look)),
      updatedAt: sql`clock_timestamp()`,
    })
    .where(eq(stars.id, id));
}

/** Writes what a star is found by, and nothing else of it. */
export async function writeSearchWords(tx: Transaction, id: number, words: StarSearchWords): Promise<void> {
  await tx.update(stars).set(words).where(eq(stars.id, id));
}

/** Which of the stars of these slugs are hidden from readers. */
export async function findHiddenStars(tx: Transaction, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set();
  const rows = await tx
    .select({ slug: stars.slug })
    .from(stars)
    .where(and(inArray(stars.slug, [...slugs]), isNotNull(stars.hiddenAt)));
  return new Set(rows.map(({ slug }) => slug));
}

/** The groups that name a star as a member of theirs, in the order of their ids. */
export async function findGroups(tx: Transaction, member: number): Promise<number[]> {
  const rows = await tx
    .selectDistinct({ id: starMembers.groupId })
    .from(starMembers)
    .where(eq(starMembers.memberId, member))
    .orderBy(starMembers.groupId);
  return rows.map(({ id }) => id);
}

/** Writes the facts that are the same in every language. */
export async function writeProfile(
  tx: Transaction,
  starId: number,
  document: StoredDocument,
  parentId: number | null,
): Promise<void> {
  const profile = {
    debutDate: document.debutDate ?? null,
    birthDate: document.birthDate ?? null,
    endDate: document.endDate ?? null,
    activity: document.activity,
    parentId,
    height: document.height ?? null,
    bloodType: document.bloodType ?? null,
    mbti: document.mbti ?? null,
    monthlyListeners: document.monthlyListeners ?? null,
    totalAlbumSales: document.totalAlbumSales ?? null,
  };
  await tx
    .insert(starProfiles)
    .values({ starId, ...profile })
    .onConflictDoUpdate({ target: starProfiles.starId, set: profile });
}

/** Writes a star's words in the languages that it has; the others leave. */
export async function writeWords(
  tx: Transaction,
  starId: number,
  words: Partial<Record<Lang, StoredWords>>,
): Promise<void> {
  await tx.delete(starTranslations).where(eq(starTranslations.starId, starId));
  const rows = wordRows(words).map((own) => ({ starId, ...own }));
  if (rows.length > 0) await tx.insert(starTranslations).values(rows);
}

/** Writes a star's other spellings. */
export async function writeAliases(
  tx: Transaction,
  starId: number,
  aliases: readonly string[],
): Promise<void> {
  await tx.delete(starAliases).where(eq(starAliases.starId, starId));
  if (aliases.length > 0)
    await tx
      .insert(starAliases)
      .values(aliases.map((alias) => ({ starId, alias })))
      .onConflictDoNothing();
}

/** Notes what a star is called in other directories. A number that another star has stays with it. */
export async function addExternalIds(
  tx: Transaction,
  starId: number,
  ids: NonNullable<StoredDocument['externalIds']>,
): Promise<void> {
  const rows = Object.entries(ids) as [keyof typeof ids, string][];
  if (rows.length === 0) return;
  await tx
    .insert(starExternalIds)
    .values(rows.map(([source, externalId]) => ({ starId, source, externalId })))
    .onConflictDoNothing();
}

/** Words as rows, in the languages that there are. */
export function wordRows<Words extends object>(
  words: Partial<Record<Lang, Words>>,
): ({ language: Lang } & Words)[] {
  return languages.flatMap((language) => {
    const own = words[language];
    return own ? [{ language, ...own }] : [];
  });
}

/** What a row that is there already would have got. */
const proposed = (column: AnyPgColumn) => sql`excluded.${nameOf(column)}`;
