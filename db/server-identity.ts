import postgres from 'postgres';

/** Which server answers, as it says itself. */
export interface ServerIdentity {
  /** When it was started, to the microsecond: who says the same is the same. */
  startedAt: string;
  /** The cluster and the database in it: a replica has those of its primary. Undefined: who asks may not know. */
  database: string | undefined;
  /** Whether it is no standby. */
  takesWrites: boolean;
}

/** Asks a server who it is; what stays as it is for as long as a connection lasts only once. */
export async function askIdentity(sql: postgres.Sql): Promise<ServerIdentity> {
  const [[row], database] = await Promise.all([
    sql<{ startedAt: string; takesWrites: boolean }[]>`
      select extract(epoch from pg_postmaster_start_time())::text as "startedAt", not pg_is_in_recovery() as "takesWrites"`,
    askDatabase(sql),
  ]);
  if (!row) throw new Error('a server says who it is');
  return { ...row, database };
}

const databases = new WeakMap<postgres.Sql, { name: string | undefined }>();

async function askDatabase(sql: postgres.Sql): Promise<string | undefined> {
  const known = databases.get(sql);
  if (known) return known.name;
  const name = await readDatabase(sql);
  databases.set(sql, { name });
  return name;
}

async function readDatabase(sql: postgres.Sql): Promise<string | undefined> {
  try {
    const [row] = await sql<{ name: string }[]>`
      select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as name
      from pg_control_system()`;
    return row?.name;
  } catch (error) {
    // Everybody may ask it, unless somebody took that right away.
    if (error instanceof postgres.PostgresError && error.code === '42501') return undefined;
    throw error;
  }
}
