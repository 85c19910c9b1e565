import { Column, fillPlaceholders, SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { type AnyPgColumn, PgDialect } from 'drizzle-orm/pg-core';
import type { SelectResultField, SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { askPrepared, type Database, database, type Parameter } from './client.ts';

/**
 * What raw SQL needs to be typed by the schema: a row's type follows from the columns that are selected, and values are read as
 * their columns say (an instant is a `Date`, also inside JSON). For what Drizzle's builder can say, use the builder.
 */

export type Expression = AnyPgColumn | SQL;
/** What a statement selects, by the names that its rows have. */
export type Fields = Record<string, Expression>;
export type RowOf<Selected extends Fields> = SelectResultFields<Selected>;
export type ValueOf<Selected extends Expression> = SelectResultField<Selected>;

type Decode = (value: unknown) => unknown;
/** Drizzle keeps the decoder of an expression to itself. */
const decoders = new WeakMap<SQL, Decode>();

/** How a value of the driver, or of JSON, is read; undefined: as it is. */
function decoderOf(expression: Expression): Decode | undefined {
  if (expression instanceof SQL) return decoders.get(expression);
  const isPlain = expression.mapFromDriverValue === Column.prototype.mapFromDriverValue;
  return isPlain ? undefined : (value) => expression.mapFromDriverValue(value);
}

function decoded<Value>(expression: SQL, decode: Decode | undefined): SQL<Value> {
  const typed: SQL<Value> = expression.mapWith((value) => (decode && value !== null ? decode(value) : value));
  if (decode) decoders.set(typed, decode);
  return typed;
}

/** Reads the named values of a row or of a JSON object in place. */
function rowDecoder(fields: Fields): ((row: Record<string, unknown>) => void) | undefined {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const decode = decoderOf(field);
    return decode ? [[name, decode] as const] : [];
  });
  if (entries.length === 0) return undefined;
  return (row) => {
    for (const [name, decode] of entries) if (row[name] !== null) row[name] = decode(row[name]);
  };
}

/** An expression that has the type of a column, such as `typedAs(articles.publishedAt, sql`max(…)`)`. */
export function typedAs<Typed extends Expression>(like: Typed, expression: SQL): SQL<ValueOf<Typed>> {
  return decoded(expression, decoderOf(like));
}

/** A column that is null where its table was joined from the left and has no row. */
export function nullable<Typed extends Expression>(expression: Typed): SQL<ValueOf<Typed> | null> {
  return decoded(sql`${expression}`, decoderOf(expression));
}

/** A column that is not null in the rows that a condition leaves. */
export function notNull<Typed extends Expression>(expression: Typed): SQL<NonNullable<ValueOf<Typed>>> {
  return decoded(sql`${expression}`, decoderOf(expression));
}

/** The first of two values that is not null. */
export function coalesce<First extends Expression, Second extends Expression>(
  first: First,
  second: Second,
): SQL<NonNullable<ValueOf<First>> | ValueOf<Second>> {
  return decoded(sql`coalesce(${first}, ${second})`, decoderOf(first) ?? decoderOf(second));
}

/** A JSON object of named expressions. */
export function jsonObject<Selected extends Fields>(fields: Selected): SQL<RowOf<Selected>> {
  const pairs = Object.entries(fields).map(([name, field]) => sql`${textLiteral(name)}, ${field}`);
  const decode = rowDecoder(fields);
  return decoded(
    sql`json_build_object(${sql.join(pairs, sql`, `)})`,
    decode &&
      ((value) => {
        if (isRecord(value)) decode(value);
        return value;
      }),
  );
}

/** All values of a group as a JSON array, empty without any. */
export function jsonArray<Item extends Expression>(
  item: Item,
  { orderBy, distinct = false }: { orderBy?: SQL; distinct?: boolean } = {},
): SQL<ValueOf<Item>[]> {
  const decode = decoderOf(item);
  const order = orderBy ? sql` order by ${orderBy}` : sql``;
  return decoded(
    sql`coalesce(json_agg(${distinct ? sql`distinct ` : sql``}${item}${order}), '[]'::json)`,
    decode &&
      ((value) =>
        Array.isArray(value) ? value.map((each) => (each === null ? null : decode(each))) : value),
  );
}

/** One value of a subquery: `(select expression from …)`. A scalar that may find no row is `nullable(…)`. */
export function selectValue<Selected extends Expression>(
  expression: Selected,
  rest: SQL,
): SQL<ValueOf<Selected>> {
  return decoded(sql`(select ${expression} ${rest})`, decoderOf(expression));
}

/**
 * A common table expression or subquery by its name: `page.name` stands in `from`, `page.columns` is what it selects, and
 * `page.fields.id` names one of its columns, typed as what it was selected from.
 */
export function derived<Selected extends Fields>(
  name: string,
  fields: Selected,
): { name: SQL; columns: SQL; fields: { [Key in keyof Selected]: SQL<ValueOf<Selected[Key]>> } } {
  const table = sql.identifier(name);
  const columns = Object.entries(fields).map(([key, field]) => [
    key,
    typedAs(field, sql`${table}.${sql.identifier(key)}`),
  ]);
  return { name: sql`${table}`, columns: listOf(fields), fields: Object.fromEntries(columns) };
}

/** The name of a column without its table, for the lists of `insert`, `on conflict` and `set`. */
export const nameOf = (column: AnyPgColumn): SQL => sql`${sql.identifier(toSnakeCase(column.name))}`;

/** Names of columns without their table, separated by commas. */
export const namesOf = (...columns: AnyPgColumn[]): SQL => sql.join(columns.map(nameOf), sql`, `);

/** A whole number as part of a statement's text: a plan that is made for any limit would read whole tables. */
export function literal(value: number): SQL<number> {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`);
  return sql.raw(String(value)) as SQL<number>;
}

const roundedLimits = [3, 10, 20, 50, 100];

/** A limit for a statement's text, rounded up to one of a few: each makes a statement, and a plan, of its own. */
export const roundedLimit = (limit: number): number => roundedLimits.find((each) => each >= limit) ?? limit;

const textLiteral = (text: string): SQL => sql.raw(`'${text.replaceAll("'", "''")}'`);

/** A list of integers as a PostgreSQL array: one parameter, so that the statement is the same whatever its length. */
export const intArray = (ids: readonly number[]): SQL => sql`${`{${ids.join()}}`}::int[]`;

/** True for an integer column that has one of the values; one parameter, unlike Drizzle's `inArray`. */
export const isOneOf = (column: AnyPgColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${intArray(ids)})`;

export type Executor = Pick<Database, 'execute'>;

const listOf = (fields: Fields): SQL =>
  sql.join(
    Object.entries(fields).map(([name, field]) => sql`${field} as ${sql.identifier(name)}`),
    sql`, `,
  );

/** Raw rows are what `fields` say: the one place where that is asserted. */
function rowsOf<Selected extends Fields>(fields: Selected, rows: Iterable<unknown>): RowOf<Selected>[] {
  const list = [...rows] as Record<string, unknown>[];
  const decode = rowDecoder(fields);
  if (decode) for (const row of list) decode(row);
  return list as RowOf<Selected>[];
}

/**
 * Runs a raw statement whose rows are typed by what it selects or returns.
 * @param write the statement around `columns`, the list of `fields`
 * @param db `database()`, `unprepared()` or a transaction
 */
export async function execute<Selected extends Fields>(
  fields: Selected,
  write: (columns: SQL) => SQL,
  db: Executor = database(),
): Promise<RowOf<Selected>[]> {
  return rowsOf(fields, await db.execute(write(listOf(fields))));
}

const dialect = new PgDialect({ casing: 'snake_case' });

/**
 * A fragment whose text is made once, with its values in it: Drizzle takes microseconds for each column in every statement. For
 * statements that come in too many shapes for `prepare`, and never for what a visitor sent.
 */
export function prerender<Value>(fragment: SQL<Value>): SQL<Value> {
  const { sql: text } = dialect.sqlToQuery(sql`${fragment}`.inlineParams());
  return decoded(sql.raw(text), decoderOf(fragment));
}

/**
 * A raw statement whose text is made once, for what a busy process asks all the time: making it anew by Drizzle would cost as
 * much as asking. For the builder's statements, `.prepare()` does the same.
 * @param write the statement around `columns`, with a `sql.placeholder` for each of the values
 * @param ask `askPrepared` or `askImpatiently`
 */
export function prepare<Selected extends Fields, Values extends Record<string, string | number | null>>(
  fields: Selected,
  write: (columns: SQL) => SQL,
  ask: (text: string, parameters: Parameter[]) => PromiseLike<Iterable<unknown>> = askPrepared,
): (values: Values) => Promise<RowOf<Selected>[]> {
  const { sql: text, params } = dialect.sqlToQuery(write(listOf(fields)));
  return async (values) => {
    const parameters = fillPlaceholders(params, values) as Parameter[];
    return rowsOf(fields, await ask(text, parameters));
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
