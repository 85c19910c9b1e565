import { asc, desc, eq, ne } from 'drizzle-orm';
import { database, type Transaction } from '../client.ts';
import { pictures } from '../schema/media.ts';
import { coalesce, type RowOf } from '../sql.ts';
import { s, st, wordsIn } from './stars/badge.ts';

const pictureFields = { key: pictures.key, art: pictures.art, sourceUrl: pictures.sourceUrl };

type PictureRow = RowOf<typeof pictureFields>;

/** How a picture is made, by its key. */
export async function findPicture(key: string): Promise<PictureRow | undefined> {
  const [picture] = await database().select(pictureFields).from(pictures).where(eq(pictures.key, key));
  return picture;
}

const markFields = { name: coalesce(st.name, s.name), fandomColor: s.fandomColor, style: s.markStyle };

type MarkRow = RowOf<typeof markFields>;

const selectMarks = (reader: Pick<Transaction, 'select'> = database()) =>
  reader.select(markFields).from(s).leftJoin(st, wordsIn('ko'));

/** What a star's round sign is drawn from: the Korean name, the fan colour and the style that was chosen. */
export async function findMark(slug: string): Promise<MarkRow | undefined> {
  const [mark] = await selectMarks().where(eq(s.slug, slug));
  return mark;
}

/** The round signs of the stars that are read about most, but not of the star `except`. */
export async function findPopularMarks(
  limit: number,
  except = 0,
  reader?: Pick<Transaction, 'select'>,
): Promise<MarkRow[]> {
  return selectMarks(reader).where(ne(s.id, except)).orderBy(desc(s.articleCount), asc(s.id)).limit(limit);
}
