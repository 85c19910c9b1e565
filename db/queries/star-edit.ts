import { sql } from 'drizzle-orm';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import { type Lang, languages } from '#content/locales.ts';
import { database } from '../client.ts';
import type { StarCategory } from '../schema/stars.ts';
import { type Executor, recordDecision } from './audit.ts';

/** What a star is called and said to be in one language. */
export interface StarWords {
  name: string;
  agency: string | null;
  realName: string | null;
  nationality: string | null;
  fandomName: string | null;
  biography: string | null;
}

/** Everything of a star that an editor may change. Dates are `YYYY-MM-DD`. */
export interface EditableStar {
  slug: string;
  category: StarCategory;
  fandomColor: string;
  debutDate: string | null;
  birthDate: string | null;
  aliases: string[];
  words: Partial<Record<Lang, StarWords>>;
}

/** What is worked out from a star's names. */
export interface StarSearchWords {
  /** The Korean name, else the English one. */
  name: string;
  initials: string;
  searchText: string;
}

/** A star as its editor sees it; undefined when there is none. */
export async function findEditableStar(
  id: number,
  from: Executor = database(),
): Promise<(EditableStar & { id: number; memberNames: string[] }) | undefined> {
  const [row] = await from.execute<
    Record<string, unknown> & EditableStar & { id: number; memberNames: string[] }
  >(sql`
    select s.id, s.slug, s.category, s.fandom_color as "fandomColor", p.debut_date::text as "debutDate",
      p.birth_date::text as "birthDate",
      (select coalesce(json_agg(alias order by alias), '[]'::json) from star_aliases where star_id = s.id) as aliases,
      (select coalesce(json_agg(distinct name), '[]'::json) from star_members m, jsonb_each_text(m.names) as each(language, name)
        where m.group_id = s.id) as "memberNames",
      (select coalesce(json_object_agg(language, json_build_object('name', name, 'agency', agency, 'realName', real_name,
        'nationality', nationality, 'fandomName', fandom_name, 'biography', biography)), '{}'::json)
        from star_translations where star_id = s.id) as words
    from stars s left join star_profiles p on p.star_id = s.id where s.id = ${id}`);
  return row;
}

/** Changes a star and notes it; false when there is none. Pictures keep the colour they were drawn with. */
export function updateStar(
  id: number,
  star: EditableStar,
  names: StarSearchWords,
  markStyle: MarkStyle,
  actorId: number,
): Promise<boolean> {
  return database().transaction(async (tx) => {
    const [row] = await tx.execute(sql`update stars set name = ${names.name}, category = ${star.category},
      fandom_color = ${star.fandomColor}, mark_style = ${markStyle}, initials = ${names.initials}, search_text = ${names.searchText}, updated_at = now()
      where id = ${id} returning id`);
    if (!row) return false;
    await writeParts(tx, id, star);
    await recordDecision(tx, { actorId, action: 'star.edit', subject: 'star', subjectId: id });
    return true;
  });
}

/** Adds a star, with the pictures that are drawn from its name, and notes it. @returns its id; undefined: the slug is taken */
export function insertStar(
  star: EditableStar,
  names: StarSearchWords,
  { placeholder, markStyle }: { placeholder: string; markStyle: MarkStyle },
  actorId: number,
): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    const picture = (kind: 'hero' | 'chart', recipe: string) => ({
      key: `star-${star.slug}-${kind}`,
      art: { name: names.name, fandomColor: star.fandomColor, recipe, seed: `star-${star.slug}-${kind}` },
      aspect: kind === 'hero' ? '12:5' : '3:2',
    });
    await tx.execute(sql`insert into pictures (key, art, aspect, placeholder)
      select p->>'key', p->'art', p->>'aspect', ${placeholder} from jsonb_array_elements(${JSON.stringify([
        picture('hero', 'portrait'),
        picture('chart', 'chart'),
      ])}::jsonb) as p on conflict do nothing`);
    const [row] = await tx.execute<{ id: number }>(sql`
      insert into stars (slug, name, category, fandom_color, mark_style, hero_key, initials, search_text)
      values (${star.slug}, ${names.name}, ${star.category}, ${star.fandomColor}, ${markStyle}, ${`star-${star.slug}-hero`},
        ${names.initials}, ${names.searchText})
      on conflict (slug) do nothing returning id`);
    if (!row) return undefined;
    await writeParts(tx, row.id, star);
    await recordDecision(tx, { actorId, action: 'star.add', subject: 'star', subjectId: row.id });
    return row.id;
  });
}

async function writeParts(tx: Executor, id: number, star: EditableStar): Promise<void> {
  const words = languages.flatMap((language) => {
    const own = star.words[language];
    return own ? [{ language, ...own }] : [];
  });
  await tx.execute(sql`insert into star_translations
      (star_id, language, name, agency, real_name, nationality, fandom_name, biography)
    select ${id}::int, w.language, w.name, w.agency, w."realName", w.nationality, w."fandomName", w.biography
    from jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as w(language text, name text, agency text, "realName" text,
      nationality text, "fandomName" text, biography text)
    on conflict (star_id, language) do update set name = excluded.name, agency = excluded.agency,
      real_name = excluded.real_name, nationality = excluded.nationality, fandom_name = excluded.fandom_name,
      biography = excluded.biography`);
  await tx.execute(sql`insert into star_profiles (star_id, debut_date, birth_date)
    values (${id}, ${star.debutDate}::date, ${star.birthDate}::date)
    on conflict (star_id) do update set debut_date = excluded.debut_date, birth_date = excluded.birth_date`);
  const aliases = sql`(select value from jsonb_array_elements_text(${JSON.stringify(star.aliases)}::jsonb))`;
  await tx.execute(sql`delete from star_aliases where star_id = ${id} and alias not in ${aliases}`);
  await tx.execute(sql`insert into star_aliases (star_id, alias)
    select ${id}::int, value from jsonb_array_elements_text(${JSON.stringify(star.aliases)}::jsonb) on conflict do nothing`);
}
