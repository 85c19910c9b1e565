import { log } from '#db/log.ts';
import { findNewestUpload } from '#db/queries/media.ts';
import { config } from '../config.ts';
import { StoreAway } from './store.ts';
import { readOriginal } from './upload-sizes.ts';

/**
 * Tells the log when the newest uploaded picture is not in the store: `STORAGE_URL` or `DATA_DIR` leads to another one than the pictures
 * are in, and drawn art stands in for all of them. A store that is away says so itself.
 */
export async function checkOriginals(): Promise<void> {
  const key = await findNewestUpload();
  if (key === undefined) return;
  try {
    if (await readOriginal(key)) return;
  } catch (error) {
    if (error instanceof StoreAway) return;
    throw error;
  }
  const { storage } = config();
  const place = storage ? `the bucket ${storage.bucket} of STORAGE_URL` : 'DATA_DIR';
  log.warn(
    { key },
    `the newest uploaded picture is not in ${place}: drawn art stands in for what is missing there (docs/operating/processes.md, Pictures into a bucket)`,
  );
}
