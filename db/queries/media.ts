import { and, asc, desc, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { LONGEST_SIGN } from '#content/art/sign.ts';
import { batched } from '../batch.ts';
import { database, type Transaction } from '../client.ts';
import { pictures } from '../schema/media.ts';
import { photos, stars, starTranslations } from '../schema/stars.ts';
import {
  coalesce,
  type Expression,
  jsonObject,
  notNull,
  nullable,
  prepare,
  type RowOf,
  typedAs,
} from '../sql.ts';
import { s, st, wordsIn } from './stars/badge.ts';

const pictureFields = {
  key: pictures.key,
  art: pictures.art,
  sourceUrl: pictures.sourceUrl,
  uploadHash: pictures.uploadHash,
  focusX: pictures.focusX,
  focusY: pictures.focusY,
  withdrawnAt: pictures.withdrawnAt,
};

type PictureRow = RowOf<typeof pictureFields>;

/** Joins a picture that may be shown by its key: what was withdrawn is not there. */
export const isShownAs = (picture: Record<'key' | 'withdrawnAt', AnyPgColumn>, key: Expression): SQL =>
  sql`${picture.key} = ${key} and ${picture.withdrawnAt} is null`;

/** Whose a picture is and where that is told; null for drawn art, and where nobody said. */
export const creditOf = (
  picture: Pick<ReturnType<typeof alias<typeof pictures, string>>, 'credit' | 'licence' | 'creditUrl'>,
) => {
  const credit = jsonObject({
    name: notNull(picture.credit),
    licence: picture.licence,
    url: picture.creditUrl,
  });
  return nullable(typedAs(credit, sql`case when ${picture.credit} is not null then ${credit} end`));
};

/** How a picture is made, by its key. */
export async function findPicture(key: string): Promise<PictureRow | undefined> {
  const [picture] = await database().select(pictureFields).from(pictures).where(eq(pictures.key, key));
  return picture;
}

/** Key of the upload that was added last, of those that are not withdrawn. */
export async function findNewestUpload(): Promise<string | undefined> {
  const [newest] = await database()
    .select({ key: pictures.key })
    .from(pictures)
    .where(and(isNotNull(pictures.uploadHash), isNull(pictures.withdrawnAt)))
    .orderBy(sql`${pictures.createdAt} desc nulls first`)
    .limit(1);
  return newest?.key;
}

/** Key of the drawn art of the star that an upload is shown for; undefined when no star shows it, or without such art. */
export async function findDrawnStandIn(key: string): Promise<string | undefined> {
  const [drawn] = await database()
    .select({ key: pictures.key })
    .from(pictures)
    .innerJoin(s, sql`${pictures.key} = 'star-' || ${s.slug} || '-hero'`)
    .where(
      sql`${key} in (${s.heroKey}, ${s.avatarKey}) or exists (
        select from ${photos} where ${photos.starId} = ${s.id} and ${photos.pictureKey} = ${key})`,
    )
    .limit(1);
  return drawn?.key;
}

const own = alias(starTranslations, 'own');
const markFields = { name: coalesce(st.name, s.name), fandomColor: s.fandomColor, style: s.markStyle };

type MarkRow = RowOf<typeof markFields>;

const selectMarks = (reader: Pick<Transaction, 'select'> = database()) =>
  reader.select(markFields).from(s).leftJoin(st, wordsIn('ko'));

const namedMarkFields = { ...markFields, slug: s.slug };

const readMarks = prepare<typeof namedMarkFields, { slugs: string }>(
  namedMarkFields,
  (columns) => sql`
    select ${columns} from jsonb_array_elements_text(${sql.placeholder('slugs')}::text::jsonb) as wanted(slug)
    join ${stars} ${s} on ${s.slug} = wanted.slug left join ${starTranslations} ${st} on ${wordsIn('ko')}`,
);

/**
 * What a star's round sign is drawn from: the Korean name, the fan colour and the style that was chosen. A page asks for those of dozens of
 * stars at once, which is one statement.
 */
export const findMark = batched(async (slugs: readonly string[]): Promise<(MarkRow | undefined)[]> => {
  const marks = await readMarks({ slugs: JSON.stringify(slugs) });
  const bySlug = new Map(marks.map((mark) => [mark.slug, mark]));
  return slugs.map((slug) => bySlug.get(slug));
});

/**
 * The round signs that a star may be taken for in a list: of those who have one of its names in some language, and of others whose Korean
 * names have the same sign of initial consonants; those read about most.
 */
export function findMarksAlike(
  { names, sign }: { names: readonly string[]; sign: string },
  except: number,
  limit: number,
  reader: Pick<Transaction, 'select'>,
): Promise<(MarkRow & { isNamesake: boolean })[]> {
  const isNamesake = sql<boolean>`${s.id} in (select ${own.starId} from ${starTranslations} ${own}
    where ${own.name} = any(array(select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))))`;
  return reader
    .select({ ...markFields, isNamesake })
    .from(s)
    .leftJoin(st, wordsIn('ko'))
    .where(and(ne(s.id, except), or(sql`left(${s.initials}, ${LONGEST_SIGN}) = ${sign}`, isNamesake)))
    .orderBy(desc(isNamesake), desc(s.articleCount), asc(s.id))
    .limit(limit);
}

/** The round signs of the stars that are read about most, but not of the star `except`. */
export async function findPopularMarks(
  limit: number,
  except = 0,
  reader?: Pick<Transaction, 'select'>,
): Promise<MarkRow[]> {
  return selectMarks(reader).where(ne(s.id, except)).orderBy(desc(s.articleCount), asc(s.id)).limit(limit);
}
