import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { database } from '../client.ts';

/** What a star is called, and what shows that a text is about it. */
export interface StarNames {
  id: number;
  /** Raw (Korean) name. */
  name: string;
  names: Partial<Record<Lang, string>>;
  aliases: string[];
  /** Stars that it is a member of, or that are its members. */
  related: number[];
  /** Agency, fandom and members without a profile. */
  signs: string[];
}

/** All stars by their names. One statement. */
export function listStarNames(): Promise<StarNames[]> {
  return database().execute<Record<string, unknown> & StarNames>(sql`
    select s.id, s.name,
      coalesce((select jsonb_object_agg(language, name) from star_translations where star_id = s.id), '{}') as names,
      array(select alias from star_aliases where star_id = s.id) as aliases,
      array(select group_id from star_members where member_id = s.id
        union select member_id from star_members where group_id = s.id and member_id is not null) as related,
      array(select distinct sign from star_translations t
        cross join lateral (values (t.agency), (t.fandom_name)) as given(sign) where t.star_id = s.id and sign is not null
        union select distinct value from star_members m cross join lateral jsonb_each_text(m.names)
          where m.group_id = s.id and m.member_id is null) as signs
    from stars s order by s.id`);
}
