import { sql } from 'drizzle-orm';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import { database } from '../client.ts';
import type { ArtSource } from '../schema/media.ts';

export interface PictureRow {
  key: string;
  art: ArtSource | null;
  sourceUrl: string | null;
}

/** How a picture is made, by its key. */
export async function findPicture(key: string): Promise<PictureRow | undefined> {
  const [row] = await database().execute<Record<string, unknown> & PictureRow>(
    sql`select key, art, source_url as "sourceUrl" from pictures where key = ${key}`,
  );
  return row;
}

export interface MarkRow {
  name: string;
  fandomColor: string;
  style: MarkStyle;
}

/** What a star's round sign is drawn from: the Korean name, the fan colour and the style that was chosen. */
export async function findMark(slug: string): Promise<MarkRow | undefined> {
  const [row] = await database().execute<Record<string, unknown> & MarkRow>(sql`
    select coalesce(st.name, s.name) as name, s.fandom_color as "fandomColor", s.mark_style as style
    from stars s left join star_translations st on st.star_id = s.id and st.language = 'ko' where s.slug = ${slug}`);
  return row;
}

/** The round signs of the stars that are read about most, but not of the star `except`. */
export async function findBestKnownMarks(limit: number, except = 0): Promise<MarkRow[]> {
  return database().execute<Record<string, unknown> & MarkRow>(sql`
    select coalesce(st.name, s.name) as name, s.fandom_color as "fandomColor", s.mark_style as style
    from stars s left join star_translations st on st.star_id = s.id and st.language = 'ko'
    where s.id <> ${except} order by s.article_count desc, s.id limit ${limit}`);
}
