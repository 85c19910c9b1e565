/** A bucket of an S3-compatible store. */
export interface StorageSettings {
  /** Origin of the store, such as `https://s3.example`. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Whether it is an address: of a folder there is none. */
export const isAddress = (place: string): boolean => /^[a-z][\w+.-]*:\/\//i.test(place);

/** What an address of backups is told that is none of a bucket. */
export const placeForms = 'must be a folder, or like s3://key:secret@host/bucket/folder?region=…&tls=on.';

/** An address that names no bucket; its message goes on after what named it, and tells no secret. */
export class StorageUrlError extends Error {}

/**
 * Reads `s3://key:secret@host/bucket/folder?region=…&tls=on`.
 * @returns `folder`: without slashes at its ends; empty for the bucket itself
 * @throws StorageUrlError
 */
export function readStorageUrl(address: string): { settings: StorageSettings; folder: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const [bucket = '', ...folders] = url?.pathname.replace(/^\/+|\/+$/g, '').split('/') ?? [];
  if (url?.protocol !== 's3:' || !(url.username && url.password && url.host && bucket))
    throw new StorageUrlError('must be like s3://key:secret@host/bucket?region=…&tls=on.');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new StorageUrlError(
      `must name a bucket of 3 to 63 small letters, digits, dots and hyphens, not "${bucket}".`,
    );
  const tls = url.searchParams.get('tls') ?? 'on';
  if (!['on', 'off', 'true', 'false'].includes(tls))
    throw new StorageUrlError(`must say tls=on or tls=off, not "tls=${tls}".`);
  const text = (part: string) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw new StorageUrlError('must write a % of key, secret and folders as %25.');
    }
  };
  return {
    settings: {
      endpoint: `${tls === 'on' || tls === 'true' ? 'https' : 'http'}://${url.host}`,
      bucket,
      region: url.searchParams.get('region') ?? 'us-east-1',
      accessKeyId: text(url.username),
      secretAccessKey: text(url.password),
    },
    folder: folders.map(text).join('/'),
  };
}
