import type { PlannedRow, Target } from './planned-row.ts';
import type { Reason } from './rows.ts';
import type { StandingStars } from './standing-stars.ts';

/** Stars as an import would leave them, as far as it says who belongs to whom. */

const noGroup: Reason = {
  code: 'no_group',
  field: 'parent',
  message: 'The field “parent” is wrong: It names a star that is no group.',
};
const circle: Reason = {
  code: 'circle',
  field: 'parent',
  message: 'The field “parent” is wrong: It names a group that belongs to this star.',
};

/**
 * Why rows cannot belong to the group that they name, or that they have, told before anything is written.
 * @returns the reason by the position of the row
 */
export function parentFaults(
  rows: readonly PlannedRow[],
  standing: StandingStars,
): ReadonlyMap<number, Reason> {
  const keyOf = (target: Target): string => {
    const starId = 'row' in target ? rows[target.row]?.starId : target.starId;
    return starId === undefined && 'row' in target ? `row ${target.row}` : `star ${starId}`;
  };
  const taken = new Map(
    [...rows.entries()]
      .filter(([, { outcome }]) => outcome === 'add' || outcome === 'change')
      .map(([at, row]) => [keyOf({ row: at }), row]),
  );
  const standingOf = (key: string) =>
    key.startsWith('star') ? standing.byId(Number(key.slice('star'.length)))?.document : undefined;
  const isSaid = ({ outcome, changed }: PlannedRow, field: string) =>
    outcome === 'add' || changed.some((change) => change.field === field);
  const parentOf = (key: string): string | undefined => {
    const row = taken.get(key);
    if (row && isSaid(row, 'parent')) {
      const target = row.references.get(row.document?.parent ?? '');
      return target && keyOf(target);
    }
    const id = standing.idOf(standingOf(key)?.parent ?? '');
    return id === undefined ? undefined : keyOf({ starId: id });
  };
  const categoryOf = (key: string) => {
    const row = taken.get(key);
    return row && isSaid(row, 'category') ? row.document?.category : standingOf(key)?.category;
  };
  const circling = inCircles([...taken.keys()], parentOf);
  const faults = new Map<number, Reason>();
  for (const [at, row] of rows.entries()) {
    const key = keyOf({ row: at });
    const parent = taken.get(key) === row ? parentOf(key) : undefined;
    if (parent === undefined) continue;
    // Whoever has a parent that stays is in the circle by what another row says.
    if (circling.has(key) && isSaid(row, 'parent')) faults.set(at, circle);
    else if (categoryOf(parent) !== 'K-Pop Group') faults.set(at, noGroup);
  }
  return faults;
}

/** Those of them who lead back to themselves. Each is looked at once. */
function inCircles(
  starts: readonly string[],
  next: (key: string) => string | undefined,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const circling = new Set<string>();
  for (const start of starts) {
    const path: string[] = [];
    let key: string | undefined = start;
    for (; key !== undefined && !seen.has(key); key = next(key)) {
      seen.add(key);
      path.push(key);
    }
    const back = key === undefined ? -1 : path.indexOf(key);
    if (back >= 0) for (const each of path.slice(back)) circling.add(each);
  }
  return circling;
}
