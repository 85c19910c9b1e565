import type { TakenRows } from '#db/queries/directory/imports.ts';
import type { StarDocument } from './model.ts';
import type { ReadRow, Reason } from './rows.ts';
import type { StandingStars } from './standing-stars.ts';

/** A row with the star of the directory that it is about. */
export interface MatchedRow extends ReadRow {
  starId: number | undefined;
  /** It is a star that an editor merged into that one. */
  isMerged?: boolean;
}

/** Which star of the directory each row is about (decision M7); two rows about one are refused, unless they were two stars once. */
export const matchRows = (
  rows: readonly ReadRow[],
  standing: StandingStars,
  taken: TakenRows,
): MatchedRow[] => refuseTwice(match(rows, standing, taken), standing);

function match(rows: readonly ReadRow[], standing: StandingStars, taken: TakenRows): MatchedRow[] {
  const firm = rows.map((row): MatchedRow => {
    if (!row.document) return { ...row, starId: undefined };
    const known = taken.get(row.line)?.starId;
    if (known !== undefined && standing.byId(known)) return { ...row, starId: known };
    const ids = standing.idsOf(row.document);
    if (ids.length > 1) return refuse({ ...row, starId: undefined }, severalStars);
    return { ...row, starId: ids[0] ?? standing.idOfSlug(row.document) };
  });
  const claimed = new Set(firm.map(({ starId }) => starId));
  const guessed = firm.map(({ document, starId }) =>
    document && starId === undefined ? standing.idsOfNames(document, claimed) : [],
  );
  const claims = Map.groupBy(firm.keys(), (index) => String(guessed[index]));
  const claimsOf = Map.groupBy(
    [...claims.keys()].flatMap((claim) => claim.split(',').map((id) => ({ claim, id }))),
    ({ id }) => id,
  );
  return firm.map((row, index) => {
    // As many rows as stars that they may be: each is one of them, in the order in which they came.
    const ids = guessed[index] ?? [];
    const rivals = claims.get(String(ids)) ?? [];
    const isOnlyTheirs = ids.every((each) => claimsOf.get(String(each))?.length === 1);
    const id = isOnlyTheirs && rivals.length === ids.length ? ids[rivals.indexOf(index)] : undefined;
    if (id !== undefined) return { ...row, starId: id };
    const merged = row.document && row.starId === undefined ? standing.idOfMerged(row.document) : undefined;
    return merged === undefined ? row : { ...row, starId: merged, isMerged: true };
  });
}

const severalStars: Reason = {
  code: 'several',
  field: 'externalIds',
  message: 'Its ids lead to more than one star of the directory: merge them first.',
};

const refuse = (row: MatchedRow, ...reasons: Reason[]): MatchedRow => ({
  ...row,
  reasons: [...row.reasons, ...reasons],
});

/** The second row about a star is refused, unless both were stars of their own that are one by now. */
function refuseTwice(rows: readonly MatchedRow[], standing: StandingStars): MatchedRow[] {
  const firstLine = new Map<string, number>();
  return rows.map((row) => {
    if (!row.document) return row;
    const isMerged = row.isMerged === true || isOneOfMerged(row, standing);
    const keys = [
      ...keysOf(row.document),
      ...(row.starId === undefined || isMerged ? [] : [`star ${row.starId}`]),
    ];
    const other = keys.flatMap((key) => firstLine.get(key) ?? [])[0];
    for (const key of keys) if (!firstLine.has(key)) firstLine.set(key, row.line);
    return other === undefined
      ? row
      : refuse(row, {
          code: 'twice',
          message: `It is the same star as in row ${other}.`,
          about: String(other),
        });
  });
}

/** Whether a row is about a star that has several numbers in the directory by whose number the row knows it. */
function isOneOfMerged({ document, starId }: MatchedRow, standing: StandingStars): boolean {
  const names = (starId === undefined ? undefined : standing.byId(starId)?.externalNames) ?? [];
  return Object.entries(document?.externalIds ?? {}).some(
    ([source, id]) =>
      names.includes(`${source}:${id}`) && names.filter((name) => name.startsWith(`${source}:`)).length > 1,
  );
}

/** Everything by which others may name the star of a document. */
export const keysOf = ({ slug, externalIds }: StarDocument): string[] => [
  ...Object.entries(externalIds ?? {}).map(([source, id]) => `${source}:${id}`),
  ...(slug === undefined ? [] : [slug]),
];
