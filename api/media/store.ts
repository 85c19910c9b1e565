import { codeOf } from '#db/error-code.ts';

/** Bytes of a picture in the store, twice what the site makes of the largest that it takes in. */
export const maxPictureBytes = 64 * 1024 * 1024;
/** Of an original. */
export const maxPixels = 60_000_000;

/** Where the store has the original of an upload. */
export const originalPath = (key: string) => `${key}/original.jpg`;
/** Whether a path is that of an original, which cannot be made again as sizes can, and is many times as large. */
export const isOriginalPath = (path: string) => path.endsWith('/original.jpg');

/** Where the bytes of uploaded pictures are, by path: below `DATA_DIR`, or a bucket that all processes share. */
export interface Store {
  /** The bytes at a path; undefined when there are none. @throws StoreAway */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Whole or not at all. @throws StoreAway; StoreUnwritable */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Deletes what is below a folder. @throws StoreAway */
  deleteFolder(folder: string): Promise<void>;
}

/** The store cannot be reached, takes nothing, or has no usable original of a picture: drawn art stands in. */
export class StoreAway extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : cause;
    const code = codeOf(cause);
    super(`the store of pictures is away: ${reason}${code === undefined ? '' : ` (${code})`}`, { cause });
  }
}

/** The disk takes nothing, which the operator mends: what it has can still be read. */
export class StoreUnwritable extends StoreAway {
  readonly isFull: boolean;
  constructor(cause: unknown) {
    super(cause);
    const code = codeOf(cause);
    this.isFull = code === 'ENOSPC' || code === 'EDQUOT';
  }
}

/** The store answers, but what it has of one picture is of no use, or nothing. */
export class PictureUnusable extends StoreAway {
  constructor(reason: string) {
    super(reason);
    this.message = reason;
  }
}
