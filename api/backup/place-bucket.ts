import { S3Client } from 'bun';
import { StartupError } from '#db/embedded.ts';
import { codeOf } from '#db/error-code.ts';
import { readObject } from '../read-object.ts';
import type { StorageSettings } from '../storage-url.ts';
import { within } from '../within.ts';
import type { Place } from './place.ts';

/** Milliseconds before each further try: half a minute in all, after which an operator should know. */
const pauses = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];
/** Milliseconds after which a try that is not answered counts as cut: 16 MB on a line of half a megabit. */
const longest = 300_000;

/** What no further try makes good, and whose fault it is. */
const finalCodes: Readonly<Record<string, string>> = {
  AccessDenied: 'its key may not do that',
  InvalidAccessKeyId: 'it does not know the key',
  SignatureDoesNotMatch: 'the secret is wrong',
  NoSuchBucket: 'it has no such bucket',
  ERR_S3_INVALID_ENDPOINT: 'its address is wrong',
};

/** A folder of a bucket of an S3-compatible store (Bun's own client). Tries that are cut are made again. */
export function bucketPlace(settings: StorageSettings, folder: string): Place {
  const client = new S3Client(settings);
  const prefix = folder === '' ? '' : `${folder}/`;
  const name = `${new URL(settings.endpoint).host}/${[settings.bucket, folder].filter(Boolean).join('/')}`;

  async function trying<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await within(longest, work());
      } catch (error) {
        const code = codeOf(error) ?? 'no answer';
        const reason = finalCodes[code];
        if (reason !== undefined) throw new StartupError(`The store ${name} refuses: ${reason} (${code}).`);
        const pause = pauses[tries];
        if (pause === undefined)
          throw new StartupError(
            `The store ${name} does not answer (${code}): start the command again later.`,
          );
        await Bun.sleep(pause);
      }
    }
  }

  async function* pagesBelow(start: string, delimiter?: string) {
    for (let continuationToken: string | undefined; ; ) {
      const token = continuationToken;
      const page = await trying(() =>
        client.list({
          prefix: start,
          ...(delimiter === undefined ? {} : { delimiter }),
          ...(token === undefined ? {} : { continuationToken: token }),
        }),
      );
      yield page;
      continuationToken = page.nextContinuationToken;
      if (!page.isTruncated || continuationToken === undefined) return;
    }
  }

  async function list(below?: string): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for await (const { contents = [] } of pagesBelow(below === undefined ? prefix : `${prefix}${below}/`))
      for (const { key, size } of contents) sizes.set(key.slice(prefix.length), size ?? 0);
    return sizes;
  }

  return {
    name,
    list,
    write: (path, bytes) => trying(async () => void (await client.write(`${prefix}${path}`, bytes))),
    read: (path, most) => trying(() => readObject(client, `${prefix}${path}`, most)),
    async listTop() {
      const [folders, files]: [string[], string[]] = [[], []];
      for await (const { commonPrefixes = [], contents = [] } of pagesBelow(prefix, '/')) {
        folders.push(...commonPrefixes.map((each) => each.prefix.slice(prefix.length, -1)));
        files.push(...contents.map(({ key }) => key.slice(prefix.length)));
      }
      return { folders, files };
    },
    delete: (path) => trying(() => client.delete(`${prefix}${path}`)),
    async deleteFolder(below) {
      for (const path of (await list(below)).keys()) await trying(() => client.delete(`${prefix}${path}`));
    },
    // A store shows nothing that was not sent whole.
    deleteLeftovers: () => Promise.resolve(),
  };
}
