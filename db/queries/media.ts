import { sql } from 'drizzle-orm';
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
}

/** What a star's round sign is drawn from: the Korean name and the fan colour. */
export async function findMark(slug: string): Promise<MarkRow | undefined> {
  const [row] = await database().execute<Record<string, unknown> & MarkRow>(sql`
    select coalesce(st.name, s.name) as name, s.fandom_color as "fandomColor"
    from stars s left join star_translations st on st.star_id = s.id and st.language = 'ko' where s.slug = ${slug}`);
  return row;
}
