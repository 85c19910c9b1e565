import { DrizzleQueryError } from 'drizzle-orm/errors';
import { isUnreachable } from './database-errors.ts';
import { withoutSecrets } from './secrets.ts';

interface ErrorFields {
  type: string;
  code?: string;
  message: string;
  /** The statement, without its values. */
  query?: string;
  stack?: string;
  cause?: ErrorFields;
}

/** An error that stands behind another, and so on: what is deeper says nothing more. */
const maxCauses = 4;
const maxLength = 2_000;

/**
 * Of an error what a log may keep. Drizzle's message and properties hold the values of a statement, PostgreSQL's `detail` those
 * of a row: an e-mail address, a message. So names, codes and sentences are taken one by one, and nothing else.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'Something that is no error was thrown.' };
  const { name, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    message: messageOf(error).slice(0, maxLength),
    ...(error instanceof DrizzleQueryError ? { query: error.query.slice(0, maxLength) } : {}),
    // Where a database that is away was asked says nothing.
    ...(frames?.length && !isUnreachable(error) ? { stack: frames.join('\n') } : {}),
    ...(cause instanceof Error && depth < maxCauses ? { cause: errorFields(cause, depth + 1) } : {}),
  };
}

function messageOf(error: Error): string {
  if (error instanceof DrizzleQueryError) return 'A query failed.';
  // Data exceptions of PostgreSQL end with the value: `invalid input syntax for type integer: "…"`.
  if (error.name === 'PostgresError') return error.message.replace(/: ".*/s, '');
  // A text that is no JSON is quoted in what is said about it.
  if (error instanceof SyntaxError) return error.message.replace(/"[^"]*"|'[^']*'/g, '…');
  return error.message;
}

/** Nothing in them is of any length: a line without an end would be read once from each of its letters. */
const redactions: readonly [RegExp, string][] = [
  [/[^\s"'`<>(),;:=/\\]{1,64}@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/gi, '[e-mail]'],
  [/(\w{1,20}:\/\/)[^\s/@"]+@/g, '$1'],
  [/(\w{1,20}:\/\/[^\s?#"\\]{0,2000})[?#][^\s"\\]+/g, '$1'],
  [/\bBearer +[^\s"\\]+/gi, 'Bearer [token]'],
  [/\b[0-9a-f]{64}\b/gi, '[token]'],
];

/** What must not be in a line by what it is or looks like, whoever wrote it: other libraries write sentences, too. */
export function redact(line: string): string {
  let safe = withoutSecrets(line);
  for (const [pattern, instead] of redactions) safe = safe.replace(pattern, instead);
  return safe;
}
