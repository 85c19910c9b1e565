import { realpath, stat, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isUnreachable } from '#db/database-errors.ts';
import { StartupError } from '#db/embedded.ts';
import { codeOf } from '#db/error-code.ts';
import { importFormats } from '#db/schema/directory.ts';
import { starCategories } from '#db/schema/stars.ts';
import { openCommandDatabase } from './command-database.ts';
import { faultOfArguments } from './command-help.ts';
import { config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { csvColumns } from './directory/csv.ts';
import { exportDirectory, exportFormats } from './directory/export.ts';
import { applyImport, previewImport } from './directory/import.ts';
import { writePictures } from './directory/picture-files.ts';
import { countOutcomes } from './directory/plan.ts';
import type { PlannedRow } from './directory/planned-row.ts';
import { maxFileBytes, readDirectoryFile } from './directory/read-file.ts';
import { maxRows } from './directory/rows.ts';
import { takePictures } from './directory/take-pictures.ts';
import { ApiError } from './errors.ts';
import { StoreAway } from './media/store.ts';
import { writeAtomically } from './media/store-disk.ts';
import { printable } from './printable.ts';

/** `bun run directory import` and `export`: the stars of this site out of a file and into one. */

const help = `Takes stars out of a file into this site, or writes them into one.

  bun run directory import FILE [--format ${importFormats.join('|')}] [--pictures FOLDER] [--fetch-pictures] [--dry-run] [--row-by-row]
  bun run directory export [--format ${exportFormats.join('|')}] [--pictures FOLDER] [--stars NAME,NAME…] [FILE]

import  tells what becomes of every star of the file: added, changed, left alone or refused, and why. All come in together, and one
        that is refused keeps out all others, unless each is taken by itself: --row-by-row. Until all are in, editors cannot save
        the stars that it changes; --row-by-row keeps nobody waiting. The same file again changes nothing. What a person edited
        stays: what the file says otherwise is offered to editors. --dry-run writes nothing. A file has ${maxRows} stars and
        ${maxFileBytes / 1024 / 1024} MB at most: split the export of a larger directory.
export  writes what import reads, to standard output without a FILE. --stars names stars by slug or number; those that they name
        as members or parent come along. A star that is hidden here comes, too: the file does not say that it is.

--pictures is a folder in which each uploaded picture is a file called by its key, such as upload-1a2b….jpg. An export writes the
originals there, but none that was withdrawn. An import adds those that this site lacks, with the credit, licence, texts and focus
that its FILE tells; the same bytes are one picture. A picture that is missing or refused is told, and what would show it stays as
it is. --fetch-pictures takes from their addresses what is in no folder; those of a private network only as FETCH_ALLOW says. The
drawn pictures of the demo are no uploads: no folder has them, and a site without the demo has them by their addresses or not at all.
Set SITE_URL to the address of the site for an export: the addresses of its pictures are of that host.

The format is told by the content unless it is said:
  byeol    JSON; its JSON Schema is served by the site at /api/directory/schema
  csv      a table in UTF-8 or Windows-949, with commas, semicolons or tabs; an empty cell says nothing, aliases stand one per line
  kpopnet  kpopnet.json of the npm package of that name; its weights and pictures are not taken

The columns of a table, in any order:
  ${[...csvColumns.keys()].join(', ')}
These hold JSON:
  ${[...csvColumns].flatMap(([column, kind]) => (kind === 'json' ? [column] : [])).join(', ')}
Each star needs a name and a category, one of ${starCategories.join(', ')}; a parent is named by its slug or number.
`;

type Call =
  | {
      action: 'import';
      file: string;
      format: (typeof importFormats)[number] | undefined;
      folder: string | undefined;
      isFetching: boolean;
      isDryRun: boolean;
      rowByRow: boolean;
    }
  | {
      action: 'export';
      file: string | undefined;
      format: (typeof exportFormats)[number];
      folder: string | undefined;
      stars: string[];
    };

/** @throws StartupError */
function readArguments(args: string[]): Call | 'help' {
  const { values, positionals } = parsed(args);
  if (values.help === true) return 'help';
  const [action, file, ...more] = positionals;
  const { pictures: folder, 'fetch-pictures': isFetching = false } = values;
  if (action === 'import' && file !== undefined && more.length === 0 && values.stars === undefined) {
    const format = oneOf(importFormats, values.format);
    return {
      action,
      file,
      format,
      folder,
      isFetching,
      isDryRun: values['dry-run'] === true,
      rowByRow: values['row-by-row'] === true,
    };
  }
  const isForImport = isFetching || values['dry-run'] || values['row-by-row'];
  if (action === 'export' && more.length === 0 && !isForImport) {
    const stars = (values.stars ?? '').split(',').flatMap((name) => name.trim() || []);
    if (values.stars !== undefined && stars.length === 0)
      throw new StartupError('Say which stars: --stars han,han-2');
    return { action, file, format: oneOf(exportFormats, values.format) ?? 'byeol', folder, stars };
  }
  throw misspelt();
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        format: { type: 'string' },
        stars: { type: 'string' },
        pictures: { type: 'string' },
        'fetch-pictures': { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        'row-by-row': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw misspelt(faultOfArguments(error));
  }
}

const misspelt = (fault = '') =>
  new StartupError(
    `${fault}Say what to do: bun run directory import FILE, or bun run directory export [FILE]. --help tells the rest.`,
  );

/** @throws StartupError */
function oneOf<Format extends string>(
  formats: readonly Format[],
  said: string | undefined,
): Format | undefined {
  const format = formats.find((each) => each === said);
  if (format !== said)
    throw new StartupError(`There is no format “${said}” here: say one of ${formats.join(', ')}.`);
  return format;
}

/** @returns the status with which the command ends: 1 when a star is refused */
async function runImport({
  file,
  format: said,
  folder,
  isFetching,
  isDryRun,
  rowByRow,
}: Extract<Call, { action: 'import' }>): Promise<number> {
  const { format, rows } = readDirectoryFile(await bytesOf(file), said);
  console.log(`${basename(file)}: ${counted(rows.length, 'star')}, read as ${format}.`);
  return withDatabase(async () => {
    const onProgress = progress();
    const pictures =
      folder !== undefined || isFetching
        ? await takePictures(rows, { folder, isFetching, isDryRun, rowByRow, onProgress })
        : { rows, keys: new Set<string>(), refused: new Map<string, string>() };
    const { isApplied, rows: told } = isDryRun
      ? { isApplied: false, rows: await previewImport(pictures.rows, pictures.keys) }
      : await applyImport(pictures.rows, { actorId: null, rowByRow, onProgress });
    for (const row of told) console.log(lineOf(row, pictures.refused));
    if (!isDryRun) tellWherePicturesAre(pictures.keys.size);
    const counts = countOutcomes(told);
    const sums = `${counts.add} added, ${counts.change} changed, ${counts.same} left alone, ${counts.refuse} refused`;
    if (isDryRun) console.log(`It would be: ${sums}. Nothing was written.`);
    else if (isApplied) console.log(`${sums}.`);
    else
      console.error(
        `Nothing was imported, because ${counted(counts.refuse, 'star')} of the file ${counts.refuse === 1 ? 'is' : 'are'} refused. The others can be taken with --row-by-row.`,
      );
    return counts.refuse > 0 ? 1 : 0;
  });
}

/** With a database of one's own nothing else says where the pictures of this site are. */
function tellWherePicturesAre(count: number): void {
  const { storage, databaseUrl, dataDir } = config();
  if (count > 0 && !storage && databaseUrl)
    console.log(
      `The originals of its pictures are in ${resolve(dataDir, 'uploads')}: DATA_DIR is to be the site's.`,
    );
}

const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;

const outcomeWords = { add: 'add   ', change: 'change', same: 'same  ', refuse: 'refuse' } as const;

/** `12 change 별 (star 7): debutDate, words.en.name`. */
function lineOf(
  {
    line,
    outcome,
    name,
    starId,
    changed,
    offered,
    namesakes,
    missingPictures,
    keepsPhotos,
    reasons,
  }: PlannedRow,
  refused: ReadonlyMap<string, string>,
): string {
  const missing = missingPictures.map((key) => (refused.has(key) ? `${key} (${refused.get(key)})` : key));
  const fields = (changes: readonly { field: string }[]) => changes.map(({ field }) => field).join(', ');
  const more = [
    ...reasons.map(({ message }) => message),
    changed.length > 0 ? fields(changed) : '',
    offered.length > 0 ? `offered, because a person wrote otherwise: ${fields(offered)}` : '',
    namesakes.length > 0 ? `another one than ${namesakes.map((id) => `star ${id}`).join(', ')}` : '',
    missing.length > 0 ? `pictures that are left out: ${missing.join(', ')}` : '',
    keepsPhotos ? 'so all its photos stay as they are' : '',
  ].filter(Boolean);
  const star = starId === undefined ? '' : ` (star ${starId})`;
  return printable(
    `${String(line).padStart(6)} ${outcomeWords[outcome]} ${name}${star}${more.length > 0 ? `: ${more.join('; ')}` : ''}`,
  );
}

function progress() {
  if (!process.stderr.isTTY) return () => {};
  return (done: number, total: number) => {
    process.stderr.write(`\r\x1b[K${done < total ? `${done}/${total}` : ''}`);
  };
}

/** @throws StartupError */
async function bytesOf(path: string): Promise<Uint8Array> {
  const file = Bun.file(path);
  if (file.size > maxFileBytes)
    throw new StartupError(`${path} has more than ${maxFileBytes / 1024 / 1024} MB: split it.`);
  try {
    return await file.bytes();
  } catch {
    throw new StartupError(`${path} cannot be read.`);
  }
}

/** @returns the status with which the command ends: 1 when a picture is lost */
async function runExport({
  file,
  format,
  folder,
  stars,
}: Extract<Call, { action: 'export' }>): Promise<number> {
  const { text, count, hidden, uploads, lost } = await withDatabase(async () => {
    const { unknown, ...exported } = await exportDirectory(format, stars);
    if (unknown.length > 0)
      throw new StartupError(`Nobody is called ${unknown.join(', ')} here: --stars takes slugs and numbers.`);
    const lost = folder === undefined ? [] : await writePictures(exported.uploads, folder, progress());
    return { ...exported, lost };
  });
  if (file !== undefined && count === 0 && Bun.file(file).size > 0)
    throw new StartupError(
      `This site has no star: ${file} stays as it is. Is it the one that DATABASE_URL or DATA_DIR names?`,
    );
  if (file === undefined) process.stdout.write(text);
  else {
    try {
      await writeExport(file, text);
    } catch (error) {
      const code = codeOf(error);
      throw new StartupError(`${file} cannot be written${code === undefined ? '' : ` (${code})`}.`);
    }
    console.log(`${counted(count, 'star')} in ${file}.`);
    if (folder !== undefined)
      console.log(`${counted(uploads.length - lost.length, 'picture')} in ${folder}.`);
  }
  if (hidden > 0)
    console.error(
      `${hidden} of them ${hidden === 1 ? 'is' : 'are'} hidden here: a site that takes the file in shows what is hidden.`,
    );
  if (folder === undefined && count > 0 && isOwnMachine(config().siteUrl))
    console.error(
      `The addresses of its pictures begin with ${config().siteUrl}, which only this machine can open. Set SITE_URL to the address of the site.`,
    );
  if (lost.length > 0) console.error(`The store has lost the originals of ${lost.join(', ')}.`);
  return lost.length > 0 ? 1 : 0;
}

/** A disk that fills up leaves the file that was there before, or none; what is no file, such as a pipe, is written as it is. */
async function writeExport(file: string, text: string): Promise<void> {
  const path = await realpath(file).catch(() => file);
  const isSpecial = await stat(path).then(
    (state) => !state.isFile(),
    () => false,
  );
  if (isSpecial) await writeFile(path, text);
  else await writeAtomically(path, new TextEncoder().encode(text));
}

const isOwnMachine = (address: string) =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);

async function withDatabase<T>(action: () => Promise<T>): Promise<T> {
  const close = await openCommandDatabase(4);
  process.once('SIGINT', () => close().finally(() => process.exit(130)));
  process.once('SIGTERM', () => close().finally(() => process.exit(143)));
  try {
    return await action();
  } finally {
    await close();
  }
}

try {
  const call = readArguments(process.argv.slice(2));
  if (call === 'help') process.stdout.write(help);
  else if (call.action === 'import') process.exitCode = await runImport(call);
  else process.exitCode = await runExport(call);
} catch (error) {
  if (
    error instanceof StartupError ||
    error instanceof ConfigError ||
    error instanceof ApiError ||
    error instanceof StoreAway
  )
    console.error(error.message);
  else if (isUnreachable(error))
    console.error('The connection to the database was lost: start the command again.');
  else throw error;
  process.exitCode = 1;
}
