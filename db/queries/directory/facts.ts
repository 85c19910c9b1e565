import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { FactSource } from '#content/fact-source.ts';
import { database, type Transaction } from '../../client.ts';
import { starFacts, starOffers } from '../../schema/directory.ts';
import { nameOf, namesOf } from '../../sql.ts';
import { recordDecision } from '../admin/audit.ts';
import type { Reader } from './document.ts';

/** Where a field of a star is from, and when a person wrote it; null: an import did. */
export type Fact = Pick<typeof starFacts.$inferSelect, 'source' | 'editedAt'>;

/** The facts of a star by their fields. */
export async function findFacts(starId: number, reader: Reader): Promise<Map<string, Fact>> {
  const rows = await reader
    .select({ field: starFacts.field, source: starFacts.source, editedAt: starFacts.editedAt })
    .from(starFacts)
    .where(eq(starFacts.starId, starId));
  return new Map(rows.map(({ field, ...fact }) => [field, fact]));
}

/** Notes where fields are from, and when a person wrote them: now, or what is known of that from another star. */
export async function writeFacts(
  tx: Transaction,
  starId: number,
  facts: readonly { field: string; source: FactSource | null; editedAt: Date | 'now' | null }[],
): Promise<void> {
  if (facts.length === 0) return;
  const excluded = (column: typeof starFacts.source | typeof starFacts.editedAt) =>
    sql`excluded.${nameOf(column)}`;
  await tx
    .insert(starFacts)
    .values(
      facts.map(({ field, source, editedAt }) => ({
        starId,
        field,
        source,
        editedAt: editedAt === 'now' ? sql`now()` : editedAt,
      })),
    )
    .onConflictDoUpdate({
      target: [starFacts.starId, starFacts.field],
      set: { source: excluded(starFacts.source), editedAt: excluded(starFacts.editedAt) },
    });
}

/** What an import knows otherwise than a person wrote it. One that was declined stays so while it says the same. */
export async function writeOffers(
  tx: Transaction,
  starId: number,
  offers: readonly { field: string; offered: unknown; source: FactSource }[],
): Promise<void> {
  const { starId: owner, field, offered, source, declinedAt } = starOffers;
  const rows = JSON.stringify(offers);
  await tx.execute(sql`
    insert into ${starOffers} (${namesOf(owner, field, offered, source)})
    select ${starId}::int, given.field, given.offered, given.source
    from jsonb_to_recordset(${rows}::jsonb) as given(field text, offered jsonb, source jsonb)
    on conflict (${namesOf(owner, field)}, (source ->> 'name')) do update
    set ${nameOf(offered)} = excluded.${nameOf(offered)}, ${nameOf(source)} = excluded.${nameOf(source)},
      ${nameOf(declinedAt)} = case when ${offered} = excluded.${nameOf(offered)} then ${declinedAt} end`);
}

/** What is offered for a star and was not declined. */
export function findOffers(
  starId: number,
  reader: Reader,
): Promise<{ id: number; field: string; offered: unknown; source: FactSource }[]> {
  return reader
    .select({
      id: starOffers.id,
      field: starOffers.field,
      // A column of JSON would be read as JSON once more, which makes a number of a year.
      offered: sql<unknown>`${starOffers.offered}`,
      source: starOffers.source,
    })
    .from(starOffers)
    .where(and(eq(starOffers.starId, starId), sql`${starOffers.declinedAt} is null`))
    .orderBy(starOffers.field, starOffers.id);
}

/** What editors declined, by star. */
export async function findDeclinedOffers(
  reader: Reader,
): Promise<Map<number, { field: string; offered: unknown }[]>> {
  const rows = await reader
    .select({
      starId: starOffers.starId,
      field: starOffers.field,
      offered: sql<unknown>`${starOffers.offered}`,
    })
    .from(starOffers)
    .where(isNotNull(starOffers.declinedAt));
  return Map.groupBy(rows, ({ starId }) => starId);
}

/** Declines an offer, which is not made again while an import says the same. @returns false: there is none */
export function declineOffer(starId: number, id: number, actorId: number): Promise<boolean> {
  return database().transaction(async (tx) => {
    const [declined] = await tx
      .update(starOffers)
      .set({ declinedAt: sql`now()` })
      .where(and(eq(starOffers.id, id), eq(starOffers.starId, starId), isNull(starOffers.declinedAt)))
      .returning({ field: starOffers.field, offered: starOffers.offered, source: starOffers.source });
    if (!declined) return false;
    await recordDecision(tx, {
      actorId,
      action: 'star.decline',
      subject: 'star',
      subjectId: starId,
      details: declined,
    });
    return true;
  });
}

/** Takes back what was offered for a field once it says the same. */
export async function deleteTakenOffers(
  tx: Transaction,
  starId: number,
  taken: readonly { field: string; value: unknown }[],
): Promise<void> {
  const rows = JSON.stringify(taken.map(({ field, value }) => ({ field, value: value ?? null })));
  await tx.execute(sql`
    delete from ${starOffers} using jsonb_to_recordset(${rows}::jsonb) as given(field text, value jsonb)
    where ${starOffers.starId} = ${starId} and ${starOffers.field} = given.field and ${starOffers.offered} = given.value`);
}
