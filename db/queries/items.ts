import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import type { ItemStage } from '../schema/newsroom.ts';

/** An entry of a feed that is stored. */
export interface NewItem {
  title: string;
  url: string;
  canonicalUrl: string;
  text: string;
  publishedAt: Date;
  digest: string;
}

/** What a successful fetch tells of its source. */
export interface FetchNote {
  etag: string | null;
  lastModified: string | null;
}

/**
 * Stores what a fetch brought and notes its success, in one transaction: killed in between, the source is simply asked
 * again. New entries and those that their own source changed are to be read (again). Entries older than three days stay out.
 * @returns their ids
 */
export function storeFetch(
  sourceId: number,
  note: FetchNote,
  entries: readonly NewItem[],
): Promise<number[]> {
  return database().transaction(async (tx) => {
    const rows = await tx.execute<{ id: number }>(sql`
      insert into items (source_id, url, canonical_url, title, text, digest, published_at)
      select ${sourceId}::int, e.url, e."canonicalUrl", e.title, e.text, e.digest, e."publishedAt"
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        as e(url text, "canonicalUrl" text, title text, text text, digest text, "publishedAt" timestamptz)
      where e."publishedAt" > now() - interval '3 days'
      order by e."publishedAt", e."canonicalUrl"
      on conflict (canonical_url) do update set title = excluded.title, text = excluded.text, text_origin = 'feed',
        digest = excluded.digest, stage = 'collected', attempts = 0, next_try_at = now(), updated_at = now()
      where items.source_id = excluded.source_id and items.digest <> excluded.digest
      returning id`);
    await tx.execute(sql`
      update sources set etag = ${note.etag}, last_modified = ${note.lastModified}, last_fetched_at = now(),
        last_success_at = now(), last_error = null, failures = 0,
        next_fetch_at = now() + interval_minutes * interval '1 minute', updated_at = now()
      where id = ${sourceId}`);
    return rows.map(({ id }) => id);
  });
}

/** Notes that nothing is new at a source. */
export async function noteUnchanged(sourceId: number): Promise<void> {
  await database().execute(sql`
    update sources set last_fetched_at = now(), last_success_at = now(), last_error = null, failures = 0,
      next_fetch_at = now() + interval_minutes * interval '1 minute', updated_at = now() where id = ${sourceId}`);
}

export interface ItemRow {
  id: number;
  stage: ItemStage;
  storyId: number | null;
  url: string;
  title: string;
  text: string;
  attempts: number;
  fullText: boolean;
}

export async function findItem(id: number): Promise<ItemRow | undefined> {
  const [row] = await database().execute<Record<string, unknown> & ItemRow>(sql`
    select i.id, i.stage, i.story_id as "storyId", i.url, i.title, i.text, i.attempts, s.full_text as "fullText"
    from items i join sources s on s.id = i.source_id where i.id = ${id}`);
  return row;
}

/** Settles the text of an item, once. */
export async function settleItem(
  id: number,
  page?: { text: string; canonicalUrl: string | undefined },
): Promise<void> {
  await database().execute(sql`
    update items i set stage = 'read', updated_at = now(),
      text = coalesce(${page?.text ?? null}::text, text),
      text_origin = case when ${page?.text ?? null}::text is null then text_origin else 'page' end,
      canonical_url = case when ${page?.canonicalUrl ?? null}::text is null or exists (
        select 1 from items other where other.canonical_url = ${page?.canonicalUrl ?? null}::text) then canonical_url
        else ${page?.canonicalUrl ?? null}::text end
    where id = ${id} and stage = 'collected'`);
}

/** Lets an item wait before it is tried again. */
export async function delayItem(id: number, until: Date): Promise<void> {
  await database().execute(
    sql`update items set attempts = attempts + 1, next_try_at = ${until.toISOString()}, updated_at = now() where id = ${id}`,
  );
}

/** How alike two tellings must be: trigrams in common, of the headlines and of the texts (0 to 1). */
const alike = sql`(
  near.text_likeness >= 0.55
  or (near.title_likeness >= 0.45 and near.text_likeness >= 0.3)
  or (near.title_likeness >= 0.7 and near.short))`;

/**
 * Puts an item that is read into its story: the one of the same address, else the nearest by headline
 * and text within 48 hours, else a new one. One after the other, so that two tellings never become two stories.
 * @param canonical address that the page called its own
 * @returns the story, undefined when the item is not to be grouped
 */
export function groupItem(id: number, canonical?: string): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('newsroom_group'))`);
    const [item] = await tx.execute<{ storyId: number | null }>(
      sql`select story_id as "storyId" from items where id = ${id} and stage = 'read' for update`,
    );
    if (!item) return undefined;
    if (item.storyId !== null) {
      await tx.execute(sql`update items set stage = 'grouped', updated_at = now() where id = ${id}`);
      await retell(item.storyId);
      return item.storyId;
    }
    const [near] = await tx.execute<{ storyId: number }>(sql`
      with own as (select * from items where id = ${id}),
      near as (
        select i.story_id, i.canonical_url = ${canonical ?? null}::text as same,
          similarity(byeol_fold(i.title), byeol_fold(own.title)) as title_likeness,
          similarity(left(byeol_fold(i.text), 1200), left(byeol_fold(own.text), 1200)) as text_likeness,
          least(length(i.text), length(own.text)) < 200 as short
        from own join items i on i.id <> own.id and i.story_id is not null
          and i.published_at between own.published_at - interval '48 hours' and own.published_at + interval '48 hours')
      select story_id as "storyId" from near where same is true or ${alike}
      order by same is true desc, text_likeness + title_likeness desc limit 1`);
    const storyId = near?.storyId ?? (await newStory());
    await tx.execute(
      sql`update items set stage = 'grouped', story_id = ${storyId}, updated_at = now() where id = ${id}`,
    );
    if (near) await retell(storyId, false);
    return storyId;

    async function newStory(): Promise<number> {
      const [row] = await tx.execute<{ id: number }>(sql`insert into stories default values returning id`);
      if (!row) throw new Error('a story was not made');
      return row.id;
    }

    /** Another telling, or a changed one: what is open is tagged anew, a changed text also written anew. */
    async function retell(story: number, changed = true): Promise<void> {
      if (changed) {
        await tx.execute(
          sql`update stories set source_changed_at = now() where id = ${story} and stage = 'published'`,
        );
        await tx.execute(sql`delete from story_drafts d using stories s
          where s.id = d.story_id and s.id = ${story} and s.stage <> 'published' and d.author_id is null`);
      }
      await tx.execute(sql`update stories set stage = 'new', reason = null, details = null, next_try_at = now(),
        updated_at = now() where id = ${story} and (stage in ('new', 'waiting') or (stage = 'held' and ${changed}))`);
    }
  });
}

/** In how many milliseconds an item is to be read or grouped; undefined when it is in its story. */
export async function findItemWait(id: number): Promise<number | undefined> {
  const [row] = await database().execute<{ wait: number }>(sql`
    select greatest(0, extract(epoch from next_try_at - now()) * 1000)::float as wait
    from items where id = ${id} and stage <> 'grouped'`);
  return row?.wait;
}

/** Items that are to be read or grouped and whose time has come, the oldest first. */
export async function listOpenItems(limit: number): Promise<number[]> {
  const rows = await database().execute<{ id: number }>(sql`
    select id from items where stage <> 'grouped' and next_try_at <= now() order by next_try_at, id limit ${limit}`);
  return rows.map(({ id }) => id);
}
