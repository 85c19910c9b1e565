import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { StartupError } from '#db/embedded.ts';
import type { Part, Rows } from './manifest.ts';
import type { Place } from './place.ts';
import type { Open, Seal } from './seal.ts';

/** Bytes of text in one file: what is held in memory, and what is sent again when sending was cut. */
const partBytes = 16 * 1024 * 1024;
/** Bytes that a file unpacks to at most: a row begins below `partBytes` and has at most some megabytes. */
const maxUnpackedBytes = 4 * partBytes;

export const sha256 = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

/** Writes one file of a backup. `file`: its path below `folder`. */
export async function writePart(
  place: Place,
  folder: string,
  file: string,
  bytes: Uint8Array,
): Promise<Part> {
  await place.write(`${folder}/${file}`, bytes);
  return { file, bytes: bytes.byteLength, sha256: sha256(bytes) };
}

/**
 * Writes lines into files of about 16 MB before they are compressed (zstd), each by itself compressed and sealed.
 * @param name of the files, below `folder`; a number and the suffixes follow
 * @param lines every chunk ends with a line
 */
export async function writeRows(
  { place, seal, folder }: { place: Place; seal: Seal; folder: string },
  name: string,
  lines: AsyncIterable<Uint8Array>,
  onPart: (bytes: number) => void,
): Promise<Rows> {
  const parts: Part[] = [];
  let rows = 0;
  let chunks: Uint8Array[] = [];
  let size = 0;
  const flush = async () => {
    if (size === 0) return;
    const text = Buffer.concat(chunks);
    chunks = [];
    size = 0;
    rows += countLines(text);
    const file = `${name}.${String(parts.length + 1).padStart(4, '0')}.zst${seal.suffix}`;
    const part = await writePart(place, folder, file, await seal.seal(await Bun.zstdCompress(text)));
    parts.push(part);
    onPart(part.bytes);
  };
  for await (const chunk of lines) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= partBytes) await flush();
  }
  await flush();
  return { rows, parts };
}

/** Text of `COPY` and lines of JSON have a line feed at the end of a row and nowhere else. */
function countLines(text: Uint8Array): number {
  let lines = 0;
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/**
 * The bytes of a file as they were sealed.
 * @throws StartupError when it is missing or not what the manifest says
 */
export async function readPart(place: Place, folder: string, part: Part): Promise<Uint8Array> {
  const path = `${folder}/${part.file}`;
  const bytes = await place.read(path, part.bytes);
  if (!bytes) throw new StartupError(`The backup in ${place.name} is torn: ${path} is missing.`);
  if (bytes.byteLength !== part.bytes || sha256(bytes) !== part.sha256)
    throw new StartupError(`The backup in ${place.name} is damaged: ${path} was altered.`);
  return bytes;
}

const decompress = promisify(zstdDecompress);

/** A backup comes from somewhere, and a small file may unpack to gigabytes. @throws for that, and for what is not packed */
const unpack = (bytes: Uint8Array): Promise<Uint8Array> =>
  decompress(bytes, { maxOutputLength: maxUnpackedBytes });

/** The lines that `writeRows` wrote. @throws StartupError, also when there are others than the manifest counts */
export async function* readRows(
  place: Place,
  folder: string,
  { rows, parts }: Rows,
  open: Open,
): AsyncGenerator<Uint8Array> {
  let found = 0;
  for (const part of parts) {
    const text = await unpack(await open(await readPart(place, folder, part))).catch(() => {
      throw new StartupError(
        `The backup in ${place.name} is damaged: ${folder}/${part.file} cannot be unpacked.`,
      );
    });
    found += countLines(text);
    yield text;
  }
  if (found !== rows)
    throw new StartupError(
      `The backup in ${place.name} is damaged: ${folder} has ${found} rows where ${rows} were.`,
    );
}
