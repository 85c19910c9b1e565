import postgres from 'postgres';
import { withoutPassword } from './database-errors.ts';
import { StartupError } from './embedded/startup-error.ts';
import { hostsOf } from './hosts.ts';

/**
 * The host of `url` that takes writes; of one host that one, unasked.
 * @throws StartupError when some answer and none of them takes writes
 */
export async function findPrimary(url: string): Promise<string> {
  const hosts = hostsOf(url);
  const [first = url] = hosts;
  if (hosts.length === 1) return first;
  const answers = await Promise.all(hosts.map(isPrimary));
  const primary = hosts[answers.indexOf(true)];
  if (primary) return primary;
  if (answers.includes(false))
    throw new StartupError(
      `None of ${hosts.map(withoutPassword).join(', ')} takes writes: promote one of them (\`select pg_promote(false)\`).`,
    );
  // It cannot be reached, and whoever tries says why.
  return first;
}

/** Undefined: it does not answer. */
async function isPrimary(url: string): Promise<boolean | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: 3, fetch_types: false, onnotice: () => {} });
  try {
    const [row] = await sql<{ primary: boolean }[]>`select not pg_is_in_recovery() as primary`;
    return row?.primary;
  } catch {
    return undefined;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
