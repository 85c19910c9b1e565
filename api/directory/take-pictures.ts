import { site } from '#content/site.ts';
import { findUploadState } from '#db/queries/admin/pictures.ts';
import { config } from '../config.ts';
import { ApiError, Unavailable } from '../errors.ts';
import { FetchRefused, guardedFetch } from '../media/guarded-fetch.ts';
import { completeCredit, readNewWords } from '../media/library.ts';
import { PictureRefused } from '../media/picture-refused.ts';
import { addUpload, maxUploadBytes, previewUpload } from '../media/uploads.ts';
import { mapPictures, picturesOf, uniqueByKey } from './document-pictures.ts';
import { previewImport } from './import.ts';
import type { PictureReference } from './model.ts';
import { findPictureFiles } from './picture-files.ts';
import { type ReadRow, reasonFor } from './rows.ts';

/** Where an operator lets an import take the pictures from that the library lacks. */
export interface PictureSource {
  /** Files that are called by the keys of the pictures. */
  folder: string | undefined;
  /** Whether the addresses of the file are asked for what is in no folder. */
  isFetching: boolean;
  /** Nothing is added. */
  isDryRun: boolean;
  rowByRow: boolean;
  onProgress: (done: number, total: number) => void;
}

export interface TakenPictures {
  /** The rows with the keys that the library has for their pictures, or would have. */
  rows: ReadRow[];
  keys: ReadonlySet<string>;
  /** Why a picture was not taken, in words, by the key of the file. */
  refused: ReadonlyMap<string, string>;
}

/** Bytes of a file of the folder: an original of ours is larger than what was uploaded. */
const maxOriginalBytes = 4 * maxUploadBytes;
const fetchTimeout = 30_000;

/** Why a picture is not taken that may well be one. */
class NotTaken extends Error {}

/**
 * Adds the pictures that rows name and the library lacks, one after the other, with what the file says of them. An import that is
 * refused as a whole takes none.
 * @throws StartupError when there is no such folder; Unavailable when the store is away
 */
export async function takePictures(
  rows: readonly ReadRow[],
  { folder, isFetching, isDryRun, rowByRow, onProgress }: PictureSource,
): Promise<TakenPictures> {
  const files = folder === undefined ? undefined : await findPictureFiles(folder);
  const planned = await previewImport(rows);
  const isRefused = !isDryRun && !rowByRow && planned.some(({ outcome }) => outcome === 'refuse');
  const named = planned.flatMap(({ outcome, missingPictures }, at) => {
    const { document } = rows[at] ?? {};
    if (!document || isRefused || outcome === 'refuse') return [];
    return picturesOf(document).filter(({ key }) => missingPictures.includes(key));
  });
  const wanted = uniqueByKey(named);
  const keys = new Map<string, string>();
  const refused = new Map<string, string>();
  for (const picture of wanted) {
    try {
      keys.set(picture.key, await takePicture(picture, { files, isFetching, isDryRun }));
    } catch (error) {
      refused.set(picture.key, sentenceOf(error));
    }
    onProgress(keys.size + refused.size, wanted.length);
  }
  return { rows: rows.map((row) => withKeys(row, keys)), keys: new Set(keys.values()), refused };
}

type TakeOptions = Pick<PictureSource, 'isFetching' | 'isDryRun'> & {
  files: ReadonlyMap<string, string> | undefined;
};

/** @returns the key that the library has for it */
async function takePicture(
  picture: PictureReference,
  { files, isFetching, isDryRun }: TakeOptions,
): Promise<string> {
  if ((await findUploadState(picture.key)) === 'withdrawn') throw new NotTaken('This picture was withdrawn.');
  const words = readNewWords(picture);
  const path = files?.get(picture.key);
  if (path === undefined && !isFetching) throw new NotTaken('The folder has none of this name.');
  const maxBytes = path === undefined ? maxUploadBytes : maxOriginalBytes;
  const bytes = await (path === undefined ? fetchPicture(picture) : readPicture(path, maxBytes));
  const from = { maxBytes, calledElsewhere: picture.key };
  if (isDryRun) return previewUpload(bytes, from);
  const { id, key } = await addUpload(bytes, { actorId: null, ...words, focus: picture.focus, ...from });
  await completeCredit(id, words, null);
  return key;
}

async function readPicture(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = Bun.file(path);
  if (file.size > maxBytes) throw new PictureRefused('too_large');
  try {
    return await file.bytes();
  } catch {
    throw new NotTaken('Its file cannot be read.');
  }
}

/** @throws FetchRefused, NotTaken */
async function fetchPicture({ url }: PictureReference): Promise<Uint8Array> {
  if (url === undefined) throw new NotTaken('The file has no address of it.');
  const { siteUrl, mailFrom } = config();
  const { status, body } = await guardedFetch(url, {
    maxBytes: maxUploadBytes,
    timeout: fetchTimeout,
    headers: {
      'user-agent': `${site.name}Bot/1.0 (${siteUrl}/en/about; ${mailFrom})`,
      accept: 'image/*',
    },
  });
  if (status !== 200) throw new NotTaken(`Its address answers ${status}.`);
  return body;
}

/** What an operator reads of a picture that is not taken; what is about all of them ends the import. */
function sentenceOf(error: unknown): string {
  if (error instanceof NotTaken || error instanceof FetchRefused) return error.message;
  if (!(error instanceof ApiError) || error instanceof Unavailable) throw error;
  return error.field === 'file' ? error.message : reasonFor(error).message;
}

function withKeys({ document, ...row }: ReadRow, keys: ReadonlyMap<string, string>): ReadRow {
  if (!document) return row;
  const renamed = mapPictures(document, (picture) => ({
    ...picture,
    key: keys.get(picture.key) ?? picture.key,
  }));
  return { ...row, document: renamed };
}
