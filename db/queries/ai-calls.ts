import { sql } from 'drizzle-orm';
import { database } from '../client.ts';

/** The day of the budget ends at midnight in Seoul. */
const today = sql`date_trunc('day', now() at time zone 'Asia/Seoul') at time zone 'Asia/Seoul'`;

const spent = sql`coalesce(input_tokens + output_tokens, reserved_tokens)`;

export interface NewCall {
  purpose: 'rewrite' | 'repair' | 'events';
  storyId: number;
  language: string | null;
  model: string;
  promptVersion: string;
  reservedTokens: number;
}

/**
 * Opens a call to the model if today's budget has room for what it reserves. Exact with several processes: calls are
 * opened one after the other.
 * @returns its id, undefined when the budget is used up
 */
export function openCall(call: NewCall, dailyTokens: number): Promise<number | undefined> {
  return database().transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('ai_budget'))`);
    const [row] = await tx.execute<{ id: number }>(sql`
      insert into ai_calls (purpose, story_id, language, model, prompt_version, reserved_tokens)
      select ${call.purpose}, ${call.storyId}::int, ${call.language}::text, ${call.model}, ${call.promptVersion},
        ${call.reservedTokens}::int
      where (select coalesce(sum(${spent}), 0) from ai_calls where created_at >= ${today})
        + ${call.reservedTokens} <= ${dailyTokens}
      returning id`);
    return row?.id;
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
export async function closeCall(id: number, result: CallResult): Promise<void> {
  await database().execute(sql`
    update ai_calls set outcome = ${result.outcome}, input_tokens = ${result.inputTokens},
      output_tokens = ${result.outputTokens}, cost = ${result.cost}::numeric, milliseconds = ${result.milliseconds},
      error = ${result.error} where id = ${id}`);
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
  const [row] = await database().execute<Record<string, unknown> & Spending>(sql`
    select count(*)::int as calls, count(*) filter (where outcome not in ('ok', 'open'))::int as failed,
      coalesce(sum(${spent}), 0)::int as tokens, sum(cost)::float as cost, ${today} + interval '1 day' as until
    from ai_calls where created_at >= ${today}`);
  return row
    ? { ...row, until: new Date(row.until) }
    : { calls: 0, failed: 0, tokens: 0, cost: null, until: new Date() };
}
