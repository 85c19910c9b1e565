import { setTimeout as pause } from 'node:timers/promises';
import { database } from '#db/client.ts';
import { log } from '#db/log.ts';
import { isImportRunning } from '#db/queries/directory/import.ts';
import {
  endImport,
  type FileImport,
  findImport,
  findImportRows,
  findRunningImport,
  insertImport,
  listImports,
  noteProgress,
  startImport,
} from '#db/queries/directory/imports.ts';
import { type ImportedField, type ImportRow, importFormats, type RowOutcome } from '#db/schema/directory.ts';
import { pagination } from '../admin/paging.ts';
import { cutText } from '../cut-text.ts';
import { ApiError, BadInput, Conflict, NotFound } from '../errors.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';
import { readFiles } from '../plugins/bounds.ts';
import { disableIdleTimeout } from '../plugins/client.ts';
import type { KeepAnswer } from '../plugins/idempotency.ts';
import { makeSlots } from '../slots.ts';
import type { FieldChange } from './compare.ts';
import { applyImport, previewImport } from './import.ts';
import type { ImportAnswer, ImportRowList } from './imports-model.ts';
import { countOutcomes } from './plan.ts';
import type { PlannedRow } from './planned-row.ts';
import { readDirectoryFile } from './read-file.ts';
import { RefusedFile } from './rows.ts';

/** Bytes of a file that is handed over in the browser: it is read while fans are waiting. The command takes larger ones. */
export const maxHandedOverBytes = 8 * 1024 * 1024;
/** Bytes of a form besides its file. */
const formBytes = 64 * 1024;
const listedImports = 10;
/** Milliseconds after which an import that waits for another asks again. */
const askAgainAfter = 1_000;

/** One at a time. */
const reading = makeSlots(1);

/** The file of a posted form, and which format the form says it has. @throws RefusedFile, BadInput and what `readFiles` says */
export async function receiveFile(
  request: Request,
): Promise<{ name: string; bytes: Uint8Array; format: (typeof importFormats)[number] | undefined }> {
  disableIdleTimeout(request);
  const form = await readFiles(request, maxHandedOverBytes + formBytes).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 413 ? tooLarge() : error;
  });
  const file = form.get('file');
  if (!(file instanceof Blob) || (file.size === 0 && !fileNameOf(file)))
    throw new RefusedFile('required', 'Choose a file.');
  if (file.size > maxHandedOverBytes) throw tooLarge();
  const said = form.get('format') || undefined;
  const format = importFormats.find((each) => each === said);
  if (said !== undefined && format === undefined)
    throw new BadInput('format', `Must be one of: ${importFormats.join(', ')}.`);
  return { name: fileNameOf(file) || 'file', bytes: new Uint8Array(await file.arrayBuffer()), format };
}

const tooLarge = () =>
  new RefusedFile(
    'too_large',
    `The file has more than ${maxHandedOverBytes / 1024 / 1024} MB: split it, or take it in by the command.`,
  );

/** A name as a person reads it: without folders and signs that a terminal or a page obeys. */
const fileNameOf = (file: Blob): string =>
  // Bun leaves the name of an empty file out.
  ((file instanceof File && file.name) || '')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .toWellFormed()
    .slice(0, 100);

/**
 * Keeps a file with what it would do; nothing else is written.
 * @param keepAnswer stores the answer in the transaction that keeps the file
 * @returns its id
 * @throws RefusedFile
 */
export function previewFile(
  { name, bytes, format: said }: Awaited<ReturnType<typeof receiveFile>>,
  actorId: number,
  keepAnswer?: KeepAnswer<{ id: number }>,
): Promise<{ id: number }> {
  return reading.run(async () => {
    const { format, rows } = readDirectoryFile(bytes, said);
    const planned = await previewImport(rows);
    const row = { actorId, fileName: name, format, file: bytes, ...toldOf(planned) };
    return database().transaction(async (tx) => {
      const answer = { id: await insertImport(tx, row) };
      await keepAnswer?.(tx, answer);
      return answer;
    });
  });
}

/** The newest files that were handed over. */
export async function readImports(): Promise<ImportAnswer[]> {
  return (await listImports(listedImports)).map(toAnswer);
}

/** How it stands with a file. @throws NotFound */
export async function readImport(id: number): Promise<ImportAnswer> {
  return toAnswer(await findOrThrow(id));
}

/** A page of what a file makes of its stars: of all, or of those of one outcome. @throws NotFound */
export async function readImportRows(
  id: number,
  { outcome, page, limit }: { outcome: RowOutcome | undefined; page: number; limit: number },
): Promise<ImportRowList> {
  await findOrThrow(id);
  const rows = await findImportRows(id);
  const chosen = outcome ? rows.filter((row) => row.outcome === outcome) : rows;
  const start = (page - 1) * limit;
  return {
    rows: chosen.slice(start, start + limit),
    pagination: pagination(page, limit, chosen.length),
  };
}

/** Has a file taken in by a job, once however often it is pressed. @throws NotFound, Conflict */
export async function startFileImport(
  id: number,
  { actorId, rowByRow }: { actorId: number; rowByRow: boolean },
): Promise<void> {
  const { state } = await findOrThrow(id);
  const isStarted = await database().transaction(async (tx) => {
    if (!(await startImport(tx, id, { actorId, rowByRow }))) return false;
    await enqueue(importJob, { importId: id }, { tx });
    return true;
  });
  if (!isStarted)
    throw state === 'done'
      ? new Conflict('already_done', 'This file was taken in already.')
      : new Conflict('under_way', 'This file is being taken in.');
}

/** Takes a file in that somebody decided to take in. */
export const importJob = defineJob<{ importId: number }>({
  name: 'directory-import',
  // Each process that stops meanwhile takes one, and a deploy stops many.
  retryLimit: 50,
  timeout: 3600,
  handle: ({ importId }, { signal }) => takeFile(importId, signal),
});

/** Waits until no other import is under way, of another process or the command's. */
async function takeFile(importId: number, signal: AbortSignal): Promise<void> {
  while (await isImportRunning()) await pause(askAgainAfter, undefined, { signal });
  const running = await findRunningImport(importId);
  if (!running?.file) return;
  const { file, format, actorId, rowByRow } = running;
  try {
    const { rows } = readDirectoryFile(new Uint8Array(file), format);
    let noted = Date.now();
    const { isApplied, rows: planned } = await applyImport(rows, {
      actorId,
      rowByRow,
      importId,
      async onProgress(done) {
        signal.throwIfAborted();
        if (Date.now() - noted < 500) return;
        noted = Date.now();
        await noteProgress(importId, done);
      },
    });
    await endImport(importId, { state: isApplied ? 'done' : 'refused', ...toldOf(planned) });
  } catch (error) {
    // A process that stops leaves it to the next one, which takes in what is not there yet.
    if (signal.aborted) throw error;
    // Another began in the same moment.
    if (error instanceof Conflict && error.code === 'import_running') return takeFile(importId, signal);
    await endImport(importId, { state: 'failed' });
    log.error({ err: error, import: importId }, 'an import failed');
  }
}

async function findOrThrow(id: number): Promise<FileImport> {
  const found = await findImport(id);
  if (!found) throw new NotFound('Import');
  return found;
}

const toAnswer = ({ createdAt, endedAt, counts, ...rest }: FileImport): ImportAnswer => ({
  ...rest,
  counts,
  total: Object.values(counts).reduce((sum, count) => sum + count, 0),
  createdAt: createdAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
});

function toldOf(planned: readonly PlannedRow[]): { rows: ImportRow[]; counts: Record<RowOutcome, number> } {
  const rows = planned.map(
    ({ line, outcome, name, starId, changed, offered, reasons, namesakes, missingPictures }): ImportRow => ({
      line,
      outcome,
      name: cutText(storable(name), 200),
      starId: starId ?? null,
      changed: changed.map(toldChange),
      offered: offered.map(toldChange),
      reasons: reasons.map(({ message, about, ...reason }) => ({
        ...reason,
        message: storable(message),
        ...(about !== undefined && { about: storable(about) }),
      })),
      namesakes: namesakes.slice(0, 5),
      missingPictures: missingPictures.slice(0, 5).map(storable),
    }),
  );
  return { rows, counts: countOutcomes(planned) };
}

const toldChange = ({ field, before, after }: FieldChange): ImportedField => ({
  field,
  before: shortText(before),
  after: shortText(after),
});

const longestText = 160;

/** A value as an editor reads it: a list of things by how many they are. */
function shortText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'string') ? cut(value.join(', ')) : `× ${value.length}`;
  return cut(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const cut = (text: string) =>
  storable(text.length > longestText ? `${cutText(text, longestText).trimEnd()}…` : text);

/** No column takes half a character. */
const storable = (text: string) => text.toWellFormed();
