import type { StarPage } from './model.ts';

type Member = StarPage['members'][number];
type Period = Member['periods'][number];

const startOf = ({ since, until }: Period): string => since ?? until ?? '';

/**
 * The members of a group, each once: who left and came back stands in the directory once for each time. What is told of it is of the
 * time that goes on, else of the last one. Who has no profile here is known by nothing, so each of their entries stays.
 */
export function gatherPeriods(rows: readonly Omit<Member, 'periods'>[]): Member[] {
  const byPerson = Map.groupBy(rows, (row) => row.starId ?? row);
  return [...byPerson.values()].flatMap((entries) => {
    const ordered = entries.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
    const shown = ordered.findLast(({ isFormer }) => !isFormer) ?? ordered.at(-1);
    return shown ? [{ ...shown, periods: ordered.map(({ since, until }) => ({ since, until })) }] : [];
  });
}
