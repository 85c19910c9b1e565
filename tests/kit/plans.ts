import postgres from 'postgres';
import { connection, databaseUrl, unprepared } from '#db/client.ts';

/** A statement as it was sent, with its values. */
export interface Sent {
  text: string;
  values: readonly unknown[];
  /** Planned once for any values, as `database()` has it, and not for these. */
  isPrepared: boolean;
}

/** What PostgreSQL did for a statement. */
export interface Plan extends Sent {
  /** Rows that were read of tables and indexes, those that were then left out too; by table in `rowsOf`. */
  rowsRead: number;
  rowsOf: Readonly<Record<string, number>>;
  /** Pages of 8 kB that were looked at. */
  pages: number;
  /** milliseconds */
  planning: number;
  execution: number;
  tree: PlanNode;
}

/** A step of a plan, as `EXPLAIN (ANALYZE, FORMAT JSON)` tells it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

interface Explained {
  Plan: PlanNode;
  'Planning Time'?: number;
  'Execution Time': number;
}

/** Asks the open database, then tells how PostgreSQL answers each statement that was sent. */
export async function plansOf(ask: () => PromiseLike<unknown>): Promise<Plan[]> {
  const statements = await sentBy(ask);
  const plans: Plan[] = [];
  for (const statement of statements) plans.push(await withStatement(statement, explain));
  return plans;
}

/**
 * Prepares a statement on a connection of its own, which plans as that does that sent it.
 * @param use gets the connection, and the text that executes the statement with its values
 */
export async function withStatement<Result>(
  statement: Sent,
  use: (sql: postgres.Sql, execute: string, statement: Sent) => Promise<Result>,
): Promise<Result> {
  const { text, values, isPrepared } = statement;
  const plan_cache_mode = isPrepared ? 'force_generic_plan' : 'force_custom_plan';
  const sql = postgres(databaseUrl(), {
    max: 1,
    onnotice: () => {},
    connection: { jit: 'off', plan_cache_mode },
  });
  try {
    await sql.unsafe(`prepare asked as ${text}`);
    const list = values.length > 0 ? `(${values.map(literalOf).join()})` : '';
    return await use(sql, `execute asked${list}`, statement);
  } finally {
    await sql.end();
  }
}

/** The statements that are sent to the open database while `ask` runs. */
export async function sentBy(ask: () => PromiseLike<unknown>): Promise<Sent[]> {
  const statements: Sent[] = [];
  const listen = (client: postgres.Sql, isPrepared: boolean) => {
    // Its own: that of the pool which is watched would come back to this one.
    const { value: unsafe = client.unsafe } = Reflect.getOwnPropertyDescriptor(client, 'unsafe') ?? {};
    const noting: postgres.Sql['unsafe'] = (text, values, options) => {
      statements.push({ text, values: values ?? [], isPrepared });
      return unsafe(text, values, options);
    };
    client.unsafe = noting;
    return () => {
      client.unsafe = unsafe;
    };
  };
  const endings = [listen(connection(), true), listen(unprepared().$client, false)];
  try {
    await ask();
  } finally {
    for (const end of endings) end();
  }
  return statements;
}

async function explain(sql: postgres.Sql, execute: string, statement: Sent): Promise<Plan> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': Explained[] }[]>(
    `explain (analyze, timing off, buffers, format json) ${execute}`,
  );
  const explained = row?.['QUERY PLAN'][0];
  if (!explained) throw new Error(`no plan of ${statement.text}`);
  const tree = explained.Plan;
  const rowsOf: Record<string, number> = {};
  for (const node of nodesOf(tree)) {
    const table = node['Relation Name'];
    if (table) rowsOf[table] = (rowsOf[table] ?? 0) + readBy(node);
  }
  return {
    ...statement,
    rowsRead: Object.values(rowsOf).reduce((sum, rows) => sum + rows, 0),
    rowsOf,
    pages: (tree['Shared Hit Blocks'] ?? 0) + (tree['Shared Read Blocks'] ?? 0),
    planning: explained['Planning Time'] ?? 0,
    execution: explained['Execution Time'],
    tree,
  };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** PostgreSQL tells averages of a loop. */
const readBy = (node: PlanNode): number =>
  Math.round(
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops'],
  );

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}
