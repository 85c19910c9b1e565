import { join, resolve } from 'node:path';
import { config } from '../config.ts';
import type { Place } from './place.ts';
import { bucketPlace } from './place-bucket.ts';
import { folderPlace } from './place-folder.ts';

/**
 * Where the site of these settings keeps uploaded pictures, asked more patiently than for a page: a copy may wait, and an original
 * is large.
 */
export function originals(): Place {
  const { storage, dataDir } = config();
  return storage ? bucketPlace(storage, '') : folderPlace(join(resolve(dataDir), 'uploads'));
}
