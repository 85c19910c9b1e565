import { database, type Transaction } from '#db/client.ts';
import { findShownPictures, findStarDocuments, type Reader } from '#db/queries/directory/document.ts';
import { findDeclinedOffers } from '#db/queries/directory/facts.ts';
import {
  type FactWriter,
  findFactWriters,
  findFormerStars,
  findSlugsOf,
  lockImports,
  settleImport,
} from '#db/queries/directory/import.ts';
import { findTakenRows, noteTakenRow, type TakenRows } from '#db/queries/directory/imports.ts';
import { ApiError, Conflict } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { Tag } from '../tags.ts';
import { planAnniversaries } from './anniversaries.ts';
import { withoutMerged } from './compare.ts';
import { picturesOf } from './document-pictures.ts';
import type { StarDocument } from './model.ts';
import { countOutcomes, orderByNeed, type PlannedRow, planImport, type Target } from './plan.ts';
import { type ReadRow, reasonFor } from './rows.ts';
import { keepChanges, type StarChanged, writeStar } from './write-star.ts';

/** What was made of a file: nothing (`isApplied` false) when one of its stars is refused and all were to be taken together. */
export interface ImportResult {
  isApplied: boolean;
  rows: PlannedRow[];
}

interface ImportOptions {
  /** null: the operator at the command line. */
  actorId: number | null;
  /** Each star in a transaction of its own: what is refused keeps out nobody else. */
  rowByRow: boolean;
  /** The file that was handed over, whose rows that are through are kept: it goes on behind them, whatever ended it. */
  importId?: number;
  /** Waited for after each star; what it throws ends the import. */
  onProgress?: (done: number, total: number) => void | Promise<void>;
}

/**
 * What an import of these rows would do, which writes nothing.
 * @param coming keys of pictures that the library would have by then
 */
export function previewImport(
  rows: readonly ReadRow[],
  coming: ReadonlySet<string> = new Set(),
): Promise<PlannedRow[]> {
  return planFor(rows, database(), { coming });
}

/** Stars at a time of which history and calendar are written; from so many on an import is a bulk load. */
const starsAtOnce = 500;

/**
 * Takes the stars of a file into the directory, those that others name before them.
 * @throws Conflict when another import is under way
 */
export async function applyImport(rows: readonly ReadRow[], options: ImportOptions): Promise<ImportResult> {
  const result = await takeStars(rows, options);
  const { add, change } = countOutcomes(result.rows);
  if (result.isApplied && add + change >= starsAtOnce) await settleImport();
  return result;
}

async function takeStars(rows: readonly ReadRow[], options: ImportOptions): Promise<ImportResult> {
  const outdated = new Set<Tag>();
  // With the connection of its lock an import is over, whatever it would go on to write on others.
  const stop = new AbortController();
  try {
    return await database().transaction(async (tx) => {
      if (!(await lockImports(tx)))
        throw new Conflict('import_running', 'Another import is under way: wait until it is done.');
      const taken: TakenRows =
        options.importId === undefined ? new Map() : await findTakenRows(options.importId, tx);
      const plan = await planFor(rows, tx, { taken });
      if (!options.rowByRow && plan.some(({ outcome }) => outcome === 'refuse'))
        return { isApplied: false, rows: plan };
      const result = await new ImportRun(plan, options, outdated, stop.signal).apply((write) =>
        options.rowByRow ? database().transaction(write) : write(tx),
      );
      return { ...result, rows: result.rows.map((row) => withFirstOutcome(row, taken)) };
    });
  } catch (error) {
    if (!options.rowByRow) outdated.clear();
    if (error instanceof RowRefused) return { isApplied: false, rows: error.rows };
    throw error;
  } finally {
    stop.abort();
    await tellOf(outdated);
  }
}

/** What became of a row before the import went on. */
const withFirstOutcome = (row: PlannedRow, taken: TakenRows): PlannedRow =>
  row.outcome === 'same' ? { ...row, outcome: taken.get(row.line)?.outcome ?? 'same' } : row;

/** Nobody was added where one is refused. */
const notTaken = (row: PlannedRow): PlannedRow =>
  row.outcome === 'add' ? { ...row, starId: undefined } : row;

/** A notification takes 8,000 bytes. */
const tagsAtOnce = 250;

async function tellOf(tags: ReadonlySet<Tag>): Promise<void> {
  const all = [...tags];
  for (let from = 0; from < all.length; from += tagsAtOnce)
    await invalidate(all.slice(from, from + tagsAtOnce));
}

/** Ends the transaction of an import that is to be taken as a whole. */
class RowRefused extends Error {
  constructor(readonly rows: PlannedRow[]) {
    super('A star is refused.');
  }
}

const partsOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / starsAtOnce) }, (_, part) =>
    items.slice(part * starsAtOnce, (part + 1) * starsAtOnce),
  );

type Within = <Result>(write: (tx: Transaction) => Promise<Result>) => Promise<Result>;

class ImportRun {
  readonly rows: PlannedRow[];
  readonly #options: ImportOptions;
  readonly #outdated: Set<Tag>;
  readonly #signal: AbortSignal;
  readonly #written = new Set<number>();
  readonly #changes = new Map<number, StarChanged>();
  /** Ids of the stars that rows have become, by the position of the row. */
  readonly #ids = new Map<number, number>();

  /** @param signal aborted: others may take files in by now */
  constructor(plan: readonly PlannedRow[], options: ImportOptions, outdated: Set<Tag>, signal: AbortSignal) {
    this.rows = [...plan];
    this.#options = options;
    this.#outdated = outdated;
    this.#signal = signal;
    for (const [at, { starId }] of plan.entries()) if (starId !== undefined) this.#ids.set(at, starId);
  }

  async apply(within: Within): Promise<ImportResult> {
    const order = orderByNeed(this.rows);
    const late: number[] = [];
    for (const [done, at] of order.entries()) {
      const row = this.rows[at];
      // Rows that name each other: the first is written without the names, and once more when the others are there.
      if (row && this.#isEarly(row)) late.push(at);
      await this.#take(at, within);
      await this.#options.onProgress?.(done + 1, order.length);
    }
    for (const at of late) await this.#take(at, within);
    await this.#conclude(within);
    return { isApplied: true, rows: this.rows };
  }

  /** History and calendar follow once all are there: star by star they take longer than the writing. */
  async #conclude(within: Within): Promise<void> {
    for (const changes of partsOf([...this.#changes.values()]))
      await within((tx) => keepChanges(tx, changes));
    for (const ids of partsOf([...this.#written])) {
      const tags = await within((tx) => planAnniversaries(tx, ids));
      for (const tag of tags) this.#outdated.add(tag);
    }
  }

  /** What is known of a change; a star that was written twice has changed once. */
  async #note(change: StarChanged, tx: Transaction): Promise<void> {
    if (this.#options.rowByRow) return keepChanges(tx, [change]);
    const earlier = this.#changes.get(change.starId);
    const changedFields = [...new Set([...(earlier?.changedFields ?? []), ...change.changedFields])];
    this.#changes.set(change.starId, { ...(earlier ?? change), changedFields });
  }

  #isEarly({ references }: PlannedRow): boolean {
    return [...references.values()].some(
      (target) =>
        this.#idOf(target) === undefined && 'row' in target && this.rows[target.row]?.outcome !== 'refuse',
    );
  }

  #idOf(target: Target): number | undefined {
    return 'row' in target ? this.#ids.get(target.row) : target.starId;
  }

  async #take(at: number, within: Within): Promise<void> {
    const row = this.rows[at];
    if (!row?.document || row.outcome === 'refuse') return;
    if (row.outcome === 'same' && row.offered.length === 0) return;
    const { document, source } = row;
    this.#signal.throwIfAborted();
    try {
      const saved = await within(async (tx) => {
        const { change, ...rest } = await writeStar(tx, {
          id: this.#ids.get(at),
          document: await this.#withSlugs(row, document, tx),
          actorId: this.#options.actorId,
          action: 'star.import',
          ...(source && { source }),
          byPerson: false,
        });
        if (change) await this.#note(change, tx);
        const { rowByRow, importId } = this.#options;
        if (rowByRow && importId !== undefined)
          await noteTakenRow(tx, { importId, line: row.line, starId: rest.id, outcome: row.outcome });
        return rest;
      });
      this.#ids.set(at, saved.id);
      this.rows[at] = { ...row, starId: saved.id };
      for (const tag of saved.tags) this.#outdated.add(tag);
      if (saved.tags.length > 0) this.#written.add(saved.id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.rows[at] = { ...row, outcome: 'refuse', reasons: [reasonFor(error)] };
      if (!this.#options.rowByRow) throw new RowRefused(this.rows.map(notTaken));
    }
  }

  /** The document with the stars that it names by the slugs that they have here, and without those that are still to come. */
  async #withSlugs(
    { references, mergedReferences }: PlannedRow,
    { members, parent, ...rest }: StarDocument,
    tx: Transaction,
  ): Promise<StarDocument> {
    const ids = [...references].flatMap(([name, target]) => {
      const id = this.#idOf(target);
      return id === undefined ? [] : [[name, id] as const];
    });
    const slugs = await findSlugsOf([...new Set(ids.map(([, id]) => id))], tx);
    const slugByName = new Map(ids.map(([name, id]) => [name, slugs.get(id)]));
    return {
      ...rest,
      ...(parent === null && { parent }),
      ...(parent && slugByName.has(parent) && { parent: slugByName.get(parent) ?? null }),
      ...(members && {
        members: withoutMerged(
          members,
          (reference) => slugByName.get(reference),
          (reference) => mergedReferences.has(reference),
        ).map((member) => (member.star ? { ...member, star: slugByName.get(member.star) ?? null } : member)),
      }),
    };
  }
}

async function planFor(
  rows: readonly ReadRow[],
  reader: Reader,
  { coming = new Set<string>(), taken }: { coming?: ReadonlySet<string>; taken?: TakenRows } = {},
): Promise<PlannedRow[]> {
  const named = rows.flatMap(({ document }) => (document ? picturesOf(document) : []));
  const keys = new Set(named.map(({ key }) => key));
  const [stars, writers, declined, mergedStars, pictures] = await Promise.all([
    findStarDocuments(undefined, reader),
    findFactWriters(reader),
    findDeclinedOffers(reader),
    findFormerStars(reader),
    findShownPictures([...keys], reader),
  ]);
  const directory = stars.map(({ id, document, externalNames }) => ({
    id,
    document,
    externalNames,
    writers: writers.get(id) ?? new Map<string, FactWriter>(),
    declined: declined.get(id) ?? [],
  }));
  return planImport(rows, directory, mergedStars, pictures.union(coming), taken);
}
