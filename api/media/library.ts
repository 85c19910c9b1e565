import { type Lang, languages } from '#content/locales.ts';
import { isPartialDate } from '#content/partial-date.ts';
import {
  listFinallyWithdrawn,
  restoreUpload,
  whileFinallyWithdrawn,
  withdrawUpload,
} from '#db/queries/admin/picture-withdrawal.ts';
import {
  findUpload,
  findUsers,
  listUploads,
  type UploadChange,
  type UploadRow,
  updateUpload,
} from '#db/queries/admin/pictures.ts';
import { creditFields } from '#db/queries/shown-picture.ts';
import { pagination } from '../admin/paging.ts';
import { readAddress, readLine } from '../admin/text.ts';
import { ApiError, BadInput, ChangedSince, Conflict, NotFound } from '../errors.ts';
import { readSearch } from '../input.ts';
import { invalidate } from '../invalidation.ts';
import { readFiles } from '../plugins/bounds.ts';
import { disableIdleTimeout } from '../plugins/client.ts';
import { makeOnce } from '../plugins/idempotency.ts';
import { makeSlots } from '../slots.ts';
import type { LibraryPicture, PictureDetails, PictureEdit, PictureList, SentPicture } from './model.ts';
import { PictureRefused } from './picture-refused.ts';
import {
  type AddedUpload,
  addUpload,
  deleteBytes,
  maxUploadBytes,
  readWhole,
  type UploadInput,
  undoDays,
} from './uploads.ts';

/** Bytes of a form besides its picture. */
const formBytes = 64 * 1024;
/** Bytes of uploads that may be in memory at a time; the others are left in the network until there is room. */
const memory = makeSlots(4 * (maxUploadBytes + formBytes));
/** Pixels of the side of a whole picture as editors see it. */
const wholeSide = 1280;

/**
 * Adds the picture of a posted form, whoever may, once per key. One that was there without a word about whose it is gets these words.
 * @throws what `addUpload`, `readFiles` and `makeOnce` say; BadInput
 */
export function receiveUpload(request: Request, actorId: number): Promise<SentPicture> {
  const most = maxUploadBytes + formBytes;
  const announced = Number(request.headers.get('content-length') ?? most);
  if (announced > most) throw new PictureRefused('too_large');
  disableIdleTimeout(request);
  return memory.run(async () => {
    const form = await readFiles(request, most).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 413 ? new PictureRefused('too_large') : error;
    });
    const file = form.get('file');
    if (!(file instanceof Blob)) throw new PictureRefused('required');
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : undefined;
    };
    const alt = Object.fromEntries(languages.map((language) => [language, text(`alt.${language}`)]));
    const said = readNewWords({
      alt: Object.fromEntries(Object.entries(alt).filter(([, value]) => value !== undefined)),
      credit: text('credit'),
      licence: text('licence'),
      creditUrl: text('creditUrl'),
      takenAt: text('takenAt'),
    });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
    return makeOnce(request, actorId, { hash, ...said }, async () => {
      const added = await addUpload(bytes, { actorId, ...said });
      if (added.isKnown) await completeCredit(added.id, said, actorId);
      const { credit } = await findOrThrow(added.id);
      return { ...added, credit };
    });
  }, announced);
}

/**
 * Adds a picture that somebody's site gives away, with what that says of it. One that was there without a word about whose it is
 * gets these.
 * @throws what `addUpload` and `fetchBytes` say; BadInput
 */
export async function addFetchedPicture(
  fetchBytes: () => Promise<Uint8Array>,
  { actorId, alt, ...words }: UploadInput & { actorId: number },
): Promise<Omit<AddedUpload, 'isKnown'>> {
  const said = readWords(words);
  const { isKnown: _, ...added } = await memory.run(
    async () => addUpload(await fetchBytes(), { actorId, alt, ...said }),
    maxUploadBytes,
  );
  await completeCredit(added.id, said, actorId);
  return added;
}

/**
 * A picture that was there, and of which nobody said all of whose it is, gets what is said of it now: the three belong together.
 */
export async function completeCredit(
  id: number,
  said: Pick<UploadInput, CreditField>,
  actorId: number | null,
): Promise<void> {
  const { credit, licence, creditUrl, version } = await findOrThrow(id);
  if (isCreditedBy({ credit, licence, creditUrl }) || !isCreditedBy(said)) return;
  await changePicture(id, { version, ...said }, actorId);
}

type CreditField = (typeof creditFields)[number];

/** Whether it is said whose a picture is, under which licence and where that stands (decision M5). */
export const isCreditedBy = (said: { [Field in CreditField]?: string | null | undefined }): boolean =>
  creditFields.every((field) => said[field]);

/** A page of the library. @param search words of the alternative texts, the credit or the licence */
export async function readLibrary(
  page: number,
  limit: number,
  { withdrawn, search }: { withdrawn?: boolean | undefined; search?: string | undefined } = {},
): Promise<PictureList> {
  const { uploads, total } = await listUploads({
    limit,
    offset: (page - 1) * limit,
    withdrawn,
    search: readSearch(search),
  });
  return { pictures: uploads.map(toPicture), pagination: pagination(page, limit, total) };
}

/** One picture of the library, with what shows it. @throws NotFound */
export async function readLibraryPicture(id: number): Promise<PictureDetails> {
  const picture = toPicture(await findOrThrow(id));
  return { ...picture, usedBy: await findUsers(picture.key) };
}

/** The whole picture as WebP, for editors. @throws NotFound */
export async function readWholePicture(id: number): Promise<Uint8Array> {
  const { key } = await findOrThrow(id);
  const bytes = await readWhole(key, wholeSide);
  if (!bytes) throw new NotFound('Picture');
  return bytes;
}

/**
 * Changes what is said about a picture and what its crops keep. One that is shown keeps its credit, licence and source.
 * @throws NotFound, BadInput, ChangedSince
 */
export async function changePicture(
  id: number,
  { version, ...edit }: PictureEdit,
  actorId: number | null,
): Promise<void> {
  const before = await findOrThrow(id);
  const { alt, ...words } = readWords(edit);
  const change: UploadChange = {
    ...words,
    ...(alt && { alt: withoutEmpty({ ...before.alt, ...alt }) }),
    ...(edit.focus !== undefined && { focusX: edit.focus?.x ?? null, focusY: edit.focus?.y ?? null }),
  };
  // Of a picture whose texts are merged, the version that they were merged with.
  const outcome = await updateUpload(id, change, { actorId, version: version ?? (alt && before.version) });
  if (outcome === 'missing') throw new NotFound('Picture');
  if (outcome === 'changed') throw new ChangedSince(toPicture(await findOrThrow(id)));
  if (outcome !== 'done') throw new BadInput(outcome.needed, 'A picture that is shown keeps this.', 'shown');
  await invalidatePagesWith(before.key);
}

/** Takes a picture down everywhere: its addresses answer 410, pages show the drawn art. @throws NotFound, BadInput, Conflict */
export async function withdrawPicture(
  id: number,
  reason: string | null | undefined,
  actorId: number,
): Promise<void> {
  const { key } = await findOrThrow(id);
  const isWithdrawn = await withdrawUpload(id, readLine(reason, 'reason', 300), actorId);
  if (!isWithdrawn) throw new Conflict('already_withdrawn', 'This picture is withdrawn already.');
  await invalidatePagesWith(key);
}

/** Undoes a withdrawal of the last thirty days. @throws NotFound, Conflict */
export async function restorePicture(id: number, actorId: number): Promise<void> {
  const { key, withdrawnAt } = await findOrThrow(id);
  if (!withdrawnAt) throw new Conflict('not_withdrawn', 'This picture is not withdrawn.');
  if (!(await restoreUpload(id, undoDays, actorId)))
    throw new Conflict('final', `A withdrawal can be undone for ${undoDays} days.`);
  await invalidatePagesWith(key);
}

/**
 * Deletes the bytes of pictures whose withdrawal is final, also where a restore has brought them back. One that cannot be deleted keeps
 * none of the others.
 * @throws AggregateError with the reasons of all that failed; the reason of `signal`
 */
export async function deleteWithdrawnBytes(signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const key of await listFinallyWithdrawn(undoDays)) {
    signal?.throwIfAborted();
    try {
      await whileFinallyWithdrawn(key, undoDays, () => deleteBytes(key));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return;
  const reasons = [...new Set(failures.map(String))].join('; ');
  throw new AggregateError(failures, `not all withdrawn pictures could be deleted: ${reasons}`);
}

async function findOrThrow(id: number): Promise<UploadRow> {
  const picture = await findUpload(id);
  if (!picture) throw new NotFound('Picture');
  return picture;
}

/** Uploads that caches in front keep, pages of a star and of an article, and every list, calendar and channel in which they stand. */
async function invalidatePagesWith(key: string): Promise<void> {
  const { starIds, articleIds, eventIds } = await findUsers(key);
  if (starIds.length + articleIds.length + eventIds.length === 0) return invalidate(['pictures']);
  await invalidate([
    'pictures',
    'feed',
    'stars',
    'events',
    'channels',
    ...starIds.map((id) => `star:${id}` as const),
    ...articleIds.map((id) => `article:${id}` as const),
    ...eventIds.map((id) => `event:${id}` as const),
  ]);
}

function toPicture({ focusX, focusY, createdAt, withdrawnAt, alt, ...row }: UploadRow): LibraryPicture {
  return {
    ...row,
    alt: alt ?? {},
    focus: focusX === null || focusY === null ? null : { x: focusX, y: focusY },
    createdAt: createdAt.toISOString(),
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
    undoUntil: withdrawnAt && new Date(withdrawnAt.getTime() + undoDays * 86_400_000).toISOString(),
  };
}

/** What is said about a new picture, tidied. @throws BadInput */
export function readNewWords(input: WordsInput): Omit<ReadWords, 'alt'> & Pick<UploadInput, 'alt'> {
  const { alt = {}, ...words } = readWords(input);
  return { ...words, alt: withoutEmpty(alt) };
}

type WordsInput = Pick<PictureEdit, 'alt' | 'credit' | 'licence' | 'creditUrl' | 'takenAt'>;
/** An empty text of a language takes the one that was there away. */
type ReadWords = Omit<UploadChange, 'alt'> & { alt?: Partial<Record<Lang, string>> };

/** What was said, tidied; what was left out is left out. @throws BadInput */
function readWords({ alt, credit, licence, creditUrl, takenAt }: WordsInput): ReadWords {
  return {
    ...(alt && { alt: readAlt(alt) }),
    ...(credit !== undefined && { credit: readLine(credit, 'credit', 120) }),
    ...(licence !== undefined && { licence: readLine(licence, 'licence', 120) }),
    ...(creditUrl !== undefined && { creditUrl: readAddress(creditUrl, 'creditUrl') }),
    ...(takenAt !== undefined && { takenAt: readTakenAt(takenAt) }),
  };
}

function readAlt(alt: NonNullable<WordsInput['alt']>): Partial<Record<Lang, string>> {
  const texts: Partial<Record<Lang, string>> = {};
  for (const language of languages) {
    const text = alt[language];
    if (text !== undefined) texts[language] = readLine(text, `alt.${language}`, 300) ?? '';
  }
  return texts;
}

const withoutEmpty = (texts: Partial<Record<Lang, string>>): Partial<Record<Lang, string>> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

function readTakenAt(text: string | null): string | null {
  if (!text) return null;
  if (!isPartialDate(text))
    throw new BadInput('takenAt', 'Must be a date such as 2020, 2020-07 or 2020-07-28.', 'date');
  return text;
}
