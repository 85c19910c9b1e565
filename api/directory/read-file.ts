import type { importFormats } from '#db/schema/directory.ts';
import { isJsonBomb, isObject } from '../input.ts';
import { checkTree } from '../plugins/bounds.ts';
import { readCsv } from './csv.ts';
import { readKpopnet } from './kpopnet.ts';
import { DirectoryFile } from './model.ts';
import { boundRows, type ReadRow, RefusedFile, readRow } from './rows.ts';

export type ImportFormat = (typeof importFormats)[number];

export const maxFileBytes = 32 * 1024 * 1024;

/**
 * The stars of a file, each checked by itself. The format is told by the content unless it is said.
 * @throws RefusedFile; ApiError when no file may be so
 */
export function readDirectoryFile(
  bytes: Uint8Array,
  saidFormat?: ImportFormat,
): { format: ImportFormat; rows: ReadRow[] } {
  if (bytes.byteLength > maxFileBytes)
    throw new RefusedFile('too_large', `The file has more than ${maxFileBytes / 1024 / 1024} MB: split it.`);
  const text = textOf(bytes);
  if (text.trim() === '') throw new RefusedFile('empty', 'The file is empty.');
  if (text.includes('\0')) throw new RefusedFile('binary', 'The file is no text.');
  if (saidFormat === 'csv' || (saidFormat === undefined && !/^\s*[[{]/.test(text)))
    return { format: 'csv', rows: readCsv(text) };
  if (isJsonBomb(text))
    throw new RefusedFile('malformed', 'The file has hardly more than brackets and commas.');
  const json = parse(text);
  checkTree(json, 'The file');
  if (saidFormat === 'kpopnet' || (saidFormat === undefined && isObject(json) && 'idols' in json))
    return { format: 'kpopnet', rows: readKpopnet(json) };
  return { format: 'byeol', rows: readByeol(json) };
}

/** The rows of our own format. @throws RefusedFile */
function readByeol(json: unknown): ReadRow[] {
  const file = isObject(json) ? json : {};
  if (file.format !== 'byeol-directory' || !Array.isArray(file.stars))
    throw new RefusedFile(
      'not_byeol',
      'The file is no directory of Byeol: it has no "format": "byeol-directory" and no list of "stars".',
    );
  if (file.version !== 1)
    throw new RefusedFile('version', 'The file is of another version of the format: only 1 is known.');
  const stranger = Object.keys(file).find((name) => !Object.hasOwn(DirectoryFile.properties, name));
  if (stranger !== undefined)
    throw new RefusedFile(
      'unknown_field',
      `The file has a field “${stranger.slice(0, 60)}” that nothing is known of.`,
      stranger.slice(0, 60),
    );
  return boundRows(file.stars).map((star: unknown, index) => readRow(index + 1, star));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedFile('json', 'The file is not valid JSON.');
  }
}

/** Excel saves in UTF-8 with a mark, in UTF-16 ("Unicode text"), or, in Korea, in Windows-949. @throws RefusedFile */
function textOf(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  // Before it is decoded: no text has it, and pictures would be refused for their encoding.
  if (!isUtf16 && bytes.includes(0)) throw new RefusedFile('binary', 'The file is no text.');
  for (const encoding of isUtf16 ? ['utf-16le'] : ['utf-8', 'euc-kr']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Not this one.
    }
  }
  throw new RefusedFile(
    'encoding',
    'The file is text neither in UTF-8 nor in Windows-949: save it as UTF-8.',
  );
}
