import type postgres from 'postgres';
import { followDatabase } from './bus.ts';
import { disconnectDatabase, reconnectDatabase } from './client.ts';
import { withoutPassword } from './database-errors.ts';
import { log } from './log.ts';
import { maxLag, type Replica, type ReplicaMismatch, type Replicas } from './replicas.ts';
import { invalidationNumbers } from './schema/page-store.ts';
import { askIdentity, type ServerIdentity } from './server-identity.ts';
import { Watch } from './watch.ts';

/** Where the open database is. */
interface Whereabouts {
  /** Of its primary first, then who may take its place. */
  hosts: readonly string[];
  /** What stands before it, without which it cannot be asked either. */
  pooledUrl: string | undefined;
  replicas: Replicas | undefined;
}

/**
 * Watches over the open database and its replicas. The log has one line when one is lost and one when it answers again; nobody who is
 * refused meanwhile adds to it. Of several hosts of the primary the one that takes writes is the database, whichever that is.
 * @returns ends the watch
 */
export function watchDatabase({ hosts, pooledUrl, replicas }: Whereabouts): () => void {
  let isPoolerLost = false;
  const lose = (url: string) => {
    if (disconnectDatabase())
      log.error(
        { database: withoutPassword(url) },
        'the database does not answer: pages that need it are 503 until it does',
      );
  };
  const findPooler = () => {
    isPoolerLost = false;
  };
  const poolerWatches = pooledUrl
    ? [
        new Watch({
          urls: [pooledUrl],
          ask: (sql) => sql`select 1`,
          onAnswer: findPooler,
          // Others have all of its connections: whoever waits too long for one it refuses itself.
          onQueued: findPooler,
          onLost(url) {
            isPoolerLost = true;
            lose(url);
          },
        }),
      ]
    : [];
  const replicaWatches = replicas?.all.map((replica) => watchReplica(replica, replicas)) ?? [];
  const primary = new Watch({
    urls: hosts,
    ask: (sql) => Promise.all([askPrimary(sql, hosts.length > 1), replicas && askIdentity(sql)]),
    onAnswer([answer, identity], url, askedAt) {
      if (!isPoolerLost && reconnectDatabase(url)) {
        log.warn({ database: withoutPassword(url) }, 'the database answers again');
        followDatabase();
        replicas?.forgetPrimary();
      }
      if (answer && identity) replicas?.notePrimaryIdentity(identity);
      if (answer) replicas?.notePrimary(answer.position, answer.invalidation, askedAt);
    },
    onLost: lose,
  });
  const watches = [primary, ...poolerWatches, ...replicaWatches];
  for (const watch of watches) void watch.run();
  return () => {
    for (const watch of watches) watch.end();
  };
}

interface Position {
  position: string | null;
}

/**
 * Everything that is committed, however it is, stands before this position, and so do the writes of all invalidations up to this one,
 * which is read first.
 * @throws when it has to be the primary, and is not
 */
async function askPrimary(sql: postgres.Sql, mustWrite: boolean) {
  const [row] = await sql<(Position & { invalidation: string })[]>`
    select case when is_called then last_value else 0 end as invalidation,
      (case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() end - '0/0'::pg_lsn)::bigint as position
    from ${sql(invalidationNumbers.seqName ?? '')}`;
  if (row?.position) return { position: BigInt(row.position), invalidation: Number(row.invalidation) };
  if (mustWrite) throw new Error('a server that takes no writes is no primary');
  return undefined;
}

/** Without a position it is no replica, or receives nothing: it may be of a primary that is none any more. */
async function askReplica(
  sql: postgres.Sql,
): Promise<{ identity: ServerIdentity; position: bigint | undefined }> {
  const [identity, [row]] = await Promise.all([
    askIdentity(sql),
    sql<Position[]>`
      select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as position
      from pg_stat_wal_receiver where pid is not null and pg_is_in_recovery()`,
  ]);
  return { identity, position: row?.position ? BigInt(row.position) : undefined };
}

const warnings: Record<ReplicaMismatch | 'left_out', string> = {
  left_out: 'the replica is left out: it does not answer, refuses the user or the password, or is behind',
  primary: 'a server of DATABASE_REPLICA_URLS is the primary: it is no replica, and is left out there',
  other_primary: 'a server of DATABASE_REPLICA_URLS takes writes and is not the primary: it is left out',
  other_database: 'a server of DATABASE_REPLICA_URLS is a replica of another database: it is left out',
};

function watchReplica(replica: Replica, replicas: Replicas): Watch<Awaited<ReturnType<typeof askReplica>>> {
  const address = withoutPassword(replica.url);
  const stateNow = () => replicas.mismatchOf(replica) ?? (replica.isClose ? 'used' : 'left_out');
  let state: ReturnType<typeof stateNow> | undefined;
  let since = 0;
  let told: typeof state;
  const note = () => {
    const now = stateNow();
    if (now !== state) since = performance.now();
    state = now;
    // What a start or a promotion makes of it for a moment is no news; one that was used has been behind for so long by now.
    const isNews =
      now === 'used' || (told === 'used' && now === 'left_out') || performance.now() - since > maxLag;
    if (now === told || !isNews) return;
    told = now;
    if (now === 'used') log.info({ replica: address }, 'the replica is used');
    else log.warn({ replica: address }, warnings[now]);
  };
  return new Watch({
    urls: [replica.url],
    ask: askReplica,
    onAnswer({ identity, position }) {
      replica.identity = identity;
      if (position !== undefined) replicas.noteReplica(replica, position);
      note();
    },
    onLost() {
      replica.disconnect();
      note();
    },
  });
}
