import { eq, gte, type SQL, sql } from 'drizzle-orm';
import { database } from '../../client.ts';
import { aiCalls } from '../../schema/newsroom.ts';
import { execute, namesOf, selectValue, typedAs } from '../../sql.ts';

/** The day of the budget ends at midnight in Seoul. */
const today = sql`date_trunc('day', now() at time zone 'Asia/Seoul') at time zone 'Asia/Seoul'`;

/** Open calls count with what they reserved. */
const tokens = sql<number>`coalesce(sum(coalesce(${aiCalls.inputTokens}::bigint + ${aiCalls.outputTokens}, ${aiCalls.reservedTokens})), 0)::float8`;
const ofToday: SQL = gte(aiCalls.createdAt, today);

type NewCall = Pick<
  typeof aiCalls.$inferSelect,
  'purpose' | 'language' | 'model' | 'promptVersion' | 'reservedTokens'
> & { storyId: number };

/**
 * Opens a call to the model if today's budget has room for what it reserves. Exact with several processes: calls are
 * opened one after the other.
 * @returns its id, undefined when the budget is used up
 */
export function openCall(call: NewCall, dailyTokens: number): Promise<number | undefined> {
  const { purpose, storyId, language, model, promptVersion, reservedTokens } = aiCalls;
  return database().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('ai_budget'))`);
    const [opened] = await execute(
      { id: aiCalls.id },
      (columns) => sql`
        insert into ${aiCalls} (${namesOf(purpose, storyId, language, model, promptVersion, reservedTokens)})
        select ${call.purpose}, ${call.storyId}::int, ${call.language}::text, ${call.model}, ${call.promptVersion},
          ${call.reservedTokens}::int
        where ${selectValue(tokens, sql`from ${aiCalls} where ${ofToday}`)} + ${call.reservedTokens} <= ${dailyTokens}
        returning ${columns}`,
      tx,
    );
    return opened?.id;
  });
}

export interface CallResult {
  outcome: 'ok' | 'invalid' | 'limited' | 'timeout' | 'error';
  inputTokens: number;
  outputTokens: number;
  /** US dollars */
  cost: number | null;
  milliseconds: number;
  error: string | null;
}

/** Closes a call with what it took. */
export async function closeCall(id: number, { cost, ...result }: CallResult): Promise<void> {
  await database()
    .update(aiCalls)
    .set({ ...result, cost: cost === null ? null : String(cost) })
    .where(eq(aiCalls.id, id));
}

/** What the machine took today (a day in Seoul). */
export interface Spending {
  calls: number;
  failed: number;
  tokens: number;
  /** US dollars; null when no price is set. */
  cost: number | null;
  /** When the next day begins. */
  until: Date;
}

export async function readSpending(): Promise<Spending> {
  const [spending] = await database()
    .select({
      calls: sql<number>`count(*)::int`,
      failed: sql<number>`(count(*) filter (where ${aiCalls.outcome} not in ('ok', 'open')))::int`,
      tokens,
      cost: sql<number | null>`sum(${aiCalls.cost})::float`,
      until: typedAs(aiCalls.createdAt, sql`${today} + interval '1 day'`),
    })
    .from(aiCalls)
    .where(ofToday);
  return spending ?? { calls: 0, failed: 0, tokens: 0, cost: null, until: new Date() };
}
