import postgres from 'postgres';
import { settleBulkLoad } from '#db/bulk-load.ts';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { dropIndexesAndForeignKeys } from '#db/drop-indexes.ts';
import type { EmbeddedPostgres } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { fillVolume } from '#db/seed/volume.ts';

/** Where the databases of the bench are kept from run to run. */
export const dataDir = '.data/bench';

/** What is said of a database once it has all that it was to have. */
const filled = 'filled by the bench';
/** Tables of the most rows: what keeps and checks these row by row comes back when they are full. */
const largest = ['articles', 'article_rewrites', 'article_stars', 'messages'];

/** The address of a database of so many articles, which is filled on its first use, or anew when it was left half full. */
export async function benchDatabase(cluster: EmbeddedPostgres, articles: number): Promise<string> {
  const name = `bench_${articles}`;
  const url = cluster.url(name);
  const owner = postgres(cluster.url('postgres'), { max: 1, onnotice: () => {} });
  try {
    const [row] = await owner<{ said: string | null }[]>`
      select shobj_description(oid, 'pg_database') as said from pg_database where datname = ${name}`;
    if (row?.said !== filled) await fillAnew(owner, url, articles);
  } finally {
    await owner.end();
  }
  await migrateDatabase(url, { dataDir });
  return url;
}

/** Drops the database of an address if there is one, and makes and fills it. @param owner who may do so, in another database */
export async function fillAnew(owner: postgres.Sql, url: string, articles: number): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await owner.unsafe(`drop database if exists "${name}" with (force)`);
  await createDatabase(url);
  await migrateDatabase(url, { dataDir });
  openDatabase(url);
  try {
    const startedAt = performance.now();
    const comeBack = await dropIndexesAndForeignKeys(connection(), { tables: largest, unique: false });
    await fillVolume(articles, (message, done, total) => say(`${message} ${done} of ${total}`));
    const session = await connection().reserve();
    await session`set statement_timeout = 0`;
    await session`set maintenance_work_mem = '1GB'`;
    for (const statement of comeBack) {
      say(statement);
      await session.unsafe(statement);
    }
    await session`reset all`;
    session.release();
    say('statistics');
    await settleBulkLoad(connection());
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say('');
    console.log(`\r${articles} articles and what belongs to them came in ${seconds} s`);
  } finally {
    await closeDatabase();
  }
  await owner.unsafe(`comment on database "${name}" is '${filled}'`);
}

/** In place of what was said before. */
const say = (text: string) => process.stdout.write(`\r${text.slice(0, 78).padEnd(78)}`);
