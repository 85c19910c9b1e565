import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias, type PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { database, type Transaction } from '../../client.ts';
import { items, sources, stories, storyDrafts } from '../../schema/newsroom.ts';
import { derived, execute, nameOf, namesOf } from '../../sql.ts';

/** An entry of a feed that is stored. */
type NewItem = Pick<
  typeof items.$inferSelect,
  'title' | 'url' | 'canonicalUrl' | 'text' | 'publishedAt' | 'digest'
>;

/** What a successful fetch tells of its source. */
type FetchNote = Pick<typeof sources.$inferSelect, 'etag' | 'lastModified'>;

/** A source that answered. */
const afterSuccess = {
  lastFetchedAt: sql`now()`,
  lastSuccessAt: sql`now()`,
  lastError: null,
  failures: 0,
  nextFetchAt: sql`now() + ${sources.intervalMinutes} * interval '1 minute'`,
  updatedAt: sql`now()`,
} satisfies PgUpdateSetSource<typeof sources>;

const hostOf = (address: SQL) => sql`substring(${address} from '^[a-z]+://(?:www[.])?([^/:?#]+)')`;
const feedOf = (sourceId: SQL) =>
  sql`(select ${sources.feedUrl} from ${sources} where ${sources.id} = ${sourceId})`;

/** Whether a source tells under an address of its own: that of its feed, or one below or above it. */
function speaksForItself(sourceId: SQL, address: SQL): SQL {
  const [own, told] = [hostOf(feedOf(sourceId)), hostOf(address)];
  return sql`(right('.' || ${told}, length(${own}) + 1) = '.' || ${own} or right('.' || ${own}, length(${told}) + 1) = '.' || ${told})`;
}

/** What is stored of an entry already: its page may have told another address than its feed does. */
const known = alias(items, 'known');

/**
 * Stores what a fetch brought and notes its success, in one transaction: killed in between, the source is simply asked
 * again. New entries and those that their own source changed are to be read (again), as are those of which another source told under an
 * address of this one. Entries older than three days stay out.
 * @returns their ids
 */
export function storeFetch(
  sourceId: number,
  note: FetchNote,
  entries: readonly NewItem[],
): Promise<number[]> {
  const { url, canonicalUrl, title, text, digest, publishedAt } = items;
  return database().transaction(async (tx) => {
    const storedItems = await execute(
      { id: items.id },
      (columns) => sql`
        insert into ${items} (${namesOf(items.sourceId, url, canonicalUrl, title, text, digest, publishedAt)})
        select ${sourceId}::int, e.url, e.address, e.title, e.text, e.digest, e."publishedAt"
        from (
          select distinct on (address) e.*, coalesce(${known.canonicalUrl}, e."canonicalUrl") as address
          from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
            as e(url text, "canonicalUrl" text, title text, text text, digest text, "publishedAt" timestamptz)
          left join ${items} ${known} on ${known.url} = e.url and ${known.sourceId} = ${sourceId}
            and ${known.createdAt} > now() - interval '30 days'
          where e."publishedAt" > now() - interval '3 days'
          order by address, ${known.id}) e
        order by e."publishedAt", e.address
        on conflict (${nameOf(canonicalUrl)}) do update set ${nameOf(title)} = excluded.${nameOf(title)},
          ${nameOf(text)} = excluded.${nameOf(text)}, ${nameOf(items.textOrigin)} = 'feed',
          ${nameOf(digest)} = excluded.${nameOf(digest)}, ${nameOf(items.stage)} = 'collected',
          ${nameOf(items.sourceId)} = excluded.${nameOf(items.sourceId)}, ${nameOf(items.attempts)} = 0, ${nameOf(items.nextTryAt)} = now(), ${nameOf(items.updatedAt)} = now()
        where ${digest} <> excluded.${nameOf(digest)} and (${items.sourceId} = excluded.${nameOf(items.sourceId)}
          or ${speaksForItself(sql`${sourceId}::int`, sql`excluded.${nameOf(url)}`)}
            and not ${speaksForItself(sql`${items.sourceId}`, sql`${url}`)})
        returning ${columns}`,
      tx,
    );
    await tx
      .update(sources)
      .set({ ...afterSuccess, etag: note.etag, lastModified: note.lastModified })
      .where(eq(sources.id, sourceId));
    return storedItems.map(({ id }) => id);
  });
}

/** Notes that nothing is new at a source. */
export async function recordUnchanged(sourceId: number): Promise<void> {
  await database().update(sources).set(afterSuccess).where(eq(sources.id, sourceId));
}

type ItemRow = Pick<
  typeof items.$inferSelect,
  'id' | 'stage' | 'storyId' | 'url' | 'title' | 'text' | 'attempts' | 'nextTryAt' | 'updatedAt'
> &
  Pick<typeof sources.$inferSelect, 'fullText'>;

export async function findItem(id: number): Promise<ItemRow | undefined> {
  const { stage, storyId, url, title, text, attempts, nextTryAt, updatedAt } = items;
  const [item] = await database()
    .select({
      id: items.id,
      stage,
      storyId,
      url,
      title,
      text,
      attempts,
      nextTryAt,
      updatedAt,
      fullText: sources.fullText,
    })
    .from(items)
    .innerJoin(sources, eq(sources.id, items.sourceId))
    .where(eq(items.id, id));
  return item;
}

/** Settles the text of an item, once. */
export async function finishReading(
  id: number,
  page?: { text: string; canonicalUrl: string | undefined },
): Promise<void> {
  const other = alias(items, 'other');
  const address = page?.canonicalUrl;
  await database()
    .update(items)
    .set({
      stage: 'read',
      updatedAt: sql`now()`,
      ...(page && { text: page.text, textOrigin: 'page' }),
      ...(address !== undefined && {
        canonicalUrl: sql`case when exists (select from ${items} ${other} where ${other.canonicalUrl} = ${address})
          then ${items.canonicalUrl} else ${address} end`,
      }),
    })
    .where(and(eq(items.id, id), eq(items.stage, 'collected')));
}

/**
 * Lets an item wait without counting it as a failure: others have the turns at its host. `updatedAt` stays: it tells since when the
 * item waits.
 */
export async function postponeItem(id: number, until: Date): Promise<void> {
  await database().update(items).set({ nextTryAt: until }).where(eq(items.id, id));
}

/** Counts a failure of an item, and lets it wait before it is tried again. */
export async function recordItemFailure(id: number, until: Date): Promise<void> {
  await database()
    .update(items)
    .set({ attempts: sql`${items.attempts} + 1`, nextTryAt: until, updatedAt: sql`now()` })
    .where(eq(items.id, id));
}

const i = alias(items, 'i');
/** The item that is to be grouped. */
const own = alias(items, 'own');
/** Items of stories about the same time, and how alike they are: trigrams in common, from 0 to 1. */
const near = derived('near', {
  storyId: i.storyId,
  titleLikeness: sql<number>`similarity(byeol_fold(${i.title}), byeol_fold(${own.title}))`,
  textLikeness: sql<number>`similarity(left(byeol_fold(${i.text}), 1200), left(byeol_fold(${own.text}), 1200))`,
  isShort: sql<boolean>`least(length(${i.text}), length(${own.text})) < 200`,
  canonicalUrl: i.canonicalUrl,
});
const { titleLikeness, textLikeness } = near.fields;

/** How alike two tellings must be in their headlines and texts. */
const isAlike = sql`(
  ${textLikeness} >= 0.55
  or (${titleLikeness} >= 0.45 and ${textLikeness} >= 0.3)
  or (${titleLikeness} >= 0.7 and ${near.fields.isShort}))`;

/** The story that an item tells: the one of the same address, else the nearest of 48 hours by headline and text. */
async function findStoryOf(tx: Transaction, id: number, canonical?: string): Promise<number | undefined> {
  const hasAddress = sql`(${near.fields.canonicalUrl} = ${canonical ?? null}::text) is true`;
  const [nearest] = await execute(
    { storyId: near.fields.storyId },
    (columns) => sql`
      with own as (select * from ${items} where ${items.id} = ${id}),
      near as (
        select ${near.columns} from own join ${items} ${i} on ${i.id} <> ${own.id} and ${i.storyId} is not null
          and ${i.publishedAt} between ${own.publishedAt} - interval '48 hours' and ${own.publishedAt} + interval '48 hours')
      select ${columns} from near where ${hasAddress} or ${isAlike}
      order by ${hasAddress} desc, ${textLikeness} + ${titleLikeness} desc limit 1`,
    tx,
  );
  return nearest?.storyId ?? undefined;
}

/**
 * Puts an item that is read into its story: the one of the same address, else the nearest by headline
 * and text within 48 hours, else a new one. One after the other, so that two tellings never become two stories.
 * @param canonical address that the page called its own
 * @returns the story, undefined when the item is not to be grouped
 */
export function groupItem(id: number, canonical?: string): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('newsroom_group'))`);
    const [item] = await tx
      .select({ storyId: items.storyId })
      .from(items)
      .where(and(eq(items.id, id), eq(items.stage, 'read')))
      .for('update');
    if (!item) return undefined;
    const existingId = item.storyId ?? (await findStoryOf(tx, id, canonical));
    const storyId = existingId ?? (await insertStory(tx));
    await tx.update(items).set({ stage: 'grouped', storyId, updatedAt: sql`now()` }).where(eq(items.id, id));
    if (existingId !== undefined) await reopenStory(tx, storyId, { isChanged: item.storyId !== null });
    return storyId;
  });
}

async function insertStory(tx: Transaction): Promise<number> {
  const [story] = await tx.insert(stories).values({}).returning({ id: stories.id });
  if (!story) throw new Error('a story was not made');
  return story.id;
}

/** Another telling, or a changed one: what is open, or held for want of words, is tagged anew, a changed text also written anew. */
async function reopenStory(
  tx: Transaction,
  id: number,
  { isChanged }: { isChanged: boolean },
): Promise<void> {
  const { stage, reason } = stories;
  // Another telling may say more than a flash did. Where an editor said that it is about nobody, there are no details.
  const saidTooLittle = and(
    or(eq(reason, 'too_short'), and(eq(reason, 'no_star'), isNotNull(stories.details))),
    eq(stage, 'held'),
  );
  // Before the drafts: one that is just being stored is waited for, and goes with the others.
  await tx
    .update(stories)
    .set({ stage: 'new', reason: null, details: null, nextTryAt: sql`now()`, updatedAt: sql`now()` })
    .where(
      and(
        eq(stories.id, id),
        or(sql`${stage} in ('new', 'waiting')`, isChanged ? eq(stage, 'held') : saidTooLittle),
      ),
    );
  if (isChanged) {
    await tx
      .update(stories)
      .set({ sourceChangedAt: sql`now()` })
      .where(and(eq(stories.id, id), eq(stage, 'published')));
    await tx
      .delete(storyDrafts)
      .where(
        and(
          eq(storyDrafts.storyId, id),
          isNull(storyDrafts.authorId),
          sql`exists (select from ${stories} where ${stories.id} = ${id} and ${stage} <> 'published')`,
        ),
      );
  }
}

/** Written out, because a plan for any stage cannot use the index of those that are open. */
const isOpen = sql`${items.stage} <> 'grouped'`;

/** In how many milliseconds an item is to be read or grouped; undefined when it is in its story. */
export async function findItemWait(id: number): Promise<number | undefined> {
  const [item] = await database()
    .select({ wait: sql<number>`greatest(0, extract(epoch from ${items.nextTryAt} - now()) * 1000)::float` })
    .from(items)
    .where(and(eq(items.id, id), isOpen));
  return item?.wait;
}

/** Items that are to be read or grouped and whose time has come, the oldest first. */
export async function listOpenItems(limit: number): Promise<number[]> {
  const open = await database()
    .select({ id: items.id })
    .from(items)
    .where(and(isOpen, sql`${items.nextTryAt} <= now()`))
    .orderBy(asc(items.nextTryAt), asc(items.id))
    .limit(limit);
  return open.map(({ id }) => id);
}
