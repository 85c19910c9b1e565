import { and, eq, gt, inArray, lt, notInArray, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { askImpatiently, database } from '../client.ts';
import {
  invalidatedTags,
  invalidationNumbers,
  pageBuilds,
  pageReads,
  storedPages,
} from '../schema/page-store.ts';
import { nameOf, namesOf, nullable, prepare } from '../sql.ts';

/** Rendered pages that processes share, and what outdates them (decision W10). */

const numbers = sql.identifier(invalidationNumbers.seqName ?? '');
const numbersByName = sql.raw(`'${invalidationNumbers.seqName}'::regclass`);

const isOutdated = sql`exists (
  select from ${invalidatedTags}
  where ${invalidatedTags.tag} = any(${storedPages.tags}) and ${invalidatedTags.number} > ${storedPages.asOf})`;

const secondsTo = (instant: AnyPgColumn) => sql<number>`coalesce(date_part('epoch', ${instant} - now()), 0)`;

const foundFields = {
  /** The newest invalidation, whether there is a page or not: a render that begins now knows of it. */
  newest: sql<number>`(select case when is_called then last_value else 0 end from ${numbers})::float8`,
  etag: nullable(storedPages.etag),
  headers: nullable(storedPages.headers),
  body: nullable(storedPages.body),
  isTight: nullable(storedPages.isTight),
  tags: sql<string[] | null>`to_json(${storedPages.tags})`,
  asOf: sql<number>`coalesce(${storedPages.asOf}, 0)::float8`,
  /** Seconds since it was rendered, and until it is stale and too old, by the database's clock. */
  age: sql<number>`-${secondsTo(storedPages.renderedAt)}`,
  freshFor: secondsTo(storedPages.freshUntil),
  staleFor: secondsTo(storedPages.staleUntil),
};

const findRows = prepare<typeof foundFields, { build: string; keys: string }>(
  foundFields,
  (columns) => sql`
    select ${columns}
    from jsonb_array_elements_text(${sql.placeholder('keys')}::text::jsonb) with ordinality as wanted(path, place)
    left join lateral (
      select * from ${storedPages}
      where ${storedPages.build} = ${sql.placeholder('build')}::text and ${storedPages.key} = wanted.path
        and ${storedPages.staleUntil} > now() and not ${isOutdated}
      limit 1
    ) ${storedPages} on true
    order by wanted.place`,
  askImpatiently,
);

/** The pages of a build with these keys, in their order, that are neither outdated nor too old. */
export const findStoredPages = (build: string, keys: readonly string[]) =>
  findRows({ build, keys: JSON.stringify(keys) });

export interface PageToStore {
  key: string;
  etag: string;
  headers: Record<string, string>;
  /** Brotli, in base64. */
  body: string;
  isTight: boolean;
  tags: readonly string[];
  asOf: number;
  /** Seconds since it was rendered, and until it is stale and too old. */
  age: number;
  freshFor: number;
  staleFor: number;
}

/** All that a page has but its build and its key, in the order in which `storeRows` selects them. */
const pageColumns = [
  storedPages.etag,
  storedPages.headers,
  storedPages.body,
  storedPages.isTight,
  storedPages.tags,
  storedPages.asOf,
  storedPages.renderedAt,
  storedPages.freshUntil,
  storedPages.staleUntil,
];

const inSeconds = (name: string) => sql`now() + make_interval(secs => given.${sql.identifier(name)})`;

const storeRows = prepare<Record<never, never>, { build: string; pages: string }>(
  {},
  () => sql`
    insert into ${storedPages} (${namesOf(storedPages.build, storedPages.key, ...pageColumns)})
    select ${sql.placeholder('build')}::text, given.key, given.etag, given.headers, decode(given.body, 'base64'), given."isTight",
      given.tags, given."asOf", now() - make_interval(secs => given.age), ${inSeconds('freshFor')}, ${inSeconds('staleFor')}
    from json_to_recordset(${sql.placeholder('pages')}::text::json) as given(key text, etag text, headers json, body text,
      "isTight" boolean, tags text[], "asOf" bigint, age float8, "freshFor" float8, "staleFor" float8)
    order by given.key
    on conflict (${namesOf(storedPages.build, storedPages.key)}) do update set ${sql.join(
      pageColumns.map((column) => sql`${nameOf(column)} = excluded.${nameOf(column)}`),
      sql`, `,
    )} where ${storedPages.asOf} <= excluded.${nameOf(storedPages.asOf)}`,
  askImpatiently,
);

/** Stores pages of a build, each key once; one that is there and knows of more stays. */
export async function storePages(build: string, pages: readonly PageToStore[]): Promise<void> {
  await storeRows({ build, pages: JSON.stringify(pages) });
}

const invalidateRows = prepare<Record<never, never>, { tags: string }>(
  {},
  () => sql`
    insert into ${invalidatedTags} (${namesOf(invalidatedTags.tag, invalidatedTags.number)})
    select tag, nextval(${numbersByName})
    from jsonb_array_elements_text(${sql.placeholder('tags')}::text::jsonb) as given(tag) order by tag
    on conflict (${namesOf(invalidatedTags.tag)}) do update
      set ${nameOf(invalidatedTags.number)} = greatest(${invalidatedTags.number}, excluded.${nameOf(invalidatedTags.number)}),
        ${nameOf(invalidatedTags.invalidatedAt)} = now()`,
  askImpatiently,
);

/** Outdates every stored page that carries one of the tags, and every one whose render began before. Called after the commit. */
export async function invalidateStoredPages(tags: readonly string[]): Promise<void> {
  await invalidateRows({ tags: JSON.stringify([...new Set(tags)]) });
}

/** What `reads` count after the time since they were counted. */
const decayed = sql`${pageReads.reads} * power(0.5, extract(epoch from now() - ${pageReads.readAt}) / 86400)`;

const countRows = prepare<Record<never, never>, { reads: string }>(
  {},
  () => sql`
    insert into ${pageReads} (${namesOf(pageReads.key, pageReads.reads)})
    select given.key, given.reads
    from jsonb_to_recordset(${sql.placeholder('reads')}::text::jsonb) as given(key text, reads real) order by given.key
    on conflict (${namesOf(pageReads.key)}) do update
      set ${nameOf(pageReads.reads)} = ${decayed} + excluded.${nameOf(pageReads.reads)}, ${nameOf(pageReads.readAt)} = now()`,
  askImpatiently,
);

/** Adds what was read since it was told last. */
export async function countPageReads(reads: readonly { key: string; reads: number }[]): Promise<void> {
  await countRows({ reads: JSON.stringify(reads) });
}

const readFields = { key: pageReads.key };
const readMost = prepare<typeof readFields, { limit: number }>(
  readFields,
  (columns) => sql`
    select ${columns} from ${pageReads} order by ${decayed} desc limit ${sql.placeholder('limit')}::int`,
  askImpatiently,
);

/** Keys of the pages that were read most, whichever build made them. */
export async function listMostReadPages(limit: number): Promise<string[]> {
  return (await readMost({ limit })).map(({ key }) => key);
}

/** Pages of which it is kept how often they are read. */
const mostCounted = 20_000;

const leaseSeconds = 15;
const leaseEnd = sql`now() + make_interval(secs => ${sql.raw(String(leaseSeconds))})`;

const leadFields = { build: pageBuilds.build };
const leadRow = prepare<typeof leadFields, { build: string; holder: string }>(
  leadFields,
  (columns) => sql`
    insert into ${pageBuilds} (${namesOf(pageBuilds.build, pageBuilds.holder, pageBuilds.leasedUntil)})
    values (${sql.placeholder('build')}::text, ${sql.placeholder('holder')}::text::uuid, ${leaseEnd})
    on conflict (${namesOf(pageBuilds.build)}) do update set
      ${nameOf(pageBuilds.holder)} = excluded.${nameOf(pageBuilds.holder)},
      ${nameOf(pageBuilds.leasedUntil)} = excluded.${nameOf(pageBuilds.leasedUntil)}
      where ${pageBuilds.holder} = excluded.${nameOf(pageBuilds.holder)} or ${pageBuilds.leasedUntil} < now()
    returning ${columns}`,
  askImpatiently,
);

/**
 * Takes or keeps for a process what one of each build does. It has to be repeated well within 15 seconds.
 * @returns whether it has it
 */
export async function leadPages(build: string, holder: string): Promise<boolean> {
  return (await leadRow({ build, holder })).length > 0;
}

/** Leaves it to whoever asks next. */
export async function leavePages(build: string, holder: string): Promise<void> {
  await database()
    .update(pageBuilds)
    .set({ leasedUntil: sql`now()` })
    .where(and(eq(pageBuilds.build, build), eq(pageBuilds.holder, holder)));
}

/** What a row takes besides its body: headers, tags, its entry in the index. */
const rowBytes = 3_000;

/**
 * Deletes what nobody is answered any more: pages that are outdated or too old, those of builds that have not served for an hour,
 * and, of those that were not read for the longest time, what does not fit into `limitBytes`.
 */
export async function sweepStoredPages(limitBytes: number): Promise<void> {
  const db = database();
  const serving = db
    .select({ build: pageBuilds.build })
    .from(pageBuilds)
    .where(gt(pageBuilds.leasedUntil, sql`now() - interval '1 hour'`));
  await db.delete(storedPages).where(lt(storedPages.staleUntil, sql`now()`));
  await db.delete(storedPages).where(isOutdated);
  await db.delete(storedPages).where(notInArray(storedPages.build, serving));
  await db.execute(sql`
    delete from ${storedPages} where (${storedPages.build}, ${storedPages.key}) in (
      select build, path from (
        select ${storedPages.build} as build, ${storedPages.key} as path,
          sum(octet_length(${storedPages.body}) + ${sql.raw(String(rowBytes))}) over (
            order by coalesce(${pageReads.readAt}, ${storedPages.renderedAt}) desc, ${storedPages.build}, ${storedPages.key}
          ) as total
        from ${storedPages} left join ${pageReads} on ${pageReads.key} = ${storedPages.key}) as sized
      where total > ${limitBytes}::bigint)`);
  // A page from before would be older than any that is answered.
  await db.delete(invalidatedTags).where(lt(invalidatedTags.invalidatedAt, sql`now() - interval '15 days'`));
  await db.delete(pageReads).where(lt(pageReads.readAt, sql`now() - interval '7 days'`));
  // Addresses that nobody has a use for can be read, too, any number of them.
  const least = db
    .select({ key: pageReads.key })
    .from(pageReads)
    .orderBy(sql`${decayed} desc`)
    .offset(mostCounted);
  await db.delete(pageReads).where(inArray(pageReads.key, least));
}

const dropRow = prepare<Record<never, never>, { build: string; key: string; asOf: number }>(
  {},
  () => sql`
    delete from ${storedPages} where ${storedPages.build} = ${sql.placeholder('build')}::text
      and ${storedPages.key} = ${sql.placeholder('key')}::text and ${storedPages.asOf} <= ${sql.placeholder('asOf')}::bigint`,
  askImpatiently,
);

/** Forgets a page of a build, unless whoever made it knew of more invalidations than these. */
export async function dropStoredPage(build: string, key: string, asOf: number): Promise<void> {
  await dropRow({ build, key, asOf });
}

/** Forgets every page. */
export async function emptyPageStore(): Promise<void> {
  await database().delete(storedPages);
}

const sizeFields = {
  bytes: sql<number>`pg_total_relation_size(${sql.raw(`'stored_pages'::regclass`)})::float8`,
};
const readSize = prepare<typeof sizeFields, Record<never, never>>(
  sizeFields,
  (columns) => sql`select ${columns}`,
  askImpatiently,
);

/** Bytes that stored pages take on the disk of the database. */
export async function sizeOfPageStore(): Promise<number> {
  return (await readSize({}))[0]?.bytes ?? 0;
}
