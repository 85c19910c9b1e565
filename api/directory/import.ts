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
import { countOutcomes, orderByNeed, planImport, refusedNeeds } from './plan.ts';
import type { PlannedRow, Target } from './planned-row.ts';
import { recordChanges, type StarChange } from './record-changes.ts';
import { type ReadRow, type Reason, reasonFor } from './rows.ts';
import { tagsOfStar, writeStar } from './write-star.ts';

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

/** From so many stars on an import is a bulk load. */
const bulkStars = 500;

/**
 * Takes the stars of a file into the directory, those that others name before them. All are judged before the first is written, in one
 * transaction or, by choice, in one for each star (decision M7).
 * @throws Conflict when another import is under way
 */
export async function applyImport(rows: readonly ReadRow[], options: ImportOptions): Promise<ImportResult> {
  const result = await takeStars(rows, options);
  const { add, change } = countOutcomes(result.rows);
  if (result.isApplied && add + change >= bulkStars) await settleImport();
  return result;
}

async function takeStars(rows: readonly ReadRow[], options: ImportOptions): Promise<ImportResult> {
  const outdated = new Set<Tag>();
  // With the connection of its lock an import is over, whatever it would go on to write on others.
  const stop = new AbortController();
  try {
    return await database().transaction(async (lock) => {
      if (!(await lockImports(lock)))
        throw new Conflict('import_running', 'Another import is under way: wait until it is done.');
      const taken: TakenRows =
        options.importId === undefined ? new Map() : await findTakenRows(options.importId, lock);
      const plan = await planFor(rows, lock, { taken });
      if (!options.rowByRow && plan.some(({ outcome }) => outcome === 'refuse'))
        return { isApplied: false, rows: plan };
      const told = await new ImportRun(plan, taken, options, outdated, stop.signal).apply((write) =>
        options.rowByRow ? database().transaction(write) : write(lock),
      );
      return { isApplied: true, rows: told.map((row) => withFirstOutcome(row, taken)) };
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

/** Ends the transaction of an import that is to be taken as a whole. */
class RowRefused extends Error {
  constructor(readonly rows: PlannedRow[]) {
    super('A star is refused.');
  }
}

type Within = <Result>(write: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** A notification takes 8,000 bytes. */
const tagsAtOnce = 250;

async function tellOf(tags: ReadonlySet<Tag>): Promise<void> {
  for (const part of partsOf([...tags], tagsAtOnce)) await invalidate(part);
}

/** Stars whose history, and whose calendar, is written at once: one by one they take longer, and of many a fan would notice. */
const starsAtOnce = 100;

const partsOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );

class ImportRun {
  readonly #rows: PlannedRow[];
  readonly #options: ImportOptions;
  readonly #outdated: Set<Tag>;
  readonly #signal: AbortSignal;
  readonly #written = new Set<number>();
  /** Changes that are recorded with the others of the transaction, by star. */
  readonly #changes = new Map<number, StarChange>();
  /** Ids of the stars that rows have become, by the position of the row. */
  readonly #ids = new Map<number, number>();

  /**
   * @param taken rows that were through before: what follows from their stars may be missing
   * @param signal aborted: others may take files in by now
   */
  constructor(
    plan: readonly PlannedRow[],
    taken: TakenRows,
    options: ImportOptions,
    outdated: Set<Tag>,
    signal: AbortSignal,
  ) {
    this.#rows = [...plan];
    this.#options = options;
    this.#outdated = outdated;
    this.#signal = signal;
    for (const [at, { starId }] of plan.entries()) if (starId !== undefined) this.#ids.set(at, starId);
    for (const { starId } of taken.values()) this.#noteWritten(starId, tagsOfStar(starId));
  }

  async apply(within: Within): Promise<PlannedRow[]> {
    const order = orderByNeed(this.#rows);
    const late: number[] = [];
    for (const [done, at] of order.entries()) {
      const row = this.#rows[at];
      // Rows that name each other: the first is written without the names, and once more when the others are there.
      if (row && this.#isEarly(row)) late.push(at);
      await this.#take(at, within);
      await this.#options.onProgress?.(done + 1, order.length);
    }
    for (const at of late) await this.#take(at, within);
    for (const changes of partsOf([...this.#changes.values()], starsAtOnce))
      await within((tx) => recordChanges(tx, changes));
    await this.#planCalendar(within);
    return this.#rows;
  }

  /** A star that is written twice has changed once. */
  async #record(change: StarChange, tx: Transaction): Promise<void> {
    if (this.#options.rowByRow) return recordChanges(tx, [change]);
    const earlier = this.#changes.get(change.starId);
    const changedFields = [...new Set([...(earlier?.changedFields ?? []), ...change.changedFields])];
    this.#changes.set(change.starId, { ...(earlier ?? change), changedFields });
  }

  /** The calendar follows once all are there: star by star it takes longer than the writing. */
  async #planCalendar(within: Within): Promise<void> {
    for (const ids of partsOf([...this.#written], starsAtOnce)) {
      this.#signal.throwIfAborted();
      const tags = await within((tx) => planAnniversaries(tx, ids));
      for (const tag of tags) this.#outdated.add(tag);
    }
  }

  #noteWritten(starId: number, tags: readonly Tag[]): void {
    for (const tag of tags) this.#outdated.add(tag);
    if (tags.length > 0) this.#written.add(starId);
  }

  #isEarly({ references }: PlannedRow): boolean {
    return [...references.values()].some(
      (target) =>
        this.#idOf(target) === undefined && 'row' in target && this.#rows[target.row]?.outcome !== 'refuse',
    );
  }

  #idOf(target: Target): number | undefined {
    return 'row' in target ? this.#ids.get(target.row) : target.starId;
  }

  async #take(at: number, within: Within): Promise<void> {
    const row = this.#rows[at];
    if (!row?.document || row.outcome === 'refuse') return;
    if (row.outcome === 'same' && row.offered.length === 0) return;
    const reasons = refusedNeeds(row, this.#rows, (place) => this.#ids.has(place));
    if (reasons.length > 0) return this.#refuse(at, reasons);
    const { document, source } = row;
    this.#signal.throwIfAborted();
    try {
      const { id, tags } = await within(async (tx) => {
        const { change, ...saved } = await writeStar(tx, {
          id: this.#ids.get(at),
          document: await this.#withSlugs(row, document, tx),
          actorId: this.#options.actorId,
          action: 'star.import',
          ...(source && { source }),
          byPerson: false,
        });
        if (change) await this.#record(change, tx);
        const { rowByRow, importId } = this.#options;
        if (rowByRow && importId !== undefined)
          await noteTakenRow(tx, { importId, line: row.line, starId: saved.id, outcome: row.outcome });
        return saved;
      });
      this.#ids.set(at, id);
      this.#rows[at] = { ...row, starId: id };
      this.#noteWritten(id, tags);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#refuse(at, [reasonFor(error)]);
    }
  }

  /** Somebody changed the directory after it was judged. Who was written already, without those who named them, is told so. */
  #refuse(at: number, reasons: Reason[]): void {
    const row = this.#rows[at];
    if (!row) return;
    const isIn = this.#written.has(this.#ids.get(at) ?? 0);
    this.#rows[at] = { ...row, reasons, ...(!isIn && { outcome: 'refuse' as const }) };
    if (!this.#options.rowByRow) throw new RowRefused(this.#rows.map(notTaken));
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
