import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { database, type Transaction } from '../../client.ts';
import { users } from '../../schema/accounts.ts';
import { articles, embeds } from '../../schema/articles.ts';
import { events } from '../../schema/events.ts';
import { pictures } from '../../schema/media.ts';
import { photos, stars, timelineEvents } from '../../schema/stars.ts';
import { coalesce, type RowOf } from '../../sql.ts';
import { contains } from '../pattern.ts';
import { creditFields } from '../shown-picture.ts';
import { recordDecision } from './audit.ts';
import { versionOf } from './version.ts';

/** The library of uploaded pictures, as editors see it. */

const p = pictures;
/** Of what somebody has added, unlike drawn art. */
export const isUpload = isNotNull(p.uploadHash);

const storedFields = {
  id: p.id,
  key: p.key,
  width: coalesce(p.width, sql<number>`0`),
  height: coalesce(p.height, sql<number>`0`),
  withdrawnAt: p.withdrawnAt,
  withdrawalReason: p.withdrawalReason,
};

/** An upload as those who add it again need it. */
export type StoredUpload = RowOf<typeof storedFields>;

const uploadFields = {
  ...storedFields,
  version: versionOf(p.updatedAt),
  focusX: p.focusX,
  focusY: p.focusY,
  alt: p.alt,
  credit: p.credit,
  licence: p.licence,
  creditUrl: p.creditUrl,
  takenAt: p.takenAt,
  aspect: p.aspect,
  placeholder: p.placeholder,
  createdAt: p.createdAt,
  uploadedBy: sql<string | null>`(select coalesce(${users.displayName}, ${users.username})
    from ${users} where ${users.id} = ${p.uploadedBy})`,
};

export type UploadRow = RowOf<typeof uploadFields>;

/** What is said about a picture. */
export type UploadWords = Pick<
  typeof pictures.$inferSelect,
  'alt' | 'credit' | 'licence' | 'creditUrl' | 'takenAt'
>;

export type NewUpload = UploadWords &
  Pick<typeof pictures.$inferSelect, 'key' | 'aspect' | 'placeholder' | 'focusX' | 'focusY'> & {
    /** SHA-256 of the bytes in hexadecimal. */
    hash: string;
    width: number;
    height: number;
  };

/** Whether an upload of this key is shown or withdrawn; undefined when there is none. */
export async function findUploadState(key: string): Promise<'shown' | 'withdrawn' | undefined> {
  const [upload] = await database()
    .select({ withdrawnAt: p.withdrawnAt })
    .from(p)
    .where(and(eq(p.key, key), isUpload));
  return upload && (upload.withdrawnAt ? 'withdrawn' : 'shown');
}

const saidFields = {
  key: p.key,
  aspect: p.aspect,
  alt: p.alt,
  credit: p.credit,
  licence: p.licence,
  creditUrl: p.creditUrl,
  takenAt: p.takenAt,
  focusX: p.focusX,
  focusY: p.focusY,
};

/** An upload as another library needs it. */
export type SaidUpload = RowOf<typeof saidFields>;

/** What is said about those of these pictures that are uploads and shown, by key. */
export async function findShownUploads(keys: readonly string[]): Promise<Map<string, SaidUpload>> {
  if (keys.length === 0) return new Map();
  const given = sql`any(array(select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb)))`;
  const rows = await database()
    .select(saidFields)
    .from(p)
    .where(and(sql`${p.key} = ${given}`, isUpload, isNull(p.withdrawnAt)));
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * The upload of bytes of this hash, or whose kept bytes are called so, withdrawn or not; undefined when there is none.
 */
export async function findUploadOf(hash: string, key: string): Promise<StoredUpload | undefined> {
  const [upload] = await database()
    .select(storedFields)
    .from(p)
    .where(and(isUpload, or(eq(p.uploadHash, hash), eq(p.key, key))))
    .orderBy(sql`${p.uploadHash} = ${hash} desc`);
  return upload;
}

/** Where the pictures of these keys are described with their authors and licences. */
export async function findPicturePages(keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await database()
    .select({ page: p.creditUrl })
    .from(p)
    .where(and(inArray(p.key, [...keys]), isNotNull(p.creditUrl)));
  return new Set(rows.flatMap(({ page }) => page ?? []));
}

/** An upload with everything about it; undefined when no upload has this id. */
export async function findUpload(id: number): Promise<UploadRow | undefined> {
  const [upload] = await database()
    .select(uploadFields)
    .from(p)
    .where(and(eq(p.id, id), isUpload));
  return upload;
}

/** A page of the library, the newest first, and how many there are. @param withdrawn only these, or only the others; both if not said */
export async function listUploads({
  limit,
  offset,
  withdrawn,
  search,
}: {
  limit: number;
  offset: number;
  withdrawn?: boolean | undefined;
  /** Words of what is said about it. */
  search?: string | undefined;
}): Promise<{ uploads: UploadRow[]; total: number }> {
  const chosen = and(
    isUpload,
    withdrawn === undefined ? undefined : withdrawn ? isNotNull(p.withdrawnAt) : isNull(p.withdrawnAt),
    ...(search?.split(' ') ?? []).map(
      (word) => sql`byeol_fold(concat_ws(' ', ${p.alt}, ${p.credit}, ${p.licence})) like ${contains(word)}`,
    ),
  );
  const [uploads, total] = await Promise.all([
    database()
      .select(uploadFields)
      .from(p)
      .where(chosen)
      .orderBy(desc(p.createdAt), desc(p.id))
      .limit(limit)
      .offset(offset),
    database().$count(p, chosen),
  ]);
  return { uploads, total };
}

/** Adds an upload and notes it, once: whoever comes second with the same picture gets the row of the first. */
export function insertUpload({ hash, ...upload }: NewUpload, actorId: number | null): Promise<StoredUpload> {
  return database().transaction(async (tx) => {
    const [added] = await tx
      .insert(p)
      .values({ ...upload, uploadHash: hash, uploadedBy: actorId })
      .onConflictDoNothing()
      .returning(storedFields);
    if (added) {
      await recordDecision(tx, { actorId, action: 'picture.add', subject: 'picture', subjectId: added.id });
      return added;
    }
    const [first] = await tx
      .select(storedFields)
      .from(p)
      .where(or(eq(p.uploadHash, hash), eq(p.key, upload.key)));
    if (!first) throw new Error(`the picture ${upload.key} has the key of another`);
    return first;
  });
}

/** Takes a picture in again whose withdrawal is final, and notes it: as if it were new, but pages that never let go of it show it with whose it is. */
export function reviveUpload(
  id: number,
  { hash: _, key, ...upload }: NewUpload,
  actorId: number | null,
): Promise<StoredUpload> {
  return database().transaction(async (tx) => {
    const [revived] = await tx
      .update(p)
      .set({
        ...upload,
        credit: upload.credit ?? p.credit,
        licence: upload.licence ?? p.licence,
        creditUrl: upload.creditUrl ?? p.creditUrl,
        uploadedBy: actorId,
        withdrawnAt: null,
        withdrawalReason: null,
        createdAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(p.id, id), eq(p.key, key)))
      .returning(storedFields);
    if (!revived) throw new Error(`the picture ${key} is not there any more`);
    await recordDecision(tx, { actorId, action: 'picture.add', subject: 'picture', subjectId: id });
    return revived;
  });
}

/** What an editor may change about a picture; what is left out stays. */
export type UploadChange = Partial<UploadWords & { focusX: number | null; focusY: number | null }>;

/**
 * Changes what is said about a picture, and its focus, and notes it.
 * @param version which one was read; without one, whatever is there is overwritten
 * @returns why nothing was written: there is no such upload, somebody has changed it since, or it is shown and would lose what it needs
 */
export function updateUpload(
  id: number,
  change: UploadChange,
  { actorId, version }: { actorId: number | null; version: string | undefined },
): Promise<'done' | 'missing' | 'changed' | { needed: (typeof creditFields)[number] }> {
  return database().transaction(async (tx) => {
    const [locked] = await tx
      .select({
        version: versionOf(p.updatedAt),
        key: p.key,
        credit: p.credit,
        licence: p.licence,
        creditUrl: p.creditUrl,
      })
      .from(p)
      .where(and(eq(p.id, id), isUpload))
      .for('update');
    if (!locked) return 'missing';
    if (version !== undefined && version !== locked.version) return 'changed';
    const needed = creditFields.find((field) => locked[field] !== null && change[field] === null);
    if (needed && (await isUsed(locked.key, tx))) return { needed };
    await tx
      .update(p)
      .set({ ...change, updatedAt: sql`now()` })
      .where(eq(p.id, id));
    await recordDecision(tx, {
      actorId,
      action: 'picture.edit',
      subject: 'picture',
      subjectId: id,
      details: { fields: Object.keys(change) },
    });
    return 'done';
  });
}

async function isUsed(key: string, reader: Pick<Transaction, 'select'>): Promise<boolean> {
  const users = await findUsers(key, reader);
  return Object.values(users).some((ids) => ids.length > 0);
}

/** Stars, articles and events for which a picture was chosen, by their ids. */
export async function findUsers(
  key: string,
  reader: Pick<Transaction, 'select'> = database(),
): Promise<{ starIds: number[]; articleIds: number[]; eventIds: number[] }> {
  const [ofStars, ofArticles, ofEvents] = await Promise.all([
    reader
      .select({ id: stars.id })
      .from(stars)
      .where(
        sql`${key} in (${stars.heroKey}, ${stars.avatarKey})
          or exists (select from ${photos} where ${photos.starId} = ${stars.id} and ${photos.pictureKey} = ${key})
          or exists (select from ${timelineEvents}
            where ${timelineEvents.starId} = ${stars.id} and ${timelineEvents.pictureKey} = ${key})`,
      )
      .orderBy(stars.id),
    reader
      .select({ id: articles.id })
      .from(articles)
      .where(
        sql`${key} in (${articles.pictureKey}, ${articles.photoKey}) or exists (
          select from ${embeds} where ${embeds.articleId} = ${articles.id} and ${embeds.pictureKey} = ${key})`,
      )
      .orderBy(articles.id),
    reader.select({ id: events.id }).from(events).where(eq(events.photoKey, key)).orderBy(events.id),
  ]);
  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
  return { starIds: idsOf(ofStars), articleIds: idsOf(ofArticles), eventIds: idsOf(ofEvents) };
}
