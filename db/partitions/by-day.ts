import { getTableName } from 'drizzle-orm';
import { connection } from '../client.ts';
import { eventViews } from '../schema/event-interest.ts';
import { attachPartition, changePartitions, dropPartition, listPartitions } from './attach.ts';

/**
 * Views of events, a part for each day, which goes with the day (decision D13). A day for which nobody made one has its rows in the
 * rest, from where they are deleted one by one.
 */

/** Days for which parts are ready. */
const daysAhead = 7;
const dayMilliseconds = 86_400_000;

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10);

/** Makes the parts of the days that come. Of today there may be rows in the rest already, so today gets none. */
export async function makeViewParts(today: string): Promise<void> {
  const parts = await listPartitions(connection(), eventViews);
  const ready = new Set(parts.map(({ from }) => from));
  const missing = Array.from({ length: daysAhead }, (_, n) => dayAfter(today, n + 1)).filter(
    (day) => !ready.has(day),
  );
  if (missing.length === 0) return;
  await changePartitions(async (tx) => {
    for (const day of missing) {
      const name = `${getTableName(eventViews)}_${day.replaceAll('-', '')}`;
      const [made] = await tx`select from pg_class where oid = to_regclass(${name})`;
      if (!made) await attachPartition(tx, eventViews, name, { from: day, to: dayAfter(day, 1) });
    }
  });
}

/** Drops the parts of days before this one. */
export async function dropViewsBefore(day: string): Promise<void> {
  const parts = await listPartitions(connection(), eventViews);
  for (const { name, to } of parts.filter(({ to }) => to !== null && to <= day))
    await changePartitions(async (tx) => {
      const [stillThere] = await tx`select from pg_class where oid = to_regclass(${name})`;
      if (stillThere && to !== null) await dropPartition(tx, eventViews, name);
    });
}
