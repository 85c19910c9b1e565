import { SQL } from 'bun';
import { valueFormats } from './value-formats.ts';

/** A value that a statement is given. */
export type Parameter = string | number | null;

/** Milliseconds after which an impatient statement is given up. */
const timeout = 1_000;

/**
 * One connection by Bun's own client, which takes rows of some kilobytes with a third of the work (decision W10). It is made on first use.
 * @param url of the primary, past any pooler
 */
export const impatientConnection = (url: string): SQL =>
  new SQL(url, {
    max: 1,
    connectionTimeout: 5,
    idleTimeout: 0,
    connection: {
      application_name: 'byeol-pages',
      ...valueFormats,
      statement_timeout: String(timeout),
      lock_timeout: String(timeout),
      jit: 'off',
      plan_cache_mode: 'force_generic_plan',
    },
  });
