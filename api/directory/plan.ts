import type { StoredDocument } from '#db/queries/directory/document.ts';
import type { TakenRows } from '#db/queries/directory/imports.ts';
import type { RowOutcome } from '#db/schema/directory.ts';
import { compareDocuments, type FieldChange, withoutMerged } from './compare.ts';
import { mapPictures, picturesOf } from './document-pictures.ts';
import { keysOf, type MatchedRow, matchRows } from './match-rows.ts';
import type { StarDocument } from './model.ts';
import { parentFaults } from './plan-parents.ts';
import type { PlannedRow, Target } from './planned-row.ts';
import { mostReasons, nameless, type ReadRow, type Reason, refusalsOf } from './rows.ts';
import { type MergedStar, type StandingStar, StandingStars } from './standing-stars.ts';
import { applied, refuseIncomplete } from './star-fields.ts';
import { refuseRepeatedLinks, refuseRepeatedMembers } from './write-lists.ts';

/**
 * What an import of these rows would do to the directory, row by row. A star of the file is one of the directory by a number of
 * another directory, by its slug, or, where neither says anything, by its names together with its day of birth or, for a group and
 * for whom an import brought without one, nothing that speaks against it.
 * @param pictures keys that the library can show, of those that the rows name
 * @param taken rows that are through already, where an import goes on after its process ended
 */
export function planImport(
  rows: readonly ReadRow[],
  directory: readonly StandingStar[],
  mergedStars: readonly MergedStar[],
  pictures: ReadonlySet<string>,
  taken: TakenRows = new Map(),
): PlannedRow[] {
  const standing = new StandingStars(directory, mergedStars);
  const matched = matchRows(rows, standing, taken);
  const places = placesOf(matched);
  const targetOf = (reference: string): Target | undefined => {
    const row = places.get(reference);
    if (row !== undefined) return { row };
    const starId = standing.idOf(reference);
    return starId === undefined ? undefined : { starId };
  };
  const slugOfStar = (id: number | undefined) =>
    id === undefined ? undefined : standing.byId(id)?.document.slug;
  const slugOf = (reference: string): string => {
    const target = targetOf(reference);
    return slugOfStar(target && 'row' in target ? matched[target.row]?.starId : target?.starId) ?? reference;
  };
  const isMerged = (reference: string): boolean => {
    const target = targetOf(reference);
    const id = target && 'row' in target ? matched[target.row]?.starId : target?.starId;
    const isMergedRow = target && 'row' in target && matched[target.row]?.isMerged;
    return isMergedRow === true || (id !== undefined && standing.isMergedName(reference, id));
  };
  const planned = matched.map((row): PlannedRow => {
    const references = row.document ? referencesOf(row.document) : [];
    const base = {
      ...withoutPictures(
        row,
        pictures,
        row.starId === undefined ? undefined : standing.byId(row.starId)?.document,
      ),
      references: new Map(
        references.flatMap((reference) => {
          const target = targetOf(reference);
          return target ? [[reference, target] as const] : [];
        }),
      ),
      mergedReferences: new Set(references.filter(isMerged)),
      changed: [],
      offered: [],
      namesakes: [],
    };
    if (row.isMerged && row.starId !== undefined && row.reasons.length === 0)
      return { ...base, reasons: [mergedInto(slugOfStar(row.starId) ?? '')], outcome: 'same' };
    const lost = references.filter((reference) => !targetOf(reference));
    const reasons = [
      ...row.reasons,
      ...[...new Set(lost)].slice(0, 5).map(unknownStar),
      ...(row.document ? faultsOf(row.document, row.starId, { slugOf, isMerged }) : []),
    ];
    if (!row.document || reasons.length > 0) return { ...base, reasons, outcome: 'refuse' };
    return {
      ...base,
      ...outcomeOf(base.document ?? row.document, row.starId, standing, { slugOf, isMerged }),
    };
  });
  return refuseWithOthers(leaveMerged(planned, standing), standing);
}

interface Names {
  slugOf: (reference: string) => string;
  isMerged: (reference: string) => boolean;
}

/** What would be refused as the star is written, told before anything is. */
function faultsOf(document: StarDocument, starId: number | undefined, names: Names): Reason[] {
  const { words, members = [], socialLinks = [] } = document;
  const isNameless = starId === undefined && !words.ko?.name && !words.en?.name;
  return [
    ...(isNameless ? [nameless] : []),
    ...refusalsOf(() =>
      refuseRepeatedMembers(
        withoutMerged(members, names.slugOf, names.isMerged).map((member) => ({
          ...member,
          star: member.star && names.slugOf(member.star),
        })),
      ),
    ),
    ...refusalsOf(() => refuseRepeatedLinks(socialLinks)),
  ];
}

type Outcome = Pick<PlannedRow, 'outcome' | 'changed' | 'offered' | 'namesakes' | 'reasons'>;

function outcomeOf(
  document: StarDocument,
  starId: number | undefined,
  standing: StandingStars,
  { slugOf, isMerged }: Names,
): Outcome {
  const before = starId === undefined ? undefined : standing.byId(starId);
  const nothing = { changed: [], offered: [], namesakes: [], reasons: [] };
  if (!before) return { ...nothing, outcome: 'add', namesakes: standing.namesakes(document) };
  const { writers } = before;
  const changes = compareDocuments(before.document, document, slugOf, isMerged).filter(
    ({ field, after }) =>
      (!before.externalNames.includes(`${field.replace(/^externalIds\./, '')}:${after}`) &&
        !field.startsWith('sources.')) ||
      writers.get(field.slice('sources.'.length)) === 'import',
  );
  // Without a fact it is from before facts were kept, when only people wrote. What a person emptied stays empty.
  const isPersons = ({ field, before: old }: FieldChange) =>
    !/^(?:externalIds|sources)\./.test(field) &&
    (writers.get(field) === 'person' || (old !== null && writers.get(field) !== 'import'));
  const changed = changes.filter((change) => !isPersons(change));
  const offered = changes.filter(
    (change) =>
      isPersons(change) && change.after !== null && !before.declined.some((each) => isDeclined(each, change)),
  );
  const reasons = faultsAfter(before, changed);
  if (reasons.length > 0) return { ...nothing, reasons, outcome: 'refuse' };
  return { ...nothing, changed, offered, outcome: changed.length > 0 ? 'change' : 'same' };
}

/** What a star cannot be that has some of these fields from a file, the others as they stand. */
function faultsAfter({ document }: StandingStar, changed: readonly FieldChange[]): Reason[] {
  const changes = new Map(
    changed
      .filter(({ field }) => !/^(?:externalIds|sources)\./.test(field))
      .map(({ field, after }) => [field, after]),
  );
  return refusalsOf(() => refuseIncomplete(applied(document, changes), changes));
}

const isDeclined = (declined: StandingStar['declined'][number], { field, after }: FieldChange): boolean =>
  declined.field === field && Bun.deepEquals(declined.offered, after);

const mergedInto = (slug: string): Reason => ({
  code: 'merged_into',
  about: slug,
  message: `It was merged into “${slug}”.`,
});

const unknownStar = (reference: string): Reason => ({
  code: 'unknown_star',
  about: reference,
  message: `It names “${reference}”, which nobody is.`,
});

/** How many rows come to what. */
export function countOutcomes(rows: readonly { outcome: RowOutcome }[]): Record<RowOutcome, number> {
  const counts = { add: 0, change: 0, same: 0, refuse: 0 };
  for (const { outcome } of rows) counts[outcome]++;
  return counts;
}

/** The positions of rows so that those that a row names come before it, as far as they do not name each other. */
export function orderByNeed(rows: readonly Pick<PlannedRow, 'references'>[]): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  for (const start of rows.keys()) {
    const stack = [{ at: start, isDone: false }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      if (next.isDone) order.push(next.at);
      else if (!seen.has(next.at)) {
        seen.add(next.at);
        stack.push({ at: next.at, isDone: true });
        for (const target of [...(rows[next.at]?.references.values() ?? [])].toReversed())
          if ('row' in target) stack.push({ at: target.row, isDone: false });
      }
    }
  }
  return order;
}

const isLeft = ({ reasons }: PlannedRow) => reasons.some(({ code }) => code === 'merged_into');

/**
 * Of rows that are one star since an editor merged them, the one by the star's own name elsewhere stays, else the one that says least
 * else; the others are left alone.
 */
function leaveMerged(rows: readonly PlannedRow[], standing: StandingStars): PlannedRow[] {
  const own = new Map<number, PlannedRow>();
  const changesOf = ({ changed, offered, document, starId }: PlannedRow) => {
    const names = Object.entries(document?.externalIds ?? {}).map((entry) => entry.join(':'));
    const isOther = starId !== undefined && names.some((name) => standing.isMergedName(name, starId));
    return changed.length + offered.length + (isOther ? Number.MAX_SAFE_INTEGER / 2 : 0);
  };
  for (const row of rows) {
    if (row.starId === undefined || row.outcome === 'refuse' || isLeft(row)) continue;
    const other = own.get(row.starId);
    if (!other || changesOf(row) < changesOf(other)) own.set(row.starId, row);
  }
  return rows.map((row) => {
    const isOwn = row.starId === undefined || row.outcome === 'refuse' || isLeft(row);
    const kept = isOwn ? row : (own.get(row.starId ?? 0) ?? row);
    if (kept === row) return row;
    const reasons = [
      {
        code: 'merged',
        message: `It was merged with the star of row ${kept.line}.`,
        about: String(kept.line),
      },
    ];
    return { ...row, outcome: 'same', changed: [], offered: [], reasons };
  });
}

/** Rows that name a new star whose row is refused, themselves, or a parent that they cannot have are refused, until no more are. */
function refuseWithOthers(rows: readonly PlannedRow[], standing: StandingStars): PlannedRow[] {
  const result = [...rows];
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    const parents = parentFaults(result, standing);
    for (const [at, row] of result.entries()) {
      if (row.outcome === 'refuse') continue;
      const parent = parents.get(at);
      const reasons = isOwnName(row, at) ? [namesItself] : parent ? [parent] : refusedNeeds(row, result);
      if (reasons.length === 0) continue;
      isSettled = false;
      result[at] = { ...row, reasons: reasons.slice(0, mostReasons), outcome: 'refuse' };
    }
  }
  return result;
}

const isOwnName = ({ references, starId }: PlannedRow, at: number): boolean =>
  [...references.values()].some((target) => ('row' in target ? target.row === at : target.starId === starId));

const namesItself: Reason = { code: 'itself', message: 'It names itself as its member or parent.' };

/**
 * Why a row cannot be taken that names stars of refused rows which the directory has not.
 * @param isThere whether the star of a row has come in meanwhile
 */
export function refusedNeeds(
  { references }: Pick<PlannedRow, 'references'>,
  rows: readonly PlannedRow[],
  isThere: (row: number) => boolean = () => false,
): Reason[] {
  return [...references.values()].flatMap((target): Reason[] => {
    const other = 'row' in target && !isThere(target.row) ? rows[target.row] : undefined;
    if (other?.outcome !== 'refuse' || other.starId !== undefined) return [];
    const message = `It names row ${other.line}, which is refused.`;
    return [{ code: 'needs_refused', message, about: String(other.line) }];
  });
}

/** A row without the pictures that are not in the library, and what they are. */
function withoutPictures(
  row: MatchedRow,
  pictures: ReadonlySet<string>,
  standing: StoredDocument | undefined,
): MatchedRow & Pick<PlannedRow, 'missingPictures' | 'keepsPhotos' | 'document'> {
  if (!row.document) return { ...row, missingPictures: [], keepsPhotos: false, document: undefined };
  const missingPictures = picturesOf(row.document).flatMap(({ key }) => (pictures.has(key) ? [] : key));
  if (missingPictures.length === 0)
    return { ...row, missingPictures, keepsPhotos: false, document: row.document };
  const { photos, ...rest } = mapPictures(row.document, (picture) =>
    pictures.has(picture.key) ? picture : undefined,
  );
  // What is left of the list would take away photos that stand.
  const keepsPhotos = standing?.photos !== undefined && photos?.length !== row.document.photos?.length;
  return {
    ...row,
    missingPictures,
    keepsPhotos,
    document: { ...rest, ...(photos && !keepsPhotos && { photos }) },
  };
}

/** The position of each row by everything by which others may name it. */
function placesOf(rows: readonly MatchedRow[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, { document }] of rows.entries()) {
    for (const key of document ? keysOf(document) : []) if (!places.has(key)) places.set(key, index);
  }
  return places;
}

function referencesOf({ members = [], parent }: StarDocument): string[] {
  return [...members.flatMap(({ star }) => star ?? []), ...(parent ? [parent] : [])];
}
