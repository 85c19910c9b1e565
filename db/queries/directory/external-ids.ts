import { and, eq, inArray } from 'drizzle-orm';
import { database } from '../../client.ts';
import { type ExternalSource, starExternalIds } from '../../schema/directory.ts';

/** The stars that are known elsewhere by these ids: the star's id by its id there. */
export async function findStarsByExternalIds(
  source: ExternalSource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await database()
    .select({ externalId: starExternalIds.externalId, starId: starExternalIds.starId })
    .from(starExternalIds)
    .where(and(eq(starExternalIds.source, source), inArray(starExternalIds.externalId, [...ids])));
  return new Map(rows.map(({ externalId, starId }) => [externalId, starId]));
}
