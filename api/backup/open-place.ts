import { resolve } from 'node:path';
import { StartupError } from '#db/embedded.ts';
import { isAddress, placeForms, readStorageUrl, StorageUrlError } from '../storage-url.ts';
import type { Place } from './place.ts';
import { bucketPlace } from './place-bucket.ts';
import { folderPlace } from './place-folder.ts';

/**
 * The place of an address: a folder, or `s3://key:secret@host/bucket/folder?region=…&tls=on`.
 * @throws StartupError
 */
export function openPlace(address: string): Place {
  if (!isAddress(address)) return folderPlace(resolve(address));
  if (!/^s3:/i.test(address)) throw new StartupError(`The address of the backup ${placeForms}`);
  try {
    const { settings, folder } = readStorageUrl(address);
    return bucketPlace(settings, folder);
  } catch (error) {
    if (error instanceof StorageUrlError)
      throw new StartupError(`The address of the backup ${error.message}`);
    throw error;
  }
}
