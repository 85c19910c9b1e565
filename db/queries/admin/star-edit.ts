import { and, eq, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import { type Lang, languages } from '#content/locales.ts';
import { database, type Transaction } from '../../client.ts';
import { pictures } from '../../schema/media.ts';
import { starAliases, starMembers, starProfiles, stars, starTranslations } from '../../schema/stars.ts';
import { execute, jsonArray, jsonObject, nameOf, namesOf, nullable, selectValue } from '../../sql.ts';
import { recordDecision } from './audit.ts';
import { versionOf } from './version.ts';

/** What a star is called and said to be in one language. */
export type StarWords = Omit<typeof starTranslations.$inferSelect, 'starId' | 'language'>;

/** Everything of a star that an editor may change. Dates are `YYYY-MM-DD`. */
export interface EditableStar
  extends Pick<typeof stars.$inferSelect, 'slug' | 'category' | 'fandomColor'>,
    Pick<typeof starProfiles.$inferSelect, 'debutDate' | 'birthDate'> {
  aliases: string[];
  words: Partial<Record<Lang, StarWords>>;
}

/** What is worked out from a star's names: `name` is the Korean one, else the English one. */
export type StarSearchWords = Pick<typeof stars.$inferSelect, 'name' | 'initials' | 'searchText'>;

const s = alias(stars, 's');
const p = alias(starProfiles, 'p');
const st = alias(starTranslations, 'st');
const m = alias(starMembers, 'm');

const wordFields = {
  name: st.name,
  agency: st.agency,
  realName: st.realName,
  nationality: st.nationality,
  fandomName: st.fandomName,
  biography: st.biography,
};

const editableFields = {
  id: s.id,
  version: versionOf(s.updatedAt),
  slug: s.slug,
  category: s.category,
  fandomColor: s.fandomColor,
  debutDate: nullable(p.debutDate),
  birthDate: nullable(p.birthDate),
  aliases: selectValue(
    jsonArray(starAliases.alias, { orderBy: sql`${starAliases.alias}` }),
    sql`from ${starAliases} where ${starAliases.starId} = ${s.id}`,
  ),
  memberNames: selectValue(
    jsonArray(sql<string>`each.name`, { distinct: true }),
    sql`from ${starMembers} ${m}, jsonb_each_text(${m.names}) as each(language, name) where ${m.groupId} = ${s.id}`,
  ),
  words: sql<EditableStar['words']>`(
    select coalesce(json_object_agg(${st.language}, ${jsonObject(wordFields)}), '{}'::json)
    from ${starTranslations} ${st} where ${st.starId} = ${s.id})`,
};

/** A star as its editor sees it. */
export interface ReadStar extends EditableStar {
  id: number;
  version: string;
  memberNames: string[];
}

/** A star as its editor sees it; undefined when there is none. */
export async function findEditableStar(id: number): Promise<ReadStar | undefined> {
  const [star] = await execute(
    editableFields,
    (columns) => sql`
      select ${columns} from ${stars} ${s} left join ${starProfiles} ${p} on ${p.starId} = ${s.id} where ${s.id} = ${id}`,
  );
  return star;
}

/** Id of the star whose address has this slug; undefined when there is none. */
export async function findStarBySlug(slug: string): Promise<number | undefined> {
  const [star] = await database().select({ id: stars.id }).from(stars).where(eq(stars.slug, slug));
  return star?.id;
}

/**
 * Changes a star and notes it. Pictures keep the colour they were drawn with.
 * @param version which one was read; without one, whatever is there is overwritten
 * @param follow does what follows from the star, in the same transaction
 * @returns why nothing was written: there is no such star, or somebody has changed it since
 */
export function updateStar(
  id: number,
  star: EditableStar,
  names: StarSearchWords,
  markStyle: MarkStyle,
  { actorId, version }: { actorId: number; version: string | undefined },
  follow: (tx: Transaction) => Promise<void>,
): Promise<'done' | 'missing' | 'changed'> {
  const { category, fandomColor } = star;
  return database().transaction(async (tx) => {
    const [locked] = await tx
      .select({ version: versionOf(stars.updatedAt) })
      .from(stars)
      .where(eq(stars.id, id))
      .for('update');
    if (!locked) return 'missing';
    if (version !== undefined && version !== locked.version) return 'changed';
    await tx
      .update(stars)
      .set({ ...names, category, fandomColor, markStyle, updatedAt: sql`now()` })
      .where(eq(stars.id, id));
    await writeParts(tx, id, star);
    await recordDecision(tx, { actorId, action: 'star.edit', subject: 'star', subjectId: id });
    await follow(tx);
    return 'done';
  });
}

/** Adds a star, with the pictures that are drawn from its name, and what follows from it, and notes it. @returns its id; undefined: the slug is taken */
export function insertStar(
  star: EditableStar,
  names: StarSearchWords,
  { placeholder, markStyle }: { placeholder: string; markStyle: MarkStyle },
  actorId: number,
  follow: (tx: Transaction, id: number) => Promise<void>,
): Promise<number | undefined> {
  const { slug, category, fandomColor } = star;
  const picture = (kind: 'hero' | 'chart', recipe: string) => ({
    key: `star-${slug}-${kind}`,
    art: { name: names.name, fandomColor, recipe, seed: `star-${slug}-${kind}` },
    aspect: kind === 'hero' ? '12:5' : '3:2',
    placeholder,
  });
  return database().transaction(async (tx) => {
    await tx
      .insert(pictures)
      .values([picture('hero', 'portrait'), picture('chart', 'chart')])
      .onConflictDoNothing();
    const [added] = await tx
      .insert(stars)
      .values({ ...names, slug, category, fandomColor, markStyle, heroKey: `star-${slug}-hero` })
      .onConflictDoNothing({ target: stars.slug })
      .returning({ id: stars.id });
    if (!added) return undefined;
    await writeParts(tx, added.id, star);
    await recordDecision(tx, { actorId, action: 'star.add', subject: 'star', subjectId: added.id });
    await follow(tx, added.id);
    return added.id;
  });
}

async function writeParts(tx: Transaction, starId: number, star: EditableStar): Promise<void> {
  const { debutDate, birthDate } = star;
  const words = languages.flatMap((language) => {
    const own = star.words[language];
    return own ? [{ starId, language, ...own }] : [];
  });
  if (words.length > 0) {
    const { name, agency, realName, nationality, fandomName, biography } = starTranslations;
    await tx
      .insert(starTranslations)
      .values(words)
      .onConflictDoUpdate({
        target: [starTranslations.starId, starTranslations.language],
        set: {
          name: proposed(name),
          agency: proposed(agency),
          realName: proposed(realName),
          nationality: proposed(nationality),
          fandomName: proposed(fandomName),
          biography: proposed(biography),
        },
      });
  }
  await tx
    .insert(starProfiles)
    .values({ starId, debutDate, birthDate })
    .onConflictDoUpdate({ target: starProfiles.starId, set: { debutDate, birthDate } });
  const aliases = sql`jsonb_array_elements_text(${JSON.stringify(star.aliases)}::jsonb) as given(spelling)`;
  await tx
    .delete(starAliases)
    .where(
      and(
        eq(starAliases.starId, starId),
        sql`${starAliases.alias} not in (select given.spelling from ${aliases})`,
      ),
    );
  await tx.execute(sql`
    insert into ${starAliases} (${namesOf(starAliases.starId, starAliases.alias)})
    select ${starId}::int, given.spelling from ${aliases} on conflict do nothing`);
}

/** What a row that is there already would have got. */
const proposed = (column: AnyPgColumn) => sql`excluded.${nameOf(column)}`;
